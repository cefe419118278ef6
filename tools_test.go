package findspot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

var hostTools = &findspot.ToolsOptions{WriteDir: "out", Command: &findspot.CommandOptions{Dir: "."}, MarkPDF: &findspot.MarkOptions{}}

// wanted are the names that the tools of the reference systems have.
var wanted = strings.Fields(`search_internal search_knowledge_base search_file view_file read_file read_abstract search_entity traverse_graph retrieve_entity locate
	lsp_definition lsp_references document_symbols references read search_text index list_documents show_document read_section ask verify_answer cite recheck_answer`)

func TestProfiles(t *testing.T) {
	size := func(tools []skill.Tool, format string) int {
		var b bytes.Buffer
		if err := skill.WriteDefinitions(&b, tools, format); err != nil {
			t.Fatal(err)
		}
		return b.Len()
	}
	name := regexp.MustCompile(`^[a-z0-9_]{1,64}$`)
	for _, profile := range append(findspot.Profiles(), "") {
		tools := findspot.DescribeTools(&findspot.ToolsOptions{Profile: profile})
		there := map[string]skill.Tool{}
		for _, tool := range tools {
			if _, twice := there[tool.Name]; twice {
				t.Errorf("%s: %s is there twice", profile, tool.Name)
			}
			there[tool.Name] = tool
			d := tool.Spec().Description
			if !name.MatchString(tool.Name) || d == "" || len(d) > 1024 || !json.Valid(tool.Schema) {
				t.Errorf("%s: %s: description of %d bytes, schema %s: providers take names of letters, digits and _, and descriptions of 1 to 1024 bytes", profile, tool.Name, len(d), tool.Schema)
			}
			if profile != findspot.ProfileCompact && tool.Guidance == "" {
				t.Errorf("%s has no guidance", tool.Name)
			}
			if tool.Writes {
				t.Errorf("%s: %s writes, and nobody allowed it", profile, tool.Name)
			}
		}
		for _, tool := range tools {
			if main, ok := there[tool.AliasOf]; tool.AliasOf != "" && (!ok || main.AliasOf != "") {
				t.Errorf("%s: %s is an alias of %s, which is no tool of its own", profile, tool.Name, tool.AliasOf)
			}
		}
		if profile == findspot.ProfileCompact {
			for _, format := range skill.ToolFormats() {
				if n := size(tools, format); len(tools) > 8 || n > 10_000 {
					t.Errorf("compact, %s: %d tools in %d bytes, want at most 8 in 10,000", format, len(tools), n)
				}
			}
			continue
		}
		for _, w := range wanted {
			if _, ok := there[w]; !ok {
				t.Errorf("profile %q: no tool %s", profile, w)
			}
		}
	}
	if got := there(findspot.DescribeTools(hostTools)); !slices.Contains(got, "write_file") || !slices.Contains(got, "run_command") || !slices.Contains(got, "mark_pdf") {
		t.Errorf("host tools that were allowed are not there: %v", got)
	}
	if _, err := findspot.DescribeTools(nil)[0].Call(t.Context(), nil); !errors.Is(err, findspot.ErrUnsupported) {
		t.Errorf("a tool that is only described answers %v", err)
	}
}

func there(tools []skill.Tool) []string {
	var out []string
	for _, t := range tools {
		out = append(out, t.Name)
	}
	return out
}

