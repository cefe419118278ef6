// The graph as a picture: nodes as labels in columns, edges as curves between them. Only nodes in sight are in the page, from far all of them are
// one shape, and all edges of a kind are one path, so that a thousand nodes can be moved and zoomed smoothly. Arrow keys walk from node to node.

import { el, fill, svg } from '../core/dom.js';
import { NODE, layout } from './layout.js';

const ZOOM = { least: 0.08, most: 2.5, label: 0.42, read: 0.82, step: 1.25 }; // label: names are drawn from here; read: they can be read
const CHARS = 23; // of a name that fit a node
const CHAR = 7.3; // width of a letter of the names
const LEFT = 28; // where a name begins in its node
const EDGE = 600; // beyond the window in which nodes are kept

/** Picture draws into an element. */
export class Picture {
  #frame;
  #svg;
  #world;
  #edges;
  #lit;
  #nodes;
  #far; // all nodes in one shape
  #graph = null;
  #placed = null;
  #near = new Map();
  #drawn = new Map(); // id -> element
  #view = { x: 0, y: 0, k: 1 };
  #selected = null;
  #choose;
  #open;
  #sized;
  #pending = false;

  /**
   * @param {HTMLElement} root
   * @param {object} o
   * @param {(id: string) => void} o.choose a node was chosen
   * @param {(id: string) => void} o.open a node was opened, with Enter on the chosen one or two clicks
   */
  constructor(root, o) {
    this.#choose = o.choose;
    this.#open = o.open;
    this.#edges = svg('g', { class: 'edges' });
    this.#lit = svg('g', { class: 'lit' });
    this.#nodes = svg('g', { class: 'nodes' });
    this.#far = svg('g', { class: 'far-nodes' }, svg('path', {}), svg('path', { class: 'far-selected' }));
    this.#world = svg('g', {}, this.#edges, this.#lit, this.#far, this.#nodes);
    const tip = svg('marker', { id: 'tip', viewBox: '0 0 8 8', refX: 7, refY: 4, markerWidth: 7, markerHeight: 7, orient: 'auto-start-reverse' }, svg('path', { d: 'M1 1 7 4 1 7' }));
    this.#svg = svg('svg', { role: 'group', 'aria-roledescription': 'graph', 'aria-label': 'Graph. Arrow keys walk from node to node, Enter opens one.' }, svg('defs', {}, tip), this.#world);
    const button = (text, label, f) => el('button', { type: 'button', 'aria-label': label, title: label, onclick: f }, text);
    this.#frame = el('div', { class: 'picture' }, this.#svg,
      el('div', { class: 'zoom' }, button('+', 'Larger', () => this.zoom(ZOOM.step)), button('−', 'Smaller', () => this.zoom(1 / ZOOM.step)), button('Fit', 'All of it', () => this.fit())));
    root.append(this.#frame);
    this.#listen();
    this.#sized = new ResizeObserver(() => this.#later());
    this.#sized.observe(this.#frame);
  }

  close() {
    this.#sized.disconnect();
  }

