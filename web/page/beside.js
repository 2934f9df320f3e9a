// Two runs side by side: each gets an empty row where only the other one makes
// a step, so that row n of one lies beside row n of the other.

/** @typedef {import('./wire.js').Comparison} Comparison */
/** @typedef {import('./wire.js').ComparedRow} ComparedRow */
/** @typedef {import('./wire.js').Snapshot} Snapshot */
/** @typedef {'a' | 'b'} Side */

/** What stands before the number of a step, and what it means. */
export const signs = /** @type {Record<string, {sign: string, text: string}>} */ ({
  same: {sign: '', text: 'both'},
  moved: {sign: '~', text: 'both, at different places'},
  plain: {sign: '#', text: 'both, but the fault can’t strike there'},
  only_a: {sign: '−', text: 'shipped text only'},
  only_b: {sign: '+', text: 'your text only'},
});

/**
 * @param {Comparison} comparison
 * @param {Side} side
 * @returns {{snapshot: Snapshot, numbers: string[]}}
 */
export function stretched(comparison, side) {
  const {rows} = comparison;
  const snapshot = comparison[side];
  /** @type {Map<number, number>} */
  const place = new Map();
  rows.forEach((row, index) => {
    if (row[side] > 0) place.set(row[side], index + 1);
  });
  let at = 0;
  const steps = rows.map((row) => {
    const step = snapshot.steps[row[side] - 1];
    if (!step) return {name: '', kind: 'absent', text: '', at};
    at = step.at;
    return {...step, kind: `${step.kind} ${row.match}`};
  });
  return {
    snapshot: {...snapshot, steps, position: rows.length, diagram: {
      lanes: snapshot.diagram.lanes,
      rows: rows.map((row) => snapshot.diagram.rows[row[side] - 1] ?? {arrows: [], marks: []}),
      bands: snapshot.diagram.bands.map((band) => ({...band, first: place.get(band.first) ?? 0, last: place.get(band.last) ?? 0})),
    }},
    numbers: rows.map((row) => row[side] ? signs[row.match].sign + row[side] : ''),
  };
}
