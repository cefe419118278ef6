package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var weighed = Weights{Parts: [parts]float64{1.6, 1, .9, 1.4, 1, .3, .2}, Saturation: 1.3}

// said gives the text of one kind in a report.
func (r *Report) text(p Part) string {
	var out []string
	for _, s := range r.stretches {
		if s.part == p {
			out = append(out, strings.TrimSpace(s.text))
		}
	}
	return strings.Join(out, "|")
}

// texts gives the texts of the parts that a report has.
func (r *Report) texts() map[Part]string {
	got := map[Part]string{}
	for p := range parts {
		if s := r.text(p); s != "" {
			got[p] = s
		}
	}
	return got
}

func TestReportParts(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     map[Part]string
		dropped  int
	}{
		{"title and sentences", "Gain is lost\n\nThe gain of `Receiver.tune` is lost after a **second** call.", map[Part]string{
			partTitle: "Gain is lost", partProse: "The gain of|is lost after a second call.", partInline: "Receiver.tune"}, 0},
		{"a heading is the title", "# Gain is lost #\nbecause", map[Part]string{partTitle: "Gain is lost", partProse: "because"}, 0},
		{"code in the title is of the title as well", "`tune()` loses gain", map[Part]string{partTitle: "tune()\n loses gain", partInline: "tune()"}, 0},
		{"blocks", "T\n\n```python\nrx = Receiver()\n```\ntext\n~~~console\n$ rx --gain 3\n~~~", map[Part]string{
			partTitle: "T", partCode: "rx = Receiver()", partProse: "text", partOutput: "$ rx --gain 3"}, 0},
		{"a fence within a longer fence", "T\n````\na\n```\nb\n````\nc", map[Part]string{partTitle: "T", partCode: "a\n```\nb", partProse: "c"}, 0},
		{"a block that is not closed", "T\n```\nrx.tune()", map[Part]string{partTitle: "T", partCode: "rx.tune()"}, 0},
		{"an indented block", "T\n\ntext\n\n    rx.tune()\n    rx.read()\n\nmore", map[Part]string{partTitle: "T", partProse: "text|more", partCode: "rx.tune()\n    rx.read()"}, 0},
		{"a session", "T\n\n>>> rx.tune(3)\n... more\nIn [3]: rx", map[Part]string{partTitle: "T", partCode: "rx.tune(3)\nmore\nrx"}, 0},
		{"what errors say", "T\n\nValueError: gain is negative\n```\nE   KeyError: 'gain'\n```", map[Part]string{
			partTitle: "T", partMessage: "ValueError: gain is negative\nE   KeyError: 'gain'"}, 0},
		{"comments are cut", "T\n<!-- please\nread this -->\ntext <!-- and this", map[Part]string{partTitle: "T", partProse: "text"}, 3},
		{"templates and check lists are cut", "T\n### Describe the bug\nIt breaks.\n### Checks\n- [x] I searched\n- [ ] I read\n_No response_\nA clear and concise description of what you expected", map[Part]string{
			partTitle: "T", partProse: "It breaks.\nChecks"}, 5},
		{"environments are cut", "T\nIt breaks.\n\n## Environment\n\nOS: Linux\nPython 3.9.1\nnumpy==1.20\n\n## Analysis\nThe cache is stale.", map[Part]string{
			partTitle: "T", partProse: "It breaks.\nAnalysis\nThe cache is stale."}, 4},
		{"versions between sentences are cut", "T\nIt breaks.\nPython: 3.9.1\n- rustc 1.55.0 (c8dfcfe04 2021-09-06)\nSo it does.", map[Part]string{partTitle: "T", partProse: "It breaks.\nSo it does."}, 2},
		{"what a template asks is cut without marks, too", "T\nDescription\n\nIt breaks.\nExpected behavior:\nIt works.", map[Part]string{partTitle: "T", partProse: "It breaks.\nIt works."}, 2},
		{"what stands under the heading of an environment is cut", "T\n## Environment\nlinux on a small board\nIt breaks. Often.\n## Analysis\nThe cache is stale.", map[Part]string{
			partTitle: "T", partProse: "It breaks. Often.\nAnalysis\nThe cache is stale."}, 2},
		{"lines about the machine are cut", "T\nIt breaks.\nOperating system: a small one\nSo it does.", map[Part]string{partTitle: "T", partProse: "It breaks.\nSo it does."}, 1},
		{"code that nobody marked", "T\nI have this:\nfrom rx import Receiver\nclass Wide(Receiver):\n gain = 3\nx = Wide(gain=2)\nIt breaks when the gain is 2.", map[Part]string{
			partTitle: "T", partProse: "I have this:|It breaks when the gain is 2.", partCode: "from rx import Receiver\nclass Wide(Receiver):\n gain = 3\nx = Wide(gain=2)"}, 0},
		{"trailers are cut", "parser: keep the tail\n\nIt was lost.\n\nSigned-off-by: A <a@b.c>\nChange-Id: I123\nFixes #12\nUpdates org/repo#3, #4", map[Part]string{
			partTitle: "parser: keep the tail", partProse: "It was lost."}, 4},
		{"addresses are cut, the words of links stay", "T\nSee https://a.b/c and [the guide](https://a.b/d).", map[Part]string{partTitle: "T", partProse: "See   and the guide ."}, 0},
	} {
		r := Read(c.in)
		if d := cmp.Diff(c.want, r.texts()); d != "" {
			t.Errorf("%s: parts (-want +got):\n%s", c.name, d)
		}
		if r.dropped != c.dropped {
			t.Errorf("%s: %d lines dropped, want %d", c.name, r.dropped, c.dropped)
		}
	}
}

