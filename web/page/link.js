// Links. The part of the address after # holds where the learner is:
//
//   /lessons/01-ack-first#v1.<place of each simulation of the lesson>
//   /play#v1.<scenario, steps, position>
//
// Both are JSON in base64url: steps contain spaces, brackets and apostrophes,
// on which chat programs break a plainer spelling. The server never sees this
// part of an address.

const VERSION = 'v1.';

/** @typedef {{steps: string[], position: number}} Place */
/** @typedef {Place & {scenario: string}} Run */

/** @param {unknown} value */
export function encode(value) {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return VERSION + btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Whatever is not a link of ours, or a damaged one, is null.
 * @param {string} text an address, or the part after #
 * @returns {unknown}
 */
export function decode(text) {
  const fragment = text.slice(text.indexOf('#') + 1).trim();
  if (!fragment.startsWith(VERSION)) return null;
  try {
    const base64 = fragment.slice(VERSION.length).replaceAll('-', '+').replaceAll('_', '/');
    const bytes = Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
    return JSON.parse(new TextDecoder('utf-8', {fatal: true}).decode(bytes));
  } catch {
    return null;
  }
}

/**
 * @param {unknown} value
 * @returns {Place | null}
 */
export function asPlace(value) {
  if (value === null || typeof value !== 'object') return null;
  const {steps, position} = /** @type {Record<string, unknown>} */ (value);
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'string')) return null;
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0) return null;
  return {steps, position: Math.min(position, steps.length)};
}

/**
 * @param {unknown} value
 * @returns {Run | null}
 */
export function asRun(value) {
  const place = asPlace(value);
  if (place === null) return null;
  const {scenario} = /** @type {Record<string, unknown>} */ (value);
  return typeof scenario === 'string' && scenario !== '' ? {scenario, ...place} : null;
}

/**
 * The place of one simulation of a lesson.
 * @param {string} hash
 * @param {string} name
 */
export function placeIn(hash, name) {
  const all = decode(hash);
  if (all === null || typeof all !== 'object') return null;
  return Object.hasOwn(all, name) ? asPlace(/** @type {Record<string, unknown>} */ (all)[name]) : null;
}

/**
 * The address's new part after #, where one simulation of a lesson moved.
 * @param {string} hash
 * @param {string} name
 * @param {Place} place
 */
export function withPlace(hash, name, place) {
  const before = decode(hash);
  const all = before !== null && typeof before === 'object' ? before : {};
  return '#' + encode({...all, [name]: place});
}
