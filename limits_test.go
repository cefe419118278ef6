package findspot_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// marks stand in the names, titles, contents and folders that a limited workspace must not tell of. Whoever asks with one of them finds
// the others.
var marks = []string{"okapimark", "quaggamark", "zebuname", "zebudir"}

// shared is a folder of an index with two repositories and two folders of documents, of which one each is to be left out.
type shared struct {
	dir                string
	docs, repo         string // ours
	otherDocs, another string
	ids                []string // of the other documents
	entity             string   // of the other repository, with its name
	cursor             string   // for the second page of "receiver" in all documents
}

func newShared(t *testing.T) *shared {
	t.Helper()
	top := write(t, map[string]string{
		"docs/notes.md":                    "# Notes on tuning\n\n## 1 Scope\n\nThe receiver tunes to a carrier.\n",
		"docs/second.md":                   "# More notes\n\nThe receiver sleeps.\n",
		"other-zebudir/zebuname-report.md": "# Okapimark report\n\nAbstract\n\nThe quaggamark receiver tunes twice.\n\n## 2 Okapimark method\n\nA quaggamark loop settles, see 38.331.\n",
		"other-zebudir/zebuname-38331.md":  "# Okapimark standard\n\nThe quaggamark receiver of TS 38.331.\n",
		"rx/radio.py":                      "def tune():\n    pass\n\n\ndef run():\n    tune()\n",
		"tx-zebudir/zebuname_tx.py":        "class Okapimark:\n    def quaggamark(self):\n        \"\"\"Okapimark receiver.\"\"\"\n        return tune_okapimark()\n\n\ndef tune_okapimark():\n    quaggamark = 1\n    return quaggamark\n\n\ndef caller_quaggamark():\n    return tune_okapimark()\n",
	})
	s := &shared{dir: t.TempDir(), docs: filepath.Join(top, "docs"), repo: filepath.Join(top, "rx"),
		otherDocs: filepath.Join(top, "other-zebudir"), another: filepath.Join(top, "tx-zebudir")}
	ws, err := findspot.Open(t.Context(), s.dir, &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, d := range []string{s.docs, s.otherDocs} {
		if err := addDocs(t.Context(), ws, d); err != nil {
			t.Fatal(err)
		}
	}
	for _, r := range []string{s.repo, s.another} {
		if _, err := ws.AddRepo(t.Context(), r, nil); err != nil {
			t.Fatal(err)
		}
	}
	lib, err := ws.Docs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"zebuname-report.md", "zebuname-38331.md"} {
		d, err := lib.Resolve(t.Context(), name)
		if err != nil {
			t.Fatal(err)
		}
		s.ids = append(s.ids, d.ID)
	}
	if _, err := lib.Collect(t.Context(), "zebuname set", s.ids); err != nil {
		t.Fatal(err)
	}
	res, err := ws.SearchDocs(t.Context(), "receiver", &docsearch.SearchOptions{Limit: 1})
	if err != nil || res.Next == "" {
		t.Fatalf("no second page: %+v, %v", res, err)
	}
	s.cursor = res.Next
	s.entity = "tx-zebudir//zebuname_tx.py:tune_okapimark"
	return s
}

// open opens the workspace on a machine without language servers.
func (s *shared) open(t *testing.T, limited bool) *findspot.Workspace {
	t.Helper()
	t.Setenv("PATH", t.TempDir())
	o := &findspot.Options{Servers: findspot.ServerOptions{NoFile: true}}
	if limited {
		o.OnlyDocs, o.OnlyRepos = []string{s.docs}, []string{s.repo}
	}
	return open(t, s.dir, o)
}

// told returns which marks an answer holds that it was not asked with.
func told(answer, asked string) []string {
	answer, asked = strings.ToLower(answer), strings.ToLower(asked)
	return slices.DeleteFunc(slices.Clone(marks), func(m string) bool { return strings.Contains(asked, m) || !strings.Contains(answer, m) })
}

