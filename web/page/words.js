// What the words of the wire look like: a shape and a tone beside each word,
// so that colour never stands alone.

/** @typedef {import('./draw/icons.js').Shape} Shape */
/** @typedef {'good' | 'bad' | 'warn' | 'calm'} Tone */
/** @typedef {{text: string, shape: Shape, tone: Tone}} Look */

/** @type {Record<string, Look>} */
const verdicts = {
  done_once: {text: 'done once', shape: 'check', tone: 'good'},
  lost: {text: 'lost', shape: 'hollow', tone: 'bad'},
  duplicated: {text: 'duplicated', shape: 'double', tone: 'bad'},
  overwritten: {text: 'overwritten', shape: 'over', tone: 'bad'},
  stuck: {text: 'stuck', shape: 'pause', tone: 'bad'},
  dead_lettered: {text: 'dead-lettered', shape: 'cross', tone: 'warn'},
  conflict_accepted: {text: 'conflict accepted', shape: 'octagon', tone: 'bad'},
  uncaused: {text: 'uncaused', shape: 'question', tone: 'bad'},
  unresolved: {text: 'unresolved', shape: 'question', tone: 'warn'},
};

/** @type {Record<string, Look>} */
const states = {
  idle: {text: 'idle', shape: 'hollow', tone: 'calm'},
  running: {text: 'running', shape: 'play', tone: 'good'},
  stopping: {text: 'told to stop', shape: 'play', tone: 'warn'},
  waiting: {text: 'waiting', shape: 'hourglass', tone: 'warn'},
  stalled: {text: 'stalled', shape: 'pause', tone: 'warn'},
  down: {text: 'down', shape: 'burst', tone: 'bad'},
};

/**
 * @param {Record<string, Look>} looks
 * @param {string} word
 * @returns {Look}
 */
function look(looks, word) {
  // A word that the page doesn't know is shown as it is rather than hidden.
  return Object.hasOwn(looks, word) ? looks[word] : {text: plain(word), shape: 'dot', tone: 'calm'};
}

/** @param {string} word */
export const verdictLook = (word) => look(verdicts, word);

/** @param {string} word */
export const stateLook = (word) => look(states, word);

/** @type {Look} */
export const undecided = {text: 'in progress', shape: 'dots', tone: 'calm'};

/** @type {Record<string, Shape>} */
const faults = {
  crash: 'burst',
  lost_request: 'cross',
  lost_reply: 'cross',
  refused: 'bar',
  connection_lost: 'cross',
  stall: 'pause',
  early_expiry: 'hourglass',
};

/** @param {string} fault */
export const faultShape = (fault) => faults[fault] ?? 'burst';

/** @type {Record<string, Look>} */
const marks = {
  harmless: {text: 'harmless', shape: 'check', tone: 'good'},
  unreached: {text: 'unreached', shape: 'bar', tone: 'calm'},
  undecided: {text: 'undecided', shape: 'dots', tone: 'warn'},
};

/** @param {string} word a verdict or a mark of the window map */
export const windowLook = (word) => Object.hasOwn(marks, word) ? marks[word] : verdictLook(word);

/** @param {string} word */
export const plain = (word) => word.replaceAll('_', ' ');

/** @param {number} seconds */
export function duration(seconds) {
  if (seconds < 120) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  const rest = seconds % 60;
  if (minutes < 120) return rest ? `${minutes} min ${rest} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
}

/**
 * The same where there is little room.
 * @param {number} seconds
 */
export const brief = (seconds) => duration(seconds).replace(/^(\d+) (min|h) (\d+) (s|min)$/, (_all, many, unit, few, less) => `${many}${unit[0]} ${few}${less[0]}`);
