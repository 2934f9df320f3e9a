import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {plain, verdictLook} from '../words.js';

/** @typedef {import('../wire.js').Work} Work */
/** @typedef {import('../wire.js').Found} Found */

/**
 * What a search of every schedule found: a line for each property that the
 * scenario forbids or that was violated. It asks for ack-search with what to
 * do, and for ack-command to show a run.
 */
export class FindingsElement extends Element {
  static properties = {work: {attribute: false}};

  constructor() {
    super();
    /** @type {Work | null} */
    this.work = null;
  }

  render() {
    const {work} = this;
    const running = work?.state === 'running';
    return html`<section class="findings" aria-label="Every run">
      <div class="findings-head"><b>Every run</b> <span role="status">${summary(work)}</span>
        ${running ? coming(work) : null}
        <button type="button" @click=${() => this.emit('ack-search', running ? 'stop' : 'check')}>${running ? 'Stop' : work ? 'Check again' : 'Check'}</button></div>
      ${work?.problem ? html`<p class="findings-problem">${icon('octagon')}<span><b>${work.problem.message}</b> ${work.problem.next}</span></p>` : null}
      ${work && work.findings.length > 0 ? html`<ul>${work.findings.filter(shown).map((found) => this.line(found))}${held(work.findings)}</ul>` : null}
      ${work && work.remarks.length > 0 ? html`<ul class="findings-remarks" aria-label="Remarks">${work.remarks.map((text) => html`<li>${text}</li>`)}</ul>` : null}
    </section>`;
  }

  /** @param {Found} found */
  line(found) {
    const look = verdictLook(found.property);
    const tone = found.status === 'undecided' || !found.forbidden ? 'warn' : 'bad';
    return html`<li data-property=${found.property}><span class="badge ${tone}">${icon(found.status === 'undecided' ? 'question' : look.shape)}${look.text}</span>
      <span>${says(found)}</span>
      ${found.steps.length > 0 ? html`<span class="findings-shows">
        ${found.fewest.length > 0 ? html`<button type="button" title="A schedule with no more faults than are needed: ${found.fewest.length} steps" @click=${() => this.show(found.fewest)}>Fewest faults<span class="away"> for ${look.text}</span></button>` : null}
        <button type="button" title=${found.sentence} @click=${() => this.show(found.steps)}>Show<span class="away"> how ${look.text} comes about</span></button></span>` : null}</li>`;
  }

  /** @param {readonly string[]} steps */
  show(steps) {
    this.emit('ack-command', {do: 'load', steps: [...steps], to: steps.length});
  }
}

/**
 * How far a search has come. It stands outside of what is read aloud, because
 * it changes all the time.
 * @param {Work} work
 */
function coming({states, depth, progress}) {
  if (!progress) return null;
  const {frontier, rate, part, parts, percent, bounds} = progress;
  return html`<span class="coming"><progress max="100" value=${percent} aria-label="How near the bound is" title="It ends at ${bounds}, if it has not seen everything before"></progress>
    <span>${parts > 1 ? `budget ${part} of ${parts}: ` : ''}${count(states)}, ${frontier.toLocaleString('en')} waiting, ${rate.toLocaleString('en')} a second, depth ${depth}</span>
    <span class="quiet">ends at ${bounds}</span></span>`;
}

/** @param {number} states */
const count = (states) => `${states.toLocaleString('en')} ${states === 1 ? 'state' : 'states'}`;

/** @param {Work | null} work */
function summary(work) {
  if (!work) return 'not checked yet';
  switch (work.state) {
    case 'running': return 'checking every run…';
    case 'stopped': return work.states > 0 ? `stopped after ${count(work.states)}: nothing is decided` : 'stopped: nothing is decided';
    case 'failed': return 'not checked';
  }
  const bad = work.findings.filter(({status, forbidden}) => forbidden && (status === 'violated' || status === 'unreached'));
  const open = work.findings.filter(({status, forbidden}) => forbidden && status === 'undecided');
  const seen = work.bound ? `${count(work.states)}, then a bound was reached: ${work.bound}` : `${count(work.states)}, all there are`;
  if (bad.length > 0) return `violated: ${bad.map(({property}) => plain(property)).join(', ')} (${seen})`;
  return open.length > 0 ? `undecided (${seen})` : `holds (${seen})`;
}

/**
 * What needs a line of its own: whatever does not simply hold.
 * @param {Found} found
 */
const shown = ({forbidden, status}) => status === 'violated' || status === 'unreached' || (forbidden && status === 'undecided');

/**
 * What holds stands together in one line.
 * @param {readonly Found[]} findings
 */
function held(findings) {
  const good = findings.filter(({forbidden, status}) => forbidden && status === 'holds');
  return good.length === 0 ? null : html`<li><span class="quiet">never:</span>${good.map(({property}) =>
    html`<span class="badge good" data-property=${property}>${icon('check')}${verdictLook(property).text}</span>`)}</li>`;
}

/** @param {Found} found */
function says({status, steps, faults, needs, enough, forbidden}) {
  switch (status) {
    case 'violated': return `in ${steps.length === 1 ? 'one step' : `${steps.length} steps`}${faults > needs ? ` with ${faults} faults` : ''}; needs ${enough}${forbidden ? '' : '; the scenario allows it'}`;
    case 'undecided': return 'not found as far as the search came';
  }
  return 'never happens';
}

customElements.define('ack-findings', FindingsElement);
