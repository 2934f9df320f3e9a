// Colours for Starlark text. It is a scanner, not a parser: it knows comments,
// strings, numbers and words, and it never fails.

/** @typedef {{kind: string, text: string}} Token kind is a class name, or '' for plain text */

const keywords = new Set(['and', 'break', 'continue', 'def', 'elif', 'else', 'for', 'if', 'in', 'lambda', 'load', 'not', 'or', 'pass', 'return', 'while']);
const constants = new Set(['True', 'False', 'None']);

// The alternatives are tried in order: long strings before short ones. A
// string that is never closed ends with its line, or with the text.
const pattern = new RegExp([
  /(?<comment>#[^\n]*)/,
  /(?<string>[rb]{0,2}(?:"""[\s\S]*?(?:"""|$)|'''[\s\S]*?(?:'''|$)|"(?:\\.|[^"\\\n])*"?|'(?:\\.|[^'\\\n])*'?))/,
  /(?<number>\b\d[\w.]*)/,
  /(?<word>[A-Za-z_]\w*)/,
].map(({source}) => source).join('|'), 'g');

/**
 * @param {string} source
 * @returns {Token[][]} the tokens of each line
 */
export function highlight(source) {
  /** @type {Token[][]} */
  const lines = [[]];
  let end = 0;
  let before = '';
  for (const match of source.matchAll(pattern)) {
    add(lines, '', source.slice(end, match.index));
    end = match.index + match[0].length;
    add(lines, kindOf(match, before, source[end] ?? ''), match[0]);
    before = match[0];
  }
  add(lines, '', source.slice(end));
  if (lines.length > 1 && lines[lines.length - 1].length === 0) lines.pop(); // the last line's end
  return lines;
}

/**
 * @param {RegExpMatchArray} match
 * @param {string} before the token before
 * @param {string} after the character behind
 */
function kindOf(match, before, after) {
  const {comment, string, number, word} = match.groups ?? {};
  if (comment) return 'comment';
  if (string) return 'string';
  if (number) return 'number';
  if (keywords.has(word)) return 'keyword';
  if (constants.has(word)) return 'number';
  if (before === 'def') return 'name';
  return after === '(' ? 'call' : '';
}

/**
 * @param {Token[][]} lines
 * @param {string} kind
 * @param {string} text
 */
function add(lines, kind, text) {
  text.split('\n').forEach((part, index) => {
    if (index > 0) lines.push([]);
    if (part !== '') lines[lines.length - 1].push({kind, text: part});
  });
}
