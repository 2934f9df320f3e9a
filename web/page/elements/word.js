import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {plain, verdictLook} from '../words.js';

/** @type {import('../words.js').Look} */
const holds = {text: 'holds', shape: 'check', tone: 'good'};

/**
 * A verdict as a badge, in a text: word says which, or is "holds"; with stays it
 * is one that a repaired scenario still allows.
 */
export class WordElement extends Element {
  static properties = {word: {}, stays: {type: Boolean}};

  constructor() {
    super();
    this.word = '';
    this.stays = false;
  }

  connectedCallback() {
    if (!this.hasUpdated) this.replaceChildren(); // what stands for it where no scripts run
    super.connectedCallback();
  }

  render() {
    const look = this.word === 'holds' ? holds : verdictLook(this.word);
    return html`<span class="badge ${this.stays ? 'warn' : look.tone}">${icon(look.shape)}${look.text || plain(this.word)}${this.stays ? html`<span class="stays"> stays possible</span>` : null}</span>`;
  }
}

customElements.define('ack-word', WordElement);
