import {html, repeat} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {faultShape, plain, stateLook} from '../words.js';

/** @typedef {import('../wire.js').Action} Action */
/** @typedef {import('../wire.js').Process} Process */
/** @typedef {{name: string, process?: Process, actions: Action[]}} Group */

/**
 * The choices that are open, a card for each process and party, faults apart.
 * It asks for a step by ack-command.
 */
export class ActionsElement extends Element {
  static properties = {actions: {attribute: false}, processes: {attribute: false}};

  constructor() {
    super();
    /** @type {readonly Action[]} */
    this.actions = [];
    /** @type {readonly Process[]} */
    this.processes = [];
  }

  /** @returns {Group[]} processes in their order, then the other parties in the order of their actions */
  groups() {
    /** @type {Map<string, Group>} */
    const groups = new Map();
    for (const process of this.processes) groups.set(process.name, {name: process.name, process, actions: []});
    for (const action of this.actions) {
      const group = groups.get(action.group) ?? {name: action.group, actions: []};
      group.actions.push(action);
      groups.set(action.group, group);
    }
    return [...groups.values()];
  }

  /** The actions in the order of the buttons: the digits count in it. */
  inOrder() {
    return this.groups().flatMap(({actions}) => [...actions.filter((a) => a.kind !== 'fault'), ...actions.filter((a) => a.kind === 'fault')]);
  }

  render() {
    const digits = new Map(this.inOrder().slice(0, 9).map((action, index) => [action.name, index + 1]));
    return html`<ul class="actions" aria-label="What can happen next">${repeat(this.groups(), ({name}) => name, (group) => this.card(group, digits))}</ul>`;
  }

  /**
   * @param {Group} group
   * @param {Map<string, number>} digits
   */
  card({name, process, actions}, digits) {
    const steps = actions.filter(({kind}) => kind !== 'fault');
    const faults = actions.filter(({kind}) => kind === 'fault');
    const look = process ? stateLook(process.state) : null;
    return html`<li class="card ${actions.length ? '' : 'still'}">
      <div class="card-head"><b>${name}</b>${look ? html`<span class="state ${look.tone}">${icon(look.shape)}${look.text}</span>` : null}</div>
      ${process?.call ? html`<code class="card-call" title=${process.call}>${process.call}</code>` : null}
      ${process && (process.holds.length || process.open) ? html`<p class="card-holds">${process.holds.length
        ? html`<span class="tag unacked">holds ${process.holds.join(', ')}</span>` : null}${process.open ? html`<span class="tag transaction">${process.open}</span>` : null}</p>` : null}
      ${steps.length ? html`<div class="choices">${steps.map((action) => this.button(action, digits))}</div>` : null}
      ${faults.length ? html`<div class="choices faults" role="group" aria-label="Faults of ${name}"><span class="faults-title">break it</span>${faults.map((action) => this.button(action, digits))}</div>` : null}
      ${process?.note ? html`<p class="quiet">${process.note}</p>` : actions.length ? null : html`<p class="quiet">nothing to do now</p>`}</li>`;
  }

  /**
   * @param {Action} action
   * @param {Map<string, number>} digits
   */
  button(action, digits) {
    const digit = digits.get(action.name);
    const fault = action.kind === 'fault';
    return html`<button type="button" class="choice ${action.kind} ${action.default ? 'default' : ''}" data-action=${action.name}
      title=${[action.name, action.explain, action.frame].filter(Boolean).join('\n')} aria-label="${action.name}${fault ? `, fault: ${plain(action.fault)}` : ''}"
      @click=${() => this.emit('ack-command', {do: 'step', action: action.name})}>
      ${fault ? icon(faultShape(action.fault)) : action.kind === 'timer' ? icon('hourglass') : null}<span>${action.label || action.name}</span>${action.frame && action.frame.toLowerCase() !== action.label.toLowerCase()
        ? html`<small class="frame">${action.frame}</small>` : null}${digit ? html`<kbd aria-hidden="true">${digit}</kbd>` : null}</button>`;
  }

  /**
   * Moves the focus among the choices, round at the ends.
   * @param {1 | -1} by
   */
  move(by) {
    const buttons = /** @type {HTMLButtonElement[]} */ ([...this.querySelectorAll('button.choice')]);
    if (buttons.length === 0) return;
    const now = buttons.findIndex((button) => button === document.activeElement);
    const next = now < 0 ? (by > 0 ? 0 : buttons.length - 1) : (now + by + buttons.length) % buttons.length;
    buttons[next].focus();
  }
}

customElements.define('ack-actions', ActionsElement);