  /** show draws a graph; with keep the chosen node stays where it is on the screen. */
  show(graph, keep) {
    const before = keep && this.#placed?.at.get(keep);
    this.#graph = graph;
    const ids = graph.ids;
    const edges = [...graph.edges.values()];
    this.#placed = layout(ids, edges, Math.max(1, graph.roots.length), (id) => LEFT + Math.min(CHARS, (graph.nodes.get(id).name || id).length) * CHAR + 12);
    this.#near = new Map(ids.map((id) => [id, []]));
    for (const e of edges) {
      this.#near.get(e.src).push(e);
      if (e.dst !== e.src) this.#near.get(e.dst).push(e);
    }
    const kinds = new Map();
    for (const e of edges) kinds.set(e.kind, (kinds.get(e.kind) || '') + this.#curve(e));
    fill(this.#edges, [...kinds].map(([kind, d]) => svg('path', { class: `edge ${kind}`, d })));
    this.#clear();
    this.#far.firstChild.setAttribute('d', ids.map((id) => this.#box(id)).join(''));
    if (before) {
      const now = this.#placed.at.get(keep);
      this.#view.x += (before.x - now.x) * this.#view.k;
      this.#view.y += (before.y - now.y) * this.#view.k;
      this.#apply();
    } else this.#home();
  }

  /** select lights up a node and its edges. */
  select(id, o = {}) {
    this.#selected = id;
    const mine = this.#near.get(id) || [];
    fill(this.#lit, mine.map((e) => svg('path', { class: `edge ${e.kind}`, d: this.#curve(e), 'marker-end': 'url(#tip)' })));
    this.#far.lastChild.setAttribute('d', this.#placed.at.has(id) ? this.#box(id) : '');
    this.#apply();
    this.#mark();
    if (o.focus) {
      this.#reveal(id);
      this.#drawn.get(id)?.focus({ preventScroll: true });
    }
  }

  /** fit shows all of it. */
  fit() {
    if (!this.#placed) return;
    const { width, height } = this.#size();
    const pad = 28;
    const k = Math.min((width - 2 * pad) / Math.max(1, this.#placed.width), (height - 2 * pad) / Math.max(1, this.#placed.height), 1);
    this.#view.k = Math.max(ZOOM.least, k);
    this.#view.x = (width - this.#placed.width * this.#view.k) / 2;
    this.#view.y = (height - this.#placed.height * this.#view.k) / 2;
    this.#apply();
  }

  /** home shows all of it where its names can be read then, else what is around the root at a size that can. */
  #home() {
    this.fit();
    if (this.#view.k >= ZOOM.read) return;
    const { width } = this.#size();
    this.#view.k = ZOOM.read;
    const root = this.#graph.ids[0];
    this.#center(root);
    // No empty room on one side while something is out of sight on the other.
    const left = this.#placed.at.get(root).x * ZOOM.read;
    const all = this.#placed.width * ZOOM.read;
    if (left < width * 0.45) this.#view.x = 28;
    else if (this.#view.x + all < width - 28) this.#view.x = width - 28 - all;
    this.#apply();
  }

  zoom(by, x, y) {
    const { width, height } = this.#size();
    const cx = x ?? width / 2;
    const cy = y ?? height / 2;
    const k = Math.min(ZOOM.most, Math.max(ZOOM.least, this.#view.k * by));
    const f = k / this.#view.k;
    this.#view = { k, x: cx - (cx - this.#view.x) * f, y: cy - (cy - this.#view.y) * f };
    this.#apply();
  }

  #size() {
    return { width: this.#frame.clientWidth || 800, height: this.#frame.clientHeight || 500 };
  }

  #center(id) {
    const p = this.#placed.at.get(id);
    const { width, height } = this.#size();
    this.#view.x = width / 2 - (p.x + p.width / 2) * this.#view.k;
    this.#view.y = height / 2 - (p.y + NODE.height / 2) * this.#view.k;
  }

  #reveal(id) {
    const p = this.#placed?.at.get(id);
    if (!p) return;
    const { width, height } = this.#size();
    const { x, y, k } = this.#view;
    const left = p.x * k + x;
    const top = p.y * k + y;
    if (k < ZOOM.label) this.#view.k = ZOOM.read;
    if (k < ZOOM.label || left < 0 || top < 0 || left + p.width * k > width || top + NODE.height * k > height) {
      this.#center(id);
      this.#apply();
    }
  }

  #box(id) {
    const p = this.#placed.at.get(id);
    return `M${p.x} ${p.y}h${p.width}v${NODE.height}h${-p.width}z`;
  }

  #clear() {
    this.#drawn.clear();
    this.#nodes.replaceChildren();
  }

  #curve(e) {
    const a = this.#placed.at.get(e.src);
    const b = this.#placed.at.get(e.dst);
    const mid = NODE.height / 2;
    const out = a.x + a.width;
    if (e.src === e.dst) return `M${out} ${a.y + 8}c26-20 26 34 0 14`;
    if (b.x >= out) {
      const bend = Math.min(80, (b.x - out) / 2);
      return `M${out} ${a.y + mid}C${out + bend} ${a.y + mid} ${b.x - bend} ${b.y + mid} ${b.x} ${b.y + mid}`;
    }
    const back = b.x + b.width;
    if (back <= a.x) {
      const bend = Math.min(80, (a.x - back) / 2);
      return `M${a.x} ${a.y + mid}C${a.x - bend} ${a.y + mid} ${back + bend} ${b.y + mid} ${back} ${b.y + mid}`;
    }
    return `M${out} ${a.y + mid}C${out + 44} ${a.y + mid} ${back + 44} ${b.y + mid} ${back} ${b.y + mid}`;
  }

  #later() {
    if (this.#pending) return;
    this.#pending = true;
    requestAnimationFrame(() => {
      this.#pending = false;
      this.#apply();
    });
  }

  /** apply moves the picture and puts the nodes in sight into the page. */
  #apply() {
    if (!this.#placed) return;
    const { x, y, k } = this.#view;
    this.#world.setAttribute('transform', `translate(${x} ${y}) scale(${k})`);
    const far = k < ZOOM.label;
    this.#svg.classList.toggle('far', far);
    if (far) {
      this.#clear();
      return;
    }
    const before = this.#drawn.size;
    let changed = 0;
    const { width, height } = this.#size();
    const left = (-x - EDGE) / k;
    const top = (-y - EDGE) / k;
    const right = (width - x + EDGE) / k;
    const bottom = (height - y + EDGE) / k;
    for (const [id, p] of this.#placed.at) {
      const seen = p.x + p.width > left && p.x < right && p.y + NODE.height > top && p.y < bottom;
      const node = this.#drawn.get(id);
      if (seen && !node) {
        const made = this.#node(id, p);
        this.#drawn.set(id, made);
        this.#nodes.append(made);
        changed++;
      } else if (!seen && node && node !== document.activeElement) {
        node.remove();
        this.#drawn.delete(id);
        changed++;
      }
    }
    if (changed || !before) this.#mark();
  }

  /** mark shows which node is chosen and which are next to it, and lets Tab stop at one. */
  #mark() {
    const stop = this.#drawn.has(this.#selected) ? this.#selected : this.#graph.ids[0];
    const around = new Set((this.#near.get(this.#selected) || []).flatMap((e) => [e.src, e.dst]));
    for (const [id, node] of this.#drawn) {
      node.setAttribute('tabindex', id === stop ? 0 : -1);
      node.setAttribute('aria-pressed', String(id === this.#selected));
      node.classList.toggle('selected', id === this.#selected);
      node.classList.toggle('near', around.has(id) && id !== this.#selected);
    }
  }

  #node(id, p) {
    const n = this.#graph.nodes.get(id);
    const name = n.name || id;
    const short = name.length > CHARS ? name.slice(0, CHARS - 1) + '…' : name;
    const node = svg('g', { class: `node ${n.kind}${this.#graph.roots.includes(id) ? ' root' : ''}${n.test ? ' test' : ''}`, transform: `translate(${p.x} ${p.y})`, role: 'button', 'data-id': id, 'aria-label': `${n.kind} ${name}, ${n.path}` },
      svg('title', {}, id),
      svg('rect', { width: p.width, height: NODE.height, rx: 5 }),
      svg('text', { 'aria-hidden': 'true', class: 'glyph', x: 10, y: 19.5 }, { directory: '/', file: '≡', class: 'C', function: 'ƒ' }[n.kind] || '·'),
      svg('text', { 'aria-hidden': 'true', class: 'name', x: LEFT, y: 19.5 }, short));
    return node;
  }

  #listen() {
    const s = this.#svg;
    const idOf = (e) => e.target.closest?.('.node')?.dataset.id ?? this.#at(e);
    let from = null;
    const fingers = new Map();
    s.addEventListener('pointerdown', (e) => {
      fingers.set(e.pointerId, [e.offsetX, e.offsetY]);
      if (e.button === 0) from = { x: e.clientX, y: e.clientY, moved: false, id: idOf(e) };
    });
    s.addEventListener('pointermove', (e) => {
      if (!from || !fingers.has(e.pointerId)) return;
      const rect = s.getBoundingClientRect();
      const now = [e.clientX - rect.left, e.clientY - rect.top];
      if (fingers.size === 2) {
        const [a, b] = [...fingers.values()];
        const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
        fingers.set(e.pointerId, now);
        const [c, d] = [...fingers.values()];
        this.zoom(Math.hypot(c[0] - d[0], c[1] - d[1]) / Math.max(1, apart), (c[0] + d[0]) / 2, (c[1] + d[1]) / 2);
        from.moved = true;
        return;
      }
      if (!from.moved && Math.hypot(e.clientX - from.x, e.clientY - from.y) < 4) return;
      if (!from.moved) s.setPointerCapture(e.pointerId);
      from.moved = true;
      this.#view.x += e.movementX;
      this.#view.y += e.movementY;
      this.#later();
    });
    const up = (e) => {
      fingers.delete(e.pointerId);
      if (from && !from.moved && from.id && e.type === 'pointerup') this.#choose(from.id);
      if (!fingers.size) from = null;
    };
    s.addEventListener('pointerup', up);
    s.addEventListener('pointercancel', up);
    s.addEventListener('dblclick', (e) => idOf(e) && this.#open(idOf(e)));
    s.addEventListener('wheel', (e) => {
      e.preventDefault();
      if (e.ctrlKey || e.metaKey) this.zoom(Math.exp(-e.deltaY / 200), e.offsetX, e.offsetY);
      else {
        this.#view.x -= e.shiftKey ? e.deltaY : e.deltaX;
        this.#view.y -= e.shiftKey ? 0 : e.deltaY;
        this.#later();
      }
    }, { passive: false });
    s.addEventListener('keydown', (e) => {
      const id = e.target.closest?.('.node')?.dataset.id;
      if (!id) return;
      if (e.key === 'Enter' || e.key === ' ') {
        e.preventDefault();
        if (id === this.#selected) this.#open(id);
        else this.#choose(id);
        return;
      }
      const to = this.#towards(id, e.key);
      if (!to) return;
      e.preventDefault();
      this.#choose(to);
      this.select(to, { focus: true });
    });
  }

  /** at is the node below the pointer, from far: then none of them is in the page. */
  #at(e) {
    if (!this.#placed || this.#view.k >= ZOOM.label) return undefined;
    const rect = this.#svg.getBoundingClientRect();
    const x = (e.clientX - rect.left - this.#view.x) / this.#view.k;
    const y = (e.clientY - rect.top - this.#view.y) / this.#view.k;
    for (const [id, p] of this.#placed.at) if (x >= p.x && x <= p.x + p.width && y >= p.y && y <= p.y + NODE.height) return id;
    return undefined;
  }

  /** towards is the node that an arrow key leads to: up and down in the column, left and right along an edge where there is one. */
  #towards(id, key) {
    const at = this.#placed.at;
    const p = at.get(id);
    const best = (list, far) => list.reduce((a, b) => (a === null || far(b) < far(a) ? b : a), null);
    if (key === 'ArrowUp' || key === 'ArrowDown') {
      const way = key === 'ArrowUp' ? -1 : 1;
      return best([...at.keys()].filter((o) => at.get(o).x === p.x && (at.get(o).y - p.y) * way > 0), (o) => Math.abs(at.get(o).y - p.y));
    }
    if (key === 'ArrowLeft' || key === 'ArrowRight') {
      const way = key === 'ArrowLeft' ? -1 : 1;
      const side = (o) => (at.get(o).x - p.x) * way > 0;
      const along = (this.#near.get(id) || []).map((e) => (e.src === id ? e.dst : e.src)).filter(side);
      const far = (o) => Math.hypot(at.get(o).x - p.x, at.get(o).y - p.y);
      return best(along, far) ?? best([...at.keys()].filter(side), far);
    }
    return null;
  }
}
