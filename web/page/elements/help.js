import {html, live} from '../vendor/lit.js';
import {Element} from './element.js';
import {keysWanted, wantKeys} from '../keyboard.js';

const keys = [
  [['n', '→'], 'the next step: the recorded one, else the usual one'],
  [['b', '←'], 'one step back'],
  [['1', '…', '9'], 'take the choice that carries the digit'],
  [['j', 'k'], 'go through the choices; Enter takes one'],
  [['p'], 'play and pause'],
  [['Escape', 'Tab'], 'one after the other: out of the editor, where Tab indents'],
  [['?'], 'this help; Escape closes it'],
];

/** The keys, in a dialog, and the switch that turns them off. */
export class HelpElement extends Element {
  open() {
    this.requestUpdate();
    this.querySelector('dialog')?.showModal();
  }

  render() {
    return html`<dialog class="help" aria-labelledby="${this.heading}"><form method="dialog">
      <h4 id=${this.heading}>Keys</h4>
      <dl>${keys.map(([names, text]) => html`<dt>${/** @type {string[]} */ (names).map((name) => name === '…' ? name : html`<kbd>${name}</kbd>`)}</dt><dd>${text}</dd>`)}</dl>
      <p class="quiet">They work where the focus is inside a simulation, or nowhere. A click on a row of the diagram, the slider and the table go to any step.</p>
      <label><input type="checkbox" .checked=${live(keysWanted())}
        @change=${(/** @type {Event} */ event) => wantKeys(/** @type {HTMLInputElement} */ (event.target).checked)}> Single keys are on</label>
      <p class="dialog-end"><button type="submit" autofocus>Close</button></p></form></dialog>`;
  }

  get heading() {
    return `keys-of-${this.closest('ack-simulation')?.getAttribute('name') ?? 'page'}`;
  }
}

customElements.define('ack-help', HelpElement);
