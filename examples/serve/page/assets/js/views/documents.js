// Documents: the list with search and delete, and one document at a time. #/documents?q=... and #/documents/ID?page=3

import { call } from '../core/api.js';
import { ago, count, el, fill, later, number, say } from '../core/dom.js';
import { viewKeys } from '../core/keys.js';
import { address, change, current, go } from '../core/route.js';
import { DocumentPane } from '../source/document.js';
import { split, units } from '../text/ranges.js';
import { pick } from '../upload/drop.js';
import { addOnServer, onAdded } from '../upload/queue.js';

export function mount(root, route) {
  let shown = null; // {id, view}
  const update = (to) => {
    const id = to.path[1] || '';
    if (!shown || shown.id !== id) {
      shown?.view.close();
      fill(root);
      viewKeys();
      shown = { id, view: id ? one(root) : list(root) };
    }
    shown.view.update(to);
  };
  update(route);
  return { update, close: () => shown.view.close() };
}

/** one shows a document on the whole width. */
function one(root) {
  const body = el('div', { class: 'alone' });
  root.append(el('p', { class: 'crumbs small' }, el('a', { href: address(['documents']) }, 'Documents')), body);
  const pane = new DocumentPane(body, {
    heading: 'h1',
    contents: true,
    link: (c) => address(current().path, { ...current().params, ...c }),
    turn: (c) => change({ start: '', end: '', line: '', end_line: '', section: '', ...c }, { replace: true }),
  });
  viewKeys([
    ['n', 'Next page', () => pane.page(1)],
    ['p', 'Page before', () => pane.page(-1)],
    ['Escape', 'To the list', () => go(address(['documents']))],
  ]);
  const int = (v) => (v === undefined || v === '' ? undefined : Number(v));
  return {
    async update({ path, params: p }) {
      await pane.show({ doc: path[1], page: int(p.page), as: p.as, section: int(p.section), start: int(p.start), end: int(p.end), line: int(p.line), end_line: int(p.end_line) });
      const title = body.querySelector('h1')?.textContent;
      if (title && current().path[1] === path[1]) document.title = `${title} · findspot`;
    },
    close: () => pane.close(),
  };
}

