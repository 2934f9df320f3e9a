import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {fitName} from '../draw/layout.js';
import {highlight} from '../draw/starlark.js';
import {stateLook, verdictLook, windowLook} from '../words.js';
import {byLine, faultWord, placeOf, wordsOf} from '../windowmap.js';

/** @typedef {import('../wire.js').Process} Process */
/** @typedef {import('../wire.js').Work} Work */
/** @typedef {import('../wire.js').Way} Way */
/** @typedef {import('../windowmap.js').LineWindow} LineWindow */

const LINE = 19; // the height of a line
const POINTED = 9; // letters that a pointer has room for
const DEEPEST = 6; // levels of indentation that a wrapped line keeps

/**
 * The scenario's text with a pointer per process at the left and the window
 * map at the right: beside each call, what one fault right before it leads to.
 * A mark opens what it stands for; a schedule in there is asked for by
 * ack-replay.
 */
export class CodeElement extends Element {
  static properties = {
    source: {attribute: false}, file: {attribute: false}, processes: {attribute: false}, work: {attribute: false},
    last: {attribute: false}, marked: {attribute: false}, opened: {state: true},
  };

  constructor() {
    super();
    this.source = '';
    this.file = '';
    /** @type {readonly Process[]} */
    this.processes = [];
    this.last = ''; // the name of the step before, which tells whose line matters when the page opens
    /** @type {Work | null} how far the window map is */
    this.work = null;
    this.marked = true; // whether the map is shown
    this.opened = 0; // the line whose mark is open
    /** @type {import('../draw/starlark.js').Token[][]} */
    this.lines = [];
    /** @type {Map<number, LineWindow>} */
    this.windows = new Map();
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
    if (changed.has('source')) {
      this.lines = highlight(this.source);
      this.opened = 0;
    }
    if (changed.has('work') || changed.has('marked')) this.windows = this.marked && this.work?.map ? byLine(this.work.map) : new Map();
  }

  render() {
    return html`${this.always()}<div class="code-scroll" tabindex="0" role="region" aria-label="The text of ${this.file}">
      <ol class="code">${this.lines.map((tokens, index) => this.line(tokens, index + 1))}</ol></div>${this.legend()}`;
  }

  /**
   * @param {import('../draw/starlark.js').Token[]} tokens
   * @param {number} number
   */
  line(tokens, number) {
    const within = this.processes.some(({first, last}) => first <= number && number <= last);
    const here = this.processes.filter(({first}) => first === number);
    const window = this.windows.get(number);
    const indent = tokens[0]?.kind === '' ? tokens[0].text.search(/\S|$/) : 0;
    const deep = Math.min(DEEPEST, Math.floor(indent / 4));
    return html`<li class="code-line ${within ? 'pointed' : ''}">
      <span class="gutter"><span class="pointers">${here.map((process) => {
        const look = stateLook(process.state);
        return html`<span class="pointer ${look.tone}" title="${process.name} is ${look.text}: ${process.call}">${icon(look.shape)}<span aria-hidden="true">${fitName(process.name, POINTED)}</span><span
          class="away">${process.name} is ${look.text} here</span></span>`;
      })}</span><span class="line-number" aria-hidden="true">${number}</span></span><code class="deep-${deep}">${tokens.map(({kind, text}) =>
        kind ? html`<span class="t-${kind}">${text}</span>` : text)}${tokens.length ? null : '\u200b'}</code>${window ? this.mark(window, number) : null}${window && this.opened === number
          ? this.detail(window, number) : null}</li>`;
  }

  /**
   * @param {LineWindow} window
   * @param {number} number
   */
  mark({entries, gaps}, number) {
    const [first, ...more] = entries;
    const look = windowLook(first.word);
    const by = (/** @type {import('../windowmap.js').Entry} */ {kinds}) => kinds.length === 0 || kinds.includes('crash') ? '' : `${faultWord(kinds[0])}: `;
    const said = entries.map((entry) => `${windowLook(entry.word).text}${entry.kinds.length ? ` by ${entry.kinds.map(faultWord).join(' or ')}` : ''}`).join(', ');
    const open = this.opened === number;
    return html`<button type="button" class="window-mark ${look.tone} ${first.word}" aria-expanded=${String(open)} title="One fault before ${placeOf(gaps[0])}: ${said}"
      aria-label="Line ${number}, one fault before ${placeOf(gaps[0])}: ${said}" @click=${() => { this.opened = open ? 0 : number; }}>${icon(look.shape)}<span>${by(first)}${look.text}</span>${more.length
        ? html`<small>+${more.length}</small>` : null}</button>`;
  }

