// Two columns: what was found, and the source of the piece that is open. In a narrow window the source covers the list until it is closed.

import { el } from '../core/dom.js';

/**
 * pair draws the columns.
 * @param {HTMLElement} root
 * @param {object} o
 * @param {string} o.label name of the second column, for screen readers
 * @param {() => void} o.close called when the reader closes the source
 * @param {string} [o.back] words of the way back in a narrow window
 */
export function pair(root, o) {
  const list = el('div', { class: 'pair-list' });
  const body = el('div', { class: 'pair-body' });
  const source = el('section', { class: 'pair-source', 'aria-label': o.label, hidden: true },
    el('div', { class: 'pair-close' }, el('button', { type: 'button', class: 'quiet', onclick: o.close }, el('span', { class: 'back' }, o.back || 'Back'), el('span', { class: 'shut' }, 'Close')),
      el('kbd', { class: 'wide', 'aria-hidden': 'true' }, 'Esc')),
    body);
  const frame = el('div', { class: 'pair' }, list, source);
  root.append(frame);
  return {
    list,
    body,
    /** open shows or hides the second column. */
    open(shown) {
      source.hidden = !shown;
      frame.classList.toggle('open', shown);
    },
  };
}