// TestToolDefinitions keeps what providers are told, and the page about it.
func TestToolDefinitions(t *testing.T) {
	for _, tt := range []struct{ profile, format string }{
		{findspot.ProfileFull, skill.FormatAnthropic}, {findspot.ProfileFull, skill.FormatOpenAI}, {findspot.ProfileFull, skill.FormatMCP},
		{findspot.ProfileCompact, skill.FormatAnthropic}, {findspot.ProfileAliases, skill.FormatMCP},
	} {
		var b bytes.Buffer
		if err := skill.WriteDefinitions(&b, findspot.DescribeTools(&findspot.ToolsOptions{Profile: tt.profile}), tt.format); err != nil {
			t.Fatal(err)
		}
		golden.Compare(t, filepath.Join("testdata", "tools", tt.profile+"-"+tt.format+".json"), b.Bytes())
	}
	b := bytes.NewBufferString(toolsPage)
	if err := skill.WriteDefinitions(b, findspot.DescribeTools(hostTools), skill.FormatMarkdown); err != nil {
		t.Fatal(err)
	}
	b.WriteString("# Names of other systems\n\nWith the profile `aliases`. Guards, allowed-tools and counts mean all names of a tool.\n\n")
	var others []skill.Tool
	for _, tool := range findspot.DescribeTools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases}) {
		if tool.AliasOf != "" && tool.Name != "search_knowledge_base" {
			others = append(others, tool)
		}
	}
	if err := skill.WriteDefinitions(b, others, skill.FormatMarkdown); err != nil {
		t.Fatal(err)
	}
	golden.Compare(t, filepath.Join("docs", "tools.md"), append(bytes.TrimRight(b.Bytes(), "\n"), '\n'))
}

const toolsPage = `# Tools for agents

*Written by a test from the definitions themselves (` + "`go test . -run TestToolDefinitions -update`" + `); ` + "`findspot tools`" + ` prints them.*

` + "`Workspace.Tools`" + ` gives these to a program, ` + "`findspot mcp`" + ` to clients of the Model Context Protocol, ` + "`findspot serve`" + ` to both and to HTTP clients, and the adapters of
package skill to models, all from one function (` + "`skill.Tool.Spec`" + `).

There are three profiles: **full** (below), **compact** (search_internal, search_entity, traverse_graph, references, lsp_definition, search_text, read and
index, with fewer arguments: less than 10,000 bytes in any form) and **aliases** (full, and the names at the end of this page).
write_file and run_command are available if the host opts in (` + "`ToolsOptions.WriteDir`, `Command`" + `), in every profile, and so is mark_pdf (` + "`MarkPDF`" + `) in the profiles full and aliases; skills deny tools
that write until a person has approved something.

- **Arguments** are checked: an error names what is wrong, what the tool takes, and similar names. A single value is accepted for a list, a quoted number
  for a number, and the argument names of other systems for ours (start_entities, entity_names, paper_id, relative_path, ...).
- **Answers** have a token budget, estimated at 4 bytes per token: 1,000 for searches and lists, 1,500 for ask, 8,000 for text to read, or the value of the argument
  ` + "`tokens`" + `, from 100 to 16,000. The best items come first; what is left out is counted, with the cursor, the argument or the call that returns it. A document or file is named
  at its first item, and later items refer to that one ("as [D1] p. 3, l. 12"). What all items share appears once, in the head. The kinds passage, entity and line, and the level exact,
  are not printed.
- **The structured form** (` + "`skill.Result.Structured`" + `, what MCP clients get as structured content) contains the same as the text, in no more bytes: ` + "`head`, `items`" + ` (by key: the place in the
  first line, "C1:run l. 5" in the file of C1, and the text below), ` + "`text` of lists and trees, `cut` and `verdict`. Workflows see everything that was found, in `Items` and `Data`" + `.
- **Keys** (D1, C1) stand for places; answers cite them. Every reading tool accepts what a search returns, unchanged. Lines count from 1.
- **Fresh**: the code tools see every edit made before the call. Documents are as they were added; answers say if their files have changed since.
- **Providers**: names consist of letters, digits and _; descriptions have at most 1,024 bytes; schemas are plain objects. Optional arguments stay optional,
  so strict modes, which make every argument required, are off.

`

func byName(tools []skill.Tool) map[string]skill.Tool {
	out := map[string]skill.Tool{}
	for _, t := range tools {
		out[t.Name] = t
	}
	return out
}

// say calls a tool and returns its text, or "error: " and the error.
func say(ctx context.Context, t skill.Tool, args string) string {
	res, err := t.Call(ctx, json.RawMessage(args))
	if err != nil {
		return "error: " + err.Error()
	}
	return res.Text
}

