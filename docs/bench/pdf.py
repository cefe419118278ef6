#!/usr/bin/env python3
"""The comparison that pdf.sh runs: findspot beside PyMuPDF, PDFium and pdftotext on a folder of PDFs. Prints Markdown.

Each file is read within 20 seconds and 1 GB of data (RLIMIT_DATA): by findspot and pdftotext in a process of its own, by the
Python packages in a process that takes the next file when it has survived the last. Speed is
the processor time (user and system) of opening a file and reading the text of all its pages, in processes that run
already, one file after the other, the programs by turns, five times; the median counts. Memory is the peak resident set of a
process that reads the longest file once.
"""
import argparse, collections, datetime, importlib.metadata, json, os, platform, re, resource, select, shutil, signal, statistics, subprocess, sys, threading, time, unicodedata

SECONDS, DATA = 20, 1 << 30
SAMPLE = 40      # pages compared of a longer file, evenly spread
FIRST = 60       # of these first pages
SPEED_FILES = 40 # most files in a group that is timed
ROUNDS = 5


# Readers: the text of each page.

def read_pymupdf(path):
    import pymupdf
    pymupdf.TOOLS.mupdf_display_errors(False)
    pymupdf.TOOLS.mupdf_display_warnings(False)
    with pymupdf.open(path) as d:
        if d.needs_pass and not d.authenticate(''):
            raise ValueError('locked')
        return [p.get_text() for p in d]


def read_pdfium(path):
    import pypdfium2
    d = pypdfium2.PdfDocument(path)
    out = []
    for i in range(len(d)):
        p = d[i]
        t = p.get_textpage()
        out.append(t.get_text_range())
        t.close()
        p.close()
    d.close()
    return out


READERS = {'pymupdf': read_pymupdf, 'pdfium': read_pdfium}


def one_line(tool, path):
    try:
        pages = READERS[tool](path)
    except Exception as e:
        return json.dumps({'error': f'{type(e).__name__}: {e}'[:200]})
    return json.dumps({'pages': [{'text': t} for t in pages]})


def worker(tool):
    """Reads the files named on the input, and answers each with a line of JSON."""
    for path in sys.stdin:
        print(one_line(tool, path.rstrip('\n')), flush=True)


def used():
    u = resource.getrusage(resource.RUSAGE_SELF)
    return u.ru_utime + u.ru_stime


def timer(tool):
    """As pdftime.go: a file a line in, pages, size, processor seconds and seconds out."""
    READERS[tool]
    try:
        READERS[tool]('/nonexistent')
    except Exception:
        pass # the import is not timed
    for path in sys.stdin:
        t, c, pages = time.time(), used(), []
        try:
            pages = READERS[tool](path.rstrip('\n'))
        except Exception:
            pass
        print(len(pages), sum(map(len, pages)), used() - c, time.time() - t, flush=True)


# Runs.

def limits():
    resource.setrlimit(resource.RLIMIT_DATA, (DATA, DATA))
    os.setsid()


def run(command):
    """The output of a command, and how it ended: ok, error, crash or hang."""
    p = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, preexec_fn=limits)
    try:
        out, err = p.communicate(timeout=SECONDS)
    except subprocess.TimeoutExpired:
        os.killpg(p.pid, signal.SIGKILL)
        p.communicate()
        return b'', 'hang'
    if p.returncode < 0 or p.returncode == 2 and (b'\ngoroutine ' in err or b'fatal error:' in err):
        return out, 'crash'
    return out, 'ok' if p.returncode == 0 else 'error'


class Worker:
    """A process of this program that reads file after file with one of the Python packages. It is started anew after a file
    that it did not survive, and after some hundred others."""

    def __init__(self, tool):
        self.tool, self.p = tool, None

    def close(self):
        if self.p is not None:
            self.p.kill()
            self.p.communicate()
            self.p = None

    def read(self, path):
        if self.p is None:
            self.p = subprocess.Popen([sys.executable, os.path.abspath(__file__), '--worker', self.tool], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, preexec_fn=limits)
            self.left = 200
        self.p.stdin.write(path.encode() + b'\n')
        self.p.stdin.flush()
        fd, data, end = self.p.stdout.fileno(), b'', time.time() + SECONDS
        while not data.endswith(b'\n'):
            if not select.select([fd], [], [], max(0, end - time.time()))[0]:
                self.close()
                return b'', 'hang'
            more = os.read(fd, 1 << 20)
            if not more:
                self.close()
                return b'', 'crash'
            data += more
        self.left -= 1
        if self.left <= 0:
            self.close()
        return data, 'ok'


