package main

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/internal/fakels"
)

// checkOutput checks what a command printed in a form of output: that form, or that there is none.
func checkOutput(t *testing.T, c *cobra.Command, form string, got called) {
	t.Helper()
	name, completion := c.CommandPath(), c.Parent().Name() == "completion"
	forms := c.Annotations[formsKey]
	if completion {
		forms = outputText
	}
	if forms != "" && !slices.Contains(strings.Split(forms, " or "), form) {
		if got.Status != exitUsage || got.Stdout != "" || strings.Count(got.Stderr, "\n") != 1 || !strings.Contains(got.Stderr, "not --output "+form) {
			t.Errorf("%s, %s: status %d, stdout %.40q, stderr %q, want status 2 and why", name, form, got.Status, got.Stdout, got.Stderr)
		}
		return
	}
	if got.Status == exitUsage || got.Stdout == "" && form != outputText {
		t.Errorf("%s, %s: status %d, %s", name, form, got.Status, got.Stderr)
	}
	if why := wrongForm(form, got.Stdout); why != "" && !completion {
		t.Errorf("%s, %s: %s:\n%.600s", name, form, why, got.Stdout)
	}
}

// exampleServers returns a file with a language server for tests, which is not of the project. Of what is installed it leaves few programs on PATH: whoever lists
// the servers starts each to hear its version, which takes seconds for all.
func exampleServers(t *testing.T) string {
	t.Helper()
	few := t.TempDir()
	for _, name := range []string{"findspot", "git", "tesseract", "gopls"} {
		if path, err := exec.LookPath(name); err == nil {
			if err := os.Symlink(path, filepath.Join(few, filepath.Base(path))); err != nil {
				t.Fatal(err)
			}
		}
	}
	t.Setenv("PATH", few)
	servers, pids := fakels.Entries(t, fakels.Server{Name: "fakeservers", Language: "python", Ext: ".py"})
	t.Cleanup(func() { fakels.WaitGone(t, pids) })
	file := filepath.Join(t.TempDir(), "servers.yaml")
	if err := os.WriteFile(file, []byte(servers), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// exampleCommand is how a command of the program is run in tests.
type exampleCommand struct {
	args   []string // "*" stands for a name of what is made, another one each time
	before []string // run first
}

// withPacks makes the packs of commandTable, one of which is installed.
var withPacks = [][]string{{"skill", "new", "packed", "--in", "packs"}, {"skill", "new", "another", "--in", "more"}, {"skill", "pack", "add", "packs"}}

// commandTable has every command that prints something, with the paths of the papers and of the code of the examples, a file of language servers, and the address of
// an embedding server.
func commandTable(papers, receiver, file, embed string) map[string]exampleCommand {
	one := filepath.Join(papers, "sync-raster.pdf")
	lsp := []string{"--repo", receiver, "--servers", file}
	return map[string]exampleCommand{
		"ask":                    {args: []string{"how is the PSS detected, and who calls detect_pss?", "--no-servers"}},
		"cite":                   {args: []string{"The PSS takes one of three forms.", "--limit", "1"}},
		"run":                    {args: []string{"callers", "symbol=detect_pss", "--no-servers"}},
		"verify":                 {args: []string{"answer.json"}},
		"docs add":               {args: []string{one}},
		"docs embed":             {args: []string{"--embed-url", embed, "--embed-model", "m"}},
		"code embed":             {args: []string{"--embed-url", embed, "--embed-model", "m", "--repo", receiver}},
		"embed setup":            {args: []string{"gte-small"}},
		"docs list":              {},
		"docs search":            {args: []string{"synchronization signal"}},
		"docs find":              {args: []string{"pss-detection.pdf", "signal"}},
		"docs read":              {args: []string{"pss-detection.pdf", "--max", "300"}},
		"docs view":              {args: []string{"pss-detection.pdf", "20-30"}},
		"docs page":              {args: []string{"pss-detection.pdf", "2"}},
		"docs abstract":          {args: []string{"pss-detection.pdf"}},
		"docs sections":          {args: []string{"pss-detection.pdf"}},
		"docs remove":            {args: []string{"sync-raster.pdf"}, before: []string{"docs", "add", one}},
		"docs show":              {args: []string{"pss-detection.pdf"}},
		"docs collection list":   {},
		"docs collection add":    {args: []string{"final", "pss-detection.pdf"}},
		"docs collection remove": {args: []string{"final", "pss-detection.pdf"}, before: []string{"docs", "collection", "add", "final", "pss-detection.pdf"}},
		"docs collection rename": {args: []string{"final", "last"}, before: []string{"docs", "collection", "add", "final", "pss-detection.pdf"}},
		"docs fresh":             {},
		"docs check":             {},
		"docs backup":            {args: []string{"*"}},
		"code index":             {args: []string{receiver}},
		"code locate":            {args: []string{"the noise floor is wrong", "--why"}},
		"code search":            {args: []string{"detect_pss"}},
		"code show":              {args: []string{"detect_pss"}},
		"code grep":              {args: []string{"threshold"}},
		"code traverse":          {args: []string{"detect_pss", "--direction", "both"}},
		"code retrieve":          {args: []string{"receiver/pss.py:detect_pss"}},
		"code callers":           {args: []string{"detect_pss", "--no-servers"}},
		"code edges":             {args: []string{"--repo", receiver}},
		"code watch":             {args: []string{"--repo", receiver}},
		"lsp callers":            {args: append([]string{"detect_pss"}, lsp...)},
		"lsp calls":              {args: append([]string{"detect_pss"}, lsp...)},
		"lsp definition":         {args: append([]string{"detect_pss"}, lsp...)},
		"lsp diagnostics":        {args: append([]string{"receiver/pss.py"}, lsp...)},
		"lsp find":               {args: append([]string{"detect"}, lsp...)},
		"lsp hover":              {args: append([]string{"detect_pss"}, lsp...)},
		"lsp implementation":     {args: append([]string{"detect_pss"}, lsp...)},
		"lsp references":         {args: append([]string{"detect_pss"}, lsp...)},
		"lsp rename":             {args: append([]string{"detect_pss", "find_it"}, lsp...)},
		"lsp servers":            {args: []string{"--servers", file}},
		"lsp symbols":            {args: append([]string{"receiver/pss.py"}, lsp...)},
		"lsp type-definition":    {args: append([]string{"detect_pss"}, lsp...)},
		"pdf":                    {args: []string{one}},
		"pdf mark":               {args: []string{one, "--find", "raster", "-o", "*"}},
		"runs export":            {args: []string{"run.jsonl", "--format", "jsonl", "--to", "*"}},
		"runs score":             {args: []string{"gold.jsonl", "run.jsonl"}},
		"runs view":              {args: []string{"run.jsonl"}},
		"skill diff":             {args: []string{"run.jsonl", "run.jsonl"}},
		"skill export":           {args: []string{"reproduce-algorithm", "--to", "claude"}},
		"skill pack add":         {args: []string{"packs"}, before: []string{"skill", "pack", "remove", "packs"}},
		"skill pack list":        {},
		"skill pack update":      {args: []string{"packs"}},
		"skill pack remove":      {args: []string{"more"}, before: []string{"skill", "pack", "add", "more"}},
		"skill pack verify":      {},
		"skill lint":             {args: []string{"who-calls"}},
		"skill list":             {},
		"skill new":              {args: []string{"*"}},
		"skill run":              {args: []string{"who-calls", "--input", "symbol=detect_pss", "--no-servers"}},
		"skill schema":           {},
		"skill select":           {args: []string{"who calls detect_pss"}},
		"skill show":             {args: []string{"who-calls"}},
		"skill test":             {args: []string{"who-calls"}},
		"skill why":              {args: []string{"who calls detect_pss"}},
		"mcp install":            {args: []string{"claude-code"}},
		"tools":                  {},
		"guide":                  {},
		"init":                   {args: []string{"--yes"}},
		"doctor":                 {},
		"version":                {},
		"man":                    {args: []string{"*"}},
		"completion bash":        {},
		"completion zsh":         {},
		"completion fish":        {},
		"completion powershell":  {},
	}
}

// wrongForm says what is wrong with the form of what a command printed; "" for nothing.
func wrongForm(form, out string) string {
	if strings.ContainsAny(out, "\x1b\u009b") {
		return "there are escapes"
	}
	switch form {
	case outputJSON: // one value, or of what is endless one after another
		dec := json.NewDecoder(strings.NewReader(out))
		for {
			var v any
			if err := dec.Decode(&v); errors.Is(err, io.EOF) {
				return ""
			} else if err != nil {
				return "no JSON: " + err.Error()
			}
		}
	case outputLines:
		for line := range strings.Lines(out) {
			if !json.Valid([]byte(line)) || !strings.HasSuffix(line, "\n") {
				return "a line is no JSON"
			}
		}
	case outputMD:
		if json.Valid([]byte(out)) {
			return "it is JSON"
		}
		if !slices.ContainsFunc([]string{"# ", "## ", "- ", "| ", "```", "> ", "Nothing", "<!-- page"}, func(s string) bool {
			return strings.HasPrefix(out, s) || strings.Contains(out, "\n"+s)
		}) {
			return "nothing of it is Markdown"
		}
	}
	return ""
}
