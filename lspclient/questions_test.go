package lspclient

import (
	"encoding/json"
	"errors"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// with announces capabilities of the fake server besides its own.
func with(names ...string) string {
	var b strings.Builder
	for _, n := range names {
		b.WriteString("capability " + n + "\n")
	}
	return b.String()
}

const alphaRange = `{"start":{"line":0,"character":4},"end":{"line":0,"character":9}}`

// TestDeclaration: the option means the same, whether a server heeds the wish, never gives declarations, or always does.
func TestDeclaration(t *testing.T) {
	const use = `{"uri":"ROOT/a.fk","range":{"start":{"line":1,"character":4},"end":{"line":1,"character":9}}}`
	const def = `{"uri":"ROOT/a.fk","range":` + alphaRange + `}`
	for name, script := range map[string]string{
		"heeds":  "",
		"never":  "references says [" + use + "]",
		"always": "references says [" + def + "," + use + "]",
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, script, nil)
			for _, declaration := range []bool{false, true} {
				r, err := c.References(t.Context(), At("a.fk", 2, 5), &ReferenceOptions{Declaration: declaration, Paths: []string{"a.fk"}})
				if err != nil {
					t.Fatal(err)
				}
				want := []Location{loc("a.fk", 2, 5, 10)}
				if declaration {
					want = []Location{loc("a.fk", 1, 5, 10), loc("a.fk", 2, 5, 10)}
				}
				if diff := cmp.Diff(want, r.Locations); diff != "" || r.State != Complete || r.Total != len(want) {
					t.Errorf("References, declaration %v, %s, %d (-want +got):\n%s", declaration, r.State, r.Total, diff)
				}
			}
		})
	}
}

func TestFilteredReferences(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	r, err := c.References(t.Context(), Named("alpha"), &ReferenceOptions{Paths: []string{"sub/**"}, Limit: 1})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Location{loc("sub/b.fk", 2, 5, 10)}, r.Locations); diff != "" || r.Total != 1 || r.Truncated {
		t.Errorf("References in sub/**: %d, %v (-want +got):\n%s", r.Total, r.Truncated, diff)
	}
	if r, err := c.References(t.Context(), Named("alpha"), &ReferenceOptions{Limit: 1}); err != nil || r.Total != 2 || !r.Truncated {
		t.Errorf("References with a limit: %+v, %v", r, err)
	}
	if _, err := c.References(t.Context(), Named("alpha"), &ReferenceOptions{Paths: []string{"["}}); !errors.Is(err, path.ErrBadPattern) {
		t.Errorf("References with a bad glob: %v", err)
	}
	if _, err := c.TypeDefinition(t.Context(), Named("alpha"), nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("TypeDefinition of a server that offers none: %v", err)
	}
}

// TestLostElements: one bad element of a list does not lose the rest, and is not lost silently.
func TestLostElements(t *testing.T) {
	c, _, _ := fakeClient(t, with("implementationProvider")+
		`implementation says [{"uri":"ROOT/a.fk","range":{"start":{"line":"0","character":4.0},"end":{"line":0,"character":"9"}}},`+
		`{"uri":"ROOT/a.fk"},7,{"targetUri":"ROOT/a.fk","targetRange":`+alphaRange+`}]`, nil)
	r, err := c.Implementation(t.Context(), Named("alpha"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]Location{loc("a.fk", 1, 5, 10)}, r.Locations); diff != "" || r.State != Degraded || !strings.Contains(r.Reason, "2 malformed") {
		t.Errorf("Implementation %s %q (-want +got):\n%s", r.State, r.Reason, diff)
	}
}

func TestWorkspaceSymbols(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil)
	r, err := c.WorkspaceSymbols(t.Context(), "ALPHA", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Symbols) != 1 || r.Symbols[0].Name != "alpha" || r.Symbols[0].Selection != loc("a.fk", 1, 5, 10) || r.State != Complete || r.Server == "" {
		t.Errorf("WorkspaceSymbols(ALPHA) = %+v", r)
	}
	if r, err := c.WorkspaceSymbols(t.Context(), "zebra", nil); err != nil || r.Total != 0 || r.Symbols == nil || r.State != Complete {
		t.Errorf("WorkspaceSymbols(zebra) = %+v, %v", r, err)
	}
	if r, err := c.WorkspaceSymbols(t.Context(), "", nil); err != nil || r.State != Degraded {
		t.Errorf("WorkspaceSymbols of nothing = %+v, %v", r, err)
	}
}

