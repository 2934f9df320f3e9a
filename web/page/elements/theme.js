import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';

/** @typedef {'system' | 'light' | 'dark'} Choice */
/** @type {Record<Choice, {text: string, shape: import('../draw/icons.js').Shape, after: Choice}>} */
const choices = {
  system: {text: 'as the system', shape: 'half', after: 'light'},
  light: {text: 'light', shape: 'sun', after: 'dark'},
  dark: {text: 'dark', shape: 'moon', after: 'system'},
};
const STORE = 'ackademy.theme'; // theme.js in the folder above reads it before the first paint

/** The switch between the system's colours, light and dark. */
export class ThemeElement extends Element {
  static properties = {choice: {state: true}};

  constructor() {
    super();
    const set = document.documentElement.dataset.theme;
    /** @type {Choice} */
    this.choice = set === 'light' || set === 'dark' ? set : 'system';
  }

  render() {
    const {text, shape, after} = choices[this.choice];
    return html`<button type="button" title="Colours: ${text}" aria-label="Colours: ${text}. Change to ${choices[after].text}"
      @click=${() => this.choose(after)}>${icon(shape)}</button>`;
  }

  /** @param {Choice} choice */
  choose(choice) {
    this.choice = choice;
    if (choice === 'system') delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = choice;
    try {
      localStorage.setItem(STORE, choice);
    } catch {
      // Nothing is kept, so the choice lasts as long as the page.
    }
  }
}

customElements.define('ack-theme', ThemeElement);