func TestReportLater(t *testing.T) {
	r := Read("T\n\n" + strings.Repeat("early words\n", 60) + "late words")
	if !strings.HasPrefix(r.text(partProse), "early") || !strings.HasSuffix(r.text(partLater), "late words") {
		t.Errorf("prose %q, later %q", r.text(partProse), r.text(partLater))
	}
}

func TestTitle(t *testing.T) {
	for in, want := range map[string]string{
		"":                                      "",
		"\n\n# The **gain** is wrong\n\nIt is.": "The **gain** is wrong",
		strings.Repeat("ä", maxTitle):           strings.Repeat("ä", maxTitle/2),
		"x" + strings.Repeat("ä", maxTitle):     "x" + strings.Repeat("ä", maxTitle/2-1),
	} {
		if got := Read(in).Title(); got != want {
			t.Errorf("title of %.30q: %q, want %q", in, got, want)
		}
	}
}

func TestReportScopesAndPlaces(t *testing.T) {
	for _, c := range []struct {
		in             string
		scopes, places []string
	}{
		{"fix(parser): keep the tail", []string{"parser"}, nil},
		{"fix: keep the tail", nil, nil},
		{"net/http, internal/pool: keep the tail", []string{"net/http", "internal/pool"}, nil},
		{"TypeError: gain is None", nil, nil},
		{"It breaks: always", nil, nil},
		{"T\nsee https://github.com/a/b/blob/main/src/rx/tune.py#L12-L20", nil, []string{"src/rx/tune.py:12"}},
		{"T\n[here](https://gitlab.com/a/b/-/blob/v1/src/rx.py)", nil, []string{"src/rx.py"}},
		{"T\n```diff\ndiff --git a/src/rx.py b/src/rx.py\n--- a/src/rx.py\n+++ b/src/rx.py\n+x\n```", nil, []string{"src/rx.py", "src/rx.py", "src/rx.py"}},
	} {
		r := Read(c.in)
		if d := cmp.Diff(c.scopes, r.Scopes); d != "" {
			t.Errorf("%q: scopes (-want +got):\n%s", c.in, d)
		}
		if d := cmp.Diff(c.places, r.places); d != "" {
			t.Errorf("%q: places (-want +got):\n%s", c.in, d)
		}
	}
}