def tools_of(a):
    """For each tool a function from a thread's workers and a file to output and end."""
    def package(tool):
        def read(workers, f):
            if tool not in workers:
                workers[tool] = Worker(tool)
            return workers[tool].read(f)
        return read
    c = {'findspot': lambda _, f: run([a.findspot, 'pdf', f, '--format', 'json'])}
    for t in READERS:
        c[t] = package(t)
    if shutil.which('pdftotext'):
        c['pdftotext'] = lambda _, f: run(['pdftotext', '-q', '-enc', 'UTF-8', f, '-'])
    return c


def read(tool, out, end):
    """The pages as text, the pages as findspot tells them, and how it ended."""
    if end in ('crash', 'hang'):
        return None, None, end
    if tool == 'pdftotext':
        if end == 'error':
            return None, None, end
        t = out.decode('utf-8', 'replace')
        return (t[:-1] if t.endswith('\f') else t).split('\f'), None, end
    try:
        d = json.loads(out)
        if 'error' in d or d.get('pages') is None:
            return None, None, 'error'
        return [p.get('text') or '' for p in d['pages']], d['pages'] if tool == 'findspot' else None, 'ok'
    except ValueError:
        return None, None, 'error'


# Similarity, as of the sequence of words and marks.

def tokens(t):
    t = unicodedata.normalize('NFKC', t).replace('\u00ad', '-').replace('\ufffe', '-').replace('\u2010', '-')
    t = re.sub(r'(\w)-[ \r]*\n\s*(?=[a-z\u00df-\u00ff])', r'\1', t)
    return re.findall(r'\w+|[^\w\s]', t)


