import {html, nothing} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import './actions.js';
import {ONE_FAULT} from './budget.js';
import './code.js';
import './comparison.js';
import './diagram.js';
import './findings.js';
import './help.js';
import './parties.js';
import './transport.js';
import './verdicts.js';
import {connection} from '../connection.js';
import {Editing} from '../editing.js';
import {encode, pack, placeIn, withPlace} from '../link.js';
import {listen, unlisten} from '../keyboard.js';
import {duration, verdictLook} from '../words.js';

/** @typedef {import('../wire.js').Snapshot} Snapshot */
/** @typedef {import('../wire.js').Command} Command */
/** @typedef {import('../wire.js').Problem} Problem */
/** @typedef {import('../link.js').Place} Place */

const PLAY_EVERY = 900; // milliseconds
const MOST_WAITING = 8; // keys that may run ahead of the server
const STORE = 'ackademy.windows';

/** Whether the window map is wanted: a reader who wants to guess turns it off. */
function wanted() {
  try {
    return localStorage.getItem(STORE) !== 'off';
  } catch {
    return true;
  }
}

/** @param {boolean} marked */
function want(marked) {
  try {
    localStorage.setItem(STORE, marked ? 'on' : 'off');
  } catch {
    // Nothing is kept, so the choice lasts as long as the page.
  }
}

/**
 * @param {Snapshot} snapshot
 * @returns {Place}
 */
function placeOf({steps, position, scenario}) {
  const place = {steps: steps.map(({name}) => name), position};
  return scenario.budget ? {...place, budget: scenario.budget} : place;
}

/**
 * One simulation: it holds the last snapshot, sends commands one at a time,
 * and hands the snapshot down to what draws it. Attributes: name (unique on
 * the page), scenario, at, and again where the steps to begin with are to be
 * had again at any time; these are list items inside.
 */
export class SimulationElement extends Element {
  static properties = {
    name: {}, scenario: {}, snapshot: {state: true}, problem: {state: true}, status: {state: true},
    playing: {state: true}, compared: {state: true}, said: {state: true}, copied: {state: true}, map: {state: true}, marked: {state: true},
  };

  constructor() {
    super();
    this.name = '';
    this.scenario = '';
    /** @type {Snapshot | null} */
    this.snapshot = null;
    /** @type {Problem | null} */
    this.problem = null;
    /** @type {import('../connection.js').Status} */
    this.status = 'connecting';
    this.playing = false;
    this.said = '';
    this.copied = '';
    /** @type {import('../wire.js').Work | null} how far the window map of this text is */
    this.map = null;
    this.mapped = ''; // the text that it is of
    this.maps = 0; // how many were asked for
    this.marked = wanted();
    /** @type {import('../wire.js').Work | null} how far the comparison with the shipped text is */
    this.compared = null;
    this.comparisons = 0; // how many were asked for
    /** @type {Place} */
    this.place = {steps: [], position: 0};
    /** @type {string[]} */
    this.given = []; // the steps to begin with
    this.text = ''; // the learner's own; empty: the shipped one
    this.editing = new Editing(this);
    this.seq = 0;
    this.busy = false;
    /** @type {((snapshot: Snapshot) => Command | null)[]} */
    this.waiting = [];
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    this.client = {
      hello: () => this.hello(),
      receive: (/** @type {import('../wire.js').Reply} */ reply) => this.receive(reply),
      status: (/** @type {import('../connection.js').Status} */ status) => this.meet(status),
    };
    this.board = {element: this, press: (/** @type {string} */ key) => this.press(key)};
    this.onHash = () => this.follow();
  }

  connectedCallback() {
    if (this.closest('[hidden]')) return; // see wake
    if (!this.hasUpdated) this.readStart();
    super.connectedCallback();
    connection().join(this.name, this.client);
    listen(this.board);
    addEventListener('hashchange', this.onHash);
  }

