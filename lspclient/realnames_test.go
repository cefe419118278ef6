package lspclient

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// nameRepos are small repositories, and what names mean in them: the line of the declaration, or "many" with what to write.
var nameRepos = map[string]struct {
	files map[string]string
	names map[string]string
}{
	"python": {
		files: map[string]string{
			"pyproject.toml":    "[project]\nname = \"radio\"\n",
			"radio/__init__.py": "from .core import Receiver as Receiver\n",
			"radio/core.py": `class Receiver:
    def __init__(self, rate):
        self.rate = rate

    @property
    def gain(self):
        def inner_helper():
            return 1
        return inner_helper()

    def tune(self):
        return self.gain


class Sender:
    def tune(self):
        return 2


def tune():
    return Receiver(1).tune()
`,
			"radio/other.py": "def tune():\n    return 3\n",
		},
		names: map[string]string{
			"Receiver": "radio/core.py:1", "radio.Receiver": "radio/core.py:1", "Receiver.tune": "radio/core.py:11", "Sender/tune": "radio/core.py:16",
			"radio.core.Receiver.tune": "radio/core.py:11", "Receiver.__init__": "radio/core.py:2", "radio/core.py:tune": "radio/core.py:20",
			"radio/core.py:/Receiver/gain": "radio/core.py:6", "gain": "radio/core.py:6", "inner_helper": "radio/core.py:7",
			"Receiver.gain.inner_helper": "radio/core.py:7", "radio.other.tune": "radio/other.py:1", "tune": "many", "Reciever": "none Receiver",
			"Receiver.tuen": "none tune",
		},
	},
	"go": {
		files: map[string]string{
			"go.mod":       "module example.com/radio\n\ngo 1.21\n",
			"core/core.go": "package core\n\ntype Receiver[T any] struct{ rate T }\n\nfunc (r *Receiver[T]) Tune() T { return r.rate }\n\ntype Sender struct{}\n\nfunc (Sender) Tune() {}\n\nfunc New() *Receiver[int] { return &Receiver[int]{} }\n",
			"main.go":      "package main\n\nimport \"example.com/radio/core\"\n\nfunc main() { core.New().Tune() }\n",
		},
		names: map[string]string{
			"Receiver": "core/core.go:3", "(*Receiver).Tune": "core/core.go:5", "Receiver[int].Tune": "core/core.go:5", "core.Sender.Tune": "core/core.go:9",
			"example.com/radio/core.New": "core/core.go:11", "core/core.go:/Sender/Tune": "core/core.go:9", "Tune": "many", "Recevier": "none Receiver",
			"func main": "main.go:5",
		},
	},
	"typescript": {
		files: map[string]string{
			"tsconfig.json": `{"compilerOptions":{"strict":true,"target":"es2022"},"include":["src"]}`,
			"src/core.ts":   "export class Receiver {\n  #secret = 1;\n  constructor(private rate: number) {}\n  tune(): number { const inner = () => this.rate; return inner() + this.#secret; }\n}\nexport class Sender {\n  tune(): number { return 2; }\n}\nexport function over(a: string): void;\nexport function over(a: number): void;\nexport function over(a: unknown): void { void a; }\nexport const handlers = { onOpen() { return 1; } };\n",
			"src/index.ts":  "export { Receiver } from './core';\nimport { over, Sender } from './core';\nover(1);\nnew Sender().tune();\n",
		},
		names: map[string]string{
			"Receiver": "src/core.ts:1", "Receiver.tune": "src/core.ts:4", "Sender/tune": "src/core.ts:7", "src/core.ts:Receiver/constructor": "src/core.ts:3",
			"handlers.onOpen": "src/core.ts:12", "tune": "many", "Reciever": "none Receiver", "Receiver#tune": "src/core.ts:4", "core.Sender": "src/core.ts:6",
		},
	},
	"cpp": {
		files: map[string]string{
			"compile_flags.txt": "-std=c++17\n",
			"core.h":            "#pragma once\nnamespace radio {\nclass Sender;\nclass Receiver {\n public:\n  Receiver();\n  ~Receiver();\n  int tune(int a) const;\n  int tune(double a) const;\n  Receiver operator+(const Receiver& o) const;\n  int operator()() const;\n};\nclass Sender {\n public:\n  int tune() const;\n};\n}\n",
			"core.cpp":          "#include \"core.h\"\nnamespace radio {\nReceiver::Receiver() {}\nReceiver::~Receiver() {}\nint Receiver::tune(int a) const { return a; }\nint Receiver::tune(double a) const { return a > 1; }\nint Sender::tune() const { return 1; }\n}\n",
		},
		names: map[string]string{
			"core.h:radio::Sender": "core.h:13", "core.h:Receiver": "core.h:4", "core.h:Receiver::operator+": "core.h:10", "core.h:Receiver::operator()": "core.h:11",
			"core.h:Receiver::~Receiver": "core.h:7", "core.h:Receiver::tune(double)": "core.h:9", "core.h:Receiver/tune[0]": "core.h:8",
			"core.cpp:tune": "many", "core.h:Sendr": "none Sender",
		},
	},
	"java": {
		files: map[string]string{
			"pom.xml":                             "<project/>",
			"src/main/java/radio/Receiver.java":   "package radio;\n\npublic class Receiver {\n    enum Mode { WIDE, NARROW }\n    static class Inner { void deep() {} }\n    private int gain;\n    Receiver(int gain) { this.gain = gain; }\n    int tune(int a) { return a + gain; }\n    int tune(double a) { return 1; }\n    <T> T pick(java.util.List<T> all) { return all.get(0); }\n}\n\ninterface Sender {\n    int tune();\n}\n",
			"src/main/java/radio/low/Sender.java": "package radio.low;\n\npublic record Sender(int rate) {\n    public int send() { return rate(); }\n}\n",
		},
		names: map[string]string{
			"Receiver": "src/main/java/radio/Receiver.java:3", "radio.Receiver": "src/main/java/radio/Receiver.java:3", "Receiver.Mode": "src/main/java/radio/Receiver.java:4",
			"Receiver.Inner.deep": "src/main/java/radio/Receiver.java:5", "Receiver#gain": "src/main/java/radio/Receiver.java:6", "Mode.NARROW": "src/main/java/radio/Receiver.java:4",
			"Receiver.tune(double)": "src/main/java/radio/Receiver.java:9", "Receiver/tune[0]": "src/main/java/radio/Receiver.java:8", "Receiver.tune": "many",
			"Receiver.pick": "src/main/java/radio/Receiver.java:10", "src/main/java/radio/Receiver.java:Sender": "src/main/java/radio/Receiver.java:13", "low.Sender": "src/main/java/radio/low/Sender.java:3",
			"radio.low.Sender.send": "src/main/java/radio/low/Sender.java:4", "Sender": "many", "Reciever": "none Receiver", "Sender.sned": "none send",
		},
	},
}

