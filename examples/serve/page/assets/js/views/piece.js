// A piece of evidence as the lists show it: its key, its place and the words found there.

import { el } from '../core/dom.js';
import { filePath } from '../source/code.js';
import { split, units } from '../text/ranges.js';

const LONG = { prose: 560, code: 14 }; // characters, and lines, before a piece is folded

/** range writes lines: "l. 12" or "l. 12–20". */
export function range(first, last) {
  return last > first ? `${first}–${last}` : String(first);
}

/** where writes a place in words, without what it is in. */
export function where(at) {
  if (at.path || !at.doc) return at.line ? range(at.line, at.end_line) : '';
  return [at.page ? `p. ${at.page}` : '', at.line ? `l. ${range(at.line, at.end_line)}` : ''].filter(Boolean).join(', ');
}

/** isCode reports whether a place is in a repository. */
export const isCode = (at) => Boolean(at?.path) || (!at?.doc && Boolean(at?.entity));

/** shortID is an entity's id in two parts: the file, dimmed, and the name in it. */
export function entityName(id) {
  const at = id.lastIndexOf(':');
  if (at < 0) return [el('span', {}, id)];
  return [el('span', { class: 'soft' }, id.slice(0, at + 1)), el('span', {}, id.slice(at + 1))];
}

/**
 * piece draws an item.
 * @param {object} item evidence.Item
 * @param {object} o
 * @param {string} [o.href] address that opens it; none: it cannot be opened
 */
export function piece(item, o) {
  const code = isCode(item.at);
  const title = code ? (item.at.entity ? entityName(item.at.entity) : filePath(item.at)) : item.at.title || item.at.name || item.at.doc;
  const notes = [kind(item), item.level && item.level !== 'exact' ? `by ${item.level}` : '', item.via && code ? item.via : '', item.note].filter(Boolean);
  const place = where(item.at);
  return el('li', { class: code ? 'piece in-code' : 'piece in-prose', 'data-key': item.key },
    o.href ? el('a', { class: 'key', href: o.href, 'aria-label': `${item.key}, open the source` }, item.key) : el('span', { class: 'key none' }, item.key),
    el('div', { class: 'piece-main' },
      el('p', { class: 'piece-where' }, el('span', { class: code ? 'mono title' : 'title' }, title), place ? el('span', { class: 'soft number place' }, place) : null),
      words(item, code),
      notes.length ? el('p', { class: 'small soft' }, notes.join(' · ')) : null));
}

/** dedent takes away the blanks that all lines begin with. */
function dedent(text) {
  const list = text.split('\n');
  const indents = list.filter((l) => l.trim()).map((l) => /^[ \t]*/.exec(l)[0].length);
  return list.map((l) => l.slice(Math.min(...indents))).join('\n');
}

function kind(item) {
  if (item.kind === 'figure') return 'Figure';
  if (item.kind === 'table') return 'Table';
  if (item.kind === 'caller') return 'Uses it';
  return '';
}

function words(item, code) {
  const text = code ? (item.text || '').replace(/\s+$/, '') : (item.text || '').trim();
  const matches = item.matches || [];
  if (!text) return null;
  const shift = code ? 0 : item.text.indexOf(text);
  const parts = split(text, units(item.text, matches.map((m) => [m.start || 0, m.end || 0])).map(([a, b]) => [a - shift, b - shift]).filter(([a, b]) => a >= 0 && b <= text.length));
  const drawn = code && !matches.length ? dedent(text) : parts.map((p) => (p.mark ? el('mark', {}, p.text) : p.text));
  const body = code ? el('pre', { class: 'words', tabindex: 0, 'aria-label': 'Code' }, drawn) : el('blockquote', { class: 'words' }, drawn);
  const long = code ? text.split('\n').length > LONG.code : text.length > LONG.prose;
  if (!long) return body;
  body.classList.add('folded');
  const more = el('button', { type: 'button', class: 'link small', 'aria-expanded': 'false', onclick: () => {
    const folded = body.classList.toggle('folded');
    more.setAttribute('aria-expanded', String(!folded));
    more.textContent = folded ? 'Show all of it' : 'Show less';
  } }, 'Show all of it');
  return [body, more];
}
