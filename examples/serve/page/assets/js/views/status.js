// Status: what is here, how fresh it is, and what runs.

import { call } from '../core/api.js';
import { ago, count, el, fill, number } from '../core/dom.js';
import { address } from '../core/route.js';

const EVERY = 5000; // milliseconds between looks while the view is open and visible

export function mount(root) {
  const body = el('div', { class: 'status-body' });
  root.append(el('div', { class: 'column' }, el('header', { class: 'page-head' }, el('h1', { tabindex: -1 }, 'Status')), body));
  const abort = new AbortController();
  let drawn = '';
  const draw = async () => {
    try {
      const s = await call('Status', {}, { signal: abort.signal });
      const text = JSON.stringify(s);
      if (text !== drawn) { // else somebody may be reading or selecting
        const open = body.querySelector('details')?.open;
        fill(body, tables(s));
        if (open) body.querySelector('details').open = true;
      }
      drawn = text;
    } catch (err) {
      if (err.name === 'AbortError') return;
      drawn = '';
      fill(body, el('p', { class: 'note error', role: 'alert' }, err.message));
    }
  };
  draw();
  const timer = setInterval(() => document.visibilityState === 'visible' && draw(), EVERY);
  return {
    update() {},
    close() {
      clearInterval(timer);
      abort.abort();
    },
  };
}

function tables(s) {
  const p = s.process || {};
  const fresh = s.freshness || {};
  const documents = [
    ['Documents', [el('a', { href: address(['documents']) }, number(s.documents)), s.failed ? el('span', { class: 'bad' }, `, and ${number(s.failed)} that could not be read`) : null]],
    fresh.checked ? ['Compared with their files', ago(fresh.checked) + (fresh.changed ? `, ${count(fresh.changed, 'file')} had changed` : '')] : null,
    s.document_vectors ? ['With vectors', vectors(s.document_vectors)] : null,
    s.code_vectors ? ['Functions and classes with vectors', vectors(s.code_vectors)] : null,
    ...(s.collections || []).map((c) => [`Collection ${c.name}`, number(c.documents)]),
  ];
  const process = [
    ['findspot', p.version || s.version],
    p.address ? ['Address', p.address] : null,
    p.started || s.since ? ['Running since', `${new Date(p.started || s.since).toLocaleString()} (${ago(p.started || s.since)})`] : null,
    p.sessions ? ['Sessions of agents', number(p.sessions)] : null,
    s.languages?.length ? ['Languages', s.languages.join(', ')] : null,
  ];
  return [
    part('Documents', facts(documents)),
    part('Repositories', (s.repositories || []).length ? table(['Name', 'Files', 'Entities', 'Edges', 'State'], s.repositories.map((r) => [
      [el('span', { class: 'title' }, r.name || r.root?.split(/[\\/]/).pop()), el('p', { class: 'small soft mono' }, r.root)],
      number(r.files), number(r.entities), number(r.edges),
      r.problem ? el('span', { class: 'bad' }, r.problem) : dot(r.open, [r.open ? 'in memory' : 'on disk', r.read_only ? ', kept by another process' : '']),
    ]), [1, 2, 3]) : el('p', { class: 'soft' }, 'None.')),
    part('Language servers', servers(s.servers || [])),
    part('Runs of skills', (s.runs || []).length ? table(['Skill', 'Started', 'State'], s.runs.map((r) => [r.skill, ago(r.started), r.waiting ? `waits for an approval: ${r.waiting.step}` : 'running'])) : el('p', { class: 'soft' }, 'None is running.')),
    part('Program', facts(process)),
  ];
}

function vectors(v) {
  const why = v.error ? `, waiting to try again: ${v.error}` : v.running ? ', being made' : '';
  return `${number(v.done)} of ${number(v.total)}${why}`;
}

function servers(list) {
  if (!list.length) return el('p', { class: 'soft' }, 'No language of the repositories has one.');
  const here = list.filter((v) => v.installed);
  const missing = list.filter((v) => !v.installed);
  return [
    here.length ? serverTable(here) : el('p', { class: 'soft' }, 'None is installed.'),
    missing.length ? el('details', {}, el('summary', { class: 'small' }, `${missing.length} more can be installed`), serverTable(missing)) : null,
  ];
}

function serverTable(list) {
  return table(['Server', 'Languages', 'State'], list.map((v) => [
    [el('span', { class: 'title' }, v.name), v.version ? el('span', { class: 'soft small number' }, ` ${v.version}`) : null, v.repo ? el('p', { class: 'small soft' }, v.repo) : null],
    (v.languages || []).join(', '),
    [
      dot(v.ready, v.ready ? 'ready' : v.running ? 'reading the repository' : v.installed ? 'starts when it is asked' : 'not installed'),
      v.problem ? el('p', { class: 'small soft' }, v.problem) : null,
      v.installed && v.lacks?.length ? el('p', { class: 'small soft' }, `It ${v.lacks.join('; it ')}.`) : null,
      !v.installed && v.install ? el('p', { class: 'small' }, el('code', {}, v.install)) : null,
    ],
  ]));
}

const dot = (on, text) => el('span', { class: on ? 'state on' : 'state' }, text);
const part = (title, body) => el('section', {}, el('h2', {}, title), body);
const facts = (list) => el('dl', { class: 'facts' }, list.filter(Boolean).map(([k, v]) => [el('dt', {}, k), el('dd', { class: 'number' }, v)]));

function table(head, rows, right = []) {
  const cls = (i) => (right.includes(i) ? 'number right' : null);
  return el('div', { class: 'table-frame' }, el('table', {},
    el('thead', {}, el('tr', {}, head.map((h, i) => el('th', { scope: 'col', class: cls(i) }, h)))),
    el('tbody', {}, rows.map((r) => el('tr', {}, r.map((c, i) => el('td', { class: cls(i) }, c)))))));
}