func TestHover(t *testing.T) {
	for name, tt := range map[string]struct {
		Reply, text string
		markdown    bool
		state       State
	}{
		"markup":        {`{"contents":{"kind":"markdown","value":"**alpha**"}}`, "**alpha**", true, Complete},
		"plain":         {`{"contents":{"kind":"plaintext","value":"alpha"}}`, "alpha", false, Complete},
		"a string":      {`{"contents":"alpha"}`, "alpha", true, Complete},
		"a marked one":  {`{"contents":{"language":"fk","value":"def alpha"}}`, "```fk\ndef alpha\n```", true, Complete},
		"a list":        {`{"contents":[{"language":"fk","value":"def alpha"},"says alpha",""]}`, "```fk\ndef alpha\n```\n\nsays alpha", true, Complete},
		"a bad element": {`{"contents":["alpha",7]}`, "alpha", true, Degraded},
		"nothing":       {`null`, "", false, Complete},
		"an empty list": {`{"contents":[]}`, "", false, Complete},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, with("hoverProvider")+"hover says "+tt.Reply, nil)
			h, err := c.Hover(t.Context(), Named("alpha"))
			if err != nil {
				t.Fatal(err)
			}
			if h.Text != tt.text || h.Markdown != tt.markdown || h.State != tt.state || h.None() != (tt.text == "") || h.Target != loc("a.fk", 1, 5, 10) {
				t.Errorf("Hover = %+v", h)
			}
		})
	}
	t.Run("malformed", func(t *testing.T) {
		c, _, _ := fakeClient(t, with("hoverProvider")+`hover says {"contents":7}`, nil)
		if h, err := c.Hover(t.Context(), Named("alpha")); !errors.Is(err, ErrFormat) {
			t.Errorf("Hover = %+v, %v, want ErrFormat", h, err)
		}
	})
}

func TestCalls(t *testing.T) {
	const item = `{"name":"alpha()","kind":12,"uri":"ROOT/a.fk","range":` + alphaRange + `,"selectionRange":` + alphaRange + `,"data":{"keep":[1]}}`
	c, _, dir := fakeClient(t, with("callHierarchyProvider")+
		"prepareCallHierarchy says ["+item+"]\n"+
		`incomingCalls says [{"from":`+item+`,"fromRanges":[`+alphaRange+`]},{"from":`+item+`,"fromRanges":[{"start":{"line":1,"character":4},"end":{"line":1,"character":9}}]},{"fromRanges":[]}]`+"\n"+
		"outgoingCalls says null", nil)
	r, err := c.IncomingCalls(t.Context(), Named("alpha"), nil)
	if err != nil {
		t.Fatal(err)
	}
	at := loc("a.fk", 1, 5, 10)
	want := []Call{{Name: "alpha", Kind: "function", Location: at, Selection: at, Sites: []Location{at, loc("a.fk", 2, 5, 10)}}}
	if diff := cmp.Diff(want, r.Calls); diff != "" || r.State != Degraded || r.Target != at {
		t.Errorf("IncomingCalls %s %s (-want +got):\n%s", r.State, r.Reason, diff)
	}
	if r, err := c.IncomingCalls(t.Context(), Named("alpha"), &QueryOptions{Paths: []string{"sub/**"}}); err != nil || r.Total != 0 {
		t.Errorf("IncomingCalls elsewhere = %+v, %v", r, err)
	}
	if r, err := c.OutgoingCalls(t.Context(), Named("alpha"), nil); err != nil || !r.None() || r.Calls == nil {
		t.Errorf("OutgoingCalls = %+v, %v", r, err)
	}
	if !slices.Contains(fakeLog(t, dir), "callHierarchy/outgoingCalls") {
		t.Error("the server was not asked")
	}
}

