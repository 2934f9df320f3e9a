// The space-time diagram: a pure function from the data of a snapshot to a
// tree. Layers from back to front: the current row, lanes, bands, arrows,
// marks, and a veil over what lies beyond the position.

import {h} from './tree.js';
import {shapes} from './icons.js';
import {ARROW, HEAD, SHORT, WORD, fit, fitName, layOut, roomOf, sharesLine, sideOf} from './layout.js';
import {brief, plain, verdictLook} from '../words.js';

/** @typedef {import('./tree.js').Node} Node */
/** @typedef {import('./layout.js').Layout} Layout */
/** @typedef {import('../wire.js').Snapshot} Snapshot */
/** @typedef {import('../wire.js').Arrow} Arrow */
/** @typedef {import('../wire.js').Mark} Mark */
/** @typedef {import('../wire.js').Band} Band */
/** @typedef {import('../wire.js').Row} Row */

/**
 * How a diagram stands beside another one: the heights that its rows have at
 * least, and what stands in the gutter instead of their numbers.
 * @typedef {{least: readonly number[], numbers: readonly string[]}} Beside
 */

/**
 * @param {Snapshot} snapshot
 * @param {number} width
 * @param {Beside} [beside]
 * @returns {{head: Node, body: Node, heights: number[]}}
 */
export function drawDiagram(snapshot, width, beside) {
  const layout = layOut(snapshot.diagram, width, Math.max(0, ...snapshot.steps.map(({at}, index) => moved(snapshot, index) ? brief(at).length : 0)), beside?.least);
  return {head: drawHead(snapshot, layout), body: drawBody(snapshot, layout, beside?.numbers), heights: layout.rows.map(({top, bottom}) => bottom - top)};
}

/** The lanes' names, apart from the body so that they can stay in view.
 * @param {Snapshot} snapshot
 * @param {Layout} layout
 */
function drawHead(snapshot, layout) {
  const hosted = snapshot.diagram.lanes.some(({host}) => host !== '');
  return svg(layout.width, HEAD + (hosted ? 11 : 0), 'diagram-head', {'aria-hidden': 'true'},
    ...snapshot.diagram.lanes.map((lane) => {
      const x = at(layout, lane.name);
      const room = layout.gap - 6;
      return h('g', {class: `lane-name ${lane.kind}`},
        h('title', {}, `${lane.name} (${lane.kind}${lane.host ? ` in ${lane.host}` : ''})`),
        h('rect', {x: x - room / 2, y: 5, width: room, height: 23, rx: 5}),
        h('text', {x, y: 20.5, 'text-anchor': 'middle'}, fitName(lane.name, Math.floor((room - 2) / (layout.narrow ? 5.6 : 6.7)))),
        lane.host ? h('text', {x, y: 39, 'text-anchor': 'middle', class: 'lane-host'}, fitName(`in ${lane.host}`, Math.floor(room / 5.2))) : null);
    }));
}

/**
 * @param {Snapshot} snapshot
 * @param {Layout} layout
 * @param {readonly string[]} [numbers]
 */
function drawBody(snapshot, layout, numbers = snapshot.diagram.rows.map((_row, index) => String(index + 1))) {
  const {diagram, position, steps} = snapshot;
  const veilTop = position === 0 ? 0 : layout.rows[position - 1]?.bottom ?? layout.height;
  return svg(layout.width, layout.height, 'diagram-body',
    {role: 'img', 'aria-label': describe(snapshot)},
    h('g', {class: 'lanes'}, ...diagram.lanes.map((lane) =>
      h('line', {x1: at(layout, lane.name), y1: 0, x2: at(layout, lane.name), y2: layout.height}))),
    h('g', {class: 'bands'}, ...[...diagram.bands].sort(byWidth).map((band) => drawBand(band, layout))),
    h('g', {class: 'rows'}, ...diagram.rows.map((row, index) => h('g', {
      class: ['row', steps[index]?.kind ?? '', index + 1 === position ? 'now' : ''].filter(Boolean).join(' '),
      'data-step': index + 1,
    },
      h('title', {}, `${numbers[index]}. ${steps[index]?.text || steps[index]?.name || ''}`),
      h('rect', {class: 'row-ground', x: 0, y: layout.rows[index].top, width: layout.width, height: layout.rows[index].bottom - layout.rows[index].top}),
      ...drawNumber(snapshot, index, numbers[index], layout),
      ...drawRow(row, layout.rows[index].top + 9, layout, taken(diagram.bands, index + 1))))),
    position < diagram.rows.length
      ? h('rect', {class: 'veil', x: 0, y: veilTop, width: layout.width, height: layout.height - veilTop})
      : null,
    position > 0 && position < diagram.rows.length
      ? h('line', {class: 'now-line', x1: 0, y1: veilTop, x2: layout.width, y2: veilTop})
      : null);
}

/**
 * The step's number and, where the clock moved in it, the time.
 * @param {Snapshot} snapshot
 * @param {number} index
 * @param {string} number
 * @param {Layout} layout
 */
