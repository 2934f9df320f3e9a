import {html} from '../vendor/lit.js';
import {Element, icon} from './element.js';
import {duration, plain, stateLook} from '../words.js';

/** @typedef {import('../wire.js').Queue} Queue */
/** @typedef {import('../wire.js').Table} Table */
/** @typedef {import('../wire.js').Mailbox} Mailbox */
/** @typedef {import('../wire.js').Process} Process */
/** @typedef {import('../wire.js').Intent} Intent */

/**
 * Who knows what: each party's own view. What is durable has a full border,
 * what a crash would take a broken one.
 */
export class PartiesElement extends Element {
  static properties = {
    queues: {attribute: false}, tables: {attribute: false}, mailboxes: {attribute: false}, processes: {attribute: false},
    intents: {attribute: false}, late: {attribute: false}, outages: {attribute: false},
  };

  constructor() {
    super();
    /** @type {readonly Queue[]} */
    this.queues = [];
    /** @type {readonly Table[]} */
    this.tables = [];
    /** @type {readonly Mailbox[]} */
    this.mailboxes = [];
    /** @type {readonly Process[]} */
    this.processes = [];
    /** @type {readonly Intent[]} */
    this.intents = [];
    /** @type {readonly string[]} */
    this.late = [];
    /** @type {readonly import('../wire.js').Outage[]} */
    this.outages = [];
  }

  render() {
    return html`<div class="pane-head"><h4>Who knows what</h4></div>
      <div class="parties" tabindex="0" role="region" aria-label="Who knows what">
        ${this.outages.length ? html`<p class="outages">${this.outages.map(({party, left}) =>
          html`<span class="badge bad">${icon('octagon')}${party} answers nobody for ${duration(left)}</span>`)}</p>` : null}
        ${this.queues.map(queue)}${this.tables.map(table)}${this.mailboxes.map(mailbox)}${memory(this.processes)}${network(this.late)}${caller(this.intents)}
        <p class="durability"><span class="durable">durable</span><span class="volatile">a crash takes it</span></p></div>`;
  }
}

/**
 * @param {string} kind
 * @param {string} name
 * @param {string} note
 * @param {unknown} content
 * @param {boolean} durable
 */
function party(kind, name, note, content, durable = true) {
  return html`<section class="party ${durable ? 'durable' : 'volatile'}" aria-label="${kind} ${name}">
    <h5><span class="party-kind">${kind}</span> ${name}<span class="quiet">${note}</span></h5>${content}</section>`;
}

/** @param {Queue} queue */
function queue({name, profile, groups, messages}) {
  return party('broker', name, profile, html`${groups.map(({name, owner, says}) => html`<p class="group"><b>${name}</b>
    ${owner ? html`<span class="tag unacked">read by ${owner}</span>` : html`<span class="tag bad">read by nobody</span>`}
    <span class="quiet">${says}</span></p>`)}${messages.length === 0 ? html`<p class="empty">${groups.length ? 'no record' : 'no message'}</p>` : html`
    <ul class="messages">${messages.map((message) => html`<li class="message ${message.place} ${message.changed ? 'changed' : ''}">
      <span class="message-name"><b>${message.name}</b> <span class="quiet">${message.body}</span></span>
      <span class="message-place">${place(message)}${message.attempt > 1 ? html` <span class="badge warn">${icon('back')}attempt ${message.attempt}</span>` : null}${message.lease === null
        ? null : html` <span class="badge calm">${icon('hourglass')}${duration(message.lease)} left</span>`}${changed(message.changed ? 'changed' : '')}</span></li>`)}</ul>`}`);
}

/** @param {import('../wire.js').Message} message */
function place({place, holder, due}) {
  switch (place) {
    case 'held': return html`<span class="tag unacked">held by ${holder}</span>`;
    case 'buffer': return html`<span class="tag unacked">in the buffer of ${holder}</span>`;
    case 'delayed': return html`<span class="badge calm">${icon('hourglass')}${due ? `due in ${duration(due)}` : 'due now'}</span>`;
    case 'open': return html`<span class="tag transaction">transaction open</span>`;
    case 'aborted': return html`<span class="tag bad">aborted</span>`;
    case 'dead': return html`<span class="tag bad">dead letter</span>`;
    default: return html`<span class="tag">${plain(place)}</span>`;
  }
}

/** @param {Table} table */
function table({database, name, role, columns, rows}) {
  return party('database', `${database}.${name}`, role, html`<table class="rows">
    <thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}<th scope="col"><span class="away">State</span></th></tr></thead>
    <tbody>${rows.length === 0 ? html`<tr><td class="empty" colspan=${columns.length + 1}>no row</td></tr>` : rows.map((row) => html`
      <tr class="${row.state} ${row.change}">${row.cells.map((cell) => html`<td>${cell}</td>`)}<td class="row-state">${row.state === 'pending'
        ? html`<span class="tag transaction" title="Only the transaction of ${row.by} sees it">${row.by}: ${row.change || 'pending'}, not committed</span>`
        : changed(row.change)}</td></tr>`)}</tbody></table>`);
}

/** @param {Mailbox} mailbox */
function mailbox({provider, mails}) {
  return party('provider', provider, 'mailbox', mails.length === 0 ? html`<p class="empty">no email accepted</p>` : html`
    <ul class="messages">${mails.map((mail) => html`<li class="message ${mail.changed ? 'changed' : ''}">
      <span class="message-name">${icon('letter')}<b>${mail.text}</b></span><span class="message-place">${mail.key
        ? html`<span class="tag">key ${mail.key}</span>` : null}${changed(mail.changed ? 'new' : '')}</span></li>`)}</ul>`);
}

/** @param {readonly Process[]} processes */
function memory(processes) {
  return processes.filter(({state, memory, buffer}) => state !== 'idle' || memory || buffer.length).map(({name, kind, host, state, call, holds, buffer, open, memory, note}) =>
    party(kind, name, host ? `memory of ${host}` : 'memory', html`<p class="memory">${state === 'down' || state === 'stopping' || note ? word(state, note) : null}${memory
      ? html`<span class="tag">remembers ${memory}</span>` : null}${buffer.length ? html`<span class="tag unacked">buffers ${buffer.join(', ')}</span>` : null}${call ? html`<span class="tag">at <code>${call}</code></span>` : null}${holds.length
      ? html`<span class="tag unacked">holds ${holds.join(', ')}</span>` : null}${open ? html`<span class="tag transaction">${open}</span>` : null}</p>`, false));
}

/**
 * @param {string} state
 * @param {string} note
 */
export function word(state, note) {
  const look = stateLook(state);
  return html`<span class="badge ${look.tone}">${icon(look.shape)}${look.text}${note ? `: ${note}` : ''}</span>`;
}

/**
 * What is on its way and nobody's any more.
 * @param {readonly string[]} late
 */
function network(late) {
  return late.length === 0 ? null : party('network', '', 'may still arrive', html`<p class="memory">${late.map((request) => html`<span class="tag">${request}</span>`)}</p>`, false);
}

/**
 * What the callers were told, and no more: nobody else tells them.
 * @param {readonly Intent[]} intents
 */
function caller(intents) {
  return party('caller', '', 'was told', html`<ul class="messages">${intents.map(({name, told}) => html`<li class="message">
    <span class="message-name"><b>${name}</b></span><span class="message-place">${told ? html`<span class="tag">${plain(told)}</span>`
      : html`<span class="quiet">nothing yet</span>`}</span></li>`)}</ul>`);
}

/** @param {string} change */
const changed = (change) => change ? html`<span class="fresh">${change}</span>` : null;

customElements.define('ack-parties', PartiesElement);
