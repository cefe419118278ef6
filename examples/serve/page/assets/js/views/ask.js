// Ask: a question, and the pieces of evidence for it as they come. #/ask?q=...&at=D2 holds the question and the piece that is open.

import { call, stream } from '../core/api.js';
import { count, el, fill, number, say } from '../core/dom.js';
import { viewKeys } from '../core/keys.js';
import { address, change, current, go } from '../core/route.js';
import { CodePane, filePath } from '../source/code.js';
import { DocumentPane } from '../source/document.js';
import { isPDF, prepareLater } from '../source/pdf.js';
import { pair } from './pair.js';
import { entityName, isCode, piece } from './piece.js';
import { proof } from './proof.js';

export function mount(root, route) {
  const field = el('input', { type: 'search', id: 'question', 'data-search': true, autocomplete: 'off', placeholder: 'How is it done, where does it stand, who calls it?', enterkeyhint: 'search' });
  const form = el('form', { class: 'ask-form', role: 'search' }, el('label', { class: 'unseen', for: 'question' }, 'Question'), field, el('button', { class: 'main' }, 'Ask'));
  const columns = pair(root, { label: 'Source', back: 'Back to the answer', close: () => shut() });
  const answer = el('div', { class: 'answer' });
  columns.list.append(el('h1', { class: 'unseen' }, 'Ask'), form, answer);

  let asked = null; // the question that answer is of
  let abort = null;
  let items = new Map(); // key -> item
  let opened = null; // the key that the source shows
  let panes = {};

  form.addEventListener('submit', (e) => {
    e.preventDefault();
    const q = field.value.trim();
    if (!q) return;
    if (q === current().params.q && !current().params.at) ask(q);
    else go(address(['ask'], { q }));
  });

  function shut() {
    const key = opened;
    change({ at: '', page: '', as: '', section: '' });
    answer.querySelector(`[data-key="${CSS.escape(key || '')}"] .key`)?.focus();
  }

  async function ask(q) {
    abort?.abort();
    abort = new AbortController();
    const { signal } = abort;
    asked = q;
    items = new Map();
    field.value = q;
    document.title = `${q} · findspot`;
    const view = new Answer(answer, (key) => address(['ask'], { q, at: key }), signal);
    const started = performance.now();
    try {
      for await (const event of stream('Ask', { question: q, seal: true }, { signal })) {
        if (event.piece) {
          const { item } = event.piece;
          if (!items.size) answer.dataset.firstPieceIn = String(Math.round(performance.now() - started));
          items.set(item.key, item);
          if (isPDF(item.at)) prepareLater(); // its page is opened next
          view.piece(event.piece);
          if (item.key === current().params.at) openSource(current());
        } else {
          view.event(event, performance.now() - started);
          highlight();
        }
      }
    } catch (err) {
      if (err.name !== 'AbortError') view.failed(err);
    }
    if (signal.aborted) return;
    view.end();
    highlight();
    if (current().params.at && !items.has(current().params.at)) openSource(current());
  }

  /** highlight shows in the answer which piece is open. */
  function highlight() {
    for (const e of answer.querySelectorAll('[data-key]')) e.classList.toggle('open', e.dataset.key === current().params.at);
  }

  function openSource({ params }) {
    const key = params.at;
    highlight();
    const item = items.get(key);
    columns.open(Boolean(key));
    if (!key) {
      opened = null;
      return;
    }
    if (!item) {
      if (!answer.querySelector('[data-working]')) {
        closePanes();
        fill(columns.body, el('p', { class: 'empty' }, `This answer has no piece ${key}: what is here has changed since.`));
      }
      return;
    }
    const code = isCode(item.at);
    if (opened !== key) {
      if (!panes[code ? 'code' : 'doc']) {
        closePanes();
        fill(columns.body);
        if (code) panes.code = new CodePane(columns.body);
        else panes.doc = new DocumentPane(columns.body, { link: (c) => address(['ask'], { ...current().params, ...c, at: c.at === '' ? current().params.at : c.at || current().params.at }), turn: (c) => change(c, { replace: true }) });
      }
      columns.body.scrollTop = 0;
    }
    opened = key;
    if (code) {
      panes.code.show({ path: filePath(item.at), line: item.at.line, end_line: item.at.end_line, entity: item.at.entity });
      return;
    }
    panes.doc.show({
      doc: item.at.doc, start: item.at.start, end: item.at.end, line: item.at.line, end_line: item.at.end_line, item,
      page: Number(params.page) || undefined, as: params.as, section: params.section === undefined ? undefined : Number(params.section),
    });
  }

  function closePanes() {
    for (const p of Object.values(panes)) p.close();
    panes = {};
  }

  function step(n) {
    const keys = [...answer.querySelectorAll('a.key')].map((a) => a.closest('[data-key]').dataset.key);
    if (!keys.length) return;
    const at = keys.indexOf(opened);
    const key = keys[Math.min(Math.max(0, at < 0 ? 0 : at + n), keys.length - 1)];
    change({ at: key, page: '', as: '', section: '' }, { replace: opened !== null });
    answer.querySelector(`[data-key="${CSS.escape(key)}"]`)?.scrollIntoView({ block: 'nearest' });
  }

  function update(to) {
    const q = to.params.q || '';
    if (!q) {
      abort?.abort();
      asked = null;
      items = new Map();
      columns.open(false);
      document.title = 'Ask · findspot';
      field.value = '';
      welcome(answer);
      field.focus({ preventScroll: true });
    } else if (q !== asked) {
      columns.open(Boolean(to.params.at));
      ask(q);
    }
    root.classList.toggle('asked', q !== '');
    if (q) openSource(to);
  }

  viewKeys([
    ['j', 'Next piece', () => step(1)],
    ['k', 'Piece before', () => step(-1)],
    ['n', 'Next page of the source', () => panes.doc?.page(1)],
    ['p', 'Page before', () => panes.doc?.page(-1)],
    ['Escape', 'Close the source', () => opened && shut()],
  ]);
  update(route);
  return {
    update,
    close() {
      abort?.abort();
      closePanes();
    },
  };
}