  disconnectedCallback() {
    this.playing = false;
    clearTimeout(this.timer);
    removeEventListener('hashchange', this.onHash);
    unlisten(this.board);
    connection().leave(this.name, this.client);
    super.disconnectedCallback();
  }

  /** Opens a simulation that was hidden from the start. */
  wake() {
    if (!this.hasUpdated && this.isConnected) this.connectedCallback();
  }

  /** The list inside is for readers without scripts; it gives way here. */
  readStart() {
    const steps = [...this.querySelectorAll('li')].map((item) => item.textContent ?? '');
    this.replaceChildren();
    const at = Number(this.getAttribute('at') ?? 0);
    this.given = steps;
    this.place = (this.shared ? null : placeIn(location.hash, this.name)) ?? {steps, position: Math.min(at, steps.length)};
    const budget = this.getAttribute('budget');
    if (budget) this.place = {...this.place, budget};
    this.text ||= this.place.text ?? '';
  }

  /** A simulation of the play page writes links of its own form. */
  get shared() {
    return this.hasAttribute('shared');
  }

  /** All that it takes to come back here. */
  get where() {
    const {text, ...place} = this.place;
    return this.text === '' ? place : {...place, text: this.text};
  }

  /** @returns {import('../wire.js').Request} */
  hello() {
    this.seq++;
    this.busy = true;
    return {type: 'hello', sim: this.name, seq: this.seq, start: {scenario: this.scenario, ...this.where}};
  }

  /** @param {import('../connection.js').Status} status */
  meet(status) {
    this.status = status;
    if (status === 'lost') {
      if (this.map?.state !== 'done') this.mapped = ''; // nobody works on it any more
      this.busy = false;
      this.waiting = [];
      this.playing = false;
      if (this.compared?.state === 'running') this.compared = null;
      this.editing.forget();
    }
  }

  /** @param {import('../wire.js').Reply} reply */
  receive(reply) {
    if (reply.work) {
      if (reply.work.of === 'map') this.receiveMap(reply);
      if (reply.work.of === 'compare' && -reply.seq === this.comparisons && this.compared) this.compared = reply.work.state === 'stopped' ? null : reply.work;
      if (reply.work.of === 'check') this.editing.receiveWork(reply);
      return;
    }
    if (reply.seq !== this.seq) return; // an answer to a question from before a reconnect
    this.busy = false;
    this.problem = this.editing.receive(reply) ? null : reply.problem ?? null;
    if (this.problem) {
      this.waiting = [];
      this.playing = false;
    }
    if (reply.snapshot) {
      const before = this.snapshot;
      this.snapshot = reply.snapshot;
      this.place = placeOf(reply.snapshot);
      if (before !== null) this.write();
      this.said = announce(before, reply.snapshot);
    }
    const next = this.waiting.shift();
    if (next) this.ask(next);
    else this.playOn();
    this.askMap();
  }

  /**
   * Has the window map drawn, once for each text and beside everything else:
   * the work that comes back is awaited, the answer to the command itself is
   * not. Maps have numbers of their own, below zero, so that neither is taken for
   * an answer to a step, nor one map for another.
   */
  askMap() {
    const source = this.snapshot?.scenario.source;
    if (!this.marked || source === undefined || source === this.mapped) return;
    this.map = null;
    this.maps++;
    if (connection().send({type: 'do', sim: this.name, seq: -this.maps, command: {do: 'map'}})) this.mapped = source;
  }

  /**
   * A map that was stopped is asked for again after the next answer: opening the
   * run anew ends all searches.
   * @param {import('../wire.js').Reply} reply
   */
  receiveMap({seq, work}) {
    if (!work || -seq !== this.maps) return;
    if (work.state === 'stopped') this.mapped = '';
    else this.map = work;
  }

