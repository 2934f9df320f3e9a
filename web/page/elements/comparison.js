import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import './verdicts.js';
import {signs, stretched} from '../beside.js';
import {drawDiagram} from '../draw/diagram.js';
import {patch} from '../draw/tree.js';
import {faultWord} from '../windowmap.js';
import {plain, windowLook} from '../words.js';

/** @typedef {import('../wire.js').Work} Work */
/** @typedef {import('../wire.js').Comparison} Comparison */
/** @typedef {import('../wire.js').WindowSide} WindowSide */
/** @typedef {import('../beside.js').Side} Side */

/** @type {[Side, string][]} */
const sides = [['a', 'Shipped text'], ['b', 'Your text']];

/**
 * The run of the shipped text beside that of the learner's, in a dialog that
 * is open while there is a comparison to show. It tells ack-compared when it is
 * closed.
 */
export class ComparisonElement extends Element {
  static properties = {name: {attribute: false}, work: {attribute: false}};

  constructor() {
    super();
    this.name = '';
    /** @type {Work | null} */
    this.work = null;
    this.watch = new ResizeObserver(() => this.draw());
  }

  disconnectedCallback() {
    this.watch.disconnect();
    super.disconnectedCallback();
  }

  render() {
    const {work} = this;
    return html`<dialog class="comparison" aria-labelledby="${this.name}-compared" @close=${() => this.emit('ack-compared', null)}>
      <header><h4 id="${this.name}-compared">Your text beside the shipped one</h4>
        <button type="button" autofocus @click=${this.close}>Close</button></header>
      <p role="status">${work ? says(work) : ''}</p>
      ${work?.problem ? html`<p class="findings-problem">${icon('octagon')}<span><b>${work.problem.message}</b> ${work.problem.next}</span></p>` : null}
      ${work?.compared ? this.body(work.compared) : null}</dialog>`;
  }

  close() {
    this.querySelector('dialog')?.close();
  }

  /** @param {Comparison} compared */
  body(compared) {
    return html`<div class="compared">${sides.map(([side, label]) => html`<section aria-label=${label}><h5>${label}</h5>
        <ack-verdicts .intents=${compared[side].intents}></ack-verdicts>
        <div class="compared-scroll" tabindex="0" role="region" aria-label="Space-time diagram, ${label}"><div class="compared-top"></div><div class="compared-rest" data-side=${side}></div></div></section>`)}</div>
      <ul class="legend" aria-label="Legend">${legend(compared).map(({sign, text}) => html`<li><b>${sign}</b> ${text}</li>`)}</ul>
      ${this.windows(compared)}
      <details><summary>The steps as a table</summary>${this.table(compared)}</details>`;
  }

  /** @param {Comparison} compared */
  windows({windows, bound}) {
    return html`<h5>Windows that differ</h5>${windows.length === 0
      ? html`<p class="quiet">None${bound ? ` that was found; stopped at ${bound}` : ': one fault does the same harm to both'}.</p>`
      : html`<div class="compared-table"><table class="steps"><caption class="away">Windows that one text has and the other has not</caption>
        <thead><tr><th scope="col">Fault</th><th scope="col">Shipped text</th><th scope="col">Your text</th></tr></thead>
        <tbody>${windows.map(({fault, call, number, processes, a, b}) => html`<tr><th scope="row">${faultWord(fault)} ${call === 'end' ? 'at the end' : html`before <code>${call}</code>`}${number ? ` (${number})` : ''} <span class="quiet">${processes.join(', ')}</span></th>
          <td>${window(a)}</td><td>${window(b)}</td></tr>`)}</tbody></table></div>${bound ? html`<p class="quiet">Stopped at ${bound}; what is missing is undecided.</p>` : null}`}`;
  }

  /** @param {Comparison} compared */
  table({rows, a, b}) {
    const cell = (/** @type {import('../wire.js').Snapshot} */ {steps}, /** @type {number} */ step) =>
      step ? html`${step}. <code>${steps[step - 1].name}</code>` : html`<span class="quiet">no such step</span>`;
    return html`<div class="compared-table"><table class="steps"><caption class="away">The steps of both runs</caption>
      <thead><tr><th scope="col">Who makes it</th><th scope="col">Shipped text</th><th scope="col">Your text</th></tr></thead>
      <tbody>${rows.map((row) => html`<tr class=${row.match}><th scope="row">${signs[row.match].sign} ${signs[row.match].text}</th><td>${cell(a, row.a)}</td><td>${cell(b, row.b)}</td></tr>`)}</tbody></table></div>`;
  }

  updated() {
    const dialog = this.querySelector('dialog');
    if (!dialog) return;
    if (this.work && !dialog.open) dialog.showModal();
    if (!this.work && dialog.open) dialog.close();
    for (const pane of this.querySelectorAll('.compared-scroll')) this.watch.observe(pane);
    this.draw();
  }

  /** Both get rows of the same height. */
  draw() {
    const compared = this.work?.compared;
    const panes = [...this.querySelectorAll('.compared-scroll')];
    if (!compared || panes.length !== sides.length || panes.some(({clientWidth}) => clientWidth === 0)) return;
    const stretch = sides.map(([side]) => stretched(compared, side));
    const heights = stretch.map(({snapshot, numbers}, i) => drawDiagram(snapshot, panes[i].clientWidth, {least: [], numbers}).heights);
    const least = compared.rows.map((_row, index) => Math.max(...heights.map((list) => list[index])));
    stretch.forEach(({snapshot, numbers}, i) => {
      const {head, body} = drawDiagram(snapshot, panes[i].clientWidth, {least, numbers});
      const [top, rest] = panes[i].children;
      patch(top, [head]);
      patch(rest, [body]);
    });
  }
}

/** @param {Work} work */
function says({state, compared}) {
  if (!compared) return state === 'running' ? 'Running both texts and drawing their windows…' : 'Not compared.';
  const {follows, shows} = compared;
  const whose = follows === 'a' ? 'your text' : 'the shipped text';
  return `Both under one schedule: ${shows ? `a shortest one that shows “${plain(shows)}” in ${whose}` : `that of your run`}, which ${
    follows === 'a' ? 'the shipped text' : 'your text'} follows as far as it has the same calls. Both then go on to their rest without a fault.`;
}

/** @param {Comparison} compared */
function legend({rows}) {
  return Object.entries(signs).filter(([match, {sign}]) => sign && rows.some((row) => row.match === match)).map(([, sign]) => sign);
}

/** @param {WindowSide} side */
function window({mark, words, as_ever: asEver}) {
  if (mark === '') return html`<span class="quiet">no such call</span>`;
  if (asEver) return html`<span class="quiet">needs no fault here</span>`;
  return (words.length ? words : [mark]).map((word) => {
    const look = windowLook(word);
    return html`<span class="badge ${look.tone}">${icon(look.shape)}${look.text}</span> `;
  });
}

customElements.define('ack-comparison', ComparisonElement);