// TestToolArguments calls tools as models and other systems do.
func TestToolArguments(t *testing.T) {
	ws := filled(t, nil)
	tools := byName(ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases}))
	for _, tt := range []struct{ tool, args, want string }{
		// names of other systems
		{"search_knowledge_base", `{"query": "synchronization signal block"}`, `[D1] "`},
		{"search_all_files", `{"query": "noise floor|carrier raster"}`, "noise floor"},
		{"paper_search", `{"query": "detection", "min_year": 1990}`, "documents match"},
		{"gather_evidence", `{"question": "who calls detect_pss?"}`, "CellSearcher.search"},
		{"search_code_snippets", `{"search_terms": ["detect_pss", "CellSearcher"]}`, "receiver/cell_search.py:CellSearcher"},
		{"search_code_snippets", `{"line_nums": [70], "file_path_or_pattern": "receiver/pss.py"}`, "receiver/pss.py:detect_pss"},
		{"search_code_snippets", `{"line_nums": [70]}`, "error: search_code_snippets: search_entity: argument \"query\" is missing"},
		{"search_code_snippets", `{"search_terms": ["detect"], "file_path_or_pattern": "goreceiver/**"}`, "goreceiver/pss/detect.go"},
		{"explore_tree_structure", `{"start_entities": ["receiver/pss.py:detect_pss"], "direction": "upstream", "traversal_depth": 1, "entity_type_filter": ["function"], "dependency_type_filter": ["invokes"]}`, "CellSearcher.search"},
		{"explore_tree_structure", `{"start_entities": ["/"], "traversal_depth": 2, "dependency_type_filter": ["contains"]}`, "receiver/pss.py"},
		{"explore_tree_structure", `{"start_entities": ["receiver/cell_search.py:CellSearcher.search"], "direction": "downstream", "dependency_type_filter": ["invokes"]}`, "detect_pss"},
		{"get_entity_contents", `{"entity_names": ["receiver/pss.py:detect_pss"]}`, "def detect_pss("},
		{"locate", `{"problem_statement": "detect_pss reports noise as a cell", "kinds": "function", "limit": 3}`, "receiver/pss.py:detect_pss l. 67-93 (score 0."},
		{"locate", `{"issue": "detect_pss reports noise as a cell", "relative_path": "goreceiver"}`, "goreceiver/pss/detect.go"},
		{"locate", `{"report": "detect_pss reports noise as a cell", "limit": 1}`, "(cut: there are more places; ask again with skip 1, or with paths or kinds)"},
		{"locate", `{"query": "zzyzx"}`, "0 places in 0 files, best first; the text leads to 0 files"},
		{"find_symbol", `{"name_path_pattern": "CellSearcher/search", "include_body": true}`, "pss.detect_pss(samples"},
		{"find_symbol", `{"name_path_pattern": "detect_pss", "relative_path": "receiver"}`, "receiver/pss.py:detect_pss"},
		{"find_referencing_symbols", `{"name_path": "CellSearcher/search", "relative_path": "receiver/cell_search.py"}`, "found"},
		{"get_symbols_overview", `{"relative_path": "receiver/pss.py"}`, "function detect_pss 67-93"},
		{"search_for_pattern", `{"substring_pattern": "FS 12\\.\\d+", "paths_include_glob": "*.py"}`, "lines match"},
		{"search_for_pattern", `{"substring_pattern": "x", "paths_exclude_glob": "*.py"}`, `unknown field "paths_exclude_glob"`},
		{"view_file", `{"paper_id": "12.401", "range_start": 0, "range_end": 2}`, "l. 1-2"},
		{"view_file", `{"file": "receiver/pss.py", "start": 67, "end": 69}`, "receiver/pss.py:67-69"},
		{"view_file", `{"file": "12.401", "view_range": [3, 4]}`, "l. 3-4"},
		{"view_file", `{"doc": "12.401", "section": "5.2.2", "max_lines": 3}`, "Correlation"},
		{"read_file", `{"file": "receiver/pss.py"}`, "receiver/pss.py:1-"},
		{"search_file", `{"paper_id": "12.401", "query": "rrc_connected|nothing"}`, "RRC_CONNECTED"},
		{"search_file", `{"file": "receiver/pss.py", "query": "def detect"}`, "receiver/pss.py:67"},
		{"search_internal", `{"query": "What is the threshold of the correlation?"}`, "by what answers the question"},
		{"search_internal", `{"query": "What is the threshold of the correlation?", "tiers": "all"}`, "each: all"},
		// as models write arguments
		{"search_internal", `{"query": "noise", "limit": "2", "tiers": "any", "doc": null}`, "documents match"},
		{"search_internal", `{"query": "noise", "doc": 12.401}`, "1 of 1 documents"},
		{"traverse_graph", `{"ids": "receiver/pss.py:detect_pss", "direction": "callers"}`, "CellSearcher.search"},
		{"search_entity", `{"query": "detect_pss", "tests": "True"}`, "tests/"},
		// what is wrong
		{"search_internal", `{"query": "x", "limit": "many"}`, `error: search_internal: limit: it is a whole number, not "many"`},
		{"search_internal", `{"query": "x", "limit": 1.5}`, "it is a whole number"},
		{"search_internal", `{"query": "x", "strict": "maybe"}`, "strict: it is true or false"},
		{"search_internal", `{"query": {"text": "x"}}`, "query: it is a text"},
		{"search_internal", `{"query": "x", "tiers": ["phrases"]}`, `there are phrase, all, any; did you mean "phrase"?`},
		{"search_internal", `{"query": "x", "q": "y"}`, `"q" and "query" are one argument`},
		{"search_internal", `[1]`, "the arguments are not a JSON object"},
		{"search_internal", `{"query": "x", "docs": "y"}`, `unknown field "docs"; it takes query (required)`},
		{"search_internal", `{"query": "x", "docs": "y"}`, `did you mean "doc"?`},
		{"search_internal", `{"query": "x", "doc": "no such document"}`, "list_documents"},
		{"traverse_graph", `{}`, `argument "ids" is missing`},
		{"locate", `{}`, `error: locate: argument "text" is missing`},
		{"locate", `{"text": " \n"}`, "error: locate: the text is empty"},
		{"locate", `{"text": "x", "kinds": ["method"]}`, "there are file, class, function"},
		{"locate", `{"text": "x", "paths": ["["]}`, "path pattern"},
		{"traverse_graph", `{"ids": ["receiver/pss.py:detect_ps"]}`, "receiver/pss.py:detect_pss"},
		{"retrieve_entity", `{}`, `argument "id" or "ids" is missing`},
		{"references", `{"symbol": "detect_pssx"}`, "near names: receiver/pss.py:detect_pss"},
		{"search_file", `{"doc": "12.401"}`, `argument "pattern" is missing`},
		{"view_file", `{"doc": "12.401", "first": 9, "last": 3}`, "last (3) is before first (9)"},
		{"view_file", `{"path": "receiver/pss.py", "page": 2}`, "page and section are of documents"},
		{"read", `{"first": 3}`, "of what?"},
		{"read", `{"path": "a", "doc": "b"}`, "one of them"},
	} {
		if got := say(t.Context(), tools[tt.tool], tt.args); !strings.Contains(got, tt.want) {
			t.Errorf("%s %s = %s\nwant %q in it", tt.tool, tt.args, got, tt.want)
		}
	}
}