func TestFrames(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     []string // path:line name, innermost first; ! where a traceback ends
		rest     string
	}{
		{"python", "Traceback (most recent call last):\n  File \"/venv/lib/rx/main.py\", line 10, in <module>\n    main()\n  File \"/venv/lib/rx/tune.py\", line 20, in tune\n    raise ValueError(gain)\nValueError: 3",
			[]string{"!/venv/lib/rx/tune.py:20 tune", "/venv/lib/rx/main.py:10 <module>"}, "Traceback (most recent call last):\nValueError: 3"},
		{"two python tracebacks", "  File \"a.py\", line 1, in f\nE: x\n\nTraceback (most recent call last):\n  File \"b.py\", line 2, in g", []string{"!a.py:1 f", "!b.py:2 g"}, "E: x\n\nTraceback (most recent call last):"},
		{"ipython", "~/lib/rx/tune.py in tune(self, gain)\n     19 x\nFile ~/lib/rx/read.py:7, in read(x)", []string{"!~/lib/rx/read.py:7 read", "~/lib/rx/tune.py tune"}, "     19 x"},
		{"pytest", "rx/tune.py:20: in tune\n    x\nrx/read.py:7: ValueError", []string{"!rx/read.py:7", "rx/tune.py:20 tune"}, "    x"},
		{"go", "panic: x\n\ngoroutine 1 [running]:\nexample.com/rx.(*Receiver).Tune(0x0)\n\t/src/rx/tune.go:20 +0x1d\nmain.main()\n\t/src/main.go:5 +0x20", []string{"!/src/rx/tune.go:20 example.com/rx.(*Receiver).Tune", "/src/main.go:5 main.main"},
			"panic: x\n\ngoroutine 1 [running]:"},
		{"rust", "thread 'main' panicked at src/tune.rs:20:5:\n   2: rx::tune::Receiver::tune\n             at ./src/tune.rs:20:5\n   3: rx::main\n             at ./src/main.rs:5",
			[]string{"!src/tune.rs:20", "./src/tune.rs:20 rx::tune::Receiver::tune", "./src/main.rs:5 rx::main"}, ""},
		{"old rust", "thread 'main' panicked at 'no gain', src/tune.rs:20:5", []string{"!src/tune.rs:20"}, ""},
		{"rustc", "error[E0599]: no method\n  --> src/main.rs:5:9", []string{"!src/main.rs:5"}, "error[E0599]: no method"},
		{"node", "TypeError: x\n    at Receiver.tune (/app/lib/tune.js:20:11)\n    at async /app/main.mjs:5:1\n    at new Pool (file:///app/lib/pool.ts:3:2)", []string{"!/app/lib/tune.js:20 Receiver.tune", "/app/main.mjs:5", "/app/lib/pool.ts:3 Pool"}, "TypeError: x"},
		{"firefox", "tune@https://a.b/lib/tune.js:20:11\nmain@https://a.b/main.js:5:1", []string{"!a.b/lib/tune.js:20 tune", "a.b/main.js:5 main"}, ""},
		{"browser", "    at render (http://localhost:5173/web/view.ts?t=17:9:17)\n    at http://localhost:5173/web/main.js:3:1", []string{"!localhost:5173/web/view.ts:9 render", "localhost:5173/web/main.js:3"}, ""},
		{"java", "java.lang.X: y\n\tat com.acme.rx.Receiver.tune(Receiver.java:20)\n\tat com.acme.Main.main(Main.java:5)", []string{"!Receiver.java:20 com.acme.rx.Receiver.tune", "Main.java:5 com.acme.Main.main"}, "java.lang.X: y"},
		{"gdb", "#0  0x0000 in tune (rx=0x1) at src/tune.c:20\n#1  0x0001 in main () at src/main.c:5", []string{"!src/tune.c:20 tune", "src/main.c:5 main"}, ""},
		{"sanitizer", "    #0 0x4f in rx::tune(int) /src/tune.cc:20:3\n    #1 0x50 in main /src/main.cc:5", []string{"!/src/tune.cc:20 rx::tune(int)", "/src/main.cc:5 main"}, ""},
		{"compiler", "src/tune.cpp:20:3: error: no gain", []string{"!src/tune.cpp:20"}, ""},
		{"in a quotation", "> Traceback (most recent call last):\n>   File \"a.py\", line 1, in f", []string{"!a.py:1 f"}, "> Traceback (most recent call last):"},
		{"names without a place", "main.main()\n   3: rx::main\nx", nil, "main.main()\n   3: rx::main\nx"},
		{"no frames", "It breaks at 10:20 in main.py.\nsee rx.py", nil, "It breaks at 10:20 in main.py.\nsee rx.py"},
	} {
		frames, rest := cutFrames(strings.Split(c.in, "\n"))
		var got []string
		for _, f := range frames {
			s := strings.TrimSpace(f.String() + " " + f.Name)
			if f.Last {
				s = "!" + s
			}
			got = append(got, s)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("%s: frames (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(c.rest, strings.Join(rest, "\n")); d != "" {
			t.Errorf("%s: rest (-want +got):\n%s", c.name, d)
		}
	}
}

func TestFramesAreBounded(t *testing.T) {
	var b strings.Builder
	for i := range 3 * maxFrames {
		fmt.Fprintf(&b, "  File \"a.py\", line %d, in f\n", i+1)
	}
	if frames, _ := cutFrames(strings.Split(b.String(), "\n")); len(frames) > maxFrames {
		t.Errorf("%d frames", len(frames))
	}
}

