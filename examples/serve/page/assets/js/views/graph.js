// Graph: a walk of the code graph from one entity, as a picture or as lists. #/graph?id=src/app.py:run&rel=invoke&hops=2&x=callers:...

import { call } from '../core/api.js';
import { count, el, fill, later, say } from '../core/dom.js';
import { viewKeys } from '../core/keys.js';
import { address, change, current, go } from '../core/route.js';
import { layout } from '../graph/layout.js';
import { Graph } from '../graph/model.js';
import { Picture } from '../graph/picture.js';
import { RELATIONS, WAYS, readOpened, writeOpened } from '../graph/ways.js';
import { entityName, range } from './piece.js';
import { lines } from '../source/lines.js';

export function mount(root, route) {
  const field = el('input', { type: 'search', class: 'grow', 'data-search': true, 'aria-label': 'Start at', placeholder: 'Start at a function, class or file', autocomplete: 'off', spellcheck: 'false', role: 'combobox', 'aria-expanded': 'false', 'aria-controls': 'graph-found', 'aria-autocomplete': 'list' });
  const found = el('ul', { class: 'found', id: 'graph-found', role: 'listbox', 'aria-label': 'Found', hidden: true });
  const controls = el('fieldset', { class: 'row relations' });
  const status = el('p', { class: 'soft small number', role: 'status' });
  const stage = el('div', { class: 'stage' });
  const detail = el('section', { class: 'detail', 'aria-label': 'Chosen entity' });
  root.append(el('h1', { class: 'unseen', tabindex: -1 }, 'Graph'),
    el('div', { class: 'graph-bar' }, el('div', { class: 'start' }, field, found), controls, status),
    el('div', { class: 'graph-body' }, stage, detail));
  let graph = null;
  let picture = null;
  let abort = null;
  let base = null; // what of the address the graph was read for
  let selected = null;

  startField(field, found);

  const read = (params) => ({
    id: params.id || '', rel: (params.rel || 'invoke').split(',').filter((r) => RELATIONS[r]), direction: { in: 'in', out: 'out' }[params.way] || 'both',
    hops: Math.min(6, Math.max(1, Number(params.hops) || 1)), tests: params.tests === '1',
  });

  async function draw(params) {
    const from = read(params);
    const want = JSON.stringify(from);
    tools(from, params);
    if (!from.id) {
      graph = null;
      base = null;
      picture?.close();
      picture = null;
      status.textContent = '';
      fill(detail);
      fill(stage, el('div', { class: 'empty' }, el('p', {}, 'Choose where to start: a name in the field above, or a repository under ', el('a', { href: address(['code']) }, 'Code'), '.')));
      return;
    }
    abort?.abort();
    abort = new AbortController();
    const { signal } = abort;
    try {
      const opened = readOpened(params.x);
      const other = want !== base;
      const anew = other || !graph.within(opened); // the reader went back: what was opened is to be gone again
      if (anew) {
        stage.setAttribute('aria-busy', 'true');
        const next = new Graph();
        await next.walk(from, signal);
        graph = next;
        base = want;
        selected = null;
      }
      const before = graph.nodes.size;
      for (const o of opened) if (graph.nodes.has(o.id)) await graph.open(o, from.tests, signal);
      const grown = graph.nodes.size - before;
      const list = params.as === 'list';
      if (anew || grown || list !== !picture) present(list, other ? null : graph.nodes.has(params.sel) ? params.sel : graph.ids[0]);
      status.textContent = [count(graph.nodes.size, 'node'), count(graph.edges.size, 'edge'), ...graph.left].join(' · ');
      if (!anew && grown) say(`${count(grown, 'node')} more`);
      choose(graph.nodes.has(params.sel) ? params.sel : graph.ids[0], signal);
    } catch (err) {
      if (err.name === 'AbortError') return;
      base = null;
      picture?.close();
      picture = null;
      fill(stage, el('div', { class: 'empty', role: 'alert' }, el('p', {}, err.code === 'not_found' ? 'No repository has this entity any more.' : 'The graph cannot be walked.'), el('p', { class: 'small' }, err.message)));
    } finally {
      if (!signal.aborted) stage.removeAttribute('aria-busy');
    }
  }

  function present(list, keep) {
    if (list) {
      picture?.close();
      picture = null;
      fill(stage, columnsList(graph));
      return;
    }
    if (!picture) {
      fill(stage);
      picture = new Picture(stage, { choose: (id) => change({ sel: id }, { replace: true }), open: expand });
    }
    picture.show(graph, keep);
  }

  /** choose shows what is known of a node beside the picture. */
  async function choose(id, signal) {
    picture?.select(id);
    if (!picture) for (const a of stage.querySelectorAll('a[data-id]')) a.toggleAttribute('aria-current', a.dataset.id === id);
    if (id === selected) return;
    selected = id;
    const n = graph.nodes.get(id);
    const code = el('div', { class: 'detail-code' });
    const at = id.includes('//') ? id.slice(0, id.indexOf('//') + 2) : '';
    const path = n.path?.startsWith(at) ? n.path : at + n.path;
    fill(detail,
      el('h2', {}, el('span', { class: 'soft small' }, n.kind), ' ', el('span', { class: 'mono' }, n.name || id)),
      el('p', { class: 'small mono' }, n.line || n.kind === 'file' ? el('a', { href: address(['code'], { path, line: n.line, end_line: n.end_line, entity: id }) }, path, n.line && n.kind !== 'file' ? `:${range(n.line, n.end_line)}` : '') : path),
      n.signature ? el('p', { class: 'small mono soft' }, n.signature) : null,
      el('div', { class: 'ways' }, WAYS.filter((w) => fits(w, n)).map((w) => el('button', { type: 'button', onclick: () => open(w, id) }, w.label))),
      id === graph.roots[0] ? null : el('p', {}, el('a', { href: address(['graph'], { ...current().params, id, x: '', sel: '' }) }, 'Start here')),
      code);
    if (n.kind !== 'function' && n.kind !== 'class') return;
    try {
      const got = await call('Retrieve', { ids: [id], view: n.kind === 'class' ? 'fold' : 'full' }, { signal });
      const e = got.entities?.[0];
      if (e?.text && selected === id) fill(code, lines(e.text.split('\n').slice(0, 120).join('\n'), { first: n.kind === 'class' ? 1 : e.line, code: true, label: `Code of ${n.name}` }));
      if (n.kind === 'class') code.classList.add('no-numbers');
    } catch {
      // The picture says enough; the code is one click away, with what is wrong with it.
    }
  }

  function open(way, id) {
    const params = current().params;
    const opened = readOpened(params.x).filter((o) => o.way !== way || o.id !== id);
    change({ x: writeOpened([...opened, { way, id }]), sel: id });
  }

  /** expand opens a node along the relations that are shown. */
  function expand(id) {
    const params = current().params;
    const n = graph.nodes.get(id);
    const kinds = read(params).rel;
    const rank = layoutRank(id);
    const opened = readOpened(params.x);
    for (const way of WAYS.filter((w) => kinds.includes(w.kind) && fits(w, n) && (rank === 0 || (rank < 0) === (w.direction === 'in')))) {
      if (!opened.some((o) => o.way === way && o.id === id)) opened.push({ way, id });
    }
    change({ x: writeOpened(opened), sel: id });
  }

  const layoutRank = (id) => layout(graph.ids, [...graph.edges.values()], graph.roots.length).at.get(id)?.rank || 0;

  function tools(from, params) {
    const box = (kind, label) => el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: from.rel.includes(kind), onchange: (e) => {
      const rel = Object.keys(RELATIONS).filter((k) => (k === kind ? e.target.checked : from.rel.includes(k)));
      if (rel.length) change({ rel: rel.join(','), x: '' });
      else e.target.checked = true;
    } }), label);
    const pick = (name, label, options, value) => el('label', { class: 'check' }, label, el('select', { onchange: (e) => change({ [name]: e.target.value, x: '' }) }, options.map(([v, t]) => el('option', { value: v, selected: v === value }, t))));
    const focused = [...controls.querySelectorAll('input, select')].indexOf(document.activeElement);
    fill(controls, el('legend', { class: 'unseen' }, 'What is shown'),
      Object.entries(RELATIONS).map(([k, label]) => box(k, label)),
      pick('way', 'Way', [['both', 'both'], ['in', 'towards it'], ['out', 'from it']], from.direction),
      pick('hops', 'Steps', ['1', '2', '3', '4'].map((n) => [n, n]), String(from.hops)),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: from.tests, onchange: (e) => change({ tests: e.target.checked ? '1' : '', x: '' }) }), 'Tests'),
      el('label', { class: 'check' }, el('input', { type: 'checkbox', checked: params.as === 'list', onchange: (e) => change({ as: e.target.checked ? 'list' : '' }) }), 'As lists'));
    if (focused >= 0) controls.querySelectorAll('input, select')[focused]?.focus();
  }

  viewKeys([
    ['+', 'Larger', () => picture?.zoom(1.25)],
    ['-', 'Smaller', () => picture?.zoom(0.8)],
    ['0', 'All of it', () => picture?.fit()],
    ['e', 'Open the chosen node', () => selected && graph && expand(selected)],
    ['g', 'Go to the chosen node', () => selected && (picture ? picture.select(selected, { focus: true }) : stage.querySelector(`a[data-id="${CSS.escape(selected)}"]`)?.focus())],
  ]);
  const update = ({ params }) => {
    if (document.activeElement !== field) field.value = params.id || '';
    document.title = `${params.id || 'Graph'} · findspot`;
    draw(params);
  };
  update(route);
  return {
    update,
    close() {
      abort?.abort();
      picture?.close();
    },
  };
}

