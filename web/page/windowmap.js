// The window map, line by line: what the mark beside a line says, and what lies
// behind it. A pure function of the map, so that it can be tested without a
// browser.

/** @typedef {import('./wire.js').WindowMap} WindowMap */
/** @typedef {import('./wire.js').Gap} Gap */
/** @typedef {import('./wire.js').Way} Way */

/**
 * One word of a mark. Kinds are the faults that lead there; empty where no
 * fault does any harm.
 * @typedef {{word: string, kinds: string[]}} Entry
 */

/** @typedef {{handler: string, gaps: Gap[], entries: Entry[]}} LineWindow */

/**
 * @param {WindowMap} map
 * @returns {Map<number, LineWindow>} by line
 */
export function byLine(map) {
  /** @type {Map<number, LineWindow>} */
  const lines = new Map();
  for (const handler of map.handlers) {
    for (const gap of handler.gaps) {
      const line = lines.get(gap.line) ?? {handler: handler.name, gaps: [], entries: []};
      line.gaps.push(gap);
      lines.set(gap.line, line);
    }
  }
  for (const [number, line] of lines) {
    line.entries = entriesOf(line.gaps);
    if (line.entries.length === 0) lines.delete(number); // nothing can strike there
  }
  return lines;
}

/**
 * What a mark says: the harm, that of a crash first; where there is none,
 * what is not known; and harmless only where everything is known to be so.
 * @param {Gap[]} gaps
 * @returns {Entry[]}
 */
export function entriesOf(gaps) {
  /** @type {Map<string, Set<string>>} */
  const words = new Map();
  const add = (/** @type {string} */ word, /** @type {string} */ kind) => words.set(word, (words.get(word) ?? new Set()).add(kind));
  const marks = new Set();
  for (const {faults} of gaps) {
    for (const {kind, mark, ways} of faults) {
      if (mark !== 'impossible') marks.add(mark);
      for (const {word} of ways) add(word, kind);
    }
  }
  const harm = [...words].map(([word, kinds]) => ({word, kinds: [...kinds]}));
  const byCrash = (/** @type {Entry} */ {kinds}) => kinds.includes('crash') ? 0 : 1;
  harm.sort((a, b) => byCrash(a) - byCrash(b));
  if (marks.has('undecided')) harm.push({word: 'undecided', kinds: []});
  if (harm.length > 0) return harm;
  for (const word of ['harmless', 'unreached']) if (marks.has(word)) return [{word, kinds: []}];
  return [];
}

/** @type {Record<string, string>} */
const faultWords = {crash: 'crash', lost_request: 'lost request', lost_reply: 'lost reply', stall: 'stall'};

/** @param {string} kind */
export const faultWord = (kind) => faultWords[kind] ?? kind.replaceAll('_', ' ');

/**
 * The place of a gap, as a sentence ends with it.
 * @param {Gap} gap
 */
export function placeOf({call, text, end, occurrences}) {
  const times = occurrences.length ? `, time ${occurrences.join(', ')}` : '';
  if (!end) return `${text || call}${times}`;
  return (call === 'end' ? 'the end of the handler' : 'the runtime settles for the handler') + times;
}

/**
 * The words that a map uses, in the order in which they first come: for its
 * legend.
 * @param {Map<number, LineWindow>} lines
 */
export function wordsOf(lines) {
  return [...new Set([...lines.values()].flatMap(({entries}) => entries.map(({word}) => word)))];
}