/** welcome says what can be asked about. */
async function welcome(answer) {
  fill(answer);
  let docs;
  let repos;
  try {
    const [listed, repositories] = await Promise.all([call('ListDocuments', { limit: 1 }), call('ListRepositories')]);
    docs = listed.total || 0;
    repos = repositories.repositories || [];
  } catch (err) {
    fill(answer, el('p', { class: 'note error', role: 'alert' }, err.message));
    return;
  }
  if (current().params.q) return;
  if (!docs && !repos.length) {
    fill(answer, el('div', { class: 'welcome' }, el('p', {}, 'Nothing is here yet. Drop PDFs or folders anywhere on this page, or ', el('a', { href: address(['code']) }, 'add a repository'), '.')));
    return;
  }
  fill(answer, el('div', { class: 'welcome' },
    el('p', {}, 'Answers come from ', docs ? el('a', { href: address(['documents']) }, count(docs, 'document')) : null, docs && repos.length ? ' and ' : null,
      repos.length ? el('a', { href: address(['code']) }, count(repos.length, 'repository', 'repositories')) : null, '. Each piece has a key; open it to see the place itself.')));
}

/** Answer draws an answer while it comes. */
class Answer {
  #root;
  #href;
  #parts = [];
  #callers;
  #notes;
  #summary;
  #head;
  #counted = 0;
  #signal;

  constructor(root, href, signal) {
    this.#root = root;
    this.#href = href;
    this.#signal = signal;
    delete root.dataset.firstPieceIn;
    this.#summary = el('p', { class: 'summary soft small number', role: 'status' });
    this.#head = el('div', { class: 'answer-head' }, this.#summary); // holds its place, so that no key moves away from the mouse when the answer ends
    this.#notes = el('div', { class: 'notes' });
    this.#callers = el('div', { class: 'callers' });
    fill(root, el('progress', { 'data-working': true, 'aria-label': 'Searching' }), this.#head, this.#callers, el('div', { class: 'parts' }), this.#notes);
    root.setAttribute('aria-busy', 'true');
  }

  #part(i) {
    if (!this.#parts[i]) {
      const list = el('ol', { class: 'pieces' });
      const box = el('section', {}, list);
      this.#parts[i] = { box, list };
      this.#root.querySelector('.parts').append(box);
    }
    return this.#parts[i];
  }

  #held = []; // uses of a symbol, which stand in a table when it comes

  piece(p) {
    this.#counted++;
    if (p.item.kind === 'caller' && !p.parts?.length) this.#held.push(p);
    else this.#draw(p);
  }

