import {html} from '../vendor/lit.js';
import {Element} from './element.js';
import {asRun, unpack} from '../link.js';

/** The page of a shared link: a run, or a box to paste one. */
export class PlayElement extends Element {
  static properties = {player: {state: true}, refused: {state: true}};

  constructor() {
    super();
    this.opened = 0;
    this.refused = false;
    /** @type {HTMLElement | null} */
    this.player = null;
    this.turn = 0;
    if (location.hash.length > 1) this.take(location.hash);
    // The event's address: the run may have written its own over it by now.
    this.onHash = (/** @type {HashChangeEvent} */ event) => this.take(event.newURL);
  }

  connectedCallback() {
    super.connectedCallback();
    addEventListener('hashchange', this.onHash);
  }

  disconnectedCallback() {
    removeEventListener('hashchange', this.onHash);
    super.disconnectedCallback();
  }

  /** @param {string} text */
  async take(text) {
    const turn = ++this.turn;
    const run = asRun(await unpack(text));
    if (turn !== this.turn) return; // another link came meanwhile
    this.refused = run === null;
    if (run === null) return;
    this.opened++; // another simulation, not the old one with another name
    this.player = simulation(run, `play-${this.opened}`);
  }

  render() {
    return html`${this.player}
      <form class="paste" @submit=${this.submit}>
        <label>${this.player ? 'Another link' : 'Link'} <input name="link" type="text" autocomplete="off" spellcheck="false" placeholder="…/play#v1.…"></label>
        <button type="submit">Open</button></form>
      <p role="status">${this.refused ? 'This is not a link of Ackademy, or a part of it is missing. Copy the whole of it.' : ''}</p>`;
  }

  /** @param {SubmitEvent} event */
  submit(event) {
    event.preventDefault();
    const input = this.querySelector('input');
    if (input) this.take(input.value);
  }
}

/**
 * @param {import('../link.js').Run} run
 * @param {string} name
 */
function simulation(run, name) {
  const element = document.createElement('ack-simulation');
  element.setAttribute('name', name);
  element.setAttribute('scenario', run.scenario);
  element.setAttribute('at', String(run.position));
  if (run.budget) element.setAttribute('budget', run.budget);
  element.setAttribute('shared', '');
  if (run.text) /** @type {import('./simulation.js').SimulationElement} */ (element).text = run.text;
  element.append(...run.steps.map((step) => {
    const item = document.createElement('li');
    item.textContent = step;
    return item;
  }));
  return element;
}

customElements.define('ack-play', PlayElement);
