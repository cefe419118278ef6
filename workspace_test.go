package findspot_test

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
)

const (
	papers   = "examples/testdata/papers"
	receiver = "examples/testdata/receiver"
	question = "how is the primary synchronization signal detected, and who calls detect_pss?"
)

func open(t *testing.T, dir string, o *findspot.Options) *findspot.Workspace {
	t.Helper()
	if o == nil {
		o = &findspot.Options{NoServers: true}
	}
	ws, err := findspot.Open(t.Context(), dir, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := ws.Close(); err != nil {
			t.Error(err)
		}
	})
	return ws
}

func addDocs(ctx context.Context, ws *findspot.Workspace, dir string) error {
	for _, err := range ws.AddDocs(ctx, dir) {
		var bad *docsearch.IngestError
		if err != nil && !errors.As(err, &bad) {
			return err
		}
	}
	return nil
}

// filled is a workspace with our own papers and receiver.
func filled(t *testing.T, o *findspot.Options) *findspot.Workspace {
	t.Helper()
	ws := open(t, t.TempDir(), o)
	if err := addDocs(t.Context(), ws, papers); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), receiver, nil); err != nil {
		t.Fatal(err)
	}
	return ws
}

// write makes a folder of files.
func write(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestAskGivesEvidenceThatCanBeChecked(t *testing.T) {
	ws := filled(t, nil)
	ans, err := ws.Ask(t.Context(), question, nil)
	if err != nil {
		t.Fatal(err)
	}
	kinds := map[string]int{}
	for i, it := range ans.Items {
		kinds[it.Kind]++
		if it.Key == "" || it.Text == "" || it.At.IsZero() {
			t.Errorf("item %d has no key, text or place: %+v", i, it)
		}
		if it.Kind == evidence.KindPassage {
			// What is quoted stands where the item says.
			if len(it.Matches) == 0 {
				t.Errorf("%s marks no match", it.Key)
				continue
			}
			quote := it.Text[it.Matches[0][0]:it.Matches[0][1]]
			if err := evidence.VerifyQuote(t.Context(), ws, it, quote); err != nil {
				t.Errorf("%s: %v", it.Key, err)
			}
			if err := evidence.VerifyQuote(t.Context(), ws, it, quote+" and a made-up tail"); err == nil {
				t.Errorf("%s: a made-up tail was verified", it.Key)
			}
		}
	}
	if kinds[evidence.KindPassage] < 3 || kinds[evidence.KindEntity] < 1 || kinds[evidence.KindCaller] < 3 {
		t.Errorf("kinds = %v, want passages, entities and callers", kinds)
	}
	if len(ans.Callers) != 1 || ans.Callers[0].Verdict != findspot.Found || ans.Callers[0].Tests != 5 {
		t.Errorf("callers = %+v, want found with 5 in test code", ans.Callers)
	}
	if _, err := ws.Ask(t.Context(), "  ", nil); err == nil {
		t.Error("an empty question was answered")
	}
}

func TestFiguresAndTablesAreEvidence(t *testing.T) {
	ws := filled(t, nil)
	for question, kind := range map[string]string{
		"what share is detected with five hypotheses at an SNR of -9 dB": evidence.KindTable,
		"which figure shows the correlation peak":                        evidence.KindFigure,
	} {
		ans, err := ws.Ask(t.Context(), question, nil)
		if err != nil {
			t.Fatal(err)
		}
		i := slices.IndexFunc(ans.Items, func(it evidence.Item) bool { return it.Kind == kind })
		if i < 0 {
			t.Errorf("%s: no %s in %s", question, kind, ans)
			continue
		}
		if it := ans.Items[i]; it.At.Page == 0 || it.Note == "" {
			t.Errorf("%s has no page, or neither a box nor a head: %+v", it.Key, it)
		}
		if kind == evidence.KindTable && (i > 0 || !strings.Contains(ans.String(), "SNR (dB) | Detected with |  | Identified with 5 hyp. | Frequency error\n     −9 | 0.95 | 1.00")) {
			t.Errorf("%s: the row does not come first, under its head:\n%s", question, ans)
		}
	}
}

// comparable leaves out what may differ between two runs that see the same.
var comparable = cmp.Options{
	cmpopts.IgnoreFields(findspot.CallersResult{}, "Checked"),
	cmpopts.IgnoreFields(findspot.AnswerSearched{}, "Freshness"),
}

func TestInterruptedRunsEndInTheSameAnswer(t *testing.T) {
	want, err := filled(t, nil).Ask(t.Context(), question, nil)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for n := 1; n < 40; n += 3 {
		ctx, cancel := context.WithCancel(t.Context())
		steps := 0
		ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true, Progress: func(findspot.Progress) {
			if steps++; steps == n {
				cancel()
			}
		}})
		if err != nil {
			t.Fatal(err)
		}
		err = addDocs(ctx, ws, papers)
		if err == nil {
			_, err = ws.AddRepo(ctx, receiver, nil)
		}
		if err != nil && !errors.Is(err, context.Canceled) {
			t.Errorf("interrupted at step %d: %v", n, err)
		}
		if err := ws.Close(); err != nil {
			t.Errorf("close after step %d: %v", n, err)
		}
		cancel()
	}
	ws := open(t, dir, nil)
	if err := addDocs(t.Context(), ws, papers); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), receiver, nil); err != nil {
		t.Fatal(err)
	}
	got, err := ws.Ask(t.Context(), question, nil)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got, comparable); diff != "" {
		t.Errorf("answer after interruptions (-want +got):\n%s", diff)
	}
}

