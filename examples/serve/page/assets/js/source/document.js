// A document, open at a place: its page as it looks, or its text, with the passage marked, and its sections beside it.

import { call, fetchFile } from '../core/api.js';
import { count, el, fill, say } from '../core/dom.js';
import { save } from '../core/save.js';
import { units } from '../text/ranges.js';
import { lines, toMark } from './lines.js';
import { PDFPage, isPDF } from './pdf.js';
import { path, sections } from './sections.js';

const STEP = 300; // lines of a text that are shown at once

/**
 * @typedef {object} DocumentPlace what the address says
 * @property {string} doc id
 * @property {number} [page]
 * @property {string} [as] "text" for the text of a PDF
 * @property {number} [section] index of a section
 * @property {number} [start] bytes of the raw text, half-open
 * @property {number} [end]
 * @property {number} [line] lines of the raw text, both included
 * @property {number} [end_line]
 * @property {object} [item] the piece of evidence that stands there, when the caller has it
 */

/** DocumentPane shows places of documents in an element. */
export class DocumentPane {
  #root;
  #turn;
  #link;
  #heading;
  #info = null;
  #place = null;
  #pdf = null;
  #abort = null;
  #contents = false;

  /**
   * @param {HTMLElement} root
   * @param {object} o
   * @param {(changes: object) => string} o.link address of another place in the same document
   * @param {(changes: object) => void} o.turn goes there without a step in the history
   * @param {string} [o.heading] "h1" where the document is all there is
   * @param {boolean} [o.contents] sections are shown from the start
   */
  constructor(root, o) {
    this.#root = root;
    this.#link = o.link;
    this.#turn = o.turn;
    this.#heading = o.heading || 'h2';
    this.#contents = Boolean(o.contents) && innerWidth > 900;
  }

  close() {
    this.#abort?.abort();
    this.#pdf?.close();
    this.#pdf = null;
  }