// TestLimitsHoldForTools asks every tool for what the workspace is limited not to show.
func TestLimitsHoldForTools(t *testing.T) {
	s := newShared(t)
	refs := []string{s.ids[0], strings.ToUpper(s.ids[1]), "zebuname-report.md", "zebuname-report", "Okapimark report", "okapimark", "38.331", filepath.Join(s.otherDocs, "zebuname-report.md")}
	files := []string{"zebuname_tx.py", "tx-zebudir//zebuname_tx.py", "../tx-zebudir/zebuname_tx.py", filepath.Join(s.another, "zebuname_tx.py")}
	words := []string{"okapimark", "quaggamark receiver", "okapimrk", "receiver tunes twice", "zebuname", "receiver", `"quaggamark loop" -carrier`, "of the and"}
	entities := []string{s.entity, "tx-zebudir//zebuname_tx.py", "zebuname_tx.py:Okapimark.quaggamark", "tune_okapimark", "Okapimark", "tune_okapimrk", "zebuname_tx.py:5", "tx-zebudir//"}
	questions := []string{"how does the receiver tune, and who calls tune_okapimark?", "who uses quaggamark?", "okapimark"}
	// each gives calls with one argument of many values, and others beside it.
	each := func(name string, values []string, rest string) []string {
		var out []string
		for _, v := range values {
			q, _ := json.Marshal(v)
			out = append(out, fmt.Sprintf(`{%q:%s%s}`, name, q, rest))
		}
		return out
	}
	placed := slices.Concat(each("symbol", entities, ""), each("path", files, `,"line":1,"col":7`))
	both := func(rest string) []string { return slices.Concat(each("doc", refs, rest), each("path", files, rest)) }
	rows := map[string][]string{
		"search_internal": slices.Concat(each("query", words, ""), each("doc", refs, `,"query":"receiver"`), each("collections", []string{"zebuname set", "nothing"}, `,"query":"receiver"`),
			[]string{`{"query":"receiver","limit":1,"cursor":"` + s.cursor + `"}`, `{"query":"receiver","title":"okapimark"}`, `{"query":"okapimark","strict":true,"tiers":["any"]}`}),
		"list_documents":        {`{}`, `{"collection":"zebuname set"}`, `{"collection":"nothing"}`, `{"status":"ready"}`},
		"show_document":         each("doc", refs, ""),
		"read_abstract":         each("doc", refs, ""),
		"read_section":          slices.Concat(each("doc", refs, ""), each("doc", refs, `,"section":"2"`)),
		"read_file":             both(""),
		"view_file":             slices.Concat(both(""), each("doc", refs, `,"page":1`), each("doc", refs, `,"section":"2"`)),
		"search_file":           both(`,"pattern":"receiver"`),
		"search_entity":         slices.Concat(each("query", entities, ""), each("query", words, ""), []string{`{"query":"tune","paths":["zebuname_tx.py"]}`}),
		"locate":                slices.Concat(each("text", words, ""), each("text", entities, "")),
		"traverse_graph":        slices.Concat(each("id", entities, ""), []string{`{"id":"/"}`, `{"id":"radio.py:tune","direction":"both"}`}),
		"retrieve_entity":       each("id", entities, ""),
		"references":            each("symbol", entities, ""),
		"lsp_definition":        placed,
		"lsp_references":        placed,
		"document_symbols":      each("path", files, ""),
		"lsp_type_definition":   placed,
		"lsp_implementation":    placed,
		"lsp_workspace_symbols": each("query", words, ""),
		"lsp_hover":             placed,
		"lsp_calls":             placed,
		"lsp_diagnostics":       each("path", files, ""),
		"lsp_rename":            slices.Concat(each("symbol", entities, `,"new_name":"x"`), each("path", files, `,"line":1,"col":7,"new_name":"x"`)),
		"lsp_servers":           {`{}`},
		"search_text":           slices.Concat(each("pattern", words, `,"ignore_case":true`), each("path", files, `,"pattern":"return"`), []string{`{"pattern":".","regexp":true}`}),
		"read":                  slices.Concat(both(""), each("entity", entities, ""), []string{`{}`}),
		"index":                 {`{}`, `{"refresh":true}`, `{"paths":["zebuname_tx.py"]}`},
		"ask":                   slices.Concat(each("question", questions, ""), []string{`{"question":"okapimark","collections":["zebuname set"]}`}),
		"cite":                  each("sentence", questions, ""),
		"recheck_answer":        each("answer", []string{answerOf(s.ids[0]), answerOf("zebuname-report.md")}, ""),
		"mark_pdf":              each("doc", refs, `,"texts":["receiver"]`),
		"verify_answer":         {`{"text":"It says \"The okapi receiver of TS 38.331.\" [` + s.ids[1] + ` l. 3]."}`, `{"text":"It tunes [tx-zebudir//zebuname_tx.py:1-5]."}`, `{"text":"The receiver is named okapimark [D1]."}`},
		"search_knowledge_base": each("query", words, ""),
		"search_all_files":      slices.Concat(each("query", words, ""), []string{`{"query":"okapimark|receiver"}`}),
		"paper_search":          each("query", words, ""),
		"gather_evidence":       each("question", questions, ""),
		"search_code_snippets":  slices.Concat(each("search_terms", entities, ""), each("file_path_or_pattern", files, `,"line_nums":[1,5]`)),
		"explore_tree_structure": slices.Concat(each("start_entities", entities, `,"direction":"both","traversal_depth":-1`),
			[]string{`{"start_entities":["/"],"traversal_depth":-1}`}),
		"get_entity_contents":      each("entity_names", entities, ""),
		"find_symbol":              each("name_path_pattern", append(entities, "Okapimark/quaggamark"), ""),
		"find_referencing_symbols": each("name_path", entities, `,"relative_path":"zebuname_tx.py"`),
		"get_symbols_overview":     each("relative_path", files, ""),
		"find_implementations":     each("name_path", entities, ""),
		"get_diagnostics_for_file": each("relative_path", files, ""),
		"search_for_pattern":       each("substring_pattern", []string{"okapimark", "ret.*", "."}, ""),
	}
	tellsNothing := func(name string) bool { // without language servers
		return strings.HasPrefix(name, "lsp_") && name != "lsp_definition" || name == "find_implementations" || name == "get_diagnostics_for_file"
	}
	for _, limited := range []bool{true, false} {
		ws := s.open(t, limited)
		for _, tool := range ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases, MarkPDF: markNothing}) {
			calls, ok := rows[tool.Name]
			if !ok {
				t.Errorf("%s has no row: ask it for what a limited workspace must not tell", tool.Name)
			}
			leaks := 0
			for _, args := range calls {
				answer := call(t, tool, args)
				if got := told(answer, args); len(got) > 0 {
					leaks++
					if limited {
						t.Errorf("%s(%s) tells of %v:\n%s", tool.Name, args, got, answer)
					}
				}
			}
			if !limited && leaks == 0 && !tellsNothing(tool.Name) {
				t.Errorf("%s: no call tells of the others where there is no limit: the row tests nothing", tool.Name)
			}
		}
		if err := ws.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// answerOf is an answer that cites other words than a document has.
