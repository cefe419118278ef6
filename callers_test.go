package findspot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/need"
)

// TestNoneIsHonest asks for symbols that no code calls in a way that a language server sees, most of them called all the
// same, and for some that really have no caller.
func TestNoneIsHonest(t *testing.T) {
	need.Tool(t, "pyright", "--version")
	wide := func(s string) string {
		var b strings.Builder
		for _, u := range utf16.Encode([]rune(s)) {
			b.Write([]byte{byte(u), byte(u >> 8)})
		}
		return b.String()
	}
	dir := write(t, map[string]string{
		"core.py": `import functools, timeit
from outside import Handler
from typing import overload

UNUSED = 4
USED = 5


def unused(): pass
def in_prose(): pass
def in_notebook(): pass
def in_toml(): pass
def in_shell(): pass
def in_page(): pass
def in_ignored(): pass
def in_utf16(): pass
def in_unmarked(): pass
def in_timeit(): pass
def in_doctest(): pass
def handle_open(): pass
def recursive(n): return recursive(n - 1) if n else 0
def register(f): return f


@register
def registered(): pass


@functools.lru_cache
def cached(): pass


class Base:
    def run(self): return self.step()
    def step(self): return 0


class Sub(Base):
    def step(self): return 1
    def __len__(self): return 3


class Own(Handler):
    def emit(self, record): pass


class Plain:
    def emit_none(self): pass


class Unknown:
    def on_foreign(self): pass
    def on_known(self): pass


def foreign(x: dict):
    Handler.make().on_foreign()
    on_known = x
    return on_known


class Thing:
    def __init__(self): super().__init__()
    def close(self): pass


class File:
    def close(self): pass


def closes(f: File):
    f.close()
    Thing()


@overload
def shaped(x: int): ...
@overload
def shaped(x: str): ...
def shaped(x): pass


def shapes():
    shaped(1)


def other(x):
    """in_prose is a word here, and in_prose() too.

    >>> in_doctest()
    """
    # in_prose()
    timeit.timeit("in_timeit() + 1")
    return USED, getattr(x, "handle_" + x.kind)
`,
		"nb.ipynb":       `{"cells": [{"cell_type": "code", "source": ["in_notebook()\n"]}]}`,
		"pyproject.toml": "[project.scripts]\nrun = \"core:in_toml\"\n",
		"run.sh":         "python -c 'import core; core.in_shell()'\n",
		"page.html":      "<p>{{ in_page() }}</p>\n",
		".gitignore":     "*.mjs\n",
		"made.mjs":       "in_ignored()\n",
		"wide.ts":        wide("\ufeffin_utf16()\n"),
		"unmarked.ts":    wide("in_unmarked()\n"), // without a mark it is binary
		"README.md":      "Call in_prose() first.\n",
		"weights.pt":     "PK\x00" + strings.Repeat("in_prose ", 1<<20), // binary by its beginning: more is not read
	})
	ws := open(t, t.TempDir(), &findspot.Options{})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		want   findspot.Verdict
		detail string // the first caller, or a part of what was not explained
	}{
		{"unused", findspot.VerifiedNone, ""},
		{"in_prose", findspot.VerifiedNone, ""},
		{"cached", findspot.VerifiedNone, ""},
		{"Plain.emit_none", findspot.VerifiedNone, ""},
		{"UNUSED", findspot.VerifiedNone, ""},
		{"USED", findspot.Found, "core.py:other"},
		{"recursive", findspot.Found, "core.py:recursive"},
		{"Sub.step", findspot.Found, "core.py:Base.run"},
		{"on_known", findspot.VerifiedNone, ""}, // a variable of that name is another thing
		{"on_foreign", findspot.Found, "core.py:foreign"},
		{"core.py:shaped", findspot.Found, "core.py:shapes"},
		{"Thing.close", findspot.VerifiedNone, ""}, // the one call is of another class's
		{"Thing.__init__", findspot.Found, "core.py:closes"},
		{"in_notebook", findspot.NoneKnown, "nb.ipynb:1"},
		{"in_toml", findspot.NoneKnown, "pyproject.toml:2"},
		{"in_shell", findspot.NoneKnown, "run.sh:1"},
		{"in_page", findspot.NoneKnown, "page.html:1"},
		{"in_ignored", findspot.NoneKnown, "made.mjs"},
		{"in_utf16", findspot.Found, "wide.ts"},
		{"in_unmarked", findspot.NoneKnown, "unmarked.ts holds the name"},
		{"in_timeit", findspot.NoneKnown, "core.py:93"},
		{"in_doctest", findspot.NoneKnown, "core.py:90"},
		{"handle_open", findspot.NoneKnown, "core.py:94"},
		{"registered", findspot.NoneKnown, "@register"},
		{"Sub.__len__", findspot.NoneKnown, "the language calls it"},
		{"Own.emit", findspot.NoneKnown, "Handler"},
	} {
		res, err := ws.Callers(t.Context(), tt.name, nil)
		if err != nil {
			t.Errorf("Callers(%s): %v", tt.name, err)
			continue
		}
		var got []string
		for _, c := range res.Callers {
			got = append(got, c.Entity.ID)
		}
		if len(got) > 1 || len(res.Callers) == 1 && got[0] != tt.detail {
			t.Errorf("Callers(%s) = %v, want %q alone", tt.name, got, tt.detail)
		}
		got = slices.Concat(got, unexplained(res), res.Why)
		if res.Verdict != tt.want || !strings.Contains(strings.Join(got, "\n"), tt.detail) {
			t.Errorf("Callers(%s): %s, %q; want %s, %q", tt.name, res.Verdict, got, tt.want, tt.detail)
		}
	}
}