// FuzzReport reads any text: it ends, keeps to its bounds, and gives the same twice.
func FuzzReport(f *testing.F) {
	for _, s := range []string{"T\n```python\nx\n```", "<!-- a", "T\n  File \"a.py\", line 3, in f\n    x", "a: b `c` [d](e) https://f/g/blob/h/i/j.py#L3", "\xff\x00\r\n\u00a0", "####\n- [x]\n>>> y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		r := Read(s)
		if len(r.Frames) > maxFrames {
			t.Errorf("%d frames", len(r.Frames))
		}
		size := 0
		for _, x := range r.stretches {
			size += len(x.text)
		}
		if size > 4*len(s)+100 {
			t.Errorf("%d bytes became %d", len(s), size)
		}
		q := Weigh(r, weighed)
		if len(q.Terms) > maxTerms || len(q.Names) > maxNames {
			t.Errorf("%d terms, %d names", len(q.Terms), len(q.Names))
		}
		again := Weigh(Read(s), weighed)
		if d := cmp.Diff(q, again, cmp.AllowUnexported(Words{}, Term{}, Name{}, Place{})); d != "" {
			t.Errorf("read twice (-first +second):\n%s", d)
		}
	})
}

func TestReportLayouts(t *testing.T) {
	for _, c := range []struct {
		name, in string
		want     map[Part]string
	}{
		{"a block in one line is code in a sentence", "T\n```rx.tune()``` fails\nand more", map[Part]string{partTitle: "T", partInline: "rx.tune()", partProse: "fails\nand more"}},
		{"a byte order mark", "\ufeff# rx: lost", map[Part]string{partTitle: "rx: lost"}},
		{"line ends of Windows", "T\r\n\r\n```py\r\nrx.tune()\r\n```\r\ntext", map[Part]string{partTitle: "T", partCode: "rx.tune()", partProse: "text"}},
		{"line ends of old systems", "T\r\rtext", map[Part]string{partTitle: "T", partProse: "text"}},
		{"a fence of the other kind does not close a block", "T\n~~~\na\n```\nb\n~~~\nc", map[Part]string{partTitle: "T", partCode: "a\n```\nb", partProse: "c"}},
		{"a name behind a fence opens none within", "T\n```\na\n```py\nb\n```\nc", map[Part]string{partTitle: "T", partCode: "a\n```py\nb", partProse: "c"}},
		{"tags of HTML", "T\nThe <b>gain</b> is lost", map[Part]string{partTitle: "T", partProse: "The  gain  is lost"}},
		{"numbers of issues", "T\nas acme/rx#12 and GH-3 say", map[Part]string{partTitle: "T", partProse: "as   and   say"}},
		{"a long heading says something", "T\n## Version of the receiver is written to the wrong register when gain is a float\nx", map[Part]string{
			partTitle: "T", partProse: "Version of the receiver is written to the wrong register when gain is a float\nx"}},
		{"an output without a name among versions", "T\n## Versions\n```\nrx 3\nlinux\n```\n## Analysis\nx", map[Part]string{partTitle: "T", partProse: "Analysis\nx"}},
		{"a list with indented points", "T\n\n    - one\n    - two", map[Part]string{partTitle: "T", partProse: "one\ntwo"}},
	} {
		r := Read(c.in)
		if d := cmp.Diff(c.want, r.texts()); d != "" {
			t.Errorf("%s: parts (-want +got):\n%s", c.name, d)
		}
	}
	if r := Read("T\nfixes https://github.com/a/b/blob/main/rx.py"); len(r.places) != 1 {
		t.Errorf("places of a line of references: %q", r.places)
	}
	if r := Read("T " + strings.Repeat("é", maxReport)); len(r.title) > maxReport || !strings.HasSuffix(r.title, "éé") {
		t.Errorf("a title of %d bytes that ends with %q", len(r.title), r.title[len(r.title)-3:])
	}
	// A long title leaves nothing of the beginning to what follows, and is the title all the same.
	if r := Read(strings.Repeat("gain ", 200) + "\nlost"); r.text(partTitle) == "" || r.text(partLater) != "lost" {
		t.Errorf("a long title: %q, later %q", r.text(partTitle), r.text(partLater))
	}
}