func answerOf(doc string) string {
	text := "A receiver that tunes twice has a loop of its own."
	return written(&evidence.Answer{Format: 1, Text: "It tunes twice [D1].", Items: []evidence.Item{
		{Key: "D1", Kind: evidence.KindPassage, At: evidence.Place{Doc: doc, Line: 1, EndLine: 9}, Text: text, Hash: evidence.Hash(text)}}})
}

// call returns all that a tool says.
func call(t *testing.T, tool skill.Tool, args string) string {
	t.Helper()
	res, err := tool.Call(t.Context(), json.RawMessage(args))
	if err != nil {
		return err.Error()
	}
	return written(res)
}

// values are what a method is asked with, by the type of its argument.
type values map[reflect.Type][]any

// asks calls a method with each value of its first argument that has several, and yields what it says.
func asks(t *testing.T, m reflect.Value, mt reflect.Type, with values, each func(answer, asked string)) {
	t.Helper()
	var told strings.Builder
	args, many := make([]reflect.Value, mt.NumIn()), -1
	for i := range args {
		in := mt.In(i)
		list := with[in]
		switch {
		case in.Kind() == reflect.Func:
			args[i] = reflect.MakeFunc(in, func(got []reflect.Value) []reflect.Value {
				for _, g := range got {
					fmt.Fprintln(&told, written(g.Interface()))
				}
				return nil
			})
		case in == reflect.TypeFor[context.Context]():
			args[i] = reflect.ValueOf(t.Context())
		case len(list) == 0:
			args[i] = reflect.Zero(in)
		default:
			if args[i] = reflect.ValueOf(list[0]); many < 0 && len(list) > 1 {
				many = i
			}
		}
	}
	one := func() {
		told.Reset()
		for _, out := range m.Call(args) {
			fmt.Fprintln(&told, written(out.Interface()))
		}
		asked := ""
		for _, a := range args {
			if a.Kind() != reflect.Interface && a.Kind() != reflect.Func {
				asked += fmt.Sprintf("%+v ", a.Interface())
			}
		}
		each(told.String(), asked)
	}
	if many < 0 {
		one()
		return
	}
	for _, v := range with[mt.In(many)] {
		args[many] = reflect.ValueOf(v)
		one()
	}
}