// TestRead reads what the last find named, in each run its own.
func TestRead(t *testing.T) {
	ws := filled(t, nil)
	tools := byName(ws.Tools(nil))
	var a, b skill.Scope
	one, two := skill.WithScope(t.Context(), &a), skill.WithScope(t.Context(), &b)
	if got := say(one, tools["read"], `{}`); !strings.Contains(got, "error: read: nothing was found in this run") {
		t.Errorf("read before any find = %s", got)
	}
	say(one, tools["references"], `{"symbol": "detect_pss"}`)
	say(two, tools["search_text"], `{"pattern": "RRC_CONNECTED", "path": "*.py"}`)
	res, err := tools["read"].Call(one, nil)
	if err != nil {
		t.Fatal(err)
	}
	var whole, tests int
	for _, it := range res.Items {
		if it.At.Entity == "receiver/cell_search.py:CellSearcher.search" && strings.Contains(it.Text, "pss.detect_pss(samples") && strings.HasPrefix(strings.TrimSpace(it.Text), "def search(") {
			whole++
		}
		if strings.HasPrefix(it.At.Path, "tests/") {
			tests++
		}
	}
	if whole != 1 || tests == 0 {
		t.Errorf("read after references: the caller's code %d times, tests %d, in %s", whole, tests, res.Text)
	}
	if got := say(two, tools["read"], `{}`); strings.Contains(got, "references(") {
		t.Errorf("one run reads what another found: %s", got)
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"search_entity", `{"query": "false_alarm_rate"}`, "def false_alarm_rate("},
		{"search_text", `{"pattern": "THRESHOLD ="}`, "THRESHOLD ="},
		{"search_file", `{"doc": "12.401", "pattern": "RRC_CONNECTED"}`, "RRC_CONNECTED"},
		{"search_internal", `{"query": "primary synchronization signal"}`, "rimary"},
		{"search_text", `{"pattern": "nothing holds this"}`, "error: read: the last find, search_text(\"nothing holds this\"), named no file"},
	} {
		say(one, tools[tt.tool], tt.args)
		if got := say(one, tools["read"], `{}`); !strings.Contains(got, tt.want) {
			t.Errorf("read after %s %s = %s\nwant %q in it", tt.tool, tt.args, got, tt.want)
		}
	}
	for _, tt := range []struct{ args, want string }{
		{`{"path": "receiver/pss.py", "first": 67, "last": 68}`, "def detect_pss("},
		{`{"file_path": "receiver/pss.py", "lines": [67, 68]}`, "receiver/pss.py:67-68"},
		{`{"entity": "receiver/pss.py:detect_pss"}`, "def detect_pss("},
		{`{"doc": "12.401", "section": "5.2.2"}`, "Correlation"},
		{`{"doc": "12.401", "page": 2}`, "p. 2"},
		{`{"file": "12.401"}`, "FS 12.401"},
	} {
		if got := say(one, tools["read"], tt.args); !strings.Contains(got, tt.want) {
			t.Errorf("read %s = %s\nwant %q in it", tt.args, got, tt.want)
		}
	}
	var wg sync.WaitGroup // finds and reads at once, in scopes of their own and in the common one
	for i := range 8 {
		wg.Go(func() {
			ctx := t.Context()
			if i%2 == 0 {
				ctx = skill.WithScope(ctx, &skill.Scope{})
			}
			for range 5 {
				say(ctx, tools["search_entity"], `{"query": "detect_pss"}`)
				if got := say(ctx, tools["read"], `{}`); strings.HasPrefix(got, "error") {
					t.Error(got)
				}
			}
		})
	}
	wg.Wait()
}