  /** page leads n pages on. */
  page(n) {
    const p = Math.min(Math.max(1, this.#shownPage() + n), this.#info?.pages || 1);
    if (this.#info && p !== this.#shownPage()) this.#turn({ page: p });
  }

  #shownPage() {
    return this.#place?.page || 1;
  }

  /** @param {DocumentPlace} place */
  async show(place) {
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const started = performance.now();
    delete this.#root.dataset.shownIn;
    delete this.#root.dataset.marked;
    try {
      if (this.#info?.id !== place.doc) {
        this.#info = null;
        this.#pdf?.close();
        this.#pdf = null;
        this.#root.setAttribute('aria-busy', 'true');
      }
      const info = this.#info || (await call('GetDocument', { doc: place.doc }, { signal }));
      const fresh = !this.#info;
      this.#info = info;
      const chosen = place.section !== undefined ? path(info.sections, place.section)?.at(-1) : null;
      const marks = isPDF(info) ? await wanted(place, chosen, signal) : [];
      const page = place.page || marks[0]?.page || place.item?.at?.page || chosen?.page || 1;
      this.#place = { ...place, page };
      const pdf = isPDF(info) && place.as !== 'text';
      if (fresh || !this.#root.querySelector('.doc')) this.#frame(info);
      this.#toolbar(info, pdf);
      this.#tree(info);
      const target = this.#target(place, marks, chosen, page);
      if (pdf) await this.#showPage(info, page, target);
      else await this.#showText(info, page, target, signal);
      this.#root.dataset.shownIn = String(Math.round(performance.now() - started));
    } catch (err) {
      if (err.name === 'AbortError') return;
      this.#failed(err);
    } finally {
      if (!signal.aborted) this.#root.removeAttribute('aria-busy');
    }
  }

  /** target is what is to be marked on a page. */
  #target(place, marks, chosen, page) {
    const item = place.item;
    const here = marks.filter((m) => m.page === page);
    if (here.length) {
      const text = here.map((m) => m.text).join('\n');
      // On one page the item's own text says which words matched; where it goes on to another, only this page's part is looked for.
      const own = item?.matches?.length && here.length === marks.length;
      return { text: own ? item.text : text, strong: own ? spans(item) : [], boxes: here.flatMap((m) => m.boxes || []).map(box), lines: lineRange(place) };
    }
    if (item && (item.at.page || 1) === page) return { text: item.text, strong: spans(item), boxes: [], lines: lineRange(place) };
    if (chosen && (chosen.page || 1) === page) {
      const first = chosen.lines?.first;
      return { text: `${chosen.number || ''} ${chosen.title}`, strong: [], boxes: [], lines: first ? [first, first] : null };
    }
    return { text: '', strong: [], boxes: [], lines: lineRange(place) };
  }

  #frame(info) {
    const authors = (info.authors || []).slice(0, 4).join(', ') + (info.authors?.length > 4 ? ' and others' : '');
    const about = [authors, (info.date || '').slice(0, 10), info.title === info.name ? null : info.name].filter(Boolean);
    fill(this.#root,
      el('div', { class: 'doc' },
        el('header', { class: 'doc-head' },
          el(this.#heading, { class: 'doc-title', tabindex: -1 }, info.title || info.name),
          about.length ? el('p', { class: 'soft small' }, about.join(' · ')) : null,
          info.reason ? el('p', { class: 'small bad' }, info.reason) : null,
          info.source === 'changed' || info.source === 'gone' ? el('p', { class: 'small bad' }, info.source === 'gone' ? 'The file is gone; this is the copy that was read.' : 'The file has changed since it was read.') : null,
          el('div', { class: 'doc-tools row', role: 'toolbar', 'aria-label': 'Document' })),
        el('div', { class: 'doc-body' },
          el('div', { class: 'doc-contents' }),
          el('div', { class: 'doc-page' },
            el('p', { class: 'note', hidden: true, role: 'status' }),
            el('div', { class: 'leaf' })))));
  }

  #toolbar(info, pdf) {
    const page = this.#shownPage();
    const many = info.pages > 1;
    const field = el('input', { type: 'text', inputmode: 'numeric', class: 'number page-field', value: page, 'aria-label': `Page, of ${info.pages}` });
    field.addEventListener('change', () => {
      const n = Number.parseInt(field.value, 10);
      if (n >= 1 && n <= info.pages) this.#turn({ page: n });
      else field.value = page;
    });
    const contents = el('button', { type: 'button', class: 'quiet', 'aria-expanded': String(this.#contents), onclick: () => {
      this.#contents = !this.#contents;
      contents.setAttribute('aria-expanded', String(this.#contents));
      this.#tree(info);
    } }, 'Contents');
    fill(this.#root.querySelector('.doc-tools'),
      many && (pdf || isPDF(info)) ? el('div', { class: 'pager' },
        el('button', { type: 'button', class: 'quiet', 'aria-label': 'Previous page', disabled: page <= 1, onclick: () => this.page(-1) }, '←'),
        field, el('span', { class: 'soft number' }, `of ${info.pages}`),
        el('button', { type: 'button', class: 'quiet', 'aria-label': 'Next page', disabled: page >= info.pages, onclick: () => this.page(1) }, '→')) : null,
      info.sections?.length ? contents : null,
      isPDF(info) ? el('a', { class: 'button quiet', href: this.#link({ as: pdf ? 'text' : '', page: this.#place.page }) }, pdf ? 'As text' : 'As page') : null,
      isPDF(info) && pdf ? el('button', { type: 'button', class: 'quiet', onclick: (e) => this.#save(info, e.currentTarget) }, 'Save') : null,
      !isPDF(info) ? el('span', { class: 'soft small number' }, count(info.lines, 'line')) : null);
  }

  /** save gets the original as every other call does, as a link brings no token. The button stays enabled, or it would lose the focus. */
  async #save(info, button) {
    if (button.getAttribute('aria-busy')) return;
    button.setAttribute('aria-busy', 'true');
    try {
      save(await (await fetchFile(info.id)).blob(), info.name.split('/').pop());
    } catch (err) {
      if (button.isConnected) this.#note(`The file cannot be saved. ${err.message}`);
    } finally {
      button.removeAttribute('aria-busy');
    }
  }

  #tree(info) {
    const into = this.#root.querySelector('.doc-contents');
    this.#root.querySelector('.doc-body').classList.toggle('with-contents', this.#contents && info.sections?.length > 0);
    if (!this.#contents || !info.sections?.length) return void fill(into);
    fill(into, sections(info.sections, {
      current: this.#place.section,
      link: (s) => this.#link({ section: s.index || '0', page: '', start: '', end: '', line: '', end_line: '', at: '' }),
    }));
    into.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });
  }

  async #showPage(info, page, target) {
    const leaf = this.#root.querySelector('.leaf');
    if (!this.#pdf) {
      fill(leaf);
      leaf.className = 'leaf';
      this.#pdf = new PDFPage(leaf);
    }
    let how;
    try {
      how = await this.#pdf.show({ id: info.id, version: info.hash || '', page, text: target.text, strong: target.strong, boxes: target.boxes });
    } catch (err) {
      this.#pdf.close();
      this.#pdf = null;
      const text = el('a', { href: this.#link({ as: 'text', page }) }, 'Read it as text');
      fill(leaf, el('div', { class: 'empty' }, el('p', {}, `The page cannot be shown. ${err.message || err}`), el('p', {}, text)));
      return;
    }
    this.#note(how === 'missing' ? 'The passage could not be found in the text of this page. Here is the page all the same.' : how === 'boxed' ? 'The page has no text of its own here: the place is framed.' : '');
    this.#root.dataset.marked = how;
    say(`Page ${page} of ${info.pages}${how === 'marked' ? ', the passage is marked' : ''}`);
  }

  async #showText(info, page, target, signal) {
    this.#pdf?.close();
    this.#pdf = null;
    const leaf = this.#root.querySelector('.leaf');
    const byPage = isPDF(info);
    let first = 1;
    let last = STEP;
    if (!byPage && target.lines) {
      first = Math.max(1, target.lines[0] - STEP / 2);
      last = target.lines[1] + STEP / 2;
    }
    const get = async (message) => (await call('GetText', { doc: info.id, ...message }, { signal })).text || {};
    const draw = (text) => lines(text.text || '', { first: text.line_start || 1, mark: target.lines || undefined, passage: target.text, strong: target.strong, label: byPage ? `Text of page ${page}` : 'Text' });
    const text = await get(byPage ? { page } : { first, last });
    const body = el('div', { class: 'text-body' }, draw(text));
    leaf.className = 'leaf as-text';
    fill(leaf, body);
    if (!byPage) {
      const more = async (a, b) => {
        const part = await get({ first: a, last: b });
        return { node: draw(part), last: part.line_end || b };
      };
      grow(leaf, body, 'before', text.line_start || 1, info.lines, more);
      grow(leaf, body, 'after', text.line_end || last, info.lines, more);
    }
    const marked = leaf.querySelector('mark') !== null;
    this.#note(target.text && !marked ? 'The passage could not be found in this text.' : '');
    this.#root.dataset.marked = marked ? 'marked' : target.text ? 'missing' : 'none';
    if (marked) toMark(leaf);
  }

  #note(text) {
    const note = this.#root.querySelector('.doc-page > .note');
    note.hidden = !text;
    note.textContent = text;
  }

  #failed(err) {
    this.#pdf?.close();
    this.#pdf = null;
    this.#info = null;
    const gone = err.code === 'not_found';
    fill(this.#root, el('div', { class: 'empty', role: 'alert' }, el('p', {}, gone ? 'This document is not in the library any more.' : 'The document cannot be shown.'), gone ? null : el('p', { class: 'small' }, err.message)));
  }
}

/**
 * grow puts a button before or behind a text that gets more lines of it.
 * @param {HTMLElement} leaf where the button stands
 * @param {HTMLElement} body where the lines go
 * @param {'before'|'after'} side
 * @param {number} edge the line that is shown first or last
 * @param {number} total lines of the whole; Infinity where nobody knows
 * @param {(first: number, last: number) => Promise<{node: HTMLElement, last: number}>} get
 */
export function grow(leaf, body, side, edge, total, get) {
  const more = el('button', { type: 'button', class: 'quiet more' });
  const update = () => {
    const left = side === 'before' ? edge - 1 : total - edge;
    more.textContent = Number.isFinite(left) ? `${count(Math.min(left, STEP), 'line')} ${side === 'before' ? 'before' : 'after'}` : 'More lines';
    if (left <= 0) more.remove();
  };
  more.addEventListener('click', async () => {
    more.disabled = true;
    const [a, b] = side === 'before' ? [Math.max(1, edge - STEP), edge - 1] : [edge + 1, Math.min(total, edge + STEP)];
    try {
      const { node, last } = await get(a, b);
      if (side === 'before') body.prepend(node);
      else body.append(node);
      edge = side === 'before' ? a : b;
      if (side === 'after' && last < b) total = last; // the text ends here
      update();
    } catch (err) {
      more.textContent = err.message;
    }
    more.disabled = false;
  });
  if (side === 'before') leaf.prepend(more);
  else leaf.append(more);
  update();
}

const lineRange = (p) => (p.line ? [Number(p.line), Number(p.end_line || p.line)] : null);
const box = (b) => ({ x0: b.x0 || 0, y0: b.y0 || 0, x1: b.x1 || 0, y1: b.y1 || 0 });
const spans = (item) => units(item.text || '', (item.matches || []).map((m) => [m.start || 0, m.end || 0]));

/**
 * wanted asks where bytes of the text, or the heading of a section as the text has it, stand on the pages. Without either, or when that cannot be
 * told, there are none.
 */
async function wanted(place, section, signal) {
  let range = place.end ? { start: Number(place.start || 0), end: Number(place.end) } : null;
  try {
    if (!range && section?.lines?.first) range = (await call('GetText', { doc: place.doc, first: section.lines.first, last: section.lines.first }, { signal })).text;
    if (!range?.end) return [];
    return (await call('GetMarks', { doc: place.doc, start: range.start || 0, end: range.end }, { signal })).marks || [];
  } catch (err) {
    if (err.name === 'AbortError') throw err;
    return [];
  }
}