func TestReportWordsBounds(t *testing.T) {
	words := func(s string) *Words { return Weigh(Read(s), weighed) }
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, "getName%d at rx/p%d.py\n", i, i)
	}
	if q := words(many.String()); len(q.Terms) != maxTerms || len(q.Names) != maxNames || len(q.Places) != maxPlaces {
		t.Errorf("%d terms, %d names, %d places", len(q.Terms), len(q.Names), len(q.Places))
	}
	for _, s := range []string{"T\nfrom " + strings.Repeat("a.", 500) + "b import c", "T\nfrom a import " + strings.Repeat("b", 500), "T\n" + strings.Repeat("a/", maxPlace) + "b.py"} {
		q := words(s)
		for _, n := range q.Names {
			if len(strings.Join(n.Parts, ".")) > 2*maxWritten {
				t.Errorf("a name of %d parts", len(n.Parts))
			}
		}
		for _, p := range q.Places {
			if len(p.Path) > maxPlace {
				t.Errorf("a path of %d bytes", len(p.Path))
			}
		}
	}
	// The best place counts, whatever comes first; a hash of a commit is no word; self is no name.
	q := words("tuneGain is lost\n\n```\ntuneGain deadbeef12\n```\n`self.readAll`, `gain` and gain")
	for _, n := range q.Names {
		switch name := strings.Join(n.Parts, "."); name {
		case "tuneGain":
			if n.Weight != weighed.Parts[partTitle] {
				t.Errorf("%s weighs %v, want %v", name, n.Weight, weighed.Parts[partTitle])
			}
		case "gain":
			if n.Plain {
				t.Errorf("%s, once between backticks, is plain", name)
			}
		case "readAll", "lost", "deadbeef12": // the last two are plain words
		default:
			t.Errorf("name %s", name)
		}
	}
	for _, x := range q.Terms {
		if strings.HasPrefix(x.Term, "deadbeef") {
			t.Errorf("term %s", x.Term)
		}
	}
	// A word that is said again and again is worth less than twice one that is said once.
	q = words("T\ncarrier carrier carrier carrier carrier carrier carrier carrier squelch")
	weight := map[string]float64{}
	for _, x := range q.Terms {
		weight[x.Term] = x.Weight
	}
	if a, b := weight["carrier"], weight["squelch"]; a <= b || a > (1+weighed.Saturation)*b {
		t.Errorf("carrier weighs %v, squelch %v", a, b)
	}
	for s, want := range map[string]bool{"": false, "_": false, "_x": false, "a_b": true, "__init__": true, "aB": true, "Ab": false, "AB": false, "É": false, "éA": true} {
		if got := looksLikeName(s); got != want {
			t.Errorf("looksLikeName(%q) = %v", s, got)
		}
	}
}

func TestFramesOfOddLines(t *testing.T) {
	trace := func(lines ...string) ([]Frame, []string) { return cutFrames(lines) }
	// Two traces without a word between them, of languages that write them the other way round.
	frames, _ := trace(`  File "a.py", line 1, in f`, `  File "b.py", line 2, in g`, "\t/src/c.go:3 +0x1", "\t/src/d.go:4 +0x1")
	var got []string
	for _, f := range frames {
		got = append(got, fmt.Sprintf("%v %v", f, f.Last))
	}
	if d := cmp.Diff([]string{"b.py:2 true", "a.py:1 false", "/src/c.go:3 true", "/src/d.go:4 false"}, got); d != "" {
		t.Errorf("frames (-want +got):\n%s", d)
	}
	// Two traces far from each other, and two with the first line of Python's between them.
	for _, between := range [][]string{slices.Repeat([]string{"x"}, 13), {"Traceback (most recent call last):"}} {
		frames, _ = trace(append(append([]string{`  File "a.py", line 1, in f`}, between...), `  File "b.py", line 2, in g`)...)
		if len(frames) != 2 || frames[0].Path != "a.py" || !frames[1].Last {
			t.Errorf("frames apart: %+v", frames)
		}
	}
	frames, _ = trace(`  File "C:\src\rx\a.py", line 99999999999999999999, in f`)
	if len(frames) != 1 || frames[0].Path != "C:/src/rx/a.py" || frames[0].Line != 0 {
		t.Errorf("a line too far: %+v", frames)
	}
	long := `  File "` + strings.Repeat("a/", maxFrame) + `a.py", line 1, in f`
	frames, rest := trace("main.f()", long, "\t/src/c.go:3 +0x1")
	if len(frames) != 1 || frames[0].Name != "" || len(rest) != 2 {
		t.Errorf("a long line between a name and a place: %+v", frames)
	}
}
