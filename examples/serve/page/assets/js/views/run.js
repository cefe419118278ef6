// One run of a skill: its steps as they happen, its questions, and how it ended.

import { call } from '../core/api.js';
import { count, el, fill, say } from '../core/dom.js';
import { address } from '../core/route.js';
import { filePath } from '../source/code.js';
import { isCode, piece } from './piece.js';

/** KINDS are the kinds of steps in words. */
export const KINDS = { search: 'searches', call: 'calls a tool', finish: 'ends', require: 'a condition', approve: 'asks you', synthesize: 'writes the answer', each: 'for each', generate: 'asks a model', use: 'another skill' };

const MOST = 500; // events that are shown; a loop over hundreds of callers makes thousands

const STATUS = {
  done: 'Done', verified_no_results: 'Done: there is nothing, and that is verified', insufficient: 'Ended: not enough was found', stopped: 'Stopped',
};

/** Run draws into an element. */
export class Run {
  #root;
  #log;
  #head;
  #asked;
  #abort = new AbortController();
  #id = '';
  #shown = 0;
  #step = null; // the list of what happens in the step that runs
  #stepID = '';
  #lastError = '';
  #cancel;
  #ended = false;

  constructor(root, skill) {
    this.#root = root;
    this.#head = el('p', { class: 'run-state', role: 'status' }, 'Starting');
    this.#cancel = el('button', { type: 'button', class: 'quiet', onclick: () => this.stop() }, 'Cancel the run');
    this.#log = el('ol', { class: 'run-log', 'aria-label': 'Steps of the run', tabindex: 0 });
    this.#asked = el('div', { class: 'run-asks' });
    fill(root, el('div', { class: 'row run-head' }, el('h3', {}, 'Run'), this.#head, this.#cancel), el('progress', { 'aria-label': `Running ${skill.name}` }), this.#log, this.#asked);
    this.#cancel.focus({ preventScroll: true });
  }

  get signal() {
    return this.#abort.signal;
  }

  /** stop ends the run: the server ends it when the stream is left, and is told in case that is not seen. */
  stop() {
    if (this.#id) call('CancelRun', { run_id: this.#id }).catch(() => {});
    this.#abort.abort();
  }

  event(e) {
    if (e.started) {
      this.#id = e.started.run_id;
      this.#head.textContent = 'Running';
    } else if (e.record) this.#record(e.record);
    else if (e.approval) this.#ask(e.approval);
    else if (e.outcome) this.#outcome(e.outcome);
  }

  #record(r) {
    if (r.event === 'step') {
      this.#step = el('ul', {});
      this.#stepID = r.id;
      this.#line('step', el('span', { class: 'mono' }, r.id), el('span', { class: 'soft small' }, KINDS[r.kind] || r.kind), this.#step);
      return;
    }
    if (r.event === 'step_end' && r.id !== this.#stepID && r.status !== 'ok') {
      this.#line('step', el('span', { class: 'mono' }, r.id), el('span', { class: 'soft small' }, r.status));
      return;
    }
    if (r.event === 'step_end' && r.note && r.note === this.#lastError) r = { ...r, note: '' }; // it was said just now
    if (r.error) this.#lastError = r.error;
    const text = words(r);
    if (!text) return;
    if (!this.#step) return this.#line('fact', text);
    if (++this.#shown <= MOST) this.#step.append(el('li', { class: r.error || r.refused || r.event === 'denied' ? 'bad' : null }, text));
  }

  #line(cls, ...children) {
    if (++this.#shown === MOST) children = ['More happened than is shown here.'];
    if (this.#shown > MOST) return;
    this.#log.append(el('li', { class: cls }, children));
  }

  #ask(a) {
    const note = el('input', { type: 'text', class: 'grow', 'aria-label': 'A note for the record', placeholder: 'A note, if you like' });
    const choices = a.choices?.length ? a.choices : ['approve', 'stop'];
    const title = 'ask-' + a.approval_id;
    const decide = async (choice) => {
      for (const b of box.querySelectorAll('button')) b.disabled = true;
      try {
        const got = await call('Decide', { run_id: this.#id, approval_id: a.approval_id, choice, note: note.value.trim() });
        fill(box, el('p', {}, 'You decided at ', el('span', { class: 'mono' }, a.step), ': ', el('strong', {}, got.choice || choice)));
        box.classList.add('decided');
        if (!this.#ended) this.#head.textContent = 'Running'; // the end may come before this answer
        this.#cancel.focus({ preventScroll: true });
      } catch (err) {
        for (const b of box.querySelectorAll('button')) b.disabled = false;
        box.append(el('p', { class: 'bad small', role: 'alert' }, err.message));
      }
    };
    const box = el('section', { class: 'ask-box', 'aria-labelledby': title, tabindex: -1 },
      el('h3', { id: title }, 'It asks at ', el('span', { class: 'mono' }, a.step)),
      el('pre', { class: 'words', tabindex: 0 }, a.text),
      el('div', { class: 'row' }, note),
      el('div', { class: 'row' }, choices.map((c) => el('button', { type: 'button', class: c === 'approve' ? 'main' : c === 'stop' || c === 'deny' ? 'danger' : null, onclick: () => decide(c) }, c[0].toUpperCase() + c.slice(1)))));
    this.#asked.append(box);
    this.#head.textContent = 'Waiting for you';
    say('The run waits for your decision');
    box.scrollIntoView({ block: 'nearest' });
    box.focus({ preventScroll: true });
  }

  #outcome(o) {
    const text = STATUS[o.status] || o.status;
    this.#ended = true;
    const items = o.items || [];
    this.#head.textContent = text;
    say(text);
    const outputs = Object.entries(o.outputs || {}).filter(([, v]) => typeof v === 'string' && v.trim());
    const answer = outputs.at(-1);
    this.#root.append(el('section', { class: 'outcome' },
      el('h3', {}, text, o.at ? el('span', { class: 'soft' }, ' at ', el('span', { class: 'mono' }, o.at)) : null),
      o.reason ? el('p', { class: 'measure' }, o.reason) : null,
      answer ? el('blockquote', { class: 'words' }, answer[1]) : null,
      el('p', { class: 'small soft number' }, [count(o.tool_calls, 'call'), count(items.length, 'piece of evidence', 'pieces of evidence'), o.denied?.length ? `${o.denied.length} denied` : ''].filter(Boolean).join(' · ')),
      items.length ? el('ol', { class: 'pieces' }, items.map((it) => piece(it, { href: place(it.at) }))) : null));
  }

  failed(err) {
    this.#head.textContent = 'Failed';
    this.#root.append(el('p', { class: 'note error', role: 'alert' }, err.message));
  }

  end() {
    this.#root.querySelector('progress')?.remove();
    this.#cancel.remove();
    for (const b of this.#asked.querySelectorAll('.ask-box:not(.decided) button')) b.disabled = true;
    if (!this.#ended && this.#head.textContent !== 'Failed') this.#head.textContent = 'Canceled';
    this.#ended = true;
  }
}

/** place is the address of what an item names, outside of an answer. */
function place(at) {
  if (!at) return null;
  if (isCode(at)) return at.path ? address(['code'], { path: filePath(at), line: at.line, end_line: at.end_line, entity: at.entity }) : address(['graph'], { id: at.entity });
  return at.doc ? address(['documents', at.doc], { page: at.page, start: at.start, end: at.end, line: at.line, end_line: at.end_line }) : null;
}

/** words writes what happened; "" for what says nothing to a reader. */
function words(r) {
  const tool = r.tool ? el('span', { class: 'mono' }, r.tool) : null;
  switch (r.event) {
    case 'call':
      return ['calls ', tool, args(r.args), r.refused ? `: refused, ${r.refused}` : ''];
    case 'result':
      if (r.error) return r.error;
      return r.result?.items?.length ? count(r.result.items.length, 'piece') + ' found' : r.result?.verdict || '';
    case 'denied':
      return ['denied ', tool, r.because ? `: ${r.because}` : '', r.until ? `, until ${r.until}` : ''];
    case 'step_end':
      return r.status && r.status !== 'ok' ? [r.status, r.note ? `: ${r.note}` : ''] : '';
    case 'gate':
      return `${r.passed ? 'holds' : 'does not hold'}: ${r.condition}`;
    case 'approval':
      return r.error || `decided: ${r.choice}`;
    case 'retry':
      return `tries again${r.why ? `: ${r.why}` : ''}`;
    case 'limit':
      return `limit reached: ${r.what || ''}`;
    case 'none':
      return r.verified ? 'nothing there, verified' : 'nothing found';
    default:
      return '';
  }
}

function args(a) {
  const list = Object.entries(a || {}).map(([k, v]) => `${k} ${typeof v === 'string' ? v : JSON.stringify(v)}`).join(', ');
  return list ? [' ', el('span', { class: 'soft' }, list.length > 140 ? list.slice(0, 140) + '…' : list)] : null;
}