// TestReadGoesOn reads more places than one answer holds, each once.
func TestReadGoesOn(t *testing.T) {
	files := map[string]string{"lib.py": "def target():\n    pass\n"}
	for i := range 60 {
		files[fmt.Sprintf("m%02d.py", i)] = "from lib import target\n\n\n" + fmt.Sprintf("def caller%d():\n", i) + strings.Repeat("    # a line of some length that says nothing at all\n", 30) + "    target()\n"
	}
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.AddRepo(t.Context(), write(t, files), nil); err != nil {
		t.Fatal(err)
	}
	tools := byName(ws.Tools(nil))
	refs, err := tools["references"].Call(t.Context(), json.RawMessage(`{"symbol": "target"}`))
	if err != nil {
		t.Fatal(err)
	}
	if len(refs.Items) < 60 {
		t.Fatalf("%d items: a result must hold all callers", len(refs.Items))
	}
	seen := map[string]int{}
	for range 20 {
		res, err := tools["read"].Call(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Text) > 60_000 {
			t.Fatalf("an answer of %d bytes", len(res.Text))
		}
		for _, it := range res.Items {
			if strings.Contains(it.Text, "target()\n") && it.At.Path != "lib.py" {
				seen[it.At.Path]++
			}
		}
		if res.Cut == "" {
			break
		}
		if !strings.Contains(res.Text, res.Cut) || !strings.Contains(res.Cut, "call read again") {
			t.Fatalf("cut %q is not said in the text, or no way to go on", res.Cut)
		}
	}
	if len(seen) != 60 {
		t.Errorf("%d of 60 callers were read", len(seen))
	}
	for p, n := range seen {
		if n != 1 {
			t.Errorf("%s was read %d times", p, n)
		}
	}
	// Long lists say what is left and how to get it.
	list, err := tools["search_text"].Call(t.Context(), json.RawMessage(`{"pattern": "a line of some length", "limit": 500}`))
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`ask again with skip (\d+)`).FindStringSubmatch(list.Cut)
	if m == nil || len(list.Text) > 20_000 || len(list.Items) != 500 {
		t.Fatalf("cut %q, %d bytes, %d items", list.Cut, len(list.Text), len(list.Items))
	}
	next, err := tools["search_text"].Call(t.Context(), json.RawMessage(`{"pattern": "a line of some length", "limit": 500, "skip": `+m[1]+`}`))
	if err != nil {
		t.Fatal(err)
	}
	shown := strings.Count(list.Text, "\n[C")
	if diff := cmp.Diff(list.Items[shown].At, next.Items[0].At); diff != "" {
		t.Errorf("the next answer does not begin behind the first (-want +got):\n%s", diff)
	}
}

