import {html} from '../vendor/lit.js';
import * as cm from '../vendor/codemirror.js';
import {Element, icon} from './element.js';
import {margin} from './margin.js';

/** @typedef {import('../wire.js').Problem} Problem */
/** @typedef {import('../wire.js').WindowMap} WindowMap */

const TYPING_PAUSE = 400; // milliseconds without a key before the text is tried

const {tags} = cm;
const colours = cm.HighlightStyle.define([
  {tag: tags.comment, class: 't-comment'},
  {tag: [tags.string, tags.docString], class: 't-string'},
  {tag: [tags.number, tags.bool, tags.null], class: 't-number'},
  {tag: [tags.keyword, tags.controlKeyword, tags.definitionKeyword, tags.operatorKeyword], class: 't-keyword'},
  {tag: tags.function(tags.definition(tags.variableName)), class: 't-name'},
  {tag: [tags.function(tags.variableName), tags.function(tags.propertyName)], class: 't-call'},
]);

/**
 * The editor of a scenario's text. What is typed is told as ack-edit once the
 * typing pauses; what is wrong with it comes back as a problem and is shown at
 * its place, in the margin and in words. The property text is what the run is
 * of, and what the editor begins with; setText replaces what stands in it.
 */
export class EditorElement extends Element {
  static properties = {name: {attribute: false}, text: {attribute: false}, problem: {attribute: false}, waits: {attribute: false}, map: {attribute: false}};

  constructor() {
    super();
    this.name = '';
    this.text = '';
    this.draft = ''; // what to begin with instead of text; read once
    /** @type {Problem | null} */
    this.problem = null;
    this.waits = false; // the text that stands here is being tried
    /** @type {WindowMap | null} of text */
    this.map = null;
    this.marks = new cm.Compartment();
    /** @type {cm.EditorView | null} */
    this.view = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
  }

  disconnectedCallback() {
    clearTimeout(this.timer);
    this.view?.destroy();
    this.view = null;
    super.disconnectedCallback();
  }

  render() {
    const {problem} = this;
    return html`<div class="editor-hold"></div>
      <p class="editor-help quiet" id="${this.name}-editor-help">Tab indents. <kbd>Escape</kbd>, then <kbd>Tab</kbd> leaves the editor.</p>
      <div class="editor-says" role="status">${problem
        ? html`<p class="editor-problem">${icon('octagon')}<span>${problem.line
          ? html`<button type="button" @click=${this.goThere}>Line ${problem.line}${problem.column ? `, column ${problem.column}` : ''}</button> ` : null}<b>${problem.message}</b>
          ${problem.next} <span class="quiet">The run is still of the last text without a mistake.</span></span></p>`
        : html`<p class="quiet">${this.waits ? 'Trying the new text…' : 'The run is of this text.'}</p>`}</div>`;
  }

  firstUpdated() {
    const parent = this.querySelector('.editor-hold');
    if (parent) this.view = new cm.EditorView({parent, state: this.begin()});
    this.view?.focus();
  }

  /** @param {Map<PropertyKey, unknown>} changed */
  updated(changed) {
    if (changed.has('problem')) this.mark();
    if (changed.has('map') || changed.has('text')) this.drawMap();
  }

  begin() {
    return cm.EditorState.create({doc: this.draft || this.text, extensions: [
      cm.EditorView.cspNonce.of(nonce()),
      cm.lineNumbers(), cm.highlightActiveLine(), cm.highlightActiveLineGutter(), cm.lintGutter(),
      cm.history(), cm.bracketMatching(), cm.indentOnInput(),
      cm.indentUnit.of('    '), cm.EditorState.tabSize.of(4),
      this.marks.of([]), cm.pythonLanguage, cm.syntaxHighlighting(colours),
      cm.EditorView.contentAttributes.of({'aria-label': 'The text of the scenario', 'aria-describedby': `${this.name}-editor-help`}),
      // After Escape the Tab key moves on, until the editor is entered again.
      cm.EditorView.domEventHandlers({focus: (_event, view) => view.setTabFocusMode(false)}),
      cm.keymap.of([{key: 'Escape', run: (view) => { view.setTabFocusMode(true); return true; }},
        cm.indentWithTab, ...cm.defaultKeymap, ...cm.historyKeymap]),
      cm.EditorView.updateListener.of(({docChanged}) => { if (docChanged) this.typed(); }),
    ]});
  }

  drawMap() {
    const map = this.now === this.text ? this.map : null;
    this.view?.dispatch({effects: this.marks.reconfigure(margin(map, (way) => this.emit('ack-replay', way)))});
  }

  typed() {
    clearTimeout(this.timer);
    if (this.map) queueMicrotask(() => this.drawMap()); // not within the update that told of it
    this.timer = setTimeout(() => this.emit('ack-edit', this.now), TYPING_PAUSE);
  }

  /** The text as it stands here. */
  get now() {
    return this.view?.state.doc.toString() ?? this.text;
  }

  /**
   * Replaces the text without telling anybody of it.
   * @param {string} text
   */
  setText(text) {
    this.view?.dispatch({changes: {from: 0, to: this.view.state.doc.length, insert: text}});
    clearTimeout(this.timer);
  }

  /** Shows the problem in the text and in the margin. */
  mark() {
    if (!this.view) return;
    const {problem} = this;
    const at = problem?.line ? placeIn(this.view.state.doc, problem) : null;
    this.view.dispatch(cm.setDiagnostics(this.view.state, problem && at
      ? [{...at, severity: 'error', message: `${problem.message} ${problem.next}`}] : []));
  }

  goThere() {
    if (!this.view || !this.problem?.line) return;
    this.view.dispatch({selection: {anchor: placeIn(this.view.state.doc, this.problem).from}, scrollIntoView: true});
    this.view.focus();
  }
}

/** The style sheet that the editor makes is let in by the page's nonce. */
function nonce() {
  return /** @type {HTMLElement | null} */ (document.querySelector('script[nonce]'))?.nonce ?? '';
}

/**
 * Columns count characters, positions count units of UTF-16. The mark covers
 * the word that begins there.
 * @param {cm.Text} doc
 * @param {Problem} problem
 */
function placeIn(doc, {line = 1, column = 1}) {
  const {from, text} = doc.line(Math.min(Math.max(line, 1), doc.lines));
  const before = [...text].slice(0, Math.max(column - 1, 0)).join('').length;
  const word = /^\w+/.exec(text.slice(before))?.[0].length ?? 1;
  return {from: from + before, to: from + Math.min(before + word, text.length)};
}

customElements.define('ack-editor', EditorElement);
