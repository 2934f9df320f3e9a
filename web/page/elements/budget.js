import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {plain} from '../words.js';

/** @typedef {import('../wire.js').Budget} Budget */

export const ONE_FAULT = 'one_fault'; // the budget of the window map, as wire.go has it

/**
 * How much may still go wrong, and by which budget: that of the text, or the
 * one of the window map. Another one is asked for by ack-command.
 */
export class BudgetElement extends Element {
  static properties = {budget: {attribute: false}, choice: {attribute: false}};

  constructor() {
    super();
    /** @type {readonly Budget[]} */
    this.budget = [];
    this.choice = '';
  }

  render() {
    const total = this.budget.find(({kind}) => kind === 'total');
    const left = total?.left ?? 0;
    const own = this.choice === '';
    return html`<span class="budget"><span class="badge ${left > 0 ? 'warn' : 'calm'}">${icon('burst')}${left === 0
      ? 'no fault left' : `${left} of ${total?.of} ${total?.of === 1 ? 'fault' : 'faults'} left`}</span>
      <label class="budget-choice"><span class="away">Budget of faults</span><select @change=${(/** @type {Event} */ event) => {
        const {value} = /** @type {HTMLSelectElement} */ (event.target);
        this.emit('ack-command', value ? {do: 'budget', budget: value} : {do: 'budget'});
      }}><option value="" .selected=${own}>as in the file${own ? `: ${this.kinds()}` : ''}</option>
        <option value=${ONE_FAULT} .selected=${!own}>one fault of any kind</option></select></label></span>`;
  }

  /** What can go wrong, with how often where that is more than once. */
  kinds() {
    const kinds = this.budget.filter(({kind}) => kind !== 'total').map(({kind, of}) => plain(kind) + (of > 1 ? ` (${of})` : ''));
    return kinds.join(', ') || 'none';
  }
}

customElements.define('ack-budget', BudgetElement);
