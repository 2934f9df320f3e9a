import {html, live} from '../vendor/lit.js';
import {Element, icon} from './element.js';

/** @typedef {import('../wire.js').Snapshot} Snapshot */

/**
 * Forward, back and jump. It asks; the simulation decides:
 * ack-move with 'next' or 'play', ack-jump with a position, ack-command with
 * a command.
 */
export class TransportElement extends Element {
  static properties = {snapshot: {attribute: false}, playing: {attribute: false}, seed: {state: true}};

  constructor() {
    super();
    /** @type {Snapshot | null} */
    this.snapshot = null;
    this.playing = false;
    this.seed = 1;
  }

  render() {
    if (!this.snapshot) return null;
    const {steps, position, actions} = this.snapshot;
    const more = position < steps.length || actions.some((action) => action.default);
    return html`<div class="transport" role="group" aria-label="Move through the run">
      <span class="buttons">
        ${this.button('rewind', 'Reset', '', steps.length === 0, () => this.command({do: 'reset'}))}
        ${this.button('play', 'Back', 'b', position === 0, () => this.command({do: 'back'}), 'mirrored')}
        ${this.button('play', 'Next', 'n', !more, () => this.emit('ack-move', 'next'), 'primary')}
        ${this.button(this.playing ? 'pause' : 'end', this.playing ? 'Pause' : 'Play', 'p', !more && !this.playing, () => this.emit('ack-move', 'play'))}
      </span>
      <label class="slide"><span class="away">Position in the run</span>
        <input type="range" min="0" max=${steps.length} .value=${live(String(position))} ?disabled=${steps.length === 0}
          aria-valuetext="step ${position} of ${steps.length}"
          @input=${(/** @type {Event} */ event) => this.emit('ack-jump', Number(/** @type {HTMLInputElement} */ (event.target).value))}>
        <output>${position} / ${steps.length}</output></label>
      <span class="buttons rest">
        ${this.button('next', 'Run to the end', '', actions.length === 0, () => this.command({do: 'finish'}), '', 'On without a fault until nothing moves any more')}
        ${this.button('dice', 'Surprise me', '', actions.length === 0, () => this.surprise(), '', 'On by chance, faults included; the seed repeats it')}
        <label class="seed">seed <input type="number" min="1" max="999999" inputmode="numeric" .value=${live(String(this.seed))}
          @change=${(/** @type {Event} */ event) => { this.seed = Number(/** @type {HTMLInputElement} */ (event.target).value) || 1; }}></label>
      </span></div>`;
  }

  /**
   * @param {import('../draw/icons.js').Shape} shape
   * @param {string} text
   * @param {string} key
   * @param {boolean} disabled
   * @param {() => void} act
   * @param {string} [name]
   * @param {string} [title]
   */
  button(shape, text, key, disabled, act, name = '', title = '') {
    return html`<button type="button" class=${name} ?disabled=${disabled} @click=${act} title=${title || text}
      aria-keyshortcuts=${key}>${icon(shape)}<span>${text}</span>${key ? html`<kbd aria-hidden="true">${key}</kbd>` : null}</button>`;
  }

  /** The seed moves on, so that the next surprise is another one. */
  surprise() {
    this.command({do: 'random', seed: this.seed});
    this.seed = this.seed >= 999999 ? 1 : this.seed + 1;
  }

  /** @param {import('../wire.js').Command} command */
  command(command) {
    this.emit('ack-command', command);
  }
}

customElements.define('ack-transport', TransportElement);