// written writes down all of a value.
func written(v any) string {
	switch v := v.(type) {
	case nil:
		return ""
	case error:
		return v.Error()
	case []byte:
		return string(v)
	case []*codegraph.Graph:
		var b strings.Builder
		for _, g := range v {
			for e := range g.Entities() {
				fmt.Fprintln(&b, e.ID)
			}
		}
		return b.String()
	}
	data, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprintf("%+v", v)
	}
	return string(data)
}

// TestLimitsHoldForMethods asks every method of a workspace, and of its library, for what the workspace is limited not to show.
func TestLimitsHoldForMethods(t *testing.T) {
	s := newShared(t)
	place := func(p evidence.Place) any { return p }
	with := values{
		reflect.TypeFor[string](): {s.ids[0], "zebuname-38331.md", "zebuname", "Okapimark report", "38.331", "okapimark", "okapimrk", "receiver tunes", "zebuname set", "",
			s.entity, "tx-zebudir//zebuname_tx.py", "zebuname_tx.py", filepath.Join(s.another, "zebuname_tx.py"), "tune_okapimark", "who calls tune_okapimark?", "tune_okapimrk",
			`It says "receiver tunes thrice" [` + s.ids[1] + ` l. 3].`},
		reflect.TypeFor[[]string](): {[]string{s.entity}, []string{s.ids[0]}, []string{"tune_okapimark"}},
		reflect.TypeFor[evidence.Place](): {place(evidence.Place{Doc: s.ids[0]}), place(evidence.Place{Doc: s.ids[0], Line: 1, EndLine: 3}), place(evidence.Place{Doc: s.ids[0], Page: 1}),
			place(evidence.Place{Repo: "tx-zebudir", Path: "zebuname_tx.py"}), place(evidence.Place{Path: "zebuname_tx.py", Line: 1, EndLine: 9})},
		reflect.TypeFor[*evidence.Answer](): {&evidence.Answer{Text: "It tunes twice [D1].", Items: []evidence.Item{
			{Key: "D1", Kind: evidence.KindPassage, At: evidence.Place{Doc: s.ids[0], Line: 1, EndLine: 9}, Text: "A receiver that tunes twice has a loop of its own.", Hash: evidence.Hash("A receiver that tunes twice has a loop of its own.")}}}},
		reflect.TypeFor[lspclient.Target](): {lspclient.Named("tune_okapimark"), lspclient.Named(s.entity), lspclient.At("zebuname_tx.py", 7, 5)},
		reflect.TypeFor[int]():              {1},
		reflect.TypeFor[docsearch.Lines]():  {docsearch.Lines{First: 1}},
	}
	// What changes something is asked of the limited workspace alone.
	changing := []string{"Remove", "Collect", "Uncollect", "RenameCollection", "SetOverlay", "RemoveOverlay", "Embed"}
	elsewhere := []string{"Add", "AddAll", "AddDocs", "AddDocsWith", "AddDocument", "AddRepo", "Backup", "BackupDocs", "Close", "Docs", "Guide", "Locate", "SkillErrors", "Skills", "Tools", "View", "Watch", "With", "Within", "WriteGuide"}
	silent := []string{"Check", "CheckSources", "CountFiles", "EmbedCode", "EmbedCodeState", "EmbedState", "Endings", "Files", "Generation", "Objects", "Markdown", "Servers", "StartServers", "Observe", "Describe", "FirstCalls",
		"Definition", "Diagnostics", "Hover", "Implementation", "IncomingCalls", "OutgoingCalls", "References", "Rename", "Symbols", "TypeDefinition", "WorkspaceSymbols"}
	for _, limited := range []bool{true, false} {
		ws := s.open(t, limited)
		lib, err := ws.Docs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range []any{ws, lib} {
			v := reflect.ValueOf(x)
			for i := range v.NumMethod() {
				name := v.Type().Method(i).Name
				code := x == any(ws) && name == "Locate"
				if slices.Contains(elsewhere, name) && !code || !limited && slices.Contains(changing, name) {
					continue
				}
				leaks := 0
				asks(t, v.Method(i), v.Method(i).Type(), with, func(answer, asked string) {
					if got := told(answer, asked); len(got) > 0 {
						leaks++
						if limited {
							t.Errorf("%T.%s(%v) tells of %v:\n%s", x, name, asked, got, answer)
						}
					}
				})
				if !limited && leaks == 0 && !slices.Contains(silent, name) {
					t.Errorf("%T.%s: no call tells of the others where there is no limit: this tests nothing", x, name)
				}
			}
		}
		if _, _, err := ws.Describe(t.Context(), evidence.Place{Doc: s.ids[0]}); limited != errors.Is(err, findspot.ErrNotFound) {
			t.Errorf("Describe of the other document, limited %v: %v", limited, err)
		}
		if _, _, err := ws.Describe(t.Context(), evidence.Place{Repo: "tx-zebudir", Path: "zebuname_tx.py"}); limited != (err != nil) {
			t.Errorf("Describe of the other file, limited %v: %v", limited, err)
		}
		if limited {
			if err := lib.Remove(t.Context(), s.ids[0]); !errors.Is(err, findspot.ErrNotFound) {
				t.Errorf("Remove of the other document: %v", err)
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		err = ws.Watch(ctx, func(u *findspot.RepoInfo) {
			cancel()
			if got := told(written(u), ""); limited && len(got) > 0 {
				t.Errorf("Watch tells of %v", got)
			}
		})
		if !errors.Is(err, context.Canceled) {
			t.Errorf("Watch = %v", err)
		}
		if !limited { // nothing of what was tried has changed the others
			ids, err := lib.CollectionDocs(t.Context(), "zebuname set")
			if err != nil || len(ids) != 2 {
				t.Errorf("the other collection is now %v, %v", ids, err)
			}
		}
		if err := ws.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestLimitsOfRepositories: the named roots count, wherever a path to them leads, and what is added while the workspace is open.
func TestLimitsOfRepositories(t *testing.T) {
	top := write(t, map[string]string{"outer/a.py": "def outer():\n    pass\n", "outer/inner/b.py": "def inner():\n    pass\n", "third/c.py": "def third():\n    pass\n"})
	link := filepath.Join(top, "link")
	if err := os.Symlink(filepath.Join(top, "outer"), link); err != nil {
		t.Skip("no links here:", err)
	}
	dir := t.TempDir()
	all := open(t, dir, nil)
	for _, r := range []string{"outer", "outer/inner", "third"} {
		if _, err := all.AddRepo(t.Context(), filepath.Join(top, filepath.FromSlash(r)), nil); err != nil {
			t.Fatal(err)
		}
	}
	if err := all.Close(); err != nil {
		t.Fatal(err)
	}
	t.Chdir(top)
	for _, only := range [][]string{{"third", "outer"}, {"outer", "third"}} {
		repos, err := open(t, dir, &findspot.Options{NoServers: true, OnlyRepos: only}).Repos()
		if err != nil || len(repos) != 2 || filepath.Base(repos[0].Root) != only[0] {
			t.Errorf("OnlyRepos %q: %+v, %v: they come in the order in which they are named", only, repos, err)
		}
	}
	for _, tt := range []struct{ only, want string }{
		{filepath.Join(top, "outer"), "outer"}, {link, "outer"}, {"outer", "outer"}, {"./third/../outer/", "outer"}, {"outer/inner", "inner"}, {".", ""}, {"nothing", ""},
	} {
		ws := open(t, dir, &findspot.Options{NoServers: true, OnlyRepos: []string{tt.only}})
		names := func() string {
			repos, err := ws.Repos()
			if err != nil {
				t.Fatal(err)
			}
			var out []string
			for _, r := range repos {
				out = append(out, filepath.Base(r.Root))
			}
			return strings.Join(out, " ")
		}
		if got := names(); got != tt.want {
			t.Errorf("OnlyRepos %q: %q, want %q", tt.only, got, tt.want)
		}
		if _, err := ws.AddRepo(t.Context(), "third", nil); err != nil {
			t.Fatal(err)
		}
		if got, want := names(), strings.TrimSpace(tt.want+" third"); got != want {
			t.Errorf("OnlyRepos %q: %q after third was added, want %q", tt.only, got, want)
		}
		if err := ws.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// TestIndexToolIsNotReadOnly: what can change something is never said only to read.
func TestIndexToolIsNotReadOnly(t *testing.T) {
	for _, roots := range [][]string{nil, {"."}} {
		for _, profile := range findspot.Profiles() {
			for _, tool := range findspot.DescribeTools(&findspot.ToolsOptions{Profile: profile, IndexRoots: roots, WriteDir: "out", Command: &findspot.CommandOptions{Dir: "."}}) {
				data, err := tool.Definition(skill.FormatMCP)
				if err != nil {
					t.Fatal(err)
				}
				changes := slices.Contains([]string{"index", "write_file", "run_command"}, tool.Name)
				if says := strings.Contains(string(data), `"readOnlyHint":true`); says == changes {
					t.Errorf("%s, %s, roots %v: readOnlyHint %v", profile, tool.Name, roots, says)
				}
			}
		}
	}
	offline := func(o *findspot.Options, name string) bool {
		for _, tool := range open(t, t.TempDir(), o).Tools(nil) {
			if tool.Name == name {
				return tool.Offline
			}
		}
		t.Fatalf("no tool %s", name)
		return false
	}
	for name, want := range map[string]bool{"search_internal": true, "references": false, "ask": false, "lsp_hover": false, "document_symbols": false} {
		if got := offline(&findspot.Options{}, name); got != want {
			t.Errorf("%s with language servers: Offline %v, want %v", name, got, want)
		}
		if !offline(&findspot.Options{NoServers: true}, name) {
			t.Errorf("%s without language servers is not Offline", name)
		}
	}
}
