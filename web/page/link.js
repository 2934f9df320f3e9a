// Links. The part of the address after # holds where the learner is:
//
//   /lessons/01-ack-first#v1.<place of each simulation of the lesson>
//   /play#v1.<scenario, steps, position, budget of faults, text>
//
// Both are JSON in base64url, a link that is shared is deflated before: steps contain spaces, brackets and apostrophes,
// on which chat programs break a plainer spelling. The server never sees this
// part of an address.

const VERSION = 'v1.';

/** The longest text that the server takes, in bytes. */
export const LONGEST_TEXT = 64 * 1024;
const LONGEST_LINK = 250_000; // characters; the server takes messages of 256 KiB

/**
 * Budget is left out where it is the scenario's own, text where it is the
 * shipped one.
 * @typedef {{steps: string[], position: number, budget?: string, text?: string}} Place
 */
/** @typedef {Place & {scenario: string}} Run */

/** @param {unknown} value */
export function encode(value) {
  return VERSION + toBase64(new TextEncoder().encode(JSON.stringify(value)));
}

/**
 * The same, made short for sharing.
 * @param {unknown} value
 */
export async function pack(value) {
  const stream = new Blob([JSON.stringify(value)]).stream().pipeThrough(new CompressionStream('deflate'));
  return VERSION + toBase64(new Uint8Array(await new Response(stream).arrayBuffer()));
}

/** @param {Uint8Array} bytes */
function toBase64(bytes) {
  let binary = '';
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/**
 * Whatever is not a link of ours, or a damaged one, is null.
 * @param {string} text an address, or the part after #
 * @returns {unknown}
 */
export function decode(text) {
  const bytes = fromBase64(text);
  return bytes && parse(bytes);
}

/**
 * Reads a link of either form.
 * @param {string} text an address, or the part after #
 * @returns {Promise<unknown>}
 */
export async function unpack(text) {
  const bytes = fromBase64(text);
  if (bytes === null || bytes[0] === BRACE) return bytes && parse(bytes);
  const inflated = await inflate(bytes);
  return inflated && parse(inflated);
}

const BRACE = 0x7b; // how JSON begins; what is deflated never does

/**
 * A small link can grow to anything, so reading stops where it is too long.
 * @param {Uint8Array<ArrayBuffer>} bytes
 */
async function inflate(bytes) {
  const chunks = [];
  let length = 0;
  try {
    const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate')).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      length += read.value.length;
      chunks.push(read.value);
      if (length > LONGEST_LINK) {
        await reader.cancel();
        return null;
      }
    }
  } catch {
    return null;
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}

/** @param {string} text */
function fromBase64(text) {
  const fragment = text.slice(text.indexOf('#') + 1).trim();
  if (!fragment.startsWith(VERSION) || fragment.length > LONGEST_LINK) return null;
  try {
    const base64 = fragment.slice(VERSION.length).replaceAll('-', '+').replaceAll('_', '/');
    return Uint8Array.from(atob(base64), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

/**
 * @param {Uint8Array} bytes
 * @returns {unknown}
 */
function parse(bytes) {
  try {
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
  const {steps, position, budget, text} = /** @type {Record<string, unknown>} */ (value);
  if (!Array.isArray(steps) || !steps.every((step) => typeof step === 'string')) return null;
  if (typeof position !== 'number' || !Number.isInteger(position) || position < 0) return null;
  return {
    steps, position: Math.min(position, steps.length),
    ...(typeof budget === 'string' && budget !== '' ? {budget} : {}),
    ...(typeof text === 'string' && text !== '' ? {text} : {}),
  };
}

/**
 * @param {unknown} value
 * @returns {Run | null}
 */
export function asRun(value) {
  const place = asPlace(value);
  if (place === null) return null;
  const {scenario} = /** @type {Record<string, unknown>} */ (value);
  if (typeof scenario === 'string' && scenario !== '') return {scenario, ...place};
  return place.text ? {scenario: 'scenario.star', ...place} : null; // a text of no lesson
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

// Which form of a case is shown stands beside the places, under a name that no
// simulation can have.
const SHOWN = '$shown';

/** @param {string} hash */
export function shownIn(hash) {
  const all = decode(hash);
  const shown = all !== null && typeof all === 'object' && SHOWN in all ? all[SHOWN] : '';
  return typeof shown === 'string' ? shown : '';
}

/**
 * The address's new part after #, where a reader chose another form.
 * @param {string} hash
 * @param {string} form
 */
export function withShown(hash, form) {
  const before = decode(hash);
  const all = before !== null && typeof before === 'object' ? before : {};
  return '#' + encode({...all, [SHOWN]: form});
}
