// Where the parts of a space-time diagram lie. Time runs downward, one row a
// step; a row is as high as what happens in it.

/** @typedef {import('../wire.js').Diagram} Diagram */
/** @typedef {import('../wire.js').Row} Row */

/**
 * @typedef {object} Layout
 * @property {number} width
 * @property {number} height of the body
 * @property {number} gutter room at the left for the steps' numbers
 * @property {number} gap between two lanes
 * @property {boolean} narrow
 * @property {number} letter width of one letter of a label
 * @property {Map<string, number>} lane x of each lane
 * @property {{top: number, middle: number, bottom: number}[]} rows
 */

export const HEAD = 34; // height of the lanes' names
export const ARROW = 19; // room for one arrow and its label
const PAD = 9; // above and below the arrows of a row
const NARROW = 84; // a gap below which labels are set smaller
const NARROWEST = 54;
const WIDEST = 190;

/**
 * @param {Diagram} diagram
 * @param {number} width room there is
 * @returns {Layout}
 */
export function layOut(diagram, width) {
  const lanes = Math.max(diagram.lanes.length, 1);
  const guess = (width - 34) / lanes;
  const narrow = guess < NARROW;
  const gutter = narrow ? 26 : 46;
  const gap = Math.min(WIDEST, Math.max(NARROWEST, (width - gutter) / lanes));
  /** @type {Map<string, number>} */
  const lane = new Map();
  diagram.lanes.forEach(({name}, index) => lane.set(name, gutter + gap * (index + 0.5)));

  let top = 4;
  const rows = diagram.rows.map((row) => {
    const height = 2 * PAD + ARROW * Math.max(1, levels(row));
    const place = {top, middle: top + height / 2, bottom: top + height};
    top += height;
    return place;
  });
  return {width: Math.max(width, gutter + gap * lanes), height: top + 10, gutter, gap, narrow, letter: narrow ? 5.4 : 6.3, lane, rows};
}

/**
 * How many lines of arrows and labelled marks a row needs. A mark at the end
 * of an arrow shares its line.
 * @param {Row} row
 */
export function levels(row) {
  return row.arrows.length + row.marks.filter((mark) => !sharesLine(row, mark)).length;
}

/**
 * @param {Row} row
 * @param {import('../wire.js').Mark} mark
 */
export function sharesLine(row, mark) {
  return row.arrows.some((arrow) => arrow.to === mark.lane && arrow.kind === 'request' && arrow.fate === 'arrives');
}

/**
 * Cuts a text to the room there is; the whole of it stands in the tooltip and
 * in the table.
 * @param {string} text
 * @param {number} room in pixels
 * @param {number} letter
 */
export function fit(text, room, letter) {
  const most = Math.max(3, Math.floor(room / letter));
  return text.length <= most ? text : text.slice(0, most - 1) + '…';
}