/** list shows all documents, or those that a search finds. */
function list(root) {
  const field = el('input', { type: 'search', 'data-search': true, 'aria-label': 'Search the documents', placeholder: 'Search the documents', class: 'grow', autocomplete: 'off' });
  const picker = el('input', { type: 'file', multiple: true, class: 'unseen', tabindex: -1, 'aria-hidden': 'true', id: 'pick-files', onchange: () => taken(picker) });
  const folder = el('input', { type: 'file', webkitdirectory: true, class: 'unseen', tabindex: -1, 'aria-hidden': 'true', id: 'pick-folder', onchange: () => taken(folder) });
  const taken = (input) => {
    pick(input.files);
    input.value = '';
  };
  const results = el('div', { class: 'results' });
  root.append(el('div', { class: 'column' },
    el('header', { class: 'page-head' }, el('h1', { tabindex: -1 }, 'Documents'), el('p', { class: 'soft number', role: 'status' }),
      el('div', { class: 'row' },
        el('button', { type: 'button', onclick: () => picker.click() }, 'Add files'),
        el('button', { type: 'button', onclick: () => folder.click() }, 'Add a folder'),
        picker, folder)),
    el('div', { class: 'row' }, field),
    onServer(),
    results));
  const head = root.querySelector('.page-head p');
  let abort = null;

  const search = later(() => change({ q: field.value.trim() }, { replace: true }), 250);
  field.addEventListener('input', search);

  async function draw() {
    const q = current().params.q || '';
    abort?.abort();
    abort = new AbortController();
    const { signal } = abort;
    try {
      if (q) await found(q, signal);
      else await all(signal);
    } catch (err) {
      if (err.name !== 'AbortError') fill(results, el('p', { class: 'note error', role: 'alert' }, err.message));
    }
  }

  async function all(signal) {
    const [got, bad] = await Promise.all([call('ListDocuments', { limit: 200 }, { signal }), call('ListDocuments', { status: 'failed', limit: 1 }, { signal })]);
    const docs = got.documents || [];
    head.textContent = got.total ? count(got.total - bad.total, 'document') + (bad.total ? `, and ${number(bad.total)} that could not be read` : '') : '';
    if (!docs.length) {
      fill(results, el('div', { class: 'empty' }, el('p', {}, 'No documents yet. Drop some here.'), el('p', { class: 'small' }, 'PDF, HTML, Markdown, text and office files can be read.')));
      return;
    }
    const body = el('tbody', {}, docs.map(row));
    fill(results, el('div', { class: 'table-frame' }, el('table', { class: 'documents' },
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Title'), el('th', { scope: 'col', class: 'right' }, 'Pages'), el('th', { scope: 'col' }, 'Added'), el('th', { scope: 'col' }, el('span', { class: 'unseen' }, 'Delete')))),
      body)));
    if (got.next) {
      let next = got.next;
      const more = el('button', { type: 'button', class: 'quiet', onclick: async () => {
        more.disabled = true;
        const part = await call('ListDocuments', { limit: 200, after: next }, { signal });
        body.append(...(part.documents || []).map(row));
        next = part.next;
        more.disabled = false;
        if (!next) more.remove();
      } }, 'More documents');
      results.append(more);
    }
  }

  function row(d) {
    const failed = d.status === 'failed';
    const line = el('tr', {},
      el('td', {}, failed ? el('span', {}, d.name) : el('a', { class: 'title', href: address(['documents', d.id]) }, d.title || d.name),
        el('p', { class: 'small soft' }, [d.title && d.title !== d.name && !failed ? d.name : '', (d.authors || []).slice(0, 3).join(', ')].filter(Boolean).join(' · ')),
        d.reason ? el('p', { class: 'small bad' }, failed ? `Not read: ${d.reason}` : d.reason) : null),
      el('td', { class: 'number right' }, d.pages ? number(d.pages) : ''),
      el('td', { class: 'soft small nowrap number' }, ago(d.added)),
      el('td', { class: 'right' }));
    line.lastChild.append(deleting(d, line));
    return line;
  }

  /** deleting asks once more in the place of the button: what is deleted is gone. */
  function deleting(d, line) {
    const cell = el('span', { class: 'deleting' });
    const ask = el('button', { type: 'button', class: 'quiet', 'aria-label': `Delete ${d.title || d.name}` }, 'Delete');
    ask.addEventListener('click', () => {
      const yes = el('button', { type: 'button', class: 'danger', onclick: async () => {
        yes.disabled = true;
        try {
          await call('DeleteDocument', { doc: d.id });
          const after = line.nextElementSibling || line.previousElementSibling;
          line.remove();
          say(`${d.title || d.name} is deleted`);
          (after?.querySelector('.deleting button') || field).focus();
          draw();
        } catch (err) {
          fill(cell, ask);
          line.firstChild.append(el('p', { class: 'small bad', role: 'alert' }, err.message));
        }
      } }, 'Delete it');
      fill(cell, yes, el('button', { type: 'button', class: 'quiet', onclick: () => {
        fill(cell, ask);
        ask.focus();
      } }, 'Keep'));
      yes.focus();
    });
    cell.append(ask);
    return cell;
  }

  async function found(q, signal) {
    const got = await call('Search', { query: q, limit: 20 }, { signal });
    const hits = got.hits || [];
    head.textContent = hits.length ? `${count(got.total, 'document')} with this` : 'Nothing found';
    const hints = (got.suggestions || []).map((s) => el('button', { type: 'button', class: 'link', onclick: () => {
      field.value = q.replaceAll(s.word, s.replacement);
      search();
    } }, s.replacement));
    fill(results,
      hints.length ? el('p', { class: 'note' }, 'Written here as: ', hints.flatMap((h, i) => (i ? [', ', h] : [h])), '?') : null,
      el('ol', { class: 'hits' }, hits.map((h) => el('li', {},
        el('h2', {}, el('a', { href: address(['documents', h.doc]) }, h.title || h.name)),
        (h.passages || []).map((p) => el('a', { class: 'hit', href: address(['documents', h.doc], { page: p.page, start: p.start, end: p.end, line: p.line_start, end_line: p.line_end }) },
          el('span', { class: 'soft small number' }, p.page ? `p. ${p.page}` : `l. ${p.line_start}`),
          el('span', { class: 'words' }, split(p.snippet || '', units(p.snippet || '', (p.matches || []).map((m) => [m.start || 0, m.end || 0]))).map((x) => (x.mark ? el('mark', {}, x.text) : x.text))))),
        [...(h.figures || []), ...(h.tables || [])].map((f) => el('a', { class: 'hit', href: address(['documents', h.doc], { page: f.page }) },
          el('span', { class: 'soft small number' }, `p. ${f.page}`), el('span', { class: 'words' }, f.caption || f.ocr || (f.head || []).join(' · '))))))));
  }

  const off = onAdded(later(draw, 150));
  return {
    update({ params }) {
      if (field.value.trim() !== (params.q || '')) field.value = params.q || '';
      draw();
    },
    close() {
      off();
      search.cancel();
      abort?.abort();
    },
  };
}

/** onServer adds a folder that the server reads itself: large collections need not go through the browser. */
function onServer() {
  const path = el('input', { type: 'text', class: 'grow mono', 'aria-label': 'Folder on the machine that findspot runs on', placeholder: '/home/me/papers', autocomplete: 'off', spellcheck: 'false' });
  const form = el('form', { class: 'row' }, path, el('button', {}, 'Read it'));
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    if (path.value.trim()) addOnServer('AddFolder', path.value.trim());
  });
  return el('details', { class: 'on-server' }, el('summary', { class: 'small' }, 'Files and folders can be dropped anywhere. Large collections are read from the disk of the server'), form);
}