// TestDerivedCalls: a server without a call hierarchy.
func TestDerivedCalls(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil)
	writeFiles(t, root, map[string]string{"calls.fk": "def gamma\nuse gamma(1)\nuse gamma\n"})
	r, err := c.IncomingCalls(t.Context(), Named("gamma"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(r.Calls) != 1 || r.Calls[0].Kind != "file" || !slices.Equal(r.Calls[0].Sites, []Location{loc("calls.fk", 2, 5, 10)}) ||
		!strings.Contains(r.Note, "derived") || !strings.Contains(r.Note, "calls.fk:3:5") || r.State != Complete {
		t.Errorf("IncomingCalls = %+v", r)
	}
}

func TestDiagnostics(t *testing.T) {
	const one = `{"range":` + alphaRange + `,"severity":2,"code":7,"source":"fake","message":"odd","tags":[1]}`
	const two = `{"range":` + alphaRange + `,"severity":1,"code":"E1","message":{"kind":"markdown","value":"wrong"}}`
	at := loc("a.fk", 1, 5, 10)
	odd := Diagnostic{Location: at, Severity: "warning", Code: "7", Source: "fake", Message: "odd", Unnecessary: true}
	wrong := Diagnostic{Location: at, Severity: "error", Code: "E1", Message: "wrong"}
	for name, tt := range map[string]struct {
		script string
		opt    *DiagnosticOptions
		want   []Diagnostic
		state  State
		pulled bool
	}{
		"pulled":     {with("diagnosticProvider") + `diagnostic says {"kind":"full","items":[` + one + `,` + two + `]}`, nil, []Diagnostic{wrong, odd}, Complete, true},
		"severe":     {with("diagnosticProvider") + `diagnostic says {"kind":"full","items":[` + one + `,` + two + `]}`, &DiagnosticOptions{Severity: "error"}, []Diagnostic{wrong}, Complete, true},
		"none":       {with("diagnosticProvider") + `diagnostic says {"kind":"full","items":[]}`, nil, []Diagnostic{}, Complete, true},
		"a bad one":  {with("diagnosticProvider") + `diagnostic says {"kind":"full","items":[` + one + `,{"message":"x"}]}`, nil, []Diagnostic{odd}, Degraded, true},
		"published":  {`didOpen tells textDocument/publishDiagnostics {"uri":"ROOT/a.fk","diagnostics":[` + one + `]}`, nil, []Diagnostic{odd}, Complete, false},
		"clean":      {`didOpen tells textDocument/publishDiagnostics {"uri":"ROOT/a.fk","diagnostics":[]}`, nil, []Diagnostic{}, Complete, false},
		"never":      {``, nil, []Diagnostic{}, Degraded, false},
		"of another": {`didOpen tells textDocument/publishDiagnostics {"uri":"ROOT/a.fk","version":-3,"diagnostics":[]}`, nil, []Diagnostic{}, Degraded, false},
	} {
		t.Run(name, func(t *testing.T) {
			c, _, _ := fakeClient(t, tt.script, &Options{Timeout: 5 * time.Second})
			r, err := c.Diagnostics(t.Context(), "a.fk", tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Diagnostics); diff != "" || r.State != tt.state || r.Pulled != tt.pulled || r.None() != (len(tt.want) == 0 && tt.state == Complete) {
				t.Errorf("Diagnostics %s %q, pulled %v (-want +got):\n%s", r.State, r.Reason, r.Pulled, diff)
			}
		})
	}
	for _, answer := range []string{`{"kind":"","items":[]}`, `{"kind":"unchanged","resultId":"1"}`, `{"kind":"full"}`, `null`, `[]`} {
		t.Run("malformed", func(t *testing.T) {
			c, _, _ := fakeClient(t, with("diagnosticProvider")+"diagnostic says "+answer, nil)
			if r, err := c.Diagnostics(t.Context(), "a.fk", nil); !errors.Is(err, ErrFormat) {
				t.Errorf("a report %s: %+v, %v, want ErrFormat", answer, r, err)
			}
		})
	}
}

// TestDiagnosticsAnew: what was published before a change counts for nothing after it.
func TestDiagnosticsAnew(t *testing.T) {
	const one = `[{"range":` + alphaRange + `,"severity":2,"message":"odd"}]`
	c, root, _ := fakeClient(t, `didOpen#1 tells textDocument/publishDiagnostics {"uri":"ROOT/a.fk","diagnostics":`+one+`}`, &Options{Timeout: 4 * time.Second})
	for _, want := range []State{Complete, Complete, Degraded} {
		if want == Degraded {
			writeFiles(t, root, map[string]string{"a.fk": "def alpha now\n"})
		}
		r, err := c.Diagnostics(t.Context(), "a.fk", nil)
		if err != nil {
			t.Fatal(err)
		}
		if r.State != want || (r.Total == 1) != (want == Complete) {
			t.Errorf("Diagnostics = %+v, want %s", r, want)
		}
	}
}

func wireEdit(line, from, to int, text string) string {
	b, _ := json.Marshal(map[string]any{"newText": text, "range": map[string]any{
		"start": map[string]int{"line": line, "character": from}, "end": map[string]int{"line": line, "character": to}}})
	return string(b)
}

func TestRename(t *testing.T) {
	for name, tt := range map[string]struct {
		Reply string
		want  []FileEdits
		fails error
		note  string
	}{
		"changes": {`{"changes":{"ROOT/a.fk":[` + wireEdit(1, 4, 9, "omega") + `,` + wireEdit(0, 4, 9, "omega") + `]}}`,
			[]FileEdits{{"a.fk", []Edit{{Location: loc("a.fk", 1, 5, 10), Old: "alpha", New: "omega"}, {Location: loc("a.fk", 2, 5, 10), Old: "alpha", New: "omega"}}}}, nil, ""},
		"the whole file": {`{"documentChanges":[{"textDocument":{"uri":"ROOT/a.fk","version":null},"edits":[{"range":{"start":{"line":0,"character":0},"end":{"line":2,"character":0}},"newText":"def omega\nuse omega beta\n"}]}]}`,
			[]FileEdits{{"a.fk", []Edit{{Location: loc("a.fk", 1, 5, 10), Old: "alpha", New: "omega"}, {Location: loc("a.fk", 2, 5, 10), Old: "alpha", New: "omega"}}}}, nil, ""},
		"with a remark": {`{"documentChanges":[{"textDocument":{"uri":"ROOT/a.fk","version":null},"edits":[` + strings.Replace(wireEdit(0, 4, 9, "omega"), "{", `{"annotationId":"x",`, 1) + `]}],"changeAnnotations":{"x":{"label":"Risky","needsConfirmation":true}}}`,
			[]FileEdits{{"a.fk", []Edit{{Location: loc("a.fk", 1, 5, 10), Old: "alpha", New: "omega", Label: "Risky", Confirm: true}}}}, nil, "remains"},
		"overlapping":    {`{"changes":{"ROOT/a.fk":[` + wireEdit(0, 4, 9, "omega") + `,` + wireEdit(0, 6, 9, "x") + `]}}`, nil, ErrFormat, ""},
		"no such place":  {`{"changes":{"ROOT/a.fk":[` + wireEdit(9, 4, 9, "omega") + `]}}`, nil, ErrFormat, ""},
		"no text":        {`{"changes":{"ROOT/a.fk":[{"range":` + alphaRange + `}]}}`, nil, ErrFormat, ""},
		"a snippet":      {`{"documentChanges":[{"textDocument":{"uri":"ROOT/a.fk"},"edits":[{"range":` + alphaRange + `,"snippet":{"value":"x"}}]}]}`, nil, ErrFormat, ""},
		"outside":        {`{"changes":{"file:///etc/passwd":[` + wireEdit(0, 0, 1, "omega") + `]}}`, nil, ErrUnsupported, ""},
		"above":          {`{"changes":{"ROOT/../x.fk":[` + wireEdit(0, 0, 1, "omega") + `]}}`, nil, ErrUnsupported, ""},
		"no file":        {`{"changes":{"untitled:x":[` + wireEdit(0, 0, 1, "omega") + `]}}`, nil, ErrUnsupported, ""},
		"stale":          {`{"documentChanges":[{"textDocument":{"uri":"ROOT/a.fk","version":99},"edits":[` + wireEdit(0, 4, 9, "omega") + `]}]}`, nil, ErrStale, ""},
		"an odd change":  {`{"documentChanges":[{"kind":"burn","uri":"ROOT/a.fk"}]}`, nil, ErrFormat, ""},
		"removes a file": {`{"documentChanges":[{"kind":"delete","uri":"file:///etc"}]}`, nil, ErrUnsupported, ""},
	} {
		t.Run(name, func(t *testing.T) {
			c, root, _ := fakeClient(t, with("renameProvider")+"rename says "+tt.Reply, nil)
			r, err := c.Rename(t.Context(), At("a.fk", 2, 5), "omega", nil)
			if tt.fails != nil {
				if !errors.Is(err, tt.fails) {
					t.Errorf("Rename = %+v, %v, want %v", r, err, tt.fails)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.want, r.Files); diff != "" || r.Target != loc("a.fk", 1, 5, 10) || r.OldName != "alpha" || !strings.Contains(r.Note, tt.note) {
				t.Errorf("Rename of %q at %v, %q (-want +got):\n%s", r.OldName, r.Target, r.Note, diff)
			}
			if text, err := os.ReadFile(filepath.Join(root, "a.fk")); err != nil || string(text) != "def alpha\nuse alpha beta\n" {
				t.Errorf("the file was changed: %q, %v", text, err)
			}
		})
	}
	t.Run("through a link", func(t *testing.T) {
		c, root, _ := fakeClient(t, with("renameProvider")+`rename says {"changes":{"ROOT/out.fk":[`+wireEdit(0, 4, 9, "omega")+`]}}`, nil)
		outside := filepath.Join(t.TempDir(), "real.fk")
		if err := os.WriteFile(outside, []byte("def alpha\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, filepath.Join(root, "out.fk")); err != nil {
			t.Skip(err)
		}
		if r, err := c.Rename(t.Context(), At("a.fk", 1, 5), "omega", nil); !errors.Is(err, ErrUnsupported) {
			t.Errorf("Rename of a file that a link leads to = %+v, %v", r, err)
		}
	})
	t.Run("another encoding", func(t *testing.T) {
		c, root, _ := fakeClient(t, with("renameProvider")+`rename says {"changes":{"ROOT/a.fk":[`+wireEdit(0, 4, 9, "omega")+`]}}`, nil)
		writeFiles(t, root, map[string]string{"a.fk": "def alpha\nuse alpha beta\n# caf\xe9\n"})
		if r, err := c.Rename(t.Context(), At("a.fk", 1, 5), "omega", nil); err != nil || r.State != Degraded || !strings.Contains(r.Reason, "UTF-8") {
			t.Errorf("Rename in a file of another encoding = %+v, %v", r, err)
		}
	})
	c, _, _ := fakeClient(t, `capability renameProvider {"prepareProvider":true}`+"\n"+`prepareRename says {"defaultBehavior":true}`+"\n"+"prepareRename#1 says null\n"+
		`rename says {"documentChanges":[{"kind":"rename","oldUri":"ROOT/a.fk","newUri":"ROOT/omega.fk"},{"textDocument":{"uri":"ROOT/omega.fk","version":null},"edits":[`+wireEdit(0, 4, 9, "beta")+`]}]}`, nil)
	if r, err := c.Rename(t.Context(), Named("alpha"), "beta", nil); !errors.Is(err, ErrUnsupported) {
		t.Errorf("Rename where the server says no: %+v, %v", r, err)
	}
	r, err := c.Rename(t.Context(), Named("alpha"), "beta", nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]FileOperation{{Kind: "rename", Path: "a.fk", To: "omega.fk"}}, r.Operations); diff != "" || r.Total != 1 || r.Files[0].Path != "a.fk" {
		t.Errorf("Rename with a file %+v (-want +got):\n%s", r.Files, diff)
	}
	for _, name := range []string{"alpha", "a b", ""} {
		if r, err := c.Rename(t.Context(), Named("alpha"), name, nil); !errors.Is(err, ErrUnsupported) {
			t.Errorf("Rename to %q = %+v, %v", name, r, err)
		}
	}
}