func TestIndexTool(t *testing.T) {
	allowed, elsewhere := t.TempDir(), t.TempDir()
	put := func(dir, name, text string) {
		t.Helper()
		p := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o666)); err != nil {
			t.Fatal(err)
		}
	}
	put(allowed, "notes/a.md", "# Notes\n\nThe raster has a step of fifteen.\n")
	put(allowed, "code/go.mod", "module x\n")
	put(allowed, "code/x.go", "package x\n\nfunc Raster() {}\n")
	put(elsewhere, "secret.md", "# Secret\n\nThe password is swordfish.\n")
	if err := os.Symlink(elsewhere, filepath.Join(allowed, "link")); err != nil {
		t.Fatal(err)
	}
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	tools := byName(ws.Tools(&findspot.ToolsOptions{IndexRoots: []string{allowed}}))
	index := tools["index"]
	for _, tt := range []struct{ args, want string }{
		{`{}`, "0 documents"},
		{`{"paths": ["notes", "code"]}`, "added"},
		{`{}`, "a.md"},
		{`{"paths": "notes"}`, "1 documents"},
		{`{"paths": ["` + filepath.ToSlash(elsewhere) + `"]}`, "error: index: "},
		{`{"paths": ["../"]}`, "outside of the folders that the host allows"},
		{`{"paths": ["link"]}`, "outside of the folders that the host allows"},
		{`{"paths": ["link/secret.md"]}`, "outside of the folders that the host allows"},
		{`{"paths": ["notes/../../` + filepath.Base(elsewhere) + `"]}`, "outside of the folders that the host allows"},
		{`{"paths": ["nots"]}`, "error: index: nots: not found"},
		{`{"paths": [""]}`, "an empty path"},
		{`{"paths": ["code/x.go"], "as": "repository"}`, "is a file"},
		{`{"paths": ["notes"], "as": "folder"}`, "there are documents, repository"},
	} {
		if got := say(t.Context(), index, tt.args); !strings.Contains(got, tt.want) {
			t.Errorf("index %s = %s\nwant %q in it", tt.args, got, tt.want)
		}
	}
	if got := say(t.Context(), tools["search_internal"], `{"query": "swordfish"}`); !strings.Contains(got, "0 of 0 documents") {
		t.Errorf("what lies outside was indexed: %s", got)
	}
	if got := say(t.Context(), tools["search_entity"], `{"query": "Raster"}`); !strings.Contains(got, "x.go:Raster") {
		t.Errorf("the repository is not searched: %s", got)
	}
	put(allowed, "code/y.go", "package x\n\nfunc Later() {}\n")
	if got := say(t.Context(), index, `{"refresh": true}`); !strings.Contains(got, "1 files added") {
		t.Errorf("refresh = %s", got)
	}
	put(allowed, "notes/a.md", "# Notes\n\nThe raster has a step of thirty, or more.\n")
	if got := say(t.Context(), index, `{"refresh": true}`); !strings.Contains(got, "1 documents changed on disk") {
		t.Errorf("refresh after an edit = %s", got)
	}
	if got := say(t.Context(), index, `{"paths": ["notes"]}`); !strings.Contains(got, "updated") && !strings.Contains(got, "replaced") {
		t.Errorf("index of what changed = %s", got)
	}
	if got := say(t.Context(), byName(ws.Tools(nil))["index"], `{"paths": ["notes"]}`); !strings.Contains(got, "the host allows no folder") {
		t.Errorf("without roots = %s", got)
	}
}

