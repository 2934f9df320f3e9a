import {html} from '../vendor/lit.js';
import {Element} from './element.js';
import './word.js';
import {shownIn, withShown} from '../link.js';

/**
 * The forms of a case, one at a time: each section inside is one, and its
 * data-form, data-label and data-words make its tab. Which one is shown stands
 * in the address, so that back in the browser is back to the other form. A
 * simulation in a section that was never shown doesn't open.
 */
export class FormsElement extends Element {
  static properties = {shown: {state: true}};

  constructor() {
    super();
    this.shown = '';
    this.onHash = () => this.choose(shownIn(location.hash) || this.first);
  }

  /** The tabs stand before what they belong to. */
  createRenderRoot() {
    this.renderOptions.renderBefore = this.firstChild;
    return this;
  }

  connectedCallback() {
    for (const panel of this.panels) {
      panel.id = `form-${panel.dataset.form}`;
      panel.role = 'tabpanel';
      panel.setAttribute('aria-labelledby', `tab-${panel.dataset.form}`);
    }
    this.onHash();
    super.connectedCallback();
    addEventListener('hashchange', this.onHash);
  }

  disconnectedCallback() {
    removeEventListener('hashchange', this.onHash);
    super.disconnectedCallback();
  }

  /** @returns {HTMLElement[]} */
  get panels() {
    return [...this.querySelectorAll(/** @type {'section'} */ ('section.form'))];
  }

  get first() {
    return this.panels[0]?.dataset.form ?? '';
  }

  /** @param {string} form */
  choose(form) {
    this.shown = this.panels.some((panel) => panel.dataset.form === form) ? form : this.first;
    for (const panel of this.panels) {
      panel.hidden = panel.dataset.form !== this.shown;
      if (panel.hidden) continue;
      for (const simulation of panel.querySelectorAll('ack-simulation')) {
        // Before it is defined it wakes by itself.
        if ('wake' in simulation) /** @type {import('./simulation.js').SimulationElement} */ (simulation).wake();
      }
    }
  }

  /** @param {string} form as a reader chose it */
  open(form) {
    if (form === this.shown) return;
    this.choose(form);
    history.pushState(null, '', withShown(location.hash, form));
  }

  render() {
    return html`<div class="forms-tabs" role="tablist" aria-label="Forms of this case" @keydown=${this.move}>
      ${this.panels.map((panel) => this.tab(panel.dataset.form ?? '', panel.dataset.label ?? '', (panel.dataset.words ?? '').split(' ').filter(Boolean)))}</div>`;
  }

  /**
   * @param {string} form
   * @param {string} label
   * @param {string[]} words
   */
  tab(form, label, words) {
    const fixed = form === 'fixed';
    return html`<button type="button" role="tab" id="tab-${form}" aria-controls="form-${form}" aria-selected=${String(form === this.shown)}
      tabindex=${form === this.shown ? 0 : -1} @click=${() => this.open(form)}><b>${label}</b>
      ${[...new Set(words)].map((word) => html`<ack-word .word=${word} .stays=${fixed}></ack-word>`)}${words.length === 0 ? html`<ack-word word="holds"></ack-word>` : null}</button>`;
  }

  /** @param {KeyboardEvent} event */
  move(event) {
    const forms = this.panels.map((panel) => panel.dataset.form ?? '');
    const at = forms.indexOf(this.shown);
    /** @type {Record<string, number>} */
    const to = {ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: forms.length - 1};
    if (!Object.hasOwn(to, event.key)) return;
    event.preventDefault();
    const form = forms[(to[event.key] + forms.length) % forms.length];
    this.open(form);
    /** @type {HTMLElement | null} */ (this.querySelector(`#tab-${form}`))?.focus();
  }
}

customElements.define('ack-forms', FormsElement);