// nameServers are the entries that the names are tried with; one that is not in the registry is left out.
var nameServers = []struct {
	entry, program string
	probe          []string
	repo           string
}{
	{"gopls", "gopls", []string{"version"}, "go"},
	{"pyright", "pyright", []string{"--version"}, "python"},
	{"basedpyright", "basedpyright", []string{"--version"}, "python"},
	{"ty", "ty", []string{"--version"}, "python"},
	{"pylsp", "pylsp", []string{"--version"}, "python"},
	{"typescript-language-server", "typescript-language-server", []string{"--version"}, "typescript"},
	{"typescript", "tsc", []string{"--version"}, "typescript"},
	{"clangd", "clangd", []string{"--version"}, "cpp"},
	{"jdtls", "jdtls", nil, "java"},
}

// TestRealNames: every server finds what names mean, and answers from an overlay, and from the disk when it is gone.
func TestRealNames(t *testing.T) {
	for _, rs := range nameServers {
		t.Run(rs.entry, func(t *testing.T) {
			t.Parallel()
			root := t.TempDir()
			writeFiles(t, root, nameRepos[rs.repo].files)
			c, err := Open(t.Context(), root, &Options{Timeout: 2 * time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			c.pool.Registry.Specs = slices.DeleteFunc(c.pool.Registry.Specs, func(s *registry.Spec) bool { return s.Name != rs.entry })
			if len(c.pool.Registry.Specs) == 0 {
				t.Skip("no such entry")
			}
			need.Tool(t, rs.program, rs.probe...)
			needRuntime(t, rs.entry)
			for name, want := range nameRepos[rs.repo].names {
				tryName(t, c, root, name, want)
			}
			if over, ok := overlays[rs.repo]; ok && !c.pool.Registry.Specs[0].DiskOnly {
				overlaid(t, c, root, over)
			}
		})
	}
}

func tryName(t *testing.T, c *Client, root, name, want string) {
	t.Helper()
	var r *Result
	spot, err := c.ask.Resolver.Resolve(t.Context(), Named(name).query)
	err = public(err)
	if err == nil {
		r = &Result{Target: Location{Path: c.pool.Tree.Relative(spot.Abs), Line: spot.Line}, Answer: Answer{Note: spot.Note}}
	}
	var many *AmbiguousError
	var none *NotFoundError
	switch {
	case want == "many":
		if !errors.As(err, &many) {
			t.Errorf("%q is %+v, %v, want several", name, r, err)
			return
		}
		for _, cand := range many.Candidates {
			s, err := c.ask.Resolver.Resolve(t.Context(), Named(cand.Write).query)
			err = public(err)
			if err != nil || s.Line != cand.Location.Line || c.pool.Tree.Relative(s.Abs) != cand.Location.Path {
				t.Errorf("%q of %q means %+v, %v, want %+v", cand.Write, name, s, err, cand.Location)
			}
		}
	case strings.HasPrefix(want, "none "):
		near := want[len("none "):]
		if !errors.As(err, &none) || !slices.ContainsFunc(none.Near, func(c Candidate) bool { return symbolname.Last(c.Name) == near }) {
			t.Errorf("%q is %+v, %v, want nothing, and %s near", name, r, err, near)
		}
	default:
		if err != nil {
			t.Errorf("%q: %v, want %s", name, err, want)
		} else if got := fmt.Sprintf("%s:%d", r.Target.Path, r.Target.Line); got != want {
			t.Errorf("%q is at %s (%s), want %s", name, got, r.Note, want)
		}
	}
}

// TestRealNewPackage: a package in a new folder on disk is seen.
func TestRealNewPackage(t *testing.T) {
	need.Tool(t, "gopls", "version")
	c, root := realClient(t, "gopls", "gorepo")
	uses := func() []string {
		t.Helper()
		r, err := c.References(t.Context(), Named("Receiver"), nil)
		if err != nil {
			t.Fatal(err)
		}
		return lines(r.Locations)
	}
	uses()
	text := must(os.ReadFile(filepath.Join(root, "go.mod")))
	module := strings.Fields(string(text))[1]
	writeFiles(t, root, map[string]string{"fresh/x/x.go": "package x\n\nimport \"" + module + "/radio\"\n\nvar R radio.Receiver\n"})
	if got := uses(); !slices.Contains(got, "fresh/x/x.go:5") {
		t.Errorf("a new package is not seen: %v", got)
	}
}

// overlay is a file that is not on disk.
type overlay struct {
	path, text string // the last line of the text is another use
	name       string // of this
}

// overlays are those of the repositories of nameRepos.
var overlays = map[string]overlay{
	"python":     {"radio/use.py", "from radio.core import Sender\n\nSender().tune()\n", "Sender"},
	"go":         {"use/use.go", "package use\n\nimport \"example.com/radio/core\"\n\nvar X core.Sender\n", "Sender"},
	"typescript": {"src/use.ts", "import { Sender } from './core';\n\nnew Sender().tune();\n", "Sender"},
	"java":       {"src/main/java/radio/Use.java", "package radio;\n\nclass Use extends Receiver.Inner {}\n", "Receiver.Inner"},
}

// overlaid checks that a server answers from an overlay, and from the disk when it is gone.
func overlaid(t *testing.T, c *Client, root string, over overlay) {
	t.Helper()
	uses := func() []string {
		t.Helper()
		r, err := c.References(t.Context(), Named(over.name), nil)
		if err != nil {
			t.Fatal(err)
		}
		return lines(r.Locations)
	}
	before := uses()
	last := fmt.Sprintf("%s:%d", over.path, strings.Count(over.text, "\n"))
	if err := c.SetOverlay(over.path, []byte(over.text)); err != nil {
		t.Fatal(err)
	}
	if got := uses(); !slices.Contains(got, last) {
		t.Errorf("an overlay of a file that is not on disk is not seen: %v", got)
	}
	writeFiles(t, root, map[string]string{over.path: "\n" + over.text})
	if got := uses(); !slices.Contains(got, last) {
		t.Errorf("with the file on disk beneath: %v, want %s", got, last)
	}
	if err := c.RemoveOverlay(over.path); err != nil {
		t.Fatal(err)
	}
	if got := uses(); slices.Contains(got, last) || len(got) == len(before) {
		t.Errorf("after the overlay: %v", got)
	}
	if err := os.Remove(filepath.Join(root, filepath.FromSlash(over.path))); err != nil {
		t.Fatal(err)
	}
	if got := uses(); !slices.Equal(got, before) {
		t.Errorf("after the file is gone: %v, want %v", got, before)
	}
}
