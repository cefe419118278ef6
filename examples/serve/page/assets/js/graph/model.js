// What of a code graph is shown: a walk from one entity, and what the reader opened since. The address holds both, so that a reload draws the
// same picture.

import { call } from '../core/api.js';

const MOST = 3000; // nodes of one picture

/** Graph holds what was read so far. */
export class Graph {
  /** @type {Map<string, object>} entities by id, roots first */
  nodes = new Map();
  /** @type {Map<string, object>} edges by source, kind and target */
  edges = new Map();
  roots = [];
  /** what was left out, in sentences */
  left = [];
  #opened = new Set();

  /**
   * walk reads the first walk.
   * @param {{id: string, rel: string[], direction: string, hops: number, tests: boolean}} from
   */
  async walk(from, signal) {
    const w = await call('Traverse', {
      ids: [from.id], direction: from.direction, edges: from.rel, hops: from.hops, tests: from.tests, limit: 1000,
    }, { signal });
    this.roots = w.roots?.length ? w.roots : [from.id];
    this.#take(w);
    if (w.cut) this.left.push(`${w.cut} more were left out`);
    if (w.tests_hidden) this.left.push(`${w.tests_hidden} in tests`);
    if (w.generated_hidden) this.left.push(`${w.generated_hidden} in generated or vendored code`);
    const about = w.about?.[0];
    if (about?.open) this.left.push(`${about.open} references to this name that could not be placed`);
  }

  /** within reports whether nothing was opened but what a list names. */
  within(list) {
    const words = new Set(list.map((o) => o.way.code + ':' + o.id));
    return [...this.#opened].every((w) => words.has(w));
  }

  /** open reads what one way leads to from a node, and returns how many nodes are new. */
  async open({ way, id }, tests, signal) {
    const word = way.code + ':' + id;
    if (this.#opened.has(word)) return 0;
    this.#opened.add(word);
    const before = this.nodes.size;
    try {
      this.#take(await call('Traverse', { ids: [id], direction: way.direction, edges: [way.kind], hops: 1, tests, limit: 500 }, { signal }));
    } catch (err) {
      this.#opened.delete(word);
      throw err;
    }
    return this.nodes.size - before;
  }

  #take(w) {
    for (const n of w.nodes || []) {
      if (!this.nodes.has(n.id) && this.nodes.size < MOST) this.nodes.set(n.id, n);
    }
    for (const e of w.edges || []) {
      if (this.nodes.has(e.src) && this.nodes.has(e.dst)) this.edges.set(`${e.src}\n${e.kind}\n${e.dst}`, e);
    }
  }

  /** ids are those of the nodes, roots first. */
  get ids() {
    const roots = this.roots.filter((r) => this.nodes.has(r));
    return [...roots, ...[...this.nodes.keys()].filter((id) => !roots.includes(id))];
  }
}
