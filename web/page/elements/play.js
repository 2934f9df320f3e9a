import {html} from '../vendor/lit.js';
import {Element} from './element.js';
import {asRun, decode} from '../link.js';

/** The page of a shared link: a run, or a box to paste one. */
export class PlayElement extends Element {
  static properties = {player: {state: true}, refused: {state: true}};

  constructor() {
    super();
    this.opened = 0;
    this.refused = false;
    /** @type {HTMLElement | null} */
    this.player = null;
    if (location.hash.length > 1) this.take(location.hash);
    this.onHash = () => this.take(location.hash);
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
  take(text) {
    const run = asRun(decode(text));
    this.refused = run === null;
    if (run === null) return;
    this.opened++; // another simulation, not the old one with another name
    this.player = simulation(run, `play-${this.opened}`);
  }

  render() {
    return html`
      <form class="paste" @submit=${this.submit}>
        <label>Link <input name="link" type="text" autocomplete="off" spellcheck="false" placeholder="…/play#v1.…"></label>
        <button type="submit">Open</button></form>
      <p role="status">${this.refused ? 'This is not a link of Ackademy, or a part of it is missing. Copy the whole of it.' : ''}</p>
      ${this.player}`;
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
  element.setAttribute('shared', '');
  element.append(...run.steps.map((step) => {
    const item = document.createElement('li');
    item.textContent = step;
    return item;
  }));
  return element;
}

customElements.define('ack-play', PlayElement);