  /** Asks for the run of the shipped text beside this one. */
  compare() {
    this.comparisons++;
    const sent = connection().send({type: 'do', sim: this.name, seq: -this.comparisons, command: {do: 'compare'}});
    if (sent) this.compared = {of: 'compare', state: 'running', states: 0, depth: 0, bound: '', findings: [], remarks: []};
  }

  toggleMap() {
    this.marked = !this.marked;
    want(this.marked);
    this.askMap();
  }

  /**
   * Shows a schedule of the window map at its end. It replaces the run, so the
   * address gets a new entry: back in the browser is back to the run.
   * @param {import('../wire.js').Way} way
   */
  replay({steps, fits}) {
    const budget = fits ? this.place.budget : ONE_FAULT;
    this.write(); // where back leads to
    this.place = {steps: [...steps], position: steps.length, ...(budget ? {budget} : {})};
    this.write(true);
    connection().send(this.hello());
  }

  /**
   * Takes the steps to begin with again, whatever was done since.
   * @param {number} position
   */
  again(position) {
    this.write(); // where back leads to
    this.place = {steps: [...this.given], position};
    this.write(true);
    connection().send(this.hello());
  }

  /**
   * Asks for a command that is made when its turn comes, out of the snapshot
   * of that moment.
   * @param {(snapshot: Snapshot) => Command | null} make
   */
  ask(make) {
    if (this.busy) {
      if (this.waiting.length < MOST_WAITING) this.waiting.push(make);
      return;
    }
    const command = this.snapshot ? make(this.snapshot) : null;
    if (command === null) {
      this.playing = false;
      return;
    }
    this.send(command);
  }

  /**
   * Sends at once. The answer to what was asked before is not waited for: the
   * next one tells all.
   * @param {Command} command
   */
  send(command) {
    this.busy = connection().send({type: 'do', sim: this.name, seq: ++this.seq, command});
    return this.busy ? this.seq : 0;
  }

  next() {
    this.ask(({position, steps, actions}) => {
      if (position < steps.length) return {do: 'forward'};
      const action = actions.find((action) => action.default);
      return action ? {do: 'step', action: action.name} : null;
    });
  }

  togglePlay() {
    this.playing = !this.playing;
    clearTimeout(this.timer);
    if (this.playing) this.next();
  }

  playOn() {
    clearTimeout(this.timer);
    if (this.playing) this.timer = setTimeout(() => this.next(), PLAY_EVERY);
  }

  /** @param {string} key */
  press(key) {
    const actions = /** @type {import('./actions.js').ActionsElement | null} */ (this.querySelector('ack-actions'));
    switch (key) {
      case 'n': case 'ArrowRight': this.next(); return true;
      case 'b': case 'ArrowLeft': this.ask(({position}) => position > 0 ? {do: 'back'} : null); return true;
      case 'p': this.togglePlay(); return true;
      case 'j': actions?.move(1); return true;
      case 'k': actions?.move(-1); return true;
      case '?': this.help(); return true;
    }
    if (!/^[1-9]$/.test(key)) return false;
    const action = actions?.inOrder()[Number(key) - 1];
    if (action) this.ask(() => ({do: 'step', action: action.name}));
    return true;
  }

  help() {
    /** @type {import('./help.js').HelpElement | null} */ (this.querySelector('ack-help'))?.open();
  }

  /**
   * Keeps the place in the address.
   * @param {boolean} [entry] as a new entry in the history
   */
  write(entry = false) {
    const hash = this.shared ? '#' + encode({scenario: this.scenario, ...this.where}) : withPlace(location.hash, this.name, this.where);
    if (hash === location.hash) return;
    if (entry) history.pushState(null, '', hash);
    else history.replaceState(history.state, '', hash);
  }

  /** Somebody pasted another link over this page's. */
  follow() {
    const place = this.shared ? null : placeIn(location.hash, this.name);
    if (!place) return;
    if (place.budget === this.place.budget && (place.text ?? '') === this.text) {
      this.ask(() => ({do: 'load', steps: place.steps, to: place.position}));
      return;
    }
    this.place = place;
    this.text = place.text ?? '';
    connection().send(this.hello());
  }