  #draw({ item, parts }) {
    const drawn = piece(item, { href: item.at && (item.at.doc || item.at.path) ? this.#href(item.key) : null });
    if (parts?.length || !this.#usesList) {
      this.#part(parts?.[0] || 0).list.append(drawn);
    } else this.#usesList.append(drawn);
  }

  #usesList = null;

  event(e, took) {
    if (e.understood) {
      const parts = e.understood.parts || [];
      parts.forEach((p, i) => {
        const { box } = this.#part(i);
        if (parts.length > 1) box.prepend(el('h2', {}, p.question));
        if (p.nothing) box.append(el('p', { class: 'note' }, p.keys?.length ? 'Nothing is near this question. The pieces above are about something else.' : 'Nothing is near this question.'));
        if (p.left || p.far) box.append(el('p', { class: 'small soft' }, [p.left ? `${number(p.left)} more were left out` : '', p.far ? `${number(p.far)} share only common words with the question` : ''].filter(Boolean).join('; ') + '.'));
      });
      this.#usesList = el('ol', { class: 'pieces' });
      this.#callers.append(this.#usesList);
      this.#list('How it was understood', e.understood.assumptions);
    } else if (e.callers) {
      this.#callers.insertBefore(callers(e.callers, this.#href), this.#usesList);
    } else if (e.missing) {
      const near = e.missing.near || [];
      this.#notes.append(el('div', { class: 'note' }, el('p', {}, 'No repository has the name ', el('strong', {}, e.missing.asked), near.length ? '. Near it:' : '.'),
        near.length ? el('ul', { class: 'mono' }, near.map((id) => el('li', {}, el('a', { href: address(['graph'], { id }) }, id)))) : null));
    } else if (e.problem) {
      this.#notes.append(el('p', { class: 'note error' }, e.problem));
    } else if (e.done) {
      const s = e.done.searched || {};
      const where = [s.documents ? count(s.documents, 'document') : '', s.repositories ? count(s.repositories, 'repository', 'repositories') : ''].filter(Boolean).join(' and ');
      const found = this.#counted ? count(this.#counted, 'piece') : 'Nothing found';
      this.#summary.textContent = `${found} from ${where || 'an empty workspace'}, in ${took < 1000 ? Math.round(took) + ' ms' : (took / 1000).toFixed(1) + ' s'}${s.failed ? `. ${count(s.failed, 'document')} could not be read` : ''}`;
      say(found);
      if (e.done.proof && e.done.answer) this.#head.append(...[proof(e.done.answer, this.#signal)].filter(Boolean));
    }
  }

  #list(title, list) {
    if (list?.length) this.#notes.append(el('div', { class: 'note' }, el('h3', {}, title), el('ul', {}, list.map((t) => el('li', {}, t)))));
  }

  failed(err) {
    this.#notes.prepend(el('p', { class: 'note error', role: 'alert' }, err.message));
  }

  end() {
    for (const p of this.#held) if (!this.#root.querySelector(`[data-key="${CSS.escape(p.item.key)}"]`)) this.#draw(p);
    this.#root.querySelector('[data-working]')?.remove();
    this.#root.removeAttribute('aria-busy');
  }
}

const VERDICTS = { found: '', 'none known': 'None is known, which does not mean that there are none.', 'verified none': 'There are none, and that is verified.' };

function callers(c, href) {
  const list = c.callers || [];
  const verdict = VERDICTS[c.verdict] ?? c.verdict;
  return el('section', { class: 'uses' },
    el('h2', {}, list.length ? `${count(list.length, 'use')} of ` : 'Uses of ', el('span', { class: 'mono' }, c.asked), c.key ? [' ', el('span', { class: 'key none' }, c.key)] : null),
    verdict ? el('p', {}, verdict) : null,
    list.length ? el('div', { class: 'table-frame' }, el('table', {},
      el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Key'), el('th', { scope: 'col' }, 'In'), el('th', { scope: 'col' }, 'Line'))),
      el('tbody', {}, list.map((u) => el('tr', { 'data-key': u.key },
        el('td', {}, u.key ? el('a', { class: 'key', href: href(u.key) }, u.key) : null),
        el('td', { class: 'mono' }, entityName(u.entity?.id || '')),
        el('td', { class: 'mono' }, u.text || '')))))) : null,
    el('p', { class: 'small soft' }, [c.via ? `By ${c.via}` : '', ...(c.why || [])].filter(Boolean).join(' · ')),
    c.unread?.length ? el('details', { class: 'small' }, el('summary', {}, `${count(c.unexplained, 'line')} with the name that nothing explains`),
      el('ul', { class: 'mono' }, c.unread.map((p) => el('li', {}, `${p.path}:${p.line}  ${p.text || ''}`)), c.unexplained > c.unread.length ? el('li', { class: 'soft' }, `and ${number(c.unexplained - c.unread.length)} more`) : null)) : null);
}
