// A picture as plain data: a node is a tag, its attributes and its children.
// The same tree becomes text (for golden files and for saving) and elements
// (for the page), and no text is ever parsed as markup on the way.

/** @typedef {{tag: string, attributes: Record<string, string | number>, children: (Node | string)[]}} Node */

/**
 * @param {string} tag
 * @param {Record<string, string | number | undefined>} attributes undefined ones are left out
 * @param {...(Node | string | null)} children null ones are left out
 * @returns {Node}
 */
export function h(tag, attributes, ...children) {
  /** @type {Record<string, string | number>} */
  const kept = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) continue;
    kept[name] = typeof value === 'number' ? round(value) : value;
  }
  return {tag, attributes: kept, children: children.filter((child) => child !== null)};
}

/** @param {number} value two digits are a fiftieth of a pixel, and keep golden files readable */
export const round = (value) => Math.round(value * 100) / 100;

/** @type {Record<string, string>} */
const escapes = {'&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;'};
/** @param {string} text */
const escape = (text) => text.replace(/[&<>"]/g, (char) => escapes[char]);

/**
 * @param {Node | string} node
 * @param {string} [indent]
 * @returns {string}
 */
export function serialize(node, indent = '') {
  if (typeof node === 'string') return escape(node);
  const attributes = Object.entries(node.attributes).map(([name, value]) => ` ${name}="${escape(String(value))}"`).join('');
  const open = `${indent}<${node.tag}${attributes}`;
  if (node.children.length === 0) return open + '/>\n';
  if (node.children.every((child) => typeof child === 'string')) {
    return `${open}>${node.children.map((child) => serialize(child)).join('')}</${node.tag}>\n`;
  }
  const inner = node.children.map((child) => serialize(child, indent + '  ')).join('');
  return `${open}>\n${inner}${indent}</${node.tag}>\n`;
}

const SVG = 'http://www.w3.org/2000/svg';

/**
 * Makes the container's children look like the nodes, changing what differs
 * and nothing else, so that focus and hover survive a step.
 * @param {Element} container
 * @param {(Node | string)[]} nodes
 */
export function patch(container, nodes) {
  nodes.forEach((node, index) => {
    const old = container.childNodes[index];
    if (typeof node === 'string') {
      if (old instanceof Text) {
        if (old.data !== node) old.data = node;
      } else {
        place(container, document.createTextNode(node), old);
      }
      return;
    }
    if (old instanceof Element && old.localName === node.tag) {
      dress(old, node);
    } else {
      const element = document.createElementNS(SVG, node.tag);
      dress(element, node);
      place(container, element, old);
    }
  });
  while (container.childNodes.length > nodes.length) container.lastChild?.remove();
}

/**
 * @param {Element} container
 * @param {ChildNode} fresh
 * @param {ChildNode | undefined} old
 */
function place(container, fresh, old) {
  if (old) old.replaceWith(fresh);
  else container.append(fresh);
}

/**
 * @param {Element} element
 * @param {Node} node
 */
function dress(element, node) {
  for (const name of element.getAttributeNames()) if (!(name in node.attributes)) element.removeAttribute(name);
  for (const [name, value] of Object.entries(node.attributes)) {
    if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
  }
  patch(element, node.children);
}
