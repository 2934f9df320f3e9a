import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {highlight} from '../draw/starlark.js';
import {stateLook} from '../words.js';

/** @typedef {import('../wire.js').Process} Process */

/** The scenario's text with a pointer per process. */
export class CodeElement extends Element {
  static properties = {source: {attribute: false}, file: {attribute: false}, processes: {attribute: false}};

  constructor() {
    super();
    this.source = '';
    this.file = '';
    /** @type {readonly Process[]} */
    this.processes = [];
    /** @type {import('../draw/starlark.js').Token[][]} */
    this.lines = [];
    /** @type {number | undefined} */
    this.shown = undefined; // the line that is kept in view
    this.watch = new ResizeObserver(() => this.follow());
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch.observe(this);
  }

  disconnectedCallback() {
    this.watch.disconnect();
    super.disconnectedCallback();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  willUpdate(changed) {
    if (changed.has('source')) this.lines = highlight(this.source);
  }

  render() {
    return html`<div class="code-scroll" tabindex="0" role="region" aria-label="The text of ${this.file}">
      <ol class="code">${this.lines.map((tokens, index) => this.line(tokens, index + 1))}</ol></div>`;
  }

  /**
   * @param {import('../draw/starlark.js').Token[]} tokens
   * @param {number} number
   */
  line(tokens, number) {
    const within = this.processes.some(({first, last}) => first <= number && number <= last);
    const here = this.processes.filter(({first}) => first === number);
    return html`<li class=${within ? 'code-line pointed' : 'code-line'}>
      <span class="gutter"><span class="pointers">${here.map((process) => {
        const look = stateLook(process.state);
        return html`<span class="pointer ${look.tone}" title="${process.name} is ${look.text}: ${process.call}">${icon(look.shape)}${process.name}<span
          class="away"> is ${look.text} here</span></span>`;
      })}</span><span class="line-number" aria-hidden="true">${number}</span></span><code>${tokens.map(({kind, text}) =>
        kind ? html`<span class="t-${kind}">${text}</span>` : text)}${tokens.length ? null : '\u200b'}</code></li>`;
  }

  /**
   * The pointer that moved is kept in view, else the first.
   * @param {Map<PropertyKey, unknown>} changed
   */
  updated(changed) {
    if (!changed.has('processes')) return;
    const before = /** @type {readonly Process[] | undefined} */ (changed.get('processes')) ?? [];
    const moved = this.processes.find(({name, first}) => first > 0 && before.find((old) => old.name === name)?.first !== first);
    this.shown = (moved ?? this.processes.find(({first}) => first > 0))?.first;
    this.follow();
  }

  /** Moves the text within its pane only, never the page. */
  follow() {
    const pane = this.querySelector('.code-scroll');
    const line = this.shown === undefined ? null : this.querySelectorAll('.code-line')[this.shown - 1];
    if (!(pane instanceof HTMLElement) || !(line instanceof HTMLElement)) return;
    const top = line.offsetTop;
    const margin = 2 * line.offsetHeight;
    if (top < pane.scrollTop + margin) pane.scrollTop = top - margin;
    else if (top + 2 * margin > pane.scrollTop + pane.clientHeight) pane.scrollTop = top + 2 * margin - pane.clientHeight;
  }
}

customElements.define('ack-code', CodeElement);