func TestConcurrentUse(t *testing.T) {
	ws := filled(t, nil)
	want, err := ws.Ask(t.Context(), question, nil)
	if err != nil {
		t.Fatal(err)
	}
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			if i%4 == 3 {
				if err := addDocs(t.Context(), ws, papers); err != nil {
					t.Error(err)
				}
				if _, err := ws.AddRepo(t.Context(), receiver, nil); err != nil {
					t.Error(err)
				}
				return
			}
			got, err := ws.Ask(t.Context(), question, nil)
			if err != nil {
				t.Error(err)
				return
			}
			if diff := cmp.Diff(want, got, comparable); diff != "" {
				t.Errorf("answer (-want +got):\n%s", diff)
			}
		})
	}
	wg.Wait()
}

func TestOnlyTheNamedSources(t *testing.T) {
	dir := t.TempDir()
	one := write(t, map[string]string{"one.txt": "The correlator finds the preamble.\n", "one.py": "def correlate():\n    pass\n"})
	two := write(t, map[string]string{"two.txt": "The correlator of the other receiver.\n", "two.py": "def correlate():\n    pass\n"})
	for _, src := range []string{one, two} {
		ws, err := findspot.Open(t.Context(), dir, &findspot.Options{NoServers: true, OnlyDocs: []string{src}, OnlyRepos: []string{src}})
		if err != nil {
			t.Fatal(err)
		}
		if err := addDocs(t.Context(), ws, src); err != nil {
			t.Fatal(err)
		}
		if _, err := ws.AddRepo(t.Context(), src, nil); err != nil {
			t.Fatal(err)
		}
		ans, err := ws.Ask(t.Context(), "correlator, and who calls correlate?", nil)
		if err != nil {
			t.Fatal(err)
		}
		if ans.Searched.Documents != 1 || ans.Searched.Repositories != 1 || len(ans.Callers[0].Symbols) != 1 {
			t.Errorf("%s: searched %+v, symbols %v, want one source of each", src, ans.Searched, ans.Callers[0].Symbols)
		}
		if err := ws.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Without a limit both are there.
	ws := open(t, dir, nil)
	res, err := ws.SearchDocs(t.Context(), "correlator", nil)
	if err != nil || res.Total != 2 {
		t.Errorf("SearchDocs = %+v, %v, want both documents", res, err)
	}
	callers, err := ws.Callers(t.Context(), "correlate", nil)
	if err != nil || len(callers.Symbols) != 2 {
		t.Errorf("Callers = %+v, %v, want both symbols", callers, err)
	}
}

func TestNamedRepositories(t *testing.T) {
	ws := open(t, t.TempDir(), nil)
	for _, name := range []string{"left", "right"} {
		dir := write(t, map[string]string{"m.py": "def shared_name():\n    pass\n\n\ndef " + name + "_caller():\n    shared_name()\n"})
		if _, err := ws.AddRepo(t.Context(), dir, &findspot.RepoOptions{Name: name}); err != nil {
			t.Fatal(err)
		}
	}
	res, err := ws.Callers(t.Context(), "left//m.py:shared_name", nil)
	if err != nil || len(res.Callers) != 1 || res.Callers[0].Entity.ID != "left//m.py:left_caller" {
		t.Errorf("Callers in one repository = %+v, %v", res, err)
	}
	got, err := ws.Retrieve(t.Context(), []string{"right//m.py:right_caller", "left//m.py:left_caller"}, nil)
	if err != nil || len(got) != 2 || got[0].ID != "right//m.py:right_caller" || !strings.Contains(got[0].Text, "shared_name()") {
		t.Errorf("Retrieve = %+v, %v", got, err)
	}
	if _, err := ws.AddRepo(t.Context(), t.TempDir(), &findspot.RepoOptions{Name: "left"}); err == nil {
		t.Error("two repositories of one name were added")
	}
	if _, err := ws.AddRepo(t.Context(), t.TempDir(), &findspot.RepoOptions{Name: "a/b"}); err == nil {
		t.Error("a name with a slash was taken")
	}
}

func TestSecondProcessIsRefused(t *testing.T) {
	dir := t.TempDir()
	first := open(t, dir, nil)
	if err := addDocs(t.Context(), first, papers); err != nil {
		t.Fatal(err)
	}
	second := open(t, dir, nil)
	_, err := second.Docs(t.Context())
	var locked *findspot.LockedError
	if !errors.As(err, &locked) || locked.PID != os.Getpid() {
		t.Errorf("Docs of a second workspace = %v, want a LockedError with pid %d", err, os.Getpid())
	}
}

func TestSkillRefusesToWriteBeforeTheApproval(t *testing.T) {
	ws := filled(t, nil)
	out := t.TempDir()
	tools := ws.Tools(&findspot.ToolsOptions{WriteDir: out})
	var method *skill.Skill
	for _, s := range ws.Skills() {
		if s.Name == "synchronisation-signals" {
			method = s
		}
	}
	if method == nil {
		t.Fatal("there is no skill synchronisation-signals")
	}
	var record strings.Builder
	inputs := map[string]any{"task": "simulate the detection of synchronization signals at low SNR"}
	runner := runner.New(nil, tools, &runner.Options{Record: &record})
	outcome, err := runner.Run(t.Context(), method, inputs)
	if err != nil {
		t.Fatal(err)
	}
	if outcome.Status != skill.StatusStopped || outcome.At != "plan_ok" {
		t.Errorf("outcome = %s at %s: %s; want stopped at plan_ok", outcome.Status, outcome.At, outcome.Reason)
	}
	var refined bool
	for line := range strings.Lines(record.String()) {
		if !json.Valid([]byte(line)) {
			t.Errorf("record line is no JSON: %s", line)
		}
		refined = refined || strings.Contains(line, `"refine"`)
	}
	if !refined {
		t.Errorf("the run did not refine its queries: %+v", outcome.Steps)
	}

	run, err := runner.Start(t.Context(), method, inputs)
	if err != nil {
		t.Fatal(err)
	}
	args := json.RawMessage(`{"path": "sim.py", "text": "print(1)"}`)
	var denied *skill.DeniedError
	for _, tool := range run.Tools() {
		if tool.Name != "write_file" {
			continue
		}
		if _, err := tool.Call(t.Context(), args); !errors.As(err, &denied) {
			t.Errorf("write_file before the approval = %v, want a DeniedError", err)
		}
	}
	if _, err := run.Call(t.Context(), "write_file", args); !errors.As(err, &denied) {
		t.Errorf("Call(write_file) before the approval = %v, want a DeniedError", err)
	}
	if entries, err := os.ReadDir(out); err != nil || len(entries) != 0 {
		t.Errorf("files were written: %v, %v", entries, err)
	}
}

func TestToolsCheckTheirArguments(t *testing.T) {
	ws := filled(t, nil)
	out := t.TempDir()
	tools := map[string]skill.Tool{}
	for _, tool := range ws.Tools(&findspot.ToolsOptions{WriteDir: out}) {
		tools[tool.Name] = tool
		if !json.Valid(tool.Schema) || tool.Description == "" {
			t.Errorf("%s: schema %s, description %q", tool.Name, tool.Schema, tool.Description)
		}
	}
	for _, tt := range []struct{ tool, args, want string }{
		{"search_internal", `{"query": "synchronization signal block", "limit": 2}`, `[D1] "`},
		{"search_internal", `{}`, `error: search_internal: argument "query" is missing`},
		{"search_internal", `{"query": "x", "limt": 2}`, "error: search_internal: arguments: unknown field \"limt\"; it takes query (required), limit"},
		{"search_internal", `{"query": "x", "tiers": ["best"]}`, "error: search_internal: tier"},
		{"list_documents", ``, "3 documents"},
		{"read_abstract", `{"doc": "pss-detection.pdf"}`, "terminal"},
		{"read_section", `{"doc": "12.401"}`, "sections\n"},
		{"read_section", `{"doc": "12.401", "section": "99.9"}`, "error: document"},
		{"read_file", `{"doc": "12.401", "max_runes": 300}`, "cut: it goes on"},
		{"view_file", `{"doc": "12.401", "first": 1, "last": 2}`, "FS 12.401"},
		{"view_file", `{"doc": "12.401", "page": 99}`, "error: "},
		{"view_file", `{"path": "receiver/pss.py", "first": 1, "last": 3}`, "receiver/pss.py:1-3"},
		{"view_file", `{"path": "../findspot/main.go"}`, "error: "},
		{"view_file", `{}`, "error: view_file: give doc or path"},
		{"search_file", `{"doc": "12.401", "pattern": "RRC_[A-Z]+", "regexp": true}`, "RRC_CONNECTED"},
		{"search_entity", `{"query": "detect_pss", "kinds": ["function"]}`, "receiver/pss.py:detect_pss"},
		{"traverse_graph", `{"id": "receiver/pss.py:detect_pss", "direction": "callers"}`, "CellSearcher.search"},
		{"retrieve_entity", `{"id": "receiver/pss.py:detect_pss", "view": "fold"}`, "def detect_pss("},
		{"retrieve_entity", `{"id": "receiver/pss.py:detect_ps"}`, "error: "},
		{"references", `{"symbol": "detect_pss"}`, "found, 10 callers and uses (5 in test code), by graph"},
		{"search_text", `{"pattern": "FS 12\\.401", "regexp": true, "path": "*.py"}`, "lines match"},
		{"search_text", `{"pattern": "(", "regexp": true}`, "error: search text: pattern"},
		{"lsp_definition", `{"symbol": "detect_pss"}`, "error: language servers are disabled"},
		{"ask", `{"question": "who calls detect_pss?"}`, "CellSearcher.search"},
		{"write_file", `{"path": "a/b.txt", "text": "x"}`, "wrote 1 bytes"},
		{"write_file", `{"path": "../b.txt", "text": "x"}`, "error: write_file"},
		{"write_file", `{"path": "/tmp/findspot-b.txt", "text": "x"}`, "error: write_file"},
	} {
		tool, ok := tools[tt.tool]
		if !ok {
			t.Fatalf("there is no tool %s", tt.tool)
		}
		got := ""
		if res, err := tool.Call(t.Context(), json.RawMessage(tt.args)); err != nil {
			got = "error: " + err.Error()
		} else {
			got = res.Text
		}
		if !strings.Contains(got, tt.want) || strings.HasPrefix(got, "error: ") != strings.HasPrefix(tt.want, "error: ") {
			t.Errorf("%s %s = %s, want %q in it", tt.tool, tt.args, got, tt.want)
		}
	}
}

func TestWriteGuide(t *testing.T) {
	ws := open(t, t.TempDir(), &findspot.Options{Rules: "Run the linter."})
	path := filepath.Join(t.TempDir(), "AGENTS.md")
	own := "# Ours\n\nKeep this.\n"
	if err := os.WriteFile(path, []byte(own), 0o666); err != nil {
		t.Fatal(err)
	}
	for i, want := range []bool{true, false} {
		if changed, err := ws.WriteGuide(path); err != nil || changed != want {
			t.Fatalf("WriteGuide %d = %v, %v, want changed %v", i, changed, err, want)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{own, "search_internal", "before any web search", "who-calls", "Run the linter."} {
		if !strings.Contains(string(data), want) {
			t.Errorf("%s does not hold %q:\n%s", path, want, data)
		}
	}
	if err := os.WriteFile(path, []byte("<!-- findspot:begin -->\nno end\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.WriteGuide(path); !errors.Is(err, findspot.ErrFormat) {
		t.Errorf("WriteGuide on marks that do not pair = %v, want ErrFormat", err)
	}
}

// A folder that is not there is no reason to leave the others unsearched.
func TestMissingFolderIsLeftOut(t *testing.T) {
	src := write(t, map[string]string{"one.txt": "The correlator finds the preamble.\n"})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true, OnlyDocs: []string{filepath.Join(src, "nothing"), src}})
	if err := addDocs(t.Context(), ws, src); err != nil {
		t.Fatal(err)
	}
	ans, err := ws.Ask(t.Context(), "preamble", nil)
	if err != nil || len(ans.Items) != 1 {
		t.Errorf("Ask = %+v, %v, want the passage of one.txt", ans, err)
	}
}

// TestOwnSkillTakesThePlaceOfAShippedOne: of two skills of one name the user's is meant, everywhere.
func TestOwnSkillTakesThePlaceOfAShippedOne(t *testing.T) {
	body := func(name string) string {
		return "---\nname: " + name + "\ndescription: Mine. Use for callers of a symbol.\n---\nMine.\n"
	}
	dir := write(t, map[string]string{"who-calls/SKILL.md": body("who-calls"), "own/SKILL.md": body("own")})
	twice := write(t, map[string]string{"a/same/SKILL.md": body("same"), "b/same/SKILL.md": body("same")})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true, Skills: []fs.FS{os.DirFS(dir), os.DirFS(twice)}})
	count, mine := map[string]int{}, map[string]bool{}
	for _, s := range ws.Skills() {
		count[s.Name]++
		mine[s.Name] = strings.HasPrefix(s.Description, "Mine.")
	}
	if count["who-calls"] != 1 || !mine["who-calls"] || count["own"] != 1 || count["same"] != 1 || count["change-impact"] != 1 || mine["change-impact"] {
		t.Errorf("skills %v, of the user %v", count, mine)
	}
	errs := ws.SkillErrors()
	if len(errs) != 1 || !strings.Contains(errs[0].Error(), `skill "same"`) {
		t.Errorf("errors %v: the second skill of one name in one folder is left out, and said so", errs)
	}
}

