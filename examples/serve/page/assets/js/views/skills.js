// Skills: choose one, fill in its inputs, see its steps as they run, and decide where it asks. #/skills/NAME?in.symbol=detect_pss

import { call, stream } from '../core/api.js';
import { el, fill } from '../core/dom.js';
import { address, change, current } from '../core/route.js';
import { KINDS, Run } from './run.js';

export function mount(root, route) {
  const side = el('nav', { class: 'skill-list', 'aria-label': 'Skills' });
  const body = el('div', { class: 'skill-body' });
  root.append(el('div', { class: 'two' }, side, body));
  let shown = null;
  let run = null;
  let names = [];

  async function list() {
    try {
      const got = await call('ListSkills');
      const skills = got.skills || [];
      names = skills.map((s) => s.name);
      fill(side,
        el('h1', { tabindex: -1 }, 'Skills'),
        skills.length ? el('ul', {}, skills.map((s) => el('li', {}, el('a', { href: address(['skills', s.name]) }, s.name.replaceAll('-', ' ')), s.runs ? null : el('span', { class: 'small soft' }, ' text only')))) : el('p', { class: 'soft' }, 'There are none.'),
        (got.problems || []).map((p) => el('p', { class: 'small bad' }, p)));
      select();
      if (!shown && skills.length) fill(body, el('p', { class: 'empty' }, 'A skill is a workflow that is kept to step by step. Choose one to see its steps and to run it.'));
    } catch (err) {
      fill(side, el('h1', { tabindex: -1 }, 'Skills'), el('p', { class: 'note error', role: 'alert' }, err.message));
    }
  }

  function select() {
    for (const a of side.querySelectorAll('a')) {
      if (a.getAttribute('href') === address(['skills', shown || ''])) a.setAttribute('aria-current', 'true');
      else a.removeAttribute('aria-current');
    }
  }

  async function show(name, params) {
    let skill;
    try {
      skill = await call('GetSkill', { name });
    } catch (err) {
      fill(body, el('p', { class: 'note error', role: 'alert' }, err.message));
      return;
    }
    if (shown !== name) return;
    document.title = `${name} · findspot`;
    const output = el('div', { class: 'run' });
    fill(body,
      el('header', {}, el('h2', { class: 'skill-name', tabindex: -1 }, name.replaceAll('-', ' ')), el('p', { class: 'measure' }, skill.description)),
      skill.runs ? inputs(skill, params, (values) => start(skill, values, output)) : el('p', { class: 'note' }, 'This skill has no workflow: its text is for an agent to follow.'),
      output,
      steps(skill),
      el('details', { class: 'skill-text' }, el('summary', {}, 'Its text'), el('pre', { class: 'words', tabindex: 0 }, skill.body)));
  }

  async function start(skill, values, output) {
    run?.stop();
    const mine = new Run(output, skill);
    run = mine;
    try {
      for await (const e of stream('RunSkill', { name: skill.name, inputs: values }, { signal: mine.signal })) mine.event(e);
    } catch (err) {
      if (err.name !== 'AbortError') mine.failed(err);
    }
    mine.end();
  }

  const update = ({ path, params }) => {
    const name = path[1] || null;
    side.parentElement.classList.toggle('chosen', Boolean(name));
    if (name === shown) return;
    run?.stop();
    run = null;
    shown = name;
    select();
    if (name) show(name, params);
    else if (names.length) fill(body, el('p', { class: 'empty' }, 'Choose a skill to see its steps and to run it.'));
  };
  update(route);
  list();
  return { update, close: () => run?.stop() };
}

/** inputs is the form of a skill; what is filled in stays in the address. */
function inputs(skill, params, submit) {
  const fields = (skill.inputs || []).map((i) => {
    const kept = params['in.' + i.name];
    const initial = kept ?? (i.default === undefined ? '' : typeof i.default === 'string' ? i.default : JSON.stringify(i.default));
    const field = i.type === 'boolean' ? el('input', { type: 'checkbox', checked: initial === 'true' })
      : i.type === 'list' || i.type === 'object' ? el('textarea', { rows: 3, class: 'mono', spellcheck: 'false', value: initial, placeholder: i.type === 'list' ? '["one", "two"]' : '{"name": "value"}' })
        : el('input', { type: 'text', inputmode: i.type === 'number' || i.type === 'integer' ? 'decimal' : null, required: i.required, value: initial, autocomplete: 'off' });
    return { i, field };
  });
  const problem = el('p', { class: 'bad small', role: 'alert' });
  const form = el('form', { class: 'inputs' },
    fields.map(({ i, field }) => el('label', { class: 'field' }, el('span', {}, i.name.replaceAll('_', ' '), i.required ? null : el('span', { class: 'soft' }, ' (optional)')), i.description ? el('span', { class: 'small soft' }, i.description) : null, field)),
    problem,
    el('div', { class: 'row' }, el('button', { class: 'main' }, 'Run')));
  form.addEventListener('submit', (e) => {
    e.preventDefault();
    const values = {};
    const kept = {};
    try {
      for (const { i, field } of fields) {
        const text = i.type === 'boolean' ? String(field.checked) : field.value.trim();
        kept['in.' + i.name] = text;
        if (text !== '') values[i.name] = value(i, text);
      }
    } catch (err) {
      problem.textContent = err.message;
      return;
    }
    problem.textContent = '';
    if (current().path[1] === skill.name) change(kept, { replace: true });
    submit(values);
  });
  return form;
}

function value(input, text) {
  if (input.type === 'number' || input.type === 'integer') {
    const n = Number(text);
    if (!Number.isFinite(n) || (input.type === 'integer' && !Number.isInteger(n))) throw new Error(`${input.name} must be ${input.type === 'integer' ? 'a whole number' : 'a number'}.`);
    return n;
  }
  if (input.type === 'boolean') return text === 'true';
  if (input.type === 'list' || input.type === 'object') {
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(`${input.name} must be JSON, such as ${input.type === 'list' ? '["one"]' : '{"a": 1}'}.`);
    }
  }
  return text;
}

function steps(skill) {
  if (!skill.steps?.length) return null;
  return el('details', { class: 'skill-steps', open: true }, el('summary', {}, 'Its steps'),
    el('ol', {}, skill.steps.map((s) => el('li', {}, el('span', { class: 'mono' }, s.id), el('span', { class: 'soft small' }, KINDS[s.kind] || s.kind)))));
}