  /**
   * @param {LineWindow} window
   * @param {number} number
   */
  detail({gaps}, number) {
    return html`<div class="window-detail" role="group" aria-label="The window at line ${number}" @keydown=${(/** @type {KeyboardEvent} */ event) => this.leave(event)}>
      ${gaps.map((gap) => html`<p class="window-place">One fault right before <code>${placeOf(gap)}</code></p>
        <dl class="window-faults">${gap.faults.map(({kind, mark, ways}) => html`<dt>${faultWord(kind)}</dt><dd>${mark === 'impossible'
          ? html`<span class="quiet">can’t strike here</span>`
          : ways.length === 0 ? badge(mark) : ways.map((way) => this.way(way))}</dd>`)}</dl>`)}
      <p class="quiet">Over every continuation without a second fault.</p></div>`;
  }

  /** @param {Way} way */
  way(way) {
    return html`<span class="window-way">${badge(way.word)}<span class="quiet">${way.intents.join(', ')}</span>
      <button type="button" class="replay" title=${way.fits ? '' : 'Takes the budget “one fault of any kind”'}
        @click=${() => this.replay(way)}>${icon('play')}Replay ${way.steps.length} ${way.steps.length === 1 ? 'step' : 'steps'}<span class="away"> to ${verdictLook(way.word).text}</span></button></span>`;
  }

  /** @param {Way} way */
  replay(way) {
    this.emit('ack-replay', way);
    this.close();
  }

  /** Closes an open mark; the focus goes back to it. */
  close() {
    const mark = this.querySelector('.window-mark[aria-expanded="true"]');
    if (mark instanceof HTMLElement) mark.focus({preventScroll: true});
    this.opened = 0;
  }

  /** What needs no fault at all stands once, above the handlers. */
  always() {
    const always = this.marked ? this.work?.map?.always ?? [] : [];
    return always.length === 0 ? null : html`<div class="window-always"><span>Without any fault:</span> ${always.map((way) => this.way(way))}</div>`;
  }

  legend() {
    if (!this.marked || !this.work) return null;
    const {state, states, bound, problem} = this.work;
    if (state === 'running') return html`<p class="window-legend" role="status">${icon('hourglass')}Window map: ${states > 0 ? `${states.toLocaleString('en')} states so far` : 'looking at every schedule'}…</p>`;
    if (problem) return html`<p class="window-legend">No window map: ${problem.message}</p>`;
    if (this.windows.size === 0) return null;
    return html`<p class="window-legend">One fault right before a call:${wordsOf(this.windows).map((word) => html` <span class="window-key">${badge(word)}</span>`)}${bound
      ? html` <span class="quiet">stopped at ${bound}; what is missing is undecided</span>` : null}</p>`;
  }

  /** @param {KeyboardEvent} event */
  leave(event) {
    if (event.key === 'Escape') this.close();
  }

  /**
   * The pointer that moved is kept in view, and where it went away, the place
   * where it was; else the first.
   * @param {Map<PropertyKey, unknown>} changed
   */
  updated(changed) {
    const pane = this.querySelector('.code-scroll');
    if (pane) this.watch.observe(pane);
    if (changed.has('processes')) {
      const before = /** @type {readonly Process[] | undefined} */ (changed.get('processes')) ?? [];
      const was = new Map(before.map(({name, first}) => [name, first]));
      const actor = was.size === 0 && this.processes.find(({name, first}) => first > 0 && this.last.split(' ').includes(name));
      const moved = actor || this.processes.find(({name, first}) => first > 0 && was.get(name) !== first)
        || this.processes.find(({name, first}) => (was.get(name) ?? first) !== first);
      this.shown = moved ? moved.first || was.get(moved.name) : this.processes.find(({first}) => first > 0)?.first;
    }
    if (changed.has('opened') && !changed.has('processes')) this.reveal(this.querySelector('.window-detail'));
    else this.follow(); // the window map that comes or goes moves lines too
  }

  follow() {
    if (this.shown !== undefined) this.reveal(this.querySelectorAll('.code-line')[this.shown - 1] ?? null, 2);
  }

  /**
   * Moves the text within its pane only, never the page.
   * @param {globalThis.Element | null} element
   * @param {number} [lines] how many stay visible above and below
   */
  reveal(element, lines = 0) {
    const pane = this.querySelector('.code-scroll');
    if (!(pane instanceof HTMLElement) || !(element instanceof HTMLElement)) return;
    const margin = lines * LINE;
    const top = element.offsetTop - margin;
    const bottom = element.offsetTop + element.offsetHeight + margin;
    if (top < pane.scrollTop) pane.scrollTop = top;
    else if (bottom > pane.scrollTop + pane.clientHeight) pane.scrollTop = Math.min(top, bottom - pane.clientHeight);
  }
}

/** @param {string} word */
function badge(word) {
  const look = windowLook(word);
  return html`<span class="badge ${look.tone}">${icon(look.shape)}${look.text}</span>`;
}

customElements.define('ack-code', CodeElement);