function drawNumber(snapshot, index, number, layout) {
  const {middle} = layout.rows[index];
  const clock = moved(snapshot, index);
  const x = layout.gutter - 10;
  return [
    h('text', {class: 'step-number', x, y: clock ? middle - 2 : middle + 4, 'text-anchor': 'end'}, number),
    ...(clock ? [h('text', {class: 'step-clock', x, y: middle + 10, 'text-anchor': 'end'}, brief(snapshot.steps[index].at))] : []),
  ];
}

/**
 * Whether the clock moved in a step.
 * @param {Snapshot} snapshot
 * @param {number} index
 */
const moved = ({steps}, index) => (steps[index]?.at ?? 0) !== (index === 0 ? 0 : steps[index - 1]?.at ?? 0);

/**
 * The lanes where a band lies in a row: labels keep off them where they can.
 * @param {readonly Band[]} bands
 * @param {number} step
 */
const taken = (bands, step) => new Set(bands.filter(({kind, first, last}) =>
  kind !== 'handler' && first <= step && (last === 0 || last >= step)).map(({lane}) => lane));

/**
 * What a fault does to a process comes first, what follows from it below.
 * @param {Row} row
 * @param {number} top
 * @param {Layout} layout
 * @param {Set<string>} banded
 */
function drawRow(row, top, layout, banded) {
  /** @type {Node[]} */
  const nodes = [];
  let line = top;
  const alone = row.marks.filter((mark) => !sharesLine(row, mark));
  const strikes = (/** @type {Mark} */ {kind}) => kind === 'crash' || kind === 'stall';
  const drawAlone = (/** @type {Mark} */ mark) => {
    nodes.push(drawMark(mark, line + 9, 1, layout));
    line += ARROW;
  };
  alone.filter(strikes).forEach(drawAlone);
  for (const arrow of row.arrows) {
    const short = roomOf(arrow) === SHORT;
    const marked = arrow.kind === 'request' && row.marks.some((mark) => mark.lane === arrow.to && sharesLine(row, mark));
    nodes.push(drawArrow(arrow, short ? line + 3 : line + 13, layout, marked, banded));
    for (const mark of row.marks) {
      if (!sharesLine(row, mark) || mark.lane !== arrow.to || arrow.kind !== 'request') continue;
      const side = sideOf(row, mark, layout);
      nodes.push(drawMark(mark, line + 16, side ?? 0, layout));
      if (side !== 0) continue;
      line += WORD;
      nodes.push(h('g', {class: `mark ${mark.kind}`}, h('text', {
        class: 'mark-label', x: at(layout, mark.lane) - 11, y: line + 17, 'text-anchor': 'end'}, mark.label)));
    }
    line += roomOf(arrow);
  }
  alone.filter((mark) => !strikes(mark)).forEach(drawAlone);
  return nodes;
}

/**
 * An arrow leans a little, because what travels takes time. A lost one ends
 * on its way, in a cross and the word.
 * @param {Arrow} arrow
 * @param {number} y
 * @param {Layout} layout
 * @param {boolean} marked a mark stands at its end, which the label leaves free
 * @param {Set<string>} banded
 */
function drawArrow(arrow, y, layout, marked, banded) {
  const from = at(layout, arrow.from);
  const to = at(layout, arrow.to);
  const side = from <= to ? 1 : -1;
  const lean = 4;
  const lost = arrow.fate === 'lost';
  const start = from + side * 3;
  const end = lost ? from + (to - from) * 0.62 : to - side * 4;
  const word = arrow.fate === 'arrives' ? '' : lost ? `${arrow.kind} lost` : arrow.fate;
  const label = fit(arrow.label, Math.abs(to - from) + (layout.narrow ? 0.9 : 0.1) * layout.gap, layout.letter);
  const middle = (from + to) / 2 - (marked ? side * 5 : 0);
  return h('g', {class: `arrow ${arrow.kind} ${arrow.fate}`},
    h('line', {x1: start, y1: y, x2: end, y2: y + lean}),
    lost ? icon('cross', end + side * 5, y + lean, 'arrow-end', 0.8)
      : arrow.fate === 'refused' ? h('line', {class: 'arrow-end', x1: end, y1: y - 3, x2: end, y2: y + lean + 6})
        : h('path', {class: 'arrow-end', d: `M${end - side * 6} ${y - 1.5}L${end} ${y + lean}L${end - side * 7} ${y + lean + 3}`}),
    arrow.label === '' ? null : h('text', {
      class: 'arrow-label', x: within(beside(arrow, middle, label, layout, banded), label, layout), y: y - 2.5, 'text-anchor': 'middle',
    }, label),
    word === '' ? null : h('text', {
      class: 'arrow-word', x: within((from + to) / 2, word, layout), y: y + lean + 12, 'text-anchor': 'middle',
    }, word));
}

const CLEAR = 12; // from the middle of a lane to where no band reaches

