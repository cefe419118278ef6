// The sections of a document as a tree. Branches are made when they are opened, since a specification has thousands.

import { el } from '../core/dom.js';

/**
 * sections draws the tree.
 * @param {object[]} list sections of GetDocument, each with its children
 * @param {object} o
 * @param {(section: object) => string} o.link address of a section
 * @param {number} [o.current] index of the one that is shown
 */
export function sections(list, o) {
  const open = new Set(path(list, o.current)?.map((s) => s.index ?? 0));
  return el('nav', { class: 'sections', 'aria-label': 'Contents' }, branch(list, o, open, list.length > 1 && count(list) <= 40));
}

function branch(list, o, open, all) {
  return el('ul', {}, list.map((s) => {
    const item = el('li', {});
    const current = o.current !== undefined && (s.index || 0) === o.current;
    const name = el('span', {}, s.number ? [el('span', { class: 'number soft' }, s.number), '\u2002'] : null, s.title || (s.number ? '' : 'Without a title'));
    const link = el('a', { href: o.link(s), 'aria-current': current ? 'true' : null }, name, s.page ? el('span', { class: 'page number' }, s.page) : null);
    if (!s.children?.length) {
      item.append(el('span', { class: 'twig' }), link);
      return item;
    }
    const toggle = el('button', { type: 'button', class: 'twig', 'aria-label': `Sections of ${s.number || ''} ${s.title}` });
    let sub = null;
    const turn = (shown) => {
      toggle.setAttribute('aria-expanded', String(shown));
      if (shown && !sub) item.append((sub = branch(s.children, o, open, all)));
      if (sub) sub.hidden = !shown;
    };
    toggle.addEventListener('click', () => turn(toggle.getAttribute('aria-expanded') !== 'true'));
    item.append(toggle, link);
    turn(all || open.has(s.index || 0));
    return item;
  }));
}

function count(list) {
  return list.reduce((n, s) => n + 1 + count(s.children || []), 0);
}

/** path gives the sections that lead to the one with an index, it included. */
export function path(list, index) {
  if (index === undefined) return null;
  for (const s of list || []) {
    if ((s.index || 0) === index) return [s];
    const below = path(s.children, index);
    if (below) return [s, ...below];
  }
  return null;
}
