import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {drawDiagram} from '../draw/diagram.js';
import {patch} from '../draw/tree.js';
import {duration} from '../words.js';

/** @typedef {import('../wire.js').Snapshot} Snapshot */

/**
 * The space-time diagram, and the same as a table. A step is chosen by a
 * click on its row; from the keyboard, in the table or by the slider.
 */
export class DiagramElement extends Element {
  static properties = {snapshot: {attribute: false}, asTable: {state: true}, width: {state: true}};

  constructor() {
    super();
    /** @type {Snapshot | null} */
    this.snapshot = null;
    this.asTable = false;
    this.width = 0;
    this.watch = new ResizeObserver(() => this.measure());
  }

  connectedCallback() {
    super.connectedCallback();
    this.watch.observe(this);
  }

  disconnectedCallback() {
    this.watch.disconnect();
    super.disconnectedCallback();
  }

  /** The scroll bar's room is kept free always, or the width would swing. */
  measure() {
    const pane = this.querySelector('.diagram-scroll');
    if (pane) this.width = pane.clientWidth - parseFloat(getComputedStyle(pane).paddingLeft);
    this.follow();
  }

  render() {
    if (!this.snapshot) return null;
    return html`
      <div class="pane-head"><h4>${this.asTable ? 'Steps' : 'Space and time'}</h4>
        <div class="switch" role="group" aria-label="Show the run as">
          <button type="button" aria-pressed=${String(!this.asTable)} @click=${() => { this.asTable = false; }}>Diagram</button>
          <button type="button" aria-pressed=${String(this.asTable)} @click=${() => { this.asTable = true; }}>Table</button>
        </div></div>
      <div class="diagram-scroll ${this.asTable ? 'hidden-view' : ''}" tabindex=${this.asTable ? -1 : 0} role="region"
        aria-label="Space-time diagram" @click=${this.pick}><div class="diagram-top"></div><div class="diagram-rest"></div>
        ${this.snapshot.steps.length === 0 ? html`<p class="empty">Nothing has happened yet. Take a step below.</p>` : null}</div>
      ${this.table(this.snapshot)}
      <ul class="legend ${this.asTable ? 'hidden-view' : ''}" aria-label="Legend">
        <li><i class="swatch unacked"></i>not acked</li><li><i class="swatch transaction"></i>open transaction</li>
        <li title="Between effect and ack, whichever comes first: what a crash in here leads to is what tells handlers apart"><i class="swatch window"></i>window</li>
        ${this.snapshot.diagram.bands.some(({kind}) => kind === 'stalled') ? html`<li><i class="swatch stalled"></i>stalled</li>` : null}
        ${this.snapshot.diagram.bands.some(({kind}) => kind === 'down') ? html`<li><i class="swatch down"></i>down</li>` : null}
        <li class="good">${icon('diamond')}commit</li><li class="good">${icon('check')}ack</li>
        <li class="bad">${icon('cross')}lost</li><li class="bad">${icon('burst')}crash</li></ul>`;
  }

  /** @param {Snapshot} snapshot */
  table({steps, position}) {
    return html`<div class="steps-scroll ${this.asTable ? '' : 'hidden-view'}">
      <table class="steps"><caption class="away">The steps of this run</caption>
        <thead><tr><th scope="col">Step</th><th scope="col">What was chosen</th><th scope="col">What it did</th><th scope="col">Clock</th></tr></thead>
        <tbody>${steps.map((step, index) => html`<tr class="${step.kind} ${index + 1 === position ? 'now' : ''} ${index >= position ? 'future' : ''}">
          <th scope="row"><button type="button" aria-current=${index + 1 === position ? 'step' : 'false'}
            aria-label="Go to step ${index + 1}" @click=${() => this.emit('ack-jump', index + 1)}>${index + 1}</button></th>
          <td><code>${step.name}</code>${step.kind === 'fault' ? html` <span class="badge bad">${icon('burst')}fault</span>` : null}</td>
          <td>${step.text}</td><td class="number">${duration(step.at)}</td></tr>`)}</tbody></table></div>`;
  }

  /** @param {MouseEvent} event */
  pick(event) {
    const row = event.target instanceof globalThis.Element ? event.target.closest('[data-step]') : null;
    if (row instanceof SVGElement) this.emit('ack-jump', Number(row.dataset.step));
  }

  updated() {
    const top = this.querySelector('.diagram-top');
    const rest = this.querySelector('.diagram-rest');
    if (!this.snapshot || !top || !rest) return;
    if (this.width === 0) this.measure();
    if (this.width === 0) return; // not laid out yet: the observer comes back
    const {head, body} = drawDiagram(this.snapshot, this.width);
    patch(top, [head]);
    patch(rest, [body]);
    this.follow();
  }

  /** Keeps the current row in view, within the pane only. */
  follow() {
    const pane = this.querySelector('.diagram-scroll');
    const now = this.querySelector('.row.now .row-ground');
    if (!(pane instanceof HTMLElement)) return;
    if (!now) {
      pane.scrollTop = 0;
      return;
    }
    const row = now.getBoundingClientRect();
    const view = pane.getBoundingClientRect();
    const head = 60; // the names, and a row before
    if (row.bottom + 40 > view.bottom) pane.scrollTop += row.bottom + 40 - view.bottom;
    else if (row.top - head < view.top) pane.scrollTop -= view.top + head - row.top;
  }
}

customElements.define('ack-diagram', DiagramElement);