  async share() {
    const link = `${location.origin}/play#${await pack({scenario: this.scenario, ...this.where})}`;
    try {
      await navigator.clipboard.writeText(link);
      this.copied = 'Link copied';
    } catch {
      this.copied = link; // no clipboard here: show it, so that it can be copied by hand
    }
  }

  render() {
    const {snapshot} = this;
    return html`<section class="sim" aria-label="Simulation: ${snapshot?.scenario.title ?? this.scenario}"
      @ack-command=${(/** @type {CustomEvent<Command>} */ event) => this.ask(() => event.detail)}
      @ack-jump=${(/** @type {CustomEvent<number>} */ event) => this.ask(() => ({do: 'jump', to: event.detail}))}
      @ack-edit=${(/** @type {CustomEvent<string>} */ event) => this.editing.edit(event.detail)}
      @ack-search=${(/** @type {CustomEvent<string>} */ event) => event.detail === 'stop' ? this.editing.stop() : this.editing.check()}
      @ack-replay=${(/** @type {CustomEvent<import('../wire.js').Way>} */ event) => this.replay(event.detail)}
      @ack-move=${(/** @type {CustomEvent<string>} */ event) => event.detail === 'play' ? this.togglePlay() : this.next()}>
      ${this.head()}
      <div role="alert">${this.problem ? problemBox(this.problem) : null}</div>
      ${snapshot ? this.body(snapshot) : html`<p class="empty sim-wait">${this.problem ? '' : 'Opening the simulation…'}</p>`}
      <p class="away" aria-live="polite">${this.said}</p>
      <ack-help></ack-help>
      <ack-comparison .name=${this.name} .work=${this.compared} @ack-compared=${() => { this.compared = null; }}></ack-comparison></section>`;
  }

  head() {
    const {snapshot} = this;
    return html`<header class="sim-head">
      <h3>${snapshot?.scenario.title ?? this.scenario}</h3>
      ${snapshot ? html`<ack-budget .budget=${snapshot.budget} .choice=${snapshot.scenario.budget}></ack-budget>
        <span class="clock">${icon('hourglass')}clock ${duration(snapshot.clock)}</span>` : null}
      ${this.status === 'lost' ? html`<span class="badge warn" role="status">${icon('hourglass')}no connection, trying again</span>` : null}
      ${snapshot ? this.mechanism(snapshot) : null}
      <span class="sim-tools">${this.copied ? html`<span class="copied" role="status">${this.copied}</span>` : null}
        <button type="button" @click=${this.share}>${icon('link')}<span>Copy link</span></button>
        <button type="button" @click=${this.help} aria-keyshortcuts="?">${icon('keys')}<span>Keys</span><kbd aria-hidden="true">?</kbd></button></span></header>`;
  }

  /** @param {Snapshot} snapshot */
  mechanism({steps, position}) {
    const {length} = this.given;
    if (length === 0 || !this.hasAttribute('again')) return null;
    const same = steps.length === length && steps.every(({name}, i) => name === this.given[i]);
    return html`<div class="mechanism" role="group" aria-label="Mechanism of the incident"><span><b>Mechanism</b> ${length} steps${
      same ? '' : html` <span class="quiet">(you are in a run of your own)</span>`}</span>
      <button type="button" ?disabled=${same && position === 0} @click=${() => this.again(0)}>${icon('rewind')}<span>From its start</span></button>
      <button type="button" ?disabled=${same && position === length} @click=${() => this.again(length)}>${icon('next')}<span>To its end</span></button></div>`;
  }

