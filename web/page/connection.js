// The one socket of a page. Simulations register here under their names and
// are told of replies and of the connection's state. The socket keeps nothing
// of theirs: whenever it opens, each says hello with the steps it knows, so a
// dropped connection and a restarted server end in the same place.

/** @typedef {import('./wire.js').Request} Request */
/** @typedef {import('./wire.js').Reply} Reply */
/** @typedef {'connecting' | 'open' | 'lost'} Status */

/**
 * @typedef {object} Client
 * @property {() => Request} hello what to say when the socket opens
 * @property {(reply: Reply) => void} receive
 * @property {(status: Status) => void} status
 */

const SHORTEST_WAIT = 300;
const LONGEST_WAIT = 8000;

export class Connection {
  /** @param {string} address */
  constructor(address) {
    this.address = address;
    /** @type {Map<string, Client>} */
    this.clients = new Map();
    /** @type {WebSocket | null} */
    this.socket = null;
    this.wait = SHORTEST_WAIT;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.timer = undefined;
    /** @type {Status} */
    this.state = 'connecting';
  }

  /**
   * @param {string} name
   * @param {Client} client
   */
  join(name, client) {
    this.clients.set(name, client);
    if (this.socket === null) this.open();
    else if (this.state === 'open') this.send(client.hello());
    client.status(this.state);
  }

  /**
   * The client is named too, because an element that moves within the page
   * joins at its new place before it leaves the old one.
   * @param {string} name
   * @param {Client} client
   */
  leave(name, client) {
    if (this.clients.get(name) !== client) return;
    this.clients.delete(name);
    this.send({type: 'bye', sim: name, seq: 0});
  }

  /**
   * Sends, or drops the request while there is no connection: the hello that
   * follows brings a full snapshot, and what was lost is asked for again by
   * the person, who saw that nothing happened.
   * @param {Request} request
   */
  send(request) {
    if (this.socket?.readyState !== WebSocket.OPEN) return false;
    this.socket.send(JSON.stringify(request));
    return true;
  }

  open() {
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    socket.addEventListener('open', () => {
      this.wait = SHORTEST_WAIT;
      this.tell('open');
      for (const client of this.clients.values()) this.send(client.hello());
    });
    socket.addEventListener('message', (event) => {
      /** @type {Reply} */
      const reply = JSON.parse(event.data);
      this.clients.get(reply.sim)?.receive(freeze(reply));
    });
    socket.addEventListener('close', () => {
      this.tell('lost');
      this.timer = setTimeout(() => this.open(), this.wait);
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
    });
  }

  /** @param {Status} status */
  tell(status) {
    this.state = status;
    for (const client of this.clients.values()) client.status(status);
  }
}

/**
 * A snapshot is shared by everything that draws; nobody may change it.
 * @template T
 * @param {T} value
 * @returns {T}
 */
export function freeze(value) {
  if (value !== null && typeof value === 'object' && !Object.isFrozen(value)) {
    Object.freeze(value);
    Object.values(value).forEach(freeze);
  }
  return value;
}

/** @type {Connection | null} */
let shared = null;

/** The page's connection, opened by the first simulation that joins. */
export function connection() {
  shared ??= new Connection(`ws://${location.host}/socket`);
  return shared;
}