def similarity(ref, got):
    from rapidfuzz.distance import Indel
    if not any(p.strip() for p in got):
        return 0.0
    if len(ref) != len(got):
        return Indel.normalized_similarity(tokens('\n'.join(ref)[:150000]), tokens('\n'.join(got)[:150000]))
    ref, got = ref[:FIRST], got[:FIRST]
    n = len(ref)
    weight = total = 0.0
    for k in range(n) if n <= SAMPLE else [k * n // SAMPLE for k in range(SAMPLE)]:
        a, b = tokens(ref[k]), tokens(got[k])
        w = max(len(a), len(b))
        if w:
            weight += w
            total += w * Indel.normalized_similarity(a, b)
    return total / weight if weight else 1.0


# Speed and memory.

class Timed:
    def __init__(self, command):
        self.p = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    def read(self, path):
        self.p.stdin.write(path + '\n')
        self.p.stdin.flush()
        f = self.p.stdout.readline().split()
        if len(f) != 4:
            raise RuntimeError(f'{self.p.args} ended at {path}')
        return int(f[0]), float(f[2]), float(f[3])

    def close(self):
        self.p.stdin.close()
        self.p.wait()


def timed(a, names, files, column):
    """Pages and, for each program, the median over the rounds of the sum over the files of a column: 1 processor, 2 clock."""
    me = [sys.executable, os.path.abspath(__file__), '--timer']
    make = {'findspot': [a.pdftime, '1'], 'two': [a.pdftime, '2'], 'pymupdf': me + ['pymupdf'], 'pdfium': me + ['pdfium']}
    ps = {n: Timed(make[n]) for n in names}
    sums = {n: [0.0] * ROUNDS for n in names}
    pages = 0
    for r in range(-1, ROUNDS): # one round to warm up
        for f in files:
            for n in names:
                got = ps[n].read(f)
                if r >= 0:
                    sums[n][r] += got[column]
                    pages += got[0] * (r == 0 and n == names[0])
    for p in ps.values():
        p.close()
    return pages, {n: statistics.median(s) for n, s in sums.items()}, sums


def peak(command):
    """The peak resident set in MB, as /proc says it while the process runs."""
    p = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    top = 0
    while p.poll() is None:
        try:
            m = re.search(r'VmHWM:\s+(\d+) kB', open(f'/proc/{p.pid}/status').read())
            top = max(top, int(m[1]) if m else 0)
        except OSError:
            pass
        time.sleep(.002)
    return top / 1024


def two_columns(path):
    """Whether most blocks of text in the middle of a paper keep to one half of the page."""
    import pymupdf
    d = pymupdf.open(path)
    sides = all_ = 0
    for n in {len(d) // 3, len(d) // 2}:
        w = d[n].rect.width
        for b in d[n].get_text('blocks'):
            if b[6] == 0 and len(b[4]) > 60:
                all_ += 1
                sides += b[2] < .54 * w or b[0] > .46 * w
    return all_ >= 6 and sides >= .8 * all_


def version(*command):
    r = subprocess.run(command, capture_output=True, text=True)
    m = re.search(r'\d+\.\d[\w.]*', r.stdout + r.stderr)
    return m[0] if m else '?'


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument('folder')
    ap.add_argument('--findspot')
    ap.add_argument('--pdftime')
    ap.add_argument('--commit', default='')
    ap.add_argument('--command', default='')
    ap.add_argument('--jobs', type=int, default=2)
    a = ap.parse_args()
    files = sorted(os.path.join(d, f) for d, _, fs in os.walk(a.folder) for f in fs if f.lower().endswith('.pdf'))
    if not files:
        sys.exit(f'pdf.py: no PDF in {a.folder}')
    tools = tools_of(a)
    label = {'findspot': 'findspot', 'pymupdf': 'PyMuPDF', 'pdfium': 'PDFium', 'pdftotext': 'pdftotext'}

    from concurrent.futures import ThreadPoolExecutor
    ends = {t: collections.Counter() for t in tools}
    order = {t: [] for t in tools if t != 'findspot'}
    length, captions, captioned, tables, figures, allpages = {}, 0, 0, 0, 0, 0
    best = {t: 0 for t in tools} # of the files that PyMuPDF reads text from

    mine = threading.local() # each thread has workers of its own
    started = []

    def one(f):
        if not hasattr(mine, 'workers'):
            mine.workers = {}
            started.append(mine.workers)
        return f, {t: read(t, *c(mine.workers, f)) for t, c in tools.items()}

    faults = []
    with ThreadPoolExecutor(a.jobs) as pool:
        for n, (f, got) in enumerate(pool.map(one, files)):
            if n % 50 == 0:
                print(f'pdf.py: {n} of {len(files)} files', file=sys.stderr)
            text = {}
            for t, (pages, _, end) in got.items():
                ends[t][end] += 1
                text[t] = pages is not None and any(p.strip() for p in pages)
                ends[t]['text'] += text[t]
                if end in ('crash', 'hang'):
                    faults.append(f'{label[t]}: {end}: {os.path.relpath(f, a.folder)}')
            if text['pymupdf']:
                for t in tools:
                    best[t] += text[t]
                if not text['findspot']:
                    faults.append(f'findspot: no text, PyMuPDF has some: {os.path.relpath(f, a.folder)}')
            ours = got['findspot'][0] or []
            for t in order:
                ref = got[t][0]
                if ref and sum(map(len, ref)) >= 200:
                    order[t].append(similarity(ref, ours))
            if got['pymupdf'][0] and ours:
                length[f] = min(len(got['pymupdf'][0]), len(ours))
            for p in got['findspot'][1] or []:
                allpages += 1
                tables += len(p.get('tables') or [])
                figures += len(p.get('figures') or [])
                want = set(re.findall(r'(?m)^\s*(?:Table|TABLE)\s+(\d+)[.:]', p.get('text') or ''))
                have = {m[1] for tb in p.get('tables') or [] if (m := re.match(r'\s*(?:Table|TABLE)\s+(\d+)', tb.get('caption') or ''))}
                captions += len(want)
                captioned += len(want & have)

    for workers in started:
        for w in workers.values():
            w.close()
    out = []
    say = out.append
    say(f'{datetime.date.today()}, {len(files)} files, {a.command}')
    say('')
    cpu = next((l.split(':', 1)[1].strip() for l in open('/proc/cpuinfo') if l.startswith('model name')), platform.machine())
    say(f'findspot {a.commit} ({version("go", "version")}); PyMuPDF {importlib.metadata.version("pymupdf")}; pypdfium2 {importlib.metadata.version("pypdfium2")}; '
        + (f'pdftotext {version("pdftotext", "-v")}; ' if 'pdftotext' in tools else 'pdftotext is not installed; ')
        + f'Python {platform.python_version()}; {os.cpu_count()} × {cpu}; {platform.system()} {platform.release()}')
    say('')
    say('| | ' + ' | '.join(label[t] for t in tools) + ' |')
    say('|---|' + '---:|' * len(tools))
    row = lambda what, cells: say(f'| {what} | ' + ' | '.join(cells) + ' |')
    row('files opened', [str(ends[t]['ok']) for t in tools])
    row('files with text', [str(ends[t]['text']) for t in tools])
    row('of those that PyMuPDF reads text from', [f'{100 * best[t] / max(1, best["pymupdf"]):.1f} %' for t in tools])
    row(f'crashes, hangs ({SECONDS} s, 1 GB)', [f'{ends[t]["crash"]}, {ends[t]["hang"]}' for t in tools])
    def similar(v):
        if not v:
            return '-'
        return f'{statistics.mean(v):.4f} / {statistics.median(v):.4f} / {100 * sum(x < .5 for x in v) / len(v):.1f} % of {len(v)}'
    row('order similarity of findspot: macro / median / below 0.5', ['' if t == 'findspot' else similar(order[t]) for t in tools])

    groups = []
    names = sorted(length, key=lambda f: (-length[f], f))
    long = [f for f in names if length[f] >= 200][:SPEED_FILES]
    short = [f for f in names if 5 <= length[f] <= 30 and two_columns(f)]
    short = short[::max(1, len(short) // SPEED_FILES)][:SPEED_FILES]
    if names:
        groups.append((f'the longest file ({length[names[0]]} pages)', names[:1]))
    if short:
        groups.append((f'{len(short)} papers of two columns, 5 to 30 pages', short))
    for what, fs in groups:
        pages, cpu_, sums = timed(a, ['findspot', 'pymupdf', 'pdfium'], fs, 1)
        each = [f'{pages / cpu_[t]:.0f} ({cpu_["pymupdf"] / cpu_[t]:.2f})' for t in ('findspot', 'pymupdf', 'pdfium')]
        row(f'pages for each processor second (against PyMuPDF): {what}', each + [''] * (len(tools) - 3))
        print(f'pdf.py: {what}: ' + json.dumps({k: [round(x, 3) for x in v] for k, v in sums.items()}), file=sys.stderr)
    if names:
        once = {'findspot': [a.findspot, 'pdf', names[0]], 'pdftotext': ['pdftotext', '-q', names[0], '-']}
        mem = {t: peak(once.get(t) or [sys.executable, os.path.abspath(__file__), '--once', t, names[0]]) for t in tools}
        row('peak memory, the longest file, MB', [f'{mem[t]:.0f}' for t in tools])
    if long:
        pages, clock, _ = timed(a, ['findspot', 'two'], long, 2)
        row(f'two workers against one, {len(long)} files of 200 pages and more', [f'{clock["findspot"] / clock["two"]:.2f} ×'] + [''] * (len(tools) - 1))
    row('tables for 100 pages', [f'{100 * tables / max(1, allpages):.1f}'] + [''] * (len(tools) - 1))
    row('captions "Table N" with their table', [f'{captioned} of {captions}'] + [''] * (len(tools) - 1))
    say('')
    for f in faults:
        say(f'- {f}')
    print('\n'.join(out))


if __name__ == '__main__':
    if sys.argv[1:2] == ['--worker']:
        worker(sys.argv[2])
    elif sys.argv[1:2] == ['--once']:
        print(one_line(*sys.argv[2:4]))
    elif sys.argv[1:2] == ['--timer']:
        timer(sys.argv[2])
    else:
        main()
