// The window map in the editor's margin. A mark is of the text that was
// searched, so every key that is pressed takes all of them away until the map
// of the new text is there.

import {html, render} from '../vendor/lit.js';
import * as cm from '../vendor/codemirror.js';
import {icon} from './element.js';
import {windowLook} from '../words.js';
import {byLine, faultWord, placeOf} from '../windowmap.js';

/** @typedef {import('../windowmap.js').LineWindow} LineWindow */
/** @typedef {import('../wire.js').WindowMap} WindowMap */
/** @typedef {import('../wire.js').Way} Way */

class WindowMarker extends cm.GutterMarker {
  /**
   * @param {number} number the line
   * @param {LineWindow} window
   * @param {(way: Way) => void} replay
   */
  constructor(number, window, replay) {
    super();
    this.number = number;
    this.window = window;
    this.replay = replay;
  }

  toDOM() {
    const {entries, gaps} = this.window;
    const look = windowLook(entries[0].word);
    const said = entries.map(({word, kinds}) => `${windowLook(word).text}${kinds.length ? ` by ${kinds.map(faultWord).join(' or ')}` : ''}`).join(', ');
    const label = `Line ${this.number}, one fault before ${placeOf(gaps[0])}: ${said}`;
    const ways = gaps.flatMap(({faults}) => faults).flatMap(({ways}) => ways);
    const way = ways.find(({word}) => word === entries[0].word);
    const holder = document.createElement('span');
    render(html`<button type="button" class="window-mark ${look.tone} ${entries[0].word}" title=${way ? `${label}. Replays it.` : label} aria-label=${label}
      ?disabled=${!way} @click=${() => { if (way) this.replay(way); }}>${icon(look.shape)}<span>${look.text}</span>${entries.length > 1 ? html`<small>+${entries.length - 1}</small>` : null}</button>`, holder);
    return holder;
  }
}

/**
 * @param {WindowMap | null} map of exactly the text that stands in the editor
 * @param {(way: Way) => void} replay
 * @returns {cm.Extension}
 */
export function margin(map, replay) {
  if (map === null) return [];
  const lines = byLine(map);
  return cm.gutter({class: 'cm-windows', side: 'after', lineMarker: (view, block) => {
    const {number} = view.state.doc.lineAt(block.from);
    const window = lines.get(number);
    return window ? new WindowMarker(number, window, replay) : null;
  }});
}