// TestDollarNames has names that end in the one asked for.
func TestDollarNames(t *testing.T) {
	dir := write(t, map[string]string{
		"a.ts": "export interface Shape { n: number }\nexport interface $Shape { m: number }\n",
		"b.ts": "import { Shape, $Shape } from './a';\nexport let one: $Shape;\nexport function two(x: Shape): void {}\n",
	})
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	res, err := ws.Callers(t.Context(), "a.ts:Shape", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range res.Callers {
		for _, l := range c.Sites {
			got = append(got, fmt.Sprintf("%s:%d", c.Entity.ID, l.Line))
		}
	}
	if want := []string{"b.ts:1", "b.ts:two:3"}; !slices.Equal(got, want) {
		t.Errorf("Callers(a.ts:Shape) = %v, want %v", got, want)
	}
}

// TestForeignPlaces: what nothing explains in files of another language does not hide the rest.
func TestForeignPlaces(t *testing.T) {
	dir := write(t, map[string]string{
		"core.py":     "class Step:\n    def apply(self): pass\n\n\ndef run(s: Step):\n    s.apply(password=\"hunter2hunter2\")\n\n\ndef other(x):\n    x.apply(password=\"hunter2hunter2\")\n\n\nclass Patch:\n    def apply(self): pass\n",
		"lib.js":      strings.Repeat("f.apply(this);\n", 30),
		"page.html":   "{{ step.apply }}\n",
		"LICENSE.MIT": "These terms apply.\n",
	})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	res, err := ws.Callers(t.Context(), "Step.apply", nil)
	if err != nil {
		t.Fatal(err)
	}
	want := []string{`core.py:10: x.apply(password="**************")`, "page.html:1: {{ step.apply }}", "lib.js:1: f.apply(this);"}
	if got := unexplained(res); len(res.Callers) != 1 || !slices.Equal(got, want) || res.Unexplained != 32 {
		t.Errorf("%d callers, not explained: %q (%d), want %q (32)", len(res.Callers), got, res.Unexplained, want)
	}
	if why := strings.Join(res.Why, "\n"); !strings.Contains(why, "32, 30 in files of other languages") {
		t.Errorf("why: %s", why)
	}
	if text := res.Callers[0].Text; strings.Contains(text, "hunter2") || !strings.Contains(text, "s.apply(password=") {
		t.Errorf("the caller's line is %q, want its secret masked", text)
	}
	if text := res.Unread[0].Text; strings.Contains(text, "hunter2") {
		t.Errorf("a line is %q, want its secret masked", text)
	}
}

// unexplained is the places that nothing explains, with their lines.
func unexplained(res *findspot.CallersResult) (out []string) {
	for _, p := range res.Unread {
		out = append(out, fmt.Sprintf("%s:%d: %s", p.Path, p.Line, p.Text))
	}
	return out
}
