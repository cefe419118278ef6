#!/usr/bin/env python3
"""truth.py [NAME ...]: writes NAME.txt, the truth of NAME.pdf, from src/NAME.truth and the source that it names.

The words are ours: a line "@Words" stands for the line of the source that begins with these words, freed of its markup;
what stands before the @ is kept. Only where a line ends is taken from the typeset page, since the typesetter decides it:
each paragraph is looked up among the letters that MuPDF gives with their positions, and is broken where the baseline
changes, with a hyphen where one was set. A paragraph that is not found there keeps its lines, and that is said.
Lines that begin with "=" are never broken. "same: OTHER" takes over the truth of another document that was only packed
differently; "source: OTHER" names the source when it is not called as the document.

Needs: python3 with pymupdf.
"""
import html, os, re, sys, unicodedata
import pymupdf

HERE = os.path.dirname(os.path.abspath(__file__))
GREEK = dict(alpha='α', beta='β', gamma='γ', delta='δ', lambda_='λ', mu='μ', pi='π', rho='ρ', sigma='σ', tau='τ', omega='ω', phi='φ', theta='θ', times='×', cdot='·', leq='≤', geq='≥', infty='∞', approx='≈', to='→', pm='±', circ='◦')


def plain_tex(s):
    s = re.sub(r'(?<!\\)%.*', '', s)
    s = re.sub(r'\\footnotemark\[(\d+)\]', r'\1', s)
    s = re.sub(r'\\footnotetext(\[\d+\])?\{(.*)\}', r'\2', s)
    s = re.sub(r'Table~\\ref\{t\}', 'Table 1', s)
    s = re.sub(r'\\par$', '', s.strip())
    s = re.sub(r'\\item(\[[^]]*\])? ?', '', s)

    def math(m):
        t = re.sub(r'\\([a-z]+) ?', lambda k: GREEK.get(k[1], GREEK.get(k[1] + '_', '')), m[1])
        return re.sub(r'[_^{}]|\\[,;!]', '', t).replace('-', '−')
    s = re.sub(r'\$([^$]*)\$', math, s)
    for _ in range(3):
        s = re.sub(r'\\(?:emph|textbf|textit|texttt|textsc|wide|head|foreignlanguage\{\w+\}|text\w+)\{([^{}]*)\}', r'\1', s)
    s = s.replace('---', '—').replace('--', '–').replace('``', '“').replace("''", '”').replace('`', '‘').replace("'", '’').replace('~', ' ')
    return re.sub(r'\\([%&#_$])', r'\1', s).strip()


def plain_html(s): return html.unescape(re.sub(r'<[^>]*>', '', s)).strip()
def plain_roff(s): return re.sub(r'\\f[BIRP]|\\&', '', s).replace('\\**', '1').replace('\\-', '−').strip()
def plain_code(s):
    m = re.search(r'"([^"]{12,})"', s)
    return m[1] if m else ''


def source(name):
    for ext, plain in (('tex', plain_tex), ('html', plain_html), ('ms', plain_roff), ('py', plain_code), ('ps', plain_code), ('fodt', plain_html), ('fods', plain_html)):
        p = os.path.join(HERE, 'src', name + '.' + ext)
        if os.path.exists(p):
            return [plain(line) for line in open(p, encoding='utf-8')]
    return []


def key(s): return [c for c in unicodedata.normalize('NFKC', s) if c.isalnum()]


def letters(page):
    """The letters of a page in content order: character, line number; and the lines that end in a hyphen."""
    out, n, base, size, hyphens, last = [], 0, None, 0, set(), ''
    for b in page.get_text('rawdict', flags=pymupdf.TEXT_PRESERVE_LIGATURES)['blocks']:
        for l in b.get('lines', []):
            d = l['dir']
            for s in l['spans']:
                for c in s['chars']:
                    y = c['origin'][1] * d[0] - c['origin'][0] * d[1]
                    if not c['c'].strip():
                        continue
                    x = c['origin'][0] * d[0] + c['origin'][1] * d[1]
                    if base is None or abs(y - base[0]) > .55 * max(s['size'], size) or x < base[1] - 2 * s['size']:
                        if last in '-\u2010\u00ad' and last:
                            hyphens.add(n)
                        n += 1
                        base, size = (y, x), s['size']
                    else: # small letters are set off the line
                        base = (y if s['size'] > .85 * size else base[0], x)
                    last = c['c']
                    out += [(k, n) for k in key(c['c'])]
    return out, hyphens


def broken(text, page):
    k = key(text)
    chars, hyphens = page
    s = ''.join(c for c, _ in chars)
    at = s.find(''.join(k))
    if at < 0 or len(k) < 12:
        return None
    out, i, prev = '', 0, None
    for c in text:
        kk = key(c)
        if kk:
            line = chars[at + i][1]
            if prev is not None and line != prev:
                head = out.rstrip()
                tail = out[len(head):]
                lead = ''
                if not tail and prev in hyphens and not re.search(r'[-–—]$', head):
                    # opening punctuation after a break belongs to the next line
                    m = re.search(r'[(\[“‘$]+$', head)
                    head = head + '-' if not m else head
                m = re.search(r' ([(\[“‘]+)$', head)
                if m and not tail:
                    lead, head = m[1], head[:m.start()]
                out = head + '\n' + lead
            prev = line
            i += len(kk)
        out += c
    return out


def build(name):
    draft = open(os.path.join(HERE, 'src', name + '.truth'), encoding='utf-8').read()
    m = re.search(r'^same: (\w+)\n', draft, re.M)
    if m:
        rest = open(os.path.join(HERE, m[1] + '.txt'), encoding='utf-8').read()
        rest = re.sub(r'^producer: .*\n', '', rest)
        open(os.path.join(HERE, name + '.txt'), 'w', encoding='utf-8').write(draft.replace(m[0], '') + rest)
        return
    m = re.search(r'^source: (\w+)\n', draft, re.M)
    if m:
        draft = draft.replace(m[0], '')
    src = source(m[1] if m else name)
    doc = pymupdf.open(os.path.join(HERE, name + '.pdf'))
    out, page, warn = [], None, 0

    def expand(line):
        m = re.match(r'^([^@]*)@(.+)$', line)
        if not m:
            return line
        hit = [s for s in src if s.startswith(m[2])]
        if len(hit) != 1:
            sys.exit(f'{name}: {len(hit)} lines of the source begin with {m[2]!r}')
        return m[1] + hit[0]

    intable = False
    for line in draft.split('\n'):
        if not line:
            continue
        if page is None or re.match(r'page: \d+$', line):
            out.append(expand(line))
            if m := re.match(r'page: (\d+)$', line):
                page = letters(doc[int(m[1]) - 1])
            continue
        if line.startswith('='):
            out.append(line[1:])
            continue
        text = expand(line)
        b = broken(text, page) if len(text) > (45 if max(text) < '\u2e80' else 20) else text
        if b is None:
            warn += 1
            print(f'{name}: not found on the page: {text[:60]}')
            b = text
        out += [x.strip() for x in b.split('\n')]
    open(os.path.join(HERE, name + '.txt'), 'w', encoding='utf-8').write('\n'.join(out) + '\n')


names = sys.argv[1:] or sorted(f[:-6] for f in os.listdir(os.path.join(HERE, 'src')) if f.endswith('.truth'))
# What is the same as another comes after it.
for n in sorted(names, key=lambda n: 'same:' in open(os.path.join(HERE, 'src', n + '.truth'), encoding='utf-8').read()):
    build(n)
