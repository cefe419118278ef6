// Files on their way into the library: two at a time, each with its progress and its error, in a tray that stays while views change.

import { stream } from '../core/api.js';
import { bytes, count, el, fill, say } from '../core/dom.js';

const AT_ONCE = 2;
const MOST = 104_857_600; // bytes of a file, as the library has it: a larger one is not even read here

const waiting = [];
let running = 0;
let tray = null;

/** changed is told after each file that came in. */
const listeners = new Set();
export function onAdded(f) {
  listeners.add(f);
  return () => listeners.delete(f);
}

/**
 * add puts files into the queue.
 * @param {{name: string, file: File}[]} files
 */
export function add(files) {
  for (const f of files) {
    const row = line(f.name, f.file.size);
    waiting.push({ row, run: async () => {
      if (f.file.size > MOST) throw new Error(`larger than ${bytes(MOST)}`);
      const data = await base64(f.file);
      await follow(row, 'AddDocument', { name: f.name, data });
    } });
  }
  say(`${count(files.length, 'file')} to add`);
  next();
}

/**
 * addOnServer reads a folder or repository of the server's machine.
 * @param {'AddFolder'|'AddRepository'} method
 * @param {string} path
 */
export function addOnServer(method, path, more = {}) {
  const row = line(path, 0);
  waiting.push({ row, run: () => follow(row, method, { path, ...more }) });
  next();
}

function next() {
  while (running < AT_ONCE && waiting.length) {
    const { row, run } = waiting.shift();
    running++;
    row.start();
    run().then(() => row.end(), (err) => row.fail(err.message)).finally(() => {
      running--;
      for (const f of listeners) f();
      summary();
      next();
    });
  }
  summary();
}

async function follow(row, method, message) {
  for await (const e of stream(method, message)) {
    if (e.progress) row.progress(e.progress);
    else if (e.problem) row.problem(e.problem);
    else if (e.document) row.document(e.document);
    else if (e.repository) row.repository(e.repository);
    else if (e.done) row.done(e.done);
  }
}

/** base64 leaves the work to the browser: a data URL of the file, without its head. */
function base64(file) {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result.slice(reader.result.indexOf(',') + 1));
    reader.onerror = () => reject(new Error('the file cannot be read here'));
    reader.readAsDataURL(file);
  });
}

const totals = { all: 0, done: 0, failed: 0 };

function summary() {
  const head = tray?.querySelector('.tray-title');
  if (!head) return;
  const left = totals.all - totals.done - totals.failed;
  head.textContent = left ? `Adding: ${totals.done + totals.failed} of ${totals.all}` : `${count(totals.done, 'file')} added${totals.failed ? `, ${totals.failed} not` : ''}`;
  tray.querySelector('.tray-close').textContent = left ? 'Hide' : 'Close';
  if (!left && totals.all) say(head.textContent);
}

function open() {
  if (tray?.isConnected) {
    tray.hidden = false;
    return;
  }
  Object.assign(totals, { all: 0, done: 0, failed: 0 });
  tray = el('aside', { class: 'tray', 'aria-label': 'Adding' },
    el('header', {}, el('h2', { class: 'tray-title number' }), el('button', { type: 'button', class: 'quiet tray-close', onclick: () => {
      if (running || waiting.length) tray.hidden = true;
      else tray.remove();
    } }, 'Hide')),
    el('ul', {}));
  document.body.append(tray);
}

/** line is one row of the tray. */
function line(name, size) {
  open();
  totals.all++;
  const bar = el('progress', { 'aria-label': `Progress of ${name}`, max: 1, value: 0 });
  const state = el('p', { class: 'small soft number' }, size ? bytes(size) : '', ' waiting');
  const problems = el('ul', { class: 'small bad' });
  const item = el('li', {}, el('p', { class: 'tray-name' }, name), bar, state, problems);
  tray.querySelector('ul').append(item);
  let failed = false;
  let said = 0;
  let words = '';
  return {
    start() {
      bar.removeAttribute('value');
      fill(state, 'reading');
    },
    progress(p) {
      const of = p.pages ? [p.page || 0, p.pages, 'page'] : p.total ? [p.done || 0, p.total, p.room === 'code' ? 'file' : 'document'] : null;
      if (!of) return;
      bar.max = of[1];
      bar.value = of[0];
      fill(state, `${of[2]} ${of[0]} of ${of[1]}`, p.total > 1 && p.name ? `, ${p.name}` : '');
    },
    problem(p) {
      failed = true;
      if (said++ < 20) problems.append(el('li', {}, [p.name && p.name !== name ? p.name + ': ' : '', p.page ? `page ${p.page}: ` : '', p.reason]));
    },
    document(d) {
      const what = { added: 'added', changed: 'replaced', unchanged: 'was here already' }[d.change] || 'added';
      words = d.status === 'failed' ? 'not read' : `${what}${d.pages ? `, ${count(d.pages, 'page')}` : ''}`;
      if (d.status === 'failed') failed = true;
      if (d.reason && said++ < 20 && !problems.textContent.includes(d.reason)) problems.append(el('li', {}, d.reason));
    },
    repository(r) {
      words = `${r.name || name}${r.entities ? `, ${count(r.entities, 'entity', 'entities')}` : ''}`;
    },
    done(s) {
      const parts = [['added', s.added], ['replaced', s.changed], ['unchanged', s.unchanged], ['removed', s.removed], ['not read', s.failed]].filter(([, n]) => n);
      if (parts.length > 1 || parts.some(([, n]) => n > 1)) words = parts.map(([w, n]) => `${n} ${w}`).join(', ');
      if (s.failed && !s.added && !s.changed && !s.unchanged) failed = true;
    },
    end() {
      if (failed && !/added|replaced|here/.test(words)) return this.fail('');
      totals.done++;
      bar.remove();
      fill(state, words || 'added');
      item.classList.add('done');
    },
    fail(message) {
      totals.failed++;
      bar.remove();
      fill(state, 'not added');
      state.classList.add('bad');
      if (message) problems.append(el('li', {}, message));
      item.classList.add('failed');
    },
  };
}
