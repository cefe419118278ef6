// Text in numbered lines, of a document or of code, with lines and words marked.

import { el } from '../core/dom.js';
import { find } from '../text/match.js';

/**
 * lines draws lines of text.
 * @param {string} text
 * @param {object} o
 * @param {number} [o.first] number of the first line
 * @param {[number, number]} [o.mark] first and last line to mark
 * @param {string} [o.passage] words within the marked lines to mark; without any the lines are marked whole
 * @param {[number, number][]} [o.strong] ranges of the passage that stand out
 * @param {boolean} [o.code] keep the blanks, do not break lines
 * @param {string} [o.label] what a screen reader calls it
 * @returns {HTMLElement}
 */
export function lines(text, o = {}) {
  const first = o.first || 1;
  const list = text.replace(/\n$/, '').split('\n').map((l) => l.replace(/\r$/, ''));
  const [from, to] = o.mark || [0, -1];
  const inside = (i) => first + i >= from && first + i <= to;
  const words = new Map(); // line -> marks
  if (o.passage) {
    // Only the lines of the passage are looked at, when they are known: the same words may stand elsewhere.
    const looked = o.mark ? list.map((l, i) => (inside(i) ? l : '')) : list;
    for (const m of find(looked, o.passage, o.strong).marks) words.set(m.piece, [...(words.get(m.piece) || []), m]);
  }
  const whole = (i) => inside(i) && !words.size;
  return el('div', { class: o.code ? 'lines code' : 'lines prose', role: 'group', 'aria-label': o.label, tabindex: o.code ? 0 : null },
    list.map((l, i) => el('div', { class: whole(i) ? 'line marked' : inside(i) ? 'line near' : 'line', 'data-line': first + i },
      el('span', { class: 'n', 'aria-hidden': 'true' }, first + i),
      whole(i) ? el('mark', { class: 't' }, l || '\u200b') : el('span', { class: 't' }, marked(l, words.get(i)) || '\u200b'))));
}

function marked(line, list) {
  if (!list) return line;
  const parts = [];
  let at = 0;
  for (const m of list) {
    parts.push(line.slice(at, m.from), el('mark', { class: m.strong ? 'strong' : null }, line.slice(m.from, m.to)));
    at = m.to;
  }
  parts.push(line.slice(at));
  return parts;
}

/** toMark scrolls the first mark of an element to the middle. */
export function toMark(root) {
  const mark = root.querySelector('mark');
  // Of code the line, which begins at the left edge: else its number would go out of sight in a narrow window.
  (mark?.closest('.code .line') || mark)?.scrollIntoView({ block: 'center', inline: 'nearest', behavior: 'instant' });
}