// TestLocateTool keeps what it finds under keys that stay the same, and read shows it.
func TestLocateTool(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	files := map[string]string{"gain.py": "\"\"\"Gain.\"\"\"\n\n\ndef unrelated():\n    return 0\n\n\ndef set_gain(level):\n    \"\"\"Set the gain of the mixer.\"\"\"\n    return level * 2\n"}
	for i := range 120 {
		files[fmt.Sprintf("user%03d.py", i)] = fmt.Sprintf("from gain import set_gain\n\n\ndef tune%d():\n    return set_gain(%d)  # the gain of the mixer\n", i, i)
	}
	if _, err := ws.AddRepo(t.Context(), write(t, files), nil); err != nil {
		t.Fatal(err)
	}
	tools := byName(ws.Tools(nil))
	const report = `{"text": "set_gain doubles the gain of the mixer\n\nIt should not."`
	first, err := tools["locate"].Call(t.Context(), json.RawMessage(report+`, "limit": 200}`))
	if err != nil {
		t.Fatal(err)
	}
	if n := len(first.Items); n < 200 || first.Items[0].At.Path != "gain.py" || first.Items[0].Key != "C1" || first.Items[0].Score <= first.Items[n-1].Score {
		t.Fatalf("%d items, the first %+v: want 200 places, gain.py first", n, first.Items[0])
	}
	if first.Cut == "" || len(first.Text) > 20_000 || !strings.Contains(first.Text, first.Cut) {
		t.Errorf("a long list is cut and says so; cut %q, %d bytes", first.Cut, len(first.Text))
	}
	at := slices.IndexFunc(first.Items, func(it evidence.Item) bool { return it.At.Entity == "gain.py:set_gain" })
	if at < 0 {
		t.Fatal("set_gain is not found")
	}
	if it := first.Items[at]; it.At.Line != 8 || it.At.EndLine != 10 || !strings.Contains(it.Text, "def set_gain(level)") || !strings.Contains(it.Note, "set_gain") || !strings.Contains(it.Note, "lines ") {
		t.Errorf("item %+v, want place, signature, reasons and lines", it)
	}
	if s := first.Searched; len(s) != 1 || s[0].Tool != "locate" || s[0].Query != "set_gain doubles the gain of the mixer" || s[0].Full || s[0].Total != 121 {
		t.Errorf("searched %+v: a ranking is no proof that there is nothing else", s)
	}
	spots, ok := first.Data.([]codegraph.Spot)
	if !ok || len(spots) != len(first.Items) || spots[at].ID != "gain.py:set_gain" {
		t.Errorf("data %T: want the spots for workflows", first.Data)
	}
	second, err := tools["locate"].Call(t.Context(), json.RawMessage(report+`, "limit": 2, "skip": 1}`))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(first.Items[1:3], second.Items); diff != "" {
		t.Errorf("skip does not go on, or keys change (-first +second):\n%s", diff)
	}
	say(t.Context(), tools["locate"], report+`, "kinds": "file", "limit": 1}`)
	if got := say(t.Context(), tools["read"], `{}`); !strings.Contains(got, "return level * 2") || !strings.Contains(got, `locate("set_gain doubles`) {
		t.Errorf("read after locate = %s\nwant the function that the file was found by", got)
	}
}
