import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {undecided, verdictLook} from '../words.js';

/** @typedef {import('../wire.js').Intent} Intent */

/** What was promised, what the caller was told, and what the observer says. */
export class VerdictsElement extends Element {
  static properties = {intents: {attribute: false}};

  constructor() {
    super();
    /** @type {readonly Intent[]} */
    this.intents = [];
  }

  render() {
    return html`<ul class="verdicts" aria-label="Verdicts">${this.intents.map((intent) => html`
      <li class="verdict-row ${tone(intent)}">
        <span class="verdict-intent"><b>${intent.name}</b>${intent.wish ? html` <span class="quiet">${intent.wish}</span>` : null}</span>
        <span class="verdict-facts">
          <span><span class="quiet">caller told</span> ${intent.told || 'nothing yet'}</span>
          <span><span class="quiet">promised</span> ${intent.promised ? 'yes' : 'no'}</span>
          ${intent.effects ? html`<span><span class="quiet">effects</span> ${intent.effects}</span>` : null}
        </span>
        <span class="verdict-says">${intent.verdicts.length === 0
          ? sentence(undecided, 'Nothing is decided yet.')
          : intent.verdicts.map(({word, sentence: text}) => sentence(verdictLook(word), text))}</span>
      </li>`)}</ul>`;
  }
}

/**
 * The row's tone is that of its worst verdict.
 * @param {Intent} intent
 */
function tone({verdicts}) {
  const tones = verdicts.map(({word}) => verdictLook(word).tone);
  return ['bad', 'warn', 'good'].find((tone) => tones.some((other) => other === tone)) ?? '';
}

/**
 * @param {import('../words.js').Look} look
 * @param {string} text
 */
function sentence(look, text) {
  return html`<span class="verdict"><span class="badge ${look.tone}">${icon(look.shape)}${look.text}</span> <span>${text}</span></span>`;
}

customElements.define('ack-verdicts', VerdictsElement);
