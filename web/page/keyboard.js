// Single keys that step a simulation. They work where the focus is inside a
// simulation, and where nothing is focused for the one that is most in view;
// never while somebody types. They can be switched off, because such keys get
// in the way of speech input and of some screen readers.

const STORE = 'ackademy.keys';

/**
 * @typedef {object} Keyboard
 * @property {HTMLElement} element
 * @property {(key: string) => boolean} press whether the key meant something
 */

/** @type {Set<Keyboard>} */
const boards = new Set();

export function keysWanted() {
  try {
    return localStorage.getItem(STORE) !== 'off';
  } catch {
    return true;
  }
}

/** @param {boolean} wanted */
export function wantKeys(wanted) {
  try {
    localStorage.setItem(STORE, wanted ? 'on' : 'off');
  } catch {
    // Nothing is kept, so the choice lasts as long as the browser allows.
  }
}

/** @param {Keyboard} board */
export function listen(board) {
  if (boards.size === 0) document.addEventListener('keydown', onKey);
  boards.add(board);
}

/** @param {Keyboard} board */
export function unlisten(board) {
  boards.delete(board);
  if (boards.size === 0) document.removeEventListener('keydown', onKey);
}

/** @param {KeyboardEvent} event */
function onKey(event) {
  if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey || !keysWanted()) return;
  const target = event.target instanceof HTMLElement ? event.target : document.body;
  if (target.closest('input, textarea, select, dialog, [contenteditable]')) return;
  const board = boardFor(target);
  if (board?.press(event.key)) event.preventDefault();
}

/** @param {HTMLElement} target */
function boardFor(target) {
  for (const board of boards) if (board.element.contains(target)) return board;
  if (target !== document.body && target.id !== 'content') return undefined;
  return [...boards].map((board) => ({board, seen: seen(board.element)}))
    .filter(({seen}) => seen > 0)
    .sort((a, b) => b.seen - a.seen)[0]?.board;
}

/** @param {HTMLElement} element the pixels of its height that are in view */
function seen(element) {
  const {top, bottom} = element.getBoundingClientRect();
  return Math.min(bottom, innerHeight) - Math.max(top, 0);
}