/** fits reports whether a way leads anywhere from a node of its kind. */
function fits(way, n) {
  switch (way.kind) {
    case 'invoke':
      return n.kind === 'function' || n.kind === 'class' || (n.kind === 'file' && way.direction === 'out');
    case 'inherit':
      return n.kind === 'class';
    case 'import':
      return n.kind === 'file' || way.direction === 'in';
    default:
      return way.direction === 'in' ? n.path !== '/' || n.kind !== 'directory' : n.kind !== 'function' || n.kind === 'function';
  }
}

/** columnsList is the same graph in words: for each distance its nodes, with what leads to them. */
function columnsList(graph) {
  const { ranks } = layout(graph.ids, [...graph.edges.values()], graph.roots.length);
  const into = new Map();
  for (const e of graph.edges.values()) {
    into.set(e.dst, [...(into.get(e.dst) || []), e]);
    into.set(e.src, [...(into.get(e.src) || []), e]);
  }
  const say = (e, id) => `${{ invoke: 'calls', contain: 'contains', inherit: 'inherits', import: 'imports' }[e.kind] || e.kind} ${graph.nodes.get(e.src === id ? e.dst : e.src).name}`;
  const order = [...ranks.keys()].sort((a, b) => Math.abs(a) - Math.abs(b) || a - b);
  return el('div', { class: 'ranks' }, order.map((r) => el('section', {},
    el('h2', {}, r === 0 ? 'Start' : `${count(Math.abs(r), 'step')} ${r < 0 ? 'towards it' : 'from it'}`, el('span', { class: 'soft number' }, ` ${ranks.get(r).length}`)),
    el('ul', {}, ranks.get(r).map((id) => el('li', {},
      el('a', { class: 'mono', 'data-id': id, href: address(['graph'], { ...current().params, sel: id }) }, entityName(id)),
      el('span', { class: 'small soft' }, (into.get(id) || []).slice(0, 3).map((e) => (e.src === id ? say(e, id) : `${graph.nodes.get(e.src).name} ${say(e, e.src).split(' ')[0]} it`)).join(', '))))))));
}

