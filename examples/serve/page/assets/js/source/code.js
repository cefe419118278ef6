// A file of a repository with lines marked.

import { call } from '../core/api.js';
import { count, el, fill } from '../core/dom.js';
import { address } from '../core/route.js';
import { grow } from './document.js';
import { lines, toMark } from './lines.js';

const AROUND = 60; // lines before and behind those that are marked

/**
 * filePath is the path that calls take: with the repository's name where there is one.
 * @param {{repo?: string, path: string}} at
 */
export function filePath(at) {
  return at.repo ? `${at.repo}//${at.path}` : at.path;
}

/** CodePane shows places of code in an element. */
export class CodePane {
  #root;
  #abort = null;
  #heading;

  constructor(root, o = {}) {
    this.#root = root;
    this.#heading = o.heading || 'h2';
  }

  close() {
    this.#abort?.abort();
  }

  /**
   * @param {object} place
   * @param {string} place.path with the repository's name before it
   * @param {number} [place.line]
   * @param {number} [place.end_line]
   * @param {string} [place.entity]
   */
  async show(place) {
    this.#abort?.abort();
    this.#abort = new AbortController();
    const { signal } = this.#abort;
    const line = Number(place.line) || 0;
    const end = Number(place.end_line) || line;
    const read = async (first, last) => {
      const item = await call('ReadLines', { path: place.path, first, last }, { signal });
      return { text: item.text || '', first: item.at?.line || first, last: item.at?.end_line || last };
    };
    try {
      const wanted = line ? end + AROUND : 4 * AROUND;
      const got = await read(line ? Math.max(1, line - AROUND) : 1, wanted);
      const draw = (part) => lines(part.text, { first: part.first, mark: line ? [line, end] : undefined, code: true, label: place.path });
      const body = el('div', { class: 'text-body' }, draw(got));
      const leaf = el('div', { class: 'leaf as-code' }, body);
      const where = line ? (end > line ? `lines ${line}–${end}` : `line ${line}`) : count(got.last - got.first + 1, 'line') + (got.last >= wanted ? ' of more' : '');
      fill(this.#root,
        el('header', { class: 'doc-head' },
          el(this.#heading, { class: 'doc-title mono', tabindex: -1 }, place.path),
          el('div', { class: 'doc-tools row' },
            el('span', { class: 'soft small number' }, where),
            place.entity ? el('a', { class: 'button quiet', href: address(['graph'], { id: place.entity }) }, 'In the graph') : null)),
        leaf);
      const more = async (a, b) => {
        const part = await read(a, b);
        return { node: draw(part), last: part.last };
      };
      if (got.first > 1) grow(leaf, body, 'before', got.first, got.first, more);
      if (got.last >= wanted) grow(leaf, body, 'after', got.last, Infinity, more); // nobody says how long a file is: less than was asked for is its end
      toMark(leaf);
      this.#root.dataset.marked = line ? 'marked' : 'none';
    } catch (err) {
      if (err.name === 'AbortError') return;
      fill(this.#root, el('div', { class: 'empty', role: 'alert' }, el('p', {}, 'The code cannot be shown.'), el('p', { class: 'small' }, err.message)));
    }
  }
}
