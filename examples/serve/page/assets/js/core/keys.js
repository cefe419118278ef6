// Shortcuts. They are single letters, so that they stay out of the way of the browser and of screen readers' own commands, and they rest while
// somebody types. The dialog shows all that work in the view that is open.

import { el, fill } from './dom.js';

const global = new Map(); // key -> {what, run}
let local = new Map();

/** shortcut adds a key that works everywhere. */
export function shortcut(key, what, run) {
  global.set(key, { what, run });
}

/** viewKeys replaces the keys of the open view: [[key, what, run], ...]. */
export function viewKeys(list = []) {
  local = new Map(list.map(([key, what, run]) => [key, { what, run }]));
}

function typing(target) {
  return target.closest?.('input, textarea, select, [contenteditable]') && !['checkbox', 'radio', 'button', 'file'].includes(target.type);
}

/** listen starts the shortcuts. */
export function listen() {
  document.addEventListener('keydown', (e) => {
    if (e.defaultPrevented || e.ctrlKey || e.metaKey || e.altKey || document.querySelector('dialog[open]')) return;
    if (e.key === 'Escape' && typing(e.target)) return e.target.blur();
    if (typing(e.target)) return;
    const found = local.get(e.key) || global.get(e.key);
    if (!found) return;
    e.preventDefault();
    found.run(e);
  });
}

const NAMES = { Escape: 'Esc', ArrowLeft: '←', ArrowRight: '→' };

/** showKeys opens the list of shortcuts. */
export function showKeys() {
  const rows = (keys) => [...keys].filter(([, k]) => k.what).map(([key, k]) => [el('dt', {}, k.what), el('dd', {}, el('kbd', {}, NAMES[key] || key))]);
  const close = el('button', { type: 'button', class: 'main', onclick: () => dialog.close() }, 'Close');
  const dialog = el('dialog', { 'aria-labelledby': 'keys-title', onclose: () => dialog.remove() });
  fill(dialog,
    el('h2', { id: 'keys-title' }, 'Keys'),
    local.size ? el('dl', {}, rows(local)) : null,
    local.size ? el('h3', { class: 'soft' }, 'Everywhere') : null,
    el('dl', {}, rows(global), el('dt', {}, 'Leave a field'), el('dd', {}, el('kbd', {}, 'Esc'))),
    el('div', { class: 'row' }, close));
  document.body.append(dialog);
  dialog.showModal();
}