  /**
   * The text: with pointers and marks, or in the editor.
   * @param {Snapshot} snapshot
   */
  code({scenario, processes, steps, position}) {
    const {editing} = this;
    return html`<section class="pane pane-code" aria-label="Code"><div class="pane-head"><h4 title=${scenario.file}>${scenario.file}</h4>
        ${this.text && this.scenario.includes('/') ? html`<button type="button" class="quiet-button compare" title="Both under the same schedule, and the windows that differ" @click=${this.compare}>${icon('double')}<span>Compare</span></button>
          <button type="button" class="quiet-button reset-text" title="Back to the shipped text" @click=${() => editing.edit('')}>${icon('rewind')}<span>Reset</span></button>` : null}
        ${editing.open
          ? html`<button type="button" class="quiet-button end-edit" @click=${() => editing.end()}>${icon('check')}<span>Done</span></button>`
          : html`<button type="button" class="quiet-button" aria-pressed=${String(this.marked)} title="What one fault before each call leads to" @click=${this.toggleMap}>${icon('diamond')}<span>Windows</span></button>
            <button type="button" class="quiet-button edit" title="Change the text: the run and the check follow" @click=${() => editing.begin()}>${icon('keys')}<span>Edit</span></button>`}</div>
      ${editing.open
        ? html`<ack-editor .name=${this.name} .text=${scenario.source} .draft=${editing.draft} .problem=${editing.problem} .waits=${editing.tried !== null}
          .map=${this.marked && this.mapped === scenario.source && this.map?.state === 'done' ? this.map.map ?? null : null}></ack-editor>`
        : html`<ack-code .source=${scenario.source} .file=${scenario.file} .processes=${processes} .last=${steps[position - 1]?.name ?? ''} .work=${this.map} .marked=${this.marked}></ack-code>`}
      <ack-findings .work=${editing.found}></ack-findings></section>`;
  }

  /** @param {Snapshot} snapshot */
  body(snapshot) {
    return html`<ack-verdicts .intents=${snapshot.intents}></ack-verdicts>
      <div class="sim-main">
        ${this.code(snapshot)}
        <ack-diagram class="pane pane-diagram" .snapshot=${snapshot}></ack-diagram>
        <ack-parties class="pane pane-parties" .queues=${snapshot.queues} .tables=${snapshot.tables}
          .mailboxes=${snapshot.mailboxes} .processes=${snapshot.processes} .intents=${snapshot.intents} .late=${snapshot.late} .outages=${snapshot.outages}></ack-parties>
      </div>
      <p class="note">${snapshot.position > 0 ? html`<b>Step ${snapshot.position}.</b> ` : nothing}${snapshot.note}${snapshot.at_rest
        ? html` <span class="badge calm">${icon('square')}at rest: nothing moves any more without a fault</span>` : null}</p>
      <ack-transport .snapshot=${snapshot} .playing=${this.playing}></ack-transport>
      <ack-actions .actions=${snapshot.actions} .processes=${snapshot.processes}></ack-actions>`;
  }
}

/** @param {Problem} problem */
function problemBox({code, message, next, file, line, column}) {
  return html`<div class="problem">${icon('octagon')}<p><b>${message}</b> ${next} <span class="quiet">${[
    code, file ? `${file}${line ? `:${line}${column ? `:${column}` : ''}` : ''}` : ''].filter(Boolean).join(', ')}</span></p></div>`;
}

/**
 * What a screen reader is told after a step.
 * @param {Snapshot | null} before
 * @param {Snapshot} now
 */
function announce(before, now) {
  if (before === null) return '';
  const known = new Set(before.intents.flatMap(({name, verdicts}) => verdicts.map(({word}) => `${name} ${word}`)));
  const fresh = now.intents.flatMap(({name, verdicts}) => verdicts.filter(({word}) => !known.has(`${name} ${word}`))
    .map(({word, sentence}) => `${name}: ${verdictLook(word).text}. ${sentence}`));
  return [`Step ${now.position} of ${now.steps.length}.`, now.note, ...fresh, now.at_rest ? 'At rest.' : ''].filter(Boolean).join(' ');
}

customElements.define('ack-simulation', SimulationElement);
