import {LitElement, svg} from '../vendor/lit.js';
import {shapes} from '../draw/icons.js';

/**
 * The base of our elements: they live in the light DOM, so that labels and
 * descriptions reach across them and one style sheet covers all.
 */
export class Element extends LitElement {
  createRenderRoot() {
    return this;
  }

  /**
   * Tells whoever holds this element that something was asked for.
   * @param {string} name
   * @param {unknown} detail
   */
  emit(name, detail) {
    this.dispatchEvent(new CustomEvent(name, {detail, bubbles: true}));
  }
}

/**
 * A shape of the page. It is decoration: the word stands beside it, or the
 * button has a label.
 * @param {import('../draw/icons.js').Shape} shape
 */
export function icon(shape) {
  const {fill, line} = shapes[shape];
  return svg`<svg class="icon" viewBox="-8.500 -8.500 17 17" aria-hidden="true"><path class="fill" d=${fill ?? 'M0 0'}></path><path class="line" d=${line ?? 'M0 0'}></path></svg>`;
}
