// Code: repositories, search of names, bodies and lines, and files with lines marked. #/code?q=...&how=text&path=a.py&line=3

import { call } from '../core/api.js';
import { count, el, fill, later, number } from '../core/dom.js';
import { viewKeys } from '../core/keys.js';
import { address, change, current } from '../core/route.js';
import { CodePane, filePath } from '../source/code.js';
import { split, units } from '../text/ranges.js';
import { addOnServer, onAdded } from '../upload/queue.js';
import { pair } from './pair.js';
import { range } from './piece.js';

const HOW = { names: 'Names and words', text: 'Lines of text' };

export function mount(root, route) {
  const columns = pair(root, { label: 'File', back: 'Back to the list', close: () => shut() });
  const field = el('input', { type: 'search', class: 'grow', 'data-search': true, 'aria-label': 'Search the code', placeholder: 'Search the code', autocomplete: 'off', spellcheck: 'false' });
  const how = el('select', { 'aria-label': 'What is searched' }, Object.entries(HOW).map(([v, t]) => el('option', { value: v }, t)));
  const status = el('p', { class: 'soft number', role: 'status' });
  const results = el('div', { class: 'results' });
  columns.list.append(
    el('header', { class: 'page-head' }, el('h1', { tabindex: -1 }, 'Code'), status),
    el('div', { class: 'row' }, field, how), results);
  const pane = new CodePane(columns.body);
  let abort = null;
  let drawn = null; // what results show: the same is not searched again when only the file changes
  let opened = '';

  const search = later(() => change({ q: field.value.trim(), how: how.value === 'names' ? '' : how.value }, { replace: true }), 250);
  field.addEventListener('input', search);
  how.addEventListener('change', search);

  const shut = () => {
    change({ path: '', line: '', end_line: '', entity: '' });
    results.querySelector('.open a')?.focus();
  };
  const open = (place) => address(['code'], { ...current().params, line: '', end_line: '', entity: '', ...place });

  async function draw(params) {
    abort?.abort();
    abort = new AbortController();
    const { signal } = abort;
    const q = params.q || '';
    try {
      if (!q) await repositories(signal);
      else if (params.how === 'text') await textLines(q, signal);
      else await names(q, signal);
      mark();
    } catch (err) {
      if (err.name !== 'AbortError') fill(results, el('p', { class: 'note error', role: 'alert' }, err.message));
    }
  }

  async function repositories(signal) {
    const { repositories: list = [] } = await call('Status', {}, { signal });
    status.textContent = list.length ? count(list.length, 'repository', 'repositories') : '';
    const path = el('input', { type: 'text', class: 'grow mono', 'aria-label': 'Folder of the repository', placeholder: '/home/me/project', autocomplete: 'off', spellcheck: 'false' });
    const form = el('form', { class: 'row' }, path, el('button', {}, 'Add repository'));
    form.addEventListener('submit', (e) => {
      e.preventDefault();
      if (path.value.trim()) addOnServer('AddRepository', path.value.trim());
    });
    fill(results,
      el('ul', { class: 'repos' }, list.map((r) => el('li', {},
        el('h2', {}, r.name || r.root?.split(/[\\/]/).pop()),
        el('p', { class: 'small soft mono' }, r.root),
        el('p', { class: 'small number' }, [count(r.files, 'file'), count(r.entities, 'entity', 'entities'), count(r.edges, 'edge')].join(' · ')),
        r.problem ? el('p', { class: 'small bad' }, r.problem) : null,
        el('p', {}, el('a', { href: address(['graph'], { id: list.length > 1 && r.name ? `${r.name}///` : '/', rel: 'contain' }) }, 'Walk its graph'))))),
      list.length ? null : el('div', { class: 'empty' }, el('p', {}, 'No repository yet.')),
      form, el('p', { class: 'small soft' }, 'A folder on the machine that findspot runs on. It is read, never written to.'));
  }

  async function names(q, signal) {
    const got = await call('SearchCode', { query: q, limit: 40, view: 'fold' }, { signal });
    const hits = got.hits || [];
    status.textContent = hits.length ? `${number(got.total)} found${got.tests_hidden ? `, and ${number(got.tests_hidden)} in tests` : ''}` : 'Nothing found';
    fill(results, el('ol', { class: 'entities' }, hits.map((h) => el('li', { 'data-path': filePath(h), 'data-line': h.line || '' },
      el('a', { href: h.kind === 'directory' ? address(['graph'], { id: h.id, rel: 'contain' }) : open({ path: filePath(h), line: h.line, end_line: h.end_line, entity: h.id }) },
        el('span', { class: 'kind small' }, h.kind), el('span', { class: 'mono title' }, h.name)),
      el('p', { class: 'small mono soft' }, filePath(h), h.line ? `:${range(h.line, h.end_line)}` : ''),
      h.signature ? el('p', { class: 'small mono signature' }, h.signature) : null))));
  }

  async function textLines(q, signal) {
    const got = await call('SearchText', { pattern: q, ignore_case: q === q.toLowerCase(), limit: 200 }, { signal });
    const list = got.matches || [];
    status.textContent = list.length ? `${count(got.total, 'line')} in ${count(got.files, 'file')}` : `Nothing found in ${count(got.files, 'file')}`;
    const files = new Map();
    for (const m of list) files.set(filePath(m), [...(files.get(filePath(m)) || []), m]);
    fill(results, el('ol', { class: 'files' }, [...files].map(([path, ms]) => el('li', {},
      el('h2', { class: 'mono small' }, path),
      el('ol', {}, ms.map((m) => el('li', { 'data-path': path, 'data-line': m.line }, el('a', { class: 'text-line', href: open({ path, line: m.line }) },
        el('span', { class: 'n number' }, m.line),
        el('code', {}, split(m.text || '', units(m.text || '', (m.matches || []).map((s) => [s.start || 0, s.end || 0]))).map((p) => (p.mark ? el('mark', {}, p.text) : p.text)))))))))));
  }

  function mark() {
    const { path, line } = current().params;
    for (const li of results.querySelectorAll('[data-path]')) li.classList.toggle('open', li.dataset.path === path && li.dataset.line === (line || ''));
  }

  const off = onAdded(later(() => !current().params.q && draw(current().params), 150));
  const update = ({ params }) => {
    if (field.value.trim() !== (params.q || '')) field.value = params.q || '';
    how.value = params.how || 'names';
    const want = `${params.how || ''} ${params.q || ''}`;
    if (want !== drawn) draw(params);
    drawn = want;
    columns.open(Boolean(params.path));
    const place = JSON.stringify([params.path, params.line, params.end_line]);
    if (params.path && place !== opened) pane.show({ path: params.path, line: params.line, end_line: params.end_line, entity: params.entity });
    opened = params.path ? place : '';
    document.title = `${params.path || params.q || 'Code'} · findspot`;
    mark();
  };
  viewKeys([['Escape', 'Close the file', () => current().params.path && shut()]]);
  update(route);
  return {
    update,
    close() {
      off();
      search.cancel();
      abort?.abort();
      pane.close();
    },
  };
}
