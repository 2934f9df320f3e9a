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
export const SHORT = 9; // for a reply that says nothing
export const WORD = 11; // for the word below an arrow that got lost
const PAD = 9; // above and below the arrows of a row
const NARROW = 84; // a gap below which labels are set smaller
const CLOCK = 5.8; // width of one letter of the time
const NARROWEST = 54;
const WIDEST = 190;

/**
 * @param {Diagram} diagram
 * @param {number} width room there is
 * @param {number} [clock] letters of the longest time in the gutter
 * @param {readonly number[]} [least] heights that the rows have at least
 * @returns {Layout}
 */
export function layOut(diagram, width, clock = 0, least = []) {
  const lanes = Math.max(diagram.lanes.length, 1);
  const guess = (width - 34) / lanes;
  const narrow = guess < NARROW;
  const gutter = Math.max(narrow ? 34 : 46, 14 + CLOCK * clock);
  const gap = Math.min(WIDEST, Math.max(NARROWEST, (width - gutter) / lanes));
  /** @type {Map<string, number>} */
  const lane = new Map();
  diagram.lanes.forEach(({name}, index) => lane.set(name, gutter + gap * (index + 0.5)));

  const letter = narrow ? 5.4 : 6.3;
  const all = Math.max(width, gutter + gap * lanes);
  let top = 4;
  const rows = diagram.rows.map((row, index) => {
    const below = row.marks.filter((mark) => sideOf(row, mark, {lane, letter, width: all}) === 0).length;
    const height = Math.max(least[index] ?? 0, 2 * PAD + Math.max(ARROW, room(row) + WORD * below));
    const place = {top, middle: top + height / 2, bottom: top + height};
    top += height;
    return place;
  });
  return {width: all, height: top + 10, gutter, gap, narrow, letter, lane, rows};
}

/**
 * The room that an arrow takes.
 * @param {import('../wire.js').Arrow} arrow
 */
export function roomOf({kind, fate, label}) {
  if (fate !== 'arrives') return ARROW + WORD;
  return kind === 'reply' && label === '' ? SHORT : ARROW;
}

/**
 * The room for a row's arrows and labelled marks. A mark at the end of an
 * arrow shares its line.
 * @param {Row} row
 */
export function room(row) {
  const marks = row.marks.filter((mark) => !sharesLine(row, mark)).length;
  return row.arrows.reduce((sum, arrow) => sum + roomOf(arrow), ARROW * marks);
}

/**
 * @param {Row} row
 * @param {import('../wire.js').Mark} mark
 */
export function sharesLine(row, mark) {
  return row.arrows.some((arrow) => arrow.to === mark.lane && arrow.kind === 'request' && arrow.fate === 'arrives');
}

/**
 * Where the label of a mark at the end of an arrow goes: beyond the arrow (1
 * right, -1 left), below it where there is no room (0), or nowhere (null)
 * where the mark stands alone, or the arrow's label says it already.
 * @param {Row} row
 * @param {import('../wire.js').Mark} mark
 * @param {{lane: Map<string, number>, letter: number, width: number}} layout
 * @returns {1 | -1 | 0 | null}
 */
export function sideOf(row, mark, {lane, letter, width}) {
  const arrow = row.arrows.find(({to, kind, fate}) => to === mark.lane && kind === 'request' && fate === 'arrives');
  if (!arrow || arrow.label.endsWith(mark.label)) return null;
  const x = lane.get(mark.lane) ?? 0;
  if ((lane.get(arrow.from) ?? 0) > x) return -1;
  return x + mark.label.length * letter + 14 > width ? 0 : 1;
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

/**
 * A name that is too long loses its middle: the number at its end is what tells
 * it from its like.
 * @param {string} name
 * @param {number} most letters
 */
export function fitName(name, most) {
  if (name.length <= most) return name;
  const end = name.match(/#?\d{1,2}$/)?.[0] ?? '';
  return name.slice(0, Math.max(1, most - 1 - end.length)) + '…' + end;
}