/** startField offers entities whose names fit what is typed. */
function startField(field, list) {
  let abort = null;
  let at = -1;
  const shut = () => {
    list.hidden = true;
    field.setAttribute('aria-expanded', 'false');
    field.removeAttribute('aria-activedescendant');
    at = -1;
  };
  const start = (id, kind) => {
    shut();
    field.value = id;
    field.blur();
    go(address(['graph'], { ...current().params, id, x: '', sel: '', rel: kind === 'directory' || kind === 'file' ? 'contain' : kind === 'class' ? 'contain,inherit' : '' }));
  };
  const search = later(async () => {
    const q = field.value.trim();
    abort?.abort();
    if (!q) return shut();
    abort = new AbortController();
    try {
      const got = await call('SearchCode', { query: q, limit: 12, view: 'fold' }, { signal: abort.signal });
      const hits = got.hits || [];
      at = -1;
      fill(list, hits.length ? hits.map((h, i) => el('li', { role: 'option', id: `graph-found-${i}`, 'data-id': h.id, 'data-kind': h.kind, onpointerdown: (e) => {
        e.preventDefault();
        start(h.id, h.kind);
      } }, el('span', { class: 'kind small' }, h.kind), el('span', { class: 'mono' }, entityName(h.id)))) : el('li', { class: 'soft' }, 'Nothing has this name'));
      list.hidden = false;
      field.setAttribute('aria-expanded', 'true');
    } catch (err) {
      if (err.name !== 'AbortError') shut();
    }
  }, 150);
  field.addEventListener('input', search);
  field.addEventListener('blur', () => {
    search.cancel();
    shut();
  });
  field.addEventListener('keydown', (e) => {
    const options = [...list.querySelectorAll('[role=option]')];
    if ((e.key === 'ArrowDown' || e.key === 'ArrowUp') && options.length && !list.hidden) {
      e.preventDefault();
      at = (at + (e.key === 'ArrowDown' ? 1 : -1) + options.length) % options.length;
      options.forEach((o, i) => o.setAttribute('aria-selected', String(i === at)));
      field.setAttribute('aria-activedescendant', options[at].id);
      options[at].scrollIntoView({ block: 'nearest' });
    } else if (e.key === 'Enter') {
      e.preventDefault();
      const chosen = options[at] || options[0];
      if (chosen && !list.hidden) start(chosen.dataset.id, chosen.dataset.kind);
      else if (field.value.trim()) start(field.value.trim());
    }
  });
}
