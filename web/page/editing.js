// Editing and checking, on behalf of one simulation. The learner's text goes
// to the server whenever the typing pauses; the newest text wins, there and
// here. A check answers beside the run, under numbers of its own, so that the
// run never waits for it.

import {connection} from './connection.js';
import {LONGEST_TEXT} from './link.js';

/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {import('./wire.js').Problem} Problem */
/** @typedef {import('./wire.js').Work} Work */
/** @typedef {import('./elements/editor.js').EditorElement} EditorElement */

export class Editing {
  /** @param {import('./elements/simulation.js').SimulationElement} host */
  constructor(host) {
    this.host = host;
    this.open = false;
    this.draft = ''; // what stood in the editor when it was closed with a mistake
    /** @type {{seq: number, text: string} | null} */
    this.tried = null; // the text that is on its way
    /** @type {Problem | null} */
    this.problem = null; // of the text in the editor
    /** @type {Work | null} */
    this.found = null;
    this.checks = 0;
    this.asked = 0; // the number of the check whose answers count
  }

  /** The editor is loaded when somebody wants it, because it is large. */
  async begin() {
    await import('./elements/editor.js');
    this.open = true;
    this.host.requestUpdate();
    if (this.draft) this.edit(this.draft);
  }

  end() {
    const {editor} = this;
    this.draft = this.problem && editor ? editor.now : '';
    this.open = false;
    this.problem = null;
    this.host.requestUpdate();
  }

  /** @returns {EditorElement | null} */
  get editor() {
    return this.host.querySelector('ack-editor');
  }

  /** @param {string} text the new text; empty: the shipped one */
  edit(text) {
    if (new TextEncoder().encode(text).length > LONGEST_TEXT) {
      this.problem = {code: 'text_too_long', message: 'This text is longer than 64 KiB.', next: 'Split it into several scenarios.'};
    } else {
      const seq = this.host.send({do: 'edit', text});
      this.tried = seq > 0 ? {seq, text} : null;
    }
    this.host.requestUpdate();
  }

  /**
   * Takes in the answer to an edit. It tells whether the reply's problem is one
   * of the text, which the editor shows.
   * @param {Reply} reply
   */
  receive({seq, snapshot, problem}) {
    if (this.tried?.seq !== seq) return false;
    const {text} = this.tried;
    this.tried = null;
    const source = snapshot?.scenario.source;
    // A text that is taken can have a problem too: steps that don't fit it.
    const taken = problem === undefined || problem.code === 'steps_dropped' || (source === text && source !== this.host.snapshot?.scenario.source);
    this.problem = taken ? null : problem;
    if (!taken) return true;
    this.host.text = text;
    this.draft = '';
    if (text === '' && source !== undefined) this.editor?.setText(source);
    this.check();
    return false;
  }

  check() {
    this.asked = ++this.checks;
    this.command('check');
  }

  stop() {
    this.checks++;
    this.command('stop');
  }

  /**
   * The number is negative, so that no answer is taken for one to a step.
   * @param {'check' | 'stop'} name
   */
  command(name) {
    connection().send({type: 'do', sim: this.host.name, seq: -this.checks, command: {do: name}});
  }

  /** @param {Reply} reply */
  receiveWork({seq, work}) {
    if (!work || -seq !== this.asked) return;
    // That a search was stopped comes without numbers: those told last stay.
    this.found = work.state === 'stopped' && this.found ? {...this.found, state: 'stopped'} : work;
    this.host.requestUpdate();
  }

  /** The server knows nothing of what was asked before a reconnect. */
  forget() {
    this.tried = null;
    if (this.found?.state === 'running') this.found = null;
  }
}