func TestTemporaryRepositoriesGo(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	dir := t.TempDir()
	checkout := func(parent string) string {
		t.Helper()
		repo, err := os.MkdirTemp(parent, "checkout")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(repo, "rx.go"), []byte("package rx\n\nfunc Tune() {}\n"), 0o644); err != nil {
			t.Fatal(err)
		}
		return repo
	}
	add := func(repo string) {
		t.Helper()
		ws, err := findspot.Open(t.Context(), dir, nil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ws.AddRepo(t.Context(), repo, nil); err != nil {
			t.Fatal(err)
		}
		if err := ws.Close(); err != nil {
			t.Fatal(err)
		}
	}
	elsewhere := checkout(t.TempDir())
	stays, goes := checkout(""), checkout("")
	for _, r := range []string{elsewhere, stays, goes} {
		add(r)
	}
	for _, r := range []string{elsewhere, goes} {
		if err := os.RemoveAll(r); err != nil {
			t.Fatal(err)
		}
	}
	add(stays)
	ws, err := findspot.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	repos, err := ws.Repos()
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, r := range repos {
		got = append(got, filepath.Base(r.Root))
	}
	slices.Sort(got)
	want := []string{filepath.Base(elsewhere), filepath.Base(stays)}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("repositories %q, want %q: those elsewhere, and those that are there", got, want)
	}
}

// A question about something else than all there is says so, and shows only what is nearest.
func TestNothingNear(t *testing.T) {
	ws := filled(t, nil)
	ans, err := ws.Ask(t.Context(), "How many unicorns graze on the signal of the meadow behind the castle?", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(ans.Parts) != 1 || !ans.Parts[0].Nothing || len(ans.Parts[0].Keys) > 3 || !strings.Contains(ans.String(), "Nothing was found that answers this") {
		t.Errorf("%s", ans)
	}
}

// A workspace that stays open answers from the code as it is, as a fresh one does.
func TestAskSeesWhatChanged(t *testing.T) {
	dir := write(t, map[string]string{"tide.py": "def neap_tide():\n    return 7\n"})
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "moon.py"), []byte("def quarter_moon():\n    return 14\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	ans, err := ws.Ask(t.Context(), "how is quarter_moon computed?", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.ContainsFunc(ans.Items, func(it evidence.Item) bool { return it.At.Path == "moon.py" }) {
		t.Errorf("the answer is %v", ans.Items)
	}
}