/**
 * Moves a label off the band at one of its arrow's ends, over the other end
 * where it is longer than the arrow.
 * @param {Arrow} arrow
 * @param {number} x
 * @param {string} label
 * @param {Layout} layout
 * @param {Set<string>} banded
 */
function beside({from, to}, x, label, layout, banded) {
  const half = (label.length * layout.letter) / 2;
  const [left, right] = at(layout, from) <= at(layout, to) ? [from, to] : [to, from];
  if (banded.has(left) === banded.has(right)) return x;
  return banded.has(left) ? Math.max(x, at(layout, left) + CLEAR + half) : Math.min(x, at(layout, right) - CLEAR - half);
}

/**
 * Keeps a centred label inside the picture.
 * @param {number} x
 * @param {string} label
 * @param {Layout} layout
 */
function within(x, label, layout) {
  const half = (label.length * layout.letter) / 2;
  return Math.min(Math.max(x, layout.gutter + half), layout.width - half - 2);
}

/** @type {Record<string, import('./icons.js').Shape>} */
const markShapes = {
  crash: 'burst', restart: 'back', stall: 'pause', wake: 'play', commit: 'diamond', rollback: 'slashed', ack: 'check',
  nack: 'back', expire: 'hourglass', accept: 'speech', mail: 'letter', wait: 'hourglass', end: 'square', violation: 'octagon',
};

/**
 * @param {Mark} mark
 * @param {number} y
 * @param {number} side where the label goes: 1 right, -1 left, 0 nowhere
 * @param {Layout} layout
 */
function drawMark(mark, y, side, layout) {
  const x = at(layout, mark.lane);
  const text = mark.label || plain(mark.kind);
  const room = text.length * layout.letter + 14;
  if (side === 1 && x + room > layout.width) side = -1;
  if (side === -1 && x - room < layout.gutter) side = 1;
  return h('g', {class: `mark ${mark.kind}`},
    h('title', {}, text),
    icon(markShapes[mark.kind] ?? 'dot', x, y, 'mark-shape'),
    side === 0 ? null : h('text', {class: 'mark-label', x: x + side * 11, y: y + 4, 'text-anchor': side === 1 ? 'start' : 'end'}, text));
}

/** From the widest, which lies at the back: a narrow one stays visible on it. */
const widths = /** @type {Record<string, number>} */ ({window: 30, stalled: 22, down: 22, unacked: 16, transaction: 9, handler: 3});
const byWidth = (/** @type {Band} */ a, /** @type {Band} */ b) => (widths[b.kind] ?? 12) - (widths[a.kind] ?? 12);

/** @type {Record<string, string>} */
const bandWords = {handler: 'handler runs', unacked: 'not acked', transaction: 'open transaction', window: 'window'};

/**
 * @param {Band} band
 * @param {Layout} layout
 */
function drawBand(band, layout) {
  const width = widths[band.kind] ?? 12;
  const x = at(layout, band.lane) - width / 2;
  const y = layout.rows[band.first - 1]?.middle ?? 0;
  const bottom = band.last === 0 ? layout.height : layout.rows[band.last - 1]?.middle ?? layout.height;
  return h('g', {class: `band ${band.kind} ${band.last === 0 ? 'open' : 'ended'}`},
    h('title', {}, [`${bandWords[band.kind] ?? plain(band.kind)}${band.label ? ` (${band.label})` : ''}`, band.end].filter(Boolean).join(': ')),
    h('rect', {x, y, width, height: Math.max(4, bottom - y), rx: 2}));
}

/**
 * @param {import('./icons.js').Shape} shape
 * @param {number} x
 * @param {number} y
 * @param {string} name
 * @param {number} [scale]
 */
function icon(shape, x, y, name, scale = 0.9) {
  const {fill, line} = shapes[shape];
  return h('g', {class: name, transform: `translate(${Math.round(x * 100) / 100} ${Math.round(y * 100) / 100}) scale(${scale})`},
    fill ? h('path', {class: 'fill', d: fill}) : null,
    line ? h('path', {class: 'line', d: line}) : null);
}

/**
 * @param {Layout} layout
 * @param {string} lane
 */
const at = (layout, lane) => layout.lane.get(lane) ?? layout.gutter;

/**
 * @param {number} width
 * @param {number} height
 * @param {string} name
 * @param {Record<string, string>} more
 * @param {...(Node | null)} children
 */
function svg(width, height, name, more, ...children) {
  return h('svg', {xmlns: 'http://www.w3.org/2000/svg', class: name, width, height, viewBox: `0 0 ${width} ${height}`, ...more}, ...children);
}

/** @param {Snapshot} snapshot */
function describe({diagram, position, steps, intents}) {
  const verdicts = intents.flatMap(({name, verdicts}) => verdicts.map(({word}) => `${name} ${verdictLook(word).text}`));
  return `Space-time diagram of ${diagram.lanes.length} parties, step ${position} of ${steps.length}. ` +
    (verdicts.length ? `Verdicts: ${verdicts.join(', ')}. ` : '') + 'The table says the same in words.';
}
