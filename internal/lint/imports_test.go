package lint

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// rule is a row of the import table: its two cells as docs/design.md writes them, and what they mean. A path that ends in
// "/..." stands for every package below.
type rule struct {
	room, may string
	packages  []string
	imports   []string
}

var table = []rule{
	{
		"chunk, skill/evidence, lspclient, docsearch/driver, codegraph/lang", "internal only",
		[]string{"chunk", "skill/evidence", "lspclient", "docsearch/driver", "codegraph/lang"}, nil,
	},
	{"docsearch", "chunk, driver", []string{"docsearch"}, []string{"chunk", "docsearch/driver"}},
	{
		"docsearch/pdf, memstore", "docsearch (memstore: driver too)",
		[]string{"docsearch/memstore"}, []string{"docsearch", "docsearch/driver"},
	},
	{
		"pdf/tesseract, openaiembed, localembed", "docsearch",
		[]string{"docsearch/pdf/tesseract", "docsearch/openaiembed", "docsearch/localembed"}, []string{"docsearch"},
	},
	// Who marks finds texts with the PDF reader and says what is near as evidence does; pdfcpu comes with it, so that nothing else may import it but proof.
	{"pdf/mark", "pdf, evidence", []string{"docsearch/pdf/mark"}, []string{"docsearch/pdf", "skill/evidence"}},
	{"proof", "pdf/mark, evidence", []string{"proof"}, []string{"docsearch/pdf/mark", "skill/evidence"}},
	{
		"blevestore, elasticstore", "docsearch, driver, pdf",
		[]string{"docsearch/blevestore", "docsearch/elasticstore"}, []string{"docsearch", "docsearch/driver", "docsearch/pdf"},
	},
	{
		"drivertest; langtest", "driver; lang, codegraph",
		[]string{"docsearch/drivertest"}, []string{"docsearch/driver"},
	},
	{"codegraph", "lang", []string{"codegraph"}, []string{"codegraph/lang", "codegraph/internal/..."}},
	{"treesitter, gosyntax", "lang", []string{"codegraph/treesitter", "codegraph/gosyntax"}, []string{"codegraph/lang"}},
	{"skill", "skill/evidence", []string{"skill"}, []string{"skill/evidence"}},
	{"skill/claude, skill/openai", "skill", []string{"skill/claude", "skill/openai"}, []string{"skill", "skill/internal/wire"}},
	{
		"findspot (root)", "every room, evidence, blevestore, memstore, the front ends",
		[]string{"."},
		[]string{
			"chunk", "docsearch", "docsearch/formats", "docsearch/pdf", "docsearch/blevestore", "docsearch/memstore", "codegraph", "codegraph/lang", "codegraph/treesitter",
			"codegraph/gosyntax", "lspclient", "skill", "skill/evidence", "skill/library",
		},
	},
	{
		"examples", "root, rooms to name types, engines to open, and examples/serve; nothing else imports examples",
		[]string{"examples/..."},
		[]string{".", "chunk", "docsearch", "docsearch/...", "codegraph", "codegraph/...", "lspclient", "skill", "skill/...", "proof"},
	},
}

// details are what the rows say of some packages only, and packages that the table leaves out.
var details = []rule{
	{packages: []string{"docsearch"}, imports: []string{"docsearch/extract", "docsearch/internal/..."}},
	{packages: []string{"docsearch/extract"}, imports: []string{"docsearch/driver", "docsearch/internal/match"}},
	{packages: []string{"docsearch/formats"}, imports: []string{"docsearch/extract", "docsearch/internal/format", "docsearch/formats/..."}},
	{packages: []string{"docsearch/formats/office"}, imports: []string{"docsearch/extract", "docsearch/internal/compose", "docsearch/formats/office/internal/..."}},
	{
		packages: []string{"docsearch/formats/office/internal/..."},
		imports:  []string{"docsearch/extract", "docsearch/internal/compose", "docsearch/formats/office/internal/..."},
	},
	{packages: []string{"docsearch/formats/delimited"}, imports: []string{"docsearch/extract", "docsearch/internal/compose"}},
	{packages: []string{"docsearch/internal/..."}, imports: []string{"chunk", "docsearch/driver", "docsearch/extract", "docsearch/internal/..."}},
	{packages: []string{"docsearch/blevestore"}, imports: []string{"docsearch/blevestore/internal/..."}},
	{packages: []string{"docsearch/blevestore/internal/..."}, imports: []string{"docsearch/driver"}},
	{packages: []string{"docsearch/blevestore", "docsearch/elasticstore", "docsearch/memstore"}, imports: []string{"docsearch/extract", "docsearch/internal/..."}},
	{packages: []string{"docsearch/pdf"}, imports: []string{"docsearch", "docsearch/extract", "docsearch/pdf/internal/..."}},
	{packages: []string{"docsearch/formats/..."}, imports: []string{"docsearch/extract", "docsearch/internal/...", "docsearch/formats/internal/..."}},
	{packages: []string{"docsearch/localembed", "docsearch/localembed/internal/..."}, imports: []string{"docsearch/localembed/internal/..."}},
	{packages: []string{"docsearch/pdf/tesseract"}, imports: []string{"docsearch/extract"}},
	{packages: []string{"docsearch/pdf/mark"}, imports: []string{"docsearch/extract", "docsearch/pdf/internal/..."}}, // the pages of a file, and what signs it
	{packages: []string{"proof"}, imports: []string{"docsearch/extract"}},
	{packages: []string{"docsearch/pdf/internal/structure"}, imports: []string{"docsearch/internal/abstract"}},
	{packages: []string{"examples/findspot", "examples/findspot/internal/..."}, imports: []string{"examples/findspot/internal/..."}},
	{
		packages: []string{"examples/findspot", "examples/httpserver", "examples/mcpserver", "examples/serve", "examples/serve/...", "examples/clients"},
		imports:  []string{"examples/serve", "examples/serve/..."},
	},
	{packages: []string{"."}, imports: []string{"docsearch/extract"}},
	{packages: []string{"docsearch/pdf/internal/..."}, imports: []string{"docsearch/pdf/internal/..."}},
	{packages: []string{"codegraph/treesitter"}, imports: []string{"codegraph/treesitter/..."}},
	{packages: []string{"codegraph/treesitter/..."}, imports: []string{"codegraph/lang", "codegraph/treesitter/internal/..."}},
	{packages: []string{"codegraph/treesitter/internal/fronttest"}, imports: []string{"codegraph/internal/factcodec"}},
	{ // those that make what users get
		packages: []string{
			"docsearch/pdf/internal/table", "docsearch/pdf/internal/figure", "docsearch/pdf/internal/structure", "docsearch/pdf/internal/markdown",
			"docsearch/pdf/internal/render",
		},
		imports: []string{"docsearch", "docsearch/extract"},
	},
	{packages: []string{"codegraph/langtest"}, imports: []string{"codegraph", "codegraph/lang"}},
	{packages: []string{"codegraph/internal/..."}, imports: []string{"codegraph/lang", "codegraph/internal/..."}},
	{packages: []string{"docs/bench/associations"}, imports: []string{"docsearch", "docsearch/driver", "docsearch/memstore"}},
	{packages: []string{"docs/bench/ask"}, imports: []string{".", "chunk", "docsearch", "docsearch/blevestore", "docsearch/openaiembed", "docs/bench/internal/..."}},
	{packages: []string{"docs/bench/codeask"}, imports: []string{".", "codegraph", "docsearch/localembed"}},
	{packages: []string{"docs/bench/embed"}, imports: []string{"docsearch/localembed"}},
	{packages: []string{"docs/bench/following"}, imports: []string{".", "docsearch", "skill", "skill/agent", "skill/claude", "skill/evidence", "skill/openai", "skill/record", "skill/runner", "skill/skilltest"}},
	{packages: []string{"docs/bench/living"}, imports: []string{".", "docsearch", "skill/evidence"}},
	{packages: []string{"docs/bench/locate"}, imports: []string{".", "codegraph", "docsearch/localembed", "docs/bench/internal/..."}},
	{packages: []string{"docs/bench/proof"}, imports: []string{"skill/evidence"}},
	{packages: []string{"docs/bench/serveload"}, imports: []string{"examples/serve", "examples/serve/api/...", "docs/bench/internal/..."}},
	{packages: []string{"docs/bench/vectorscan"}, imports: []string{"docsearch", "docsearch/blevestore", "docsearch/driver", "docs/bench/internal/..."}},
	{packages: []string{"docs/bench/..."}, imports: []string{".", "codegraph", "codegraph/lang", "lspclient", "docs/bench/internal/..."}},
	{packages: []string{"lspclient"}, imports: []string{"lspclient/serverspec", "lspclient/internal/..."}},
	{packages: []string{"lspclient/serverspec"}},
	{packages: []string{"lspclient/internal/excerpt"}},
	{packages: []string{"lspclient/internal/ctxlock"}},
	{packages: []string{"lspclient/internal/process"}},
	{packages: []string{"lspclient/internal/place"}},
	{packages: []string{"lspclient/internal/source"}, imports: []string{"lspclient/internal/excerpt"}},
	{packages: []string{"lspclient/internal/wire"}, imports: []string{"lspclient/internal/excerpt", "lspclient/internal/source"}},
	{packages: []string{"lspclient/internal/jsonrpc"}, imports: []string{"lspclient/internal/excerpt"}},
	{
		packages: []string{"lspclient/internal/symbolname"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/source",
		},
	},
	{
		packages: []string{"lspclient/internal/registry"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/source", "lspclient/internal/process",
			"lspclient/serverspec",
		},
	},
	{
		packages: []string{"lspclient/internal/ready"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/registry", "lspclient/serverspec",
		},
	},
	{
		packages: []string{"lspclient/internal/filetree"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/source", "lspclient/internal/ctxlock",
		},
	},
	{
		packages: []string{"lspclient/internal/watchedfiles"},
		imports: []string{
			"lspclient/internal/source", "lspclient/internal/filetree",
		},
	},
	{packages: []string{"lspclient/internal/..."}, imports: []string{"lspclient/internal/protocol"}},
	{
		packages: []string{"lspclient/internal/crash"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/source", "lspclient/internal/filetree",
		},
	},
	{
		packages: []string{"lspclient/internal/project"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/source", "lspclient/internal/ctxlock",
			"lspclient/internal/filetree", "lspclient/internal/registry", "lspclient/serverspec",
		},
	},
	{
		packages: []string{"lspclient/internal/documents"},
		imports: []string{
			"lspclient/internal/source", "lspclient/internal/wire", "lspclient/internal/jsonrpc",
			"lspclient/internal/ctxlock", "lspclient/internal/registry", "lspclient/internal/ready",
			"lspclient/internal/filetree", "lspclient/internal/watchedfiles", "lspclient/internal/project",
		},
	},
	{
		packages: []string{"lspclient/internal/session"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/ctxlock", "lspclient/internal/process",
			"lspclient/internal/place", "lspclient/internal/source", "lspclient/internal/wire",
			"lspclient/internal/jsonrpc", "lspclient/internal/symbolname", "lspclient/internal/registry",
			"lspclient/internal/ready", "lspclient/internal/filetree", "lspclient/internal/crash",
			"lspclient/internal/project", "lspclient/internal/documents", "lspclient/serverspec",
		},
	},
	{
		packages: []string{"lspclient/internal/complete"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/ctxlock", "lspclient/internal/place",
			"lspclient/internal/source", "lspclient/internal/wire", "lspclient/internal/jsonrpc",
			"lspclient/internal/registry", "lspclient/internal/filetree", "lspclient/internal/project",
			"lspclient/internal/session", "lspclient/serverspec",
		},
	},
	{
		packages: []string{"lspclient/internal/edit"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/place", "lspclient/internal/source",
			"lspclient/internal/wire", "lspclient/internal/session",
		},
	},
	{
		packages: []string{"lspclient/internal/symbols"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/place", "lspclient/internal/source",
			"lspclient/internal/wire", "lspclient/internal/symbolname", "lspclient/internal/registry",
			"lspclient/internal/filetree", "lspclient/internal/session", "lspclient/internal/complete",
		},
	},
	{
		packages: []string{"lspclient/internal/questions"},
		imports: []string{
			"lspclient/internal/excerpt", "lspclient/internal/place", "lspclient/internal/source",
			"lspclient/internal/wire", "lspclient/internal/jsonrpc", "lspclient/internal/symbolname",
			"lspclient/internal/session", "lspclient/internal/documents", "lspclient/internal/complete",
			"lspclient/internal/symbols", "lspclient/internal/edit",
		},
	},
	{packages: []string{"skill"}, imports: []string{"skill/internal/...", "skill/procedure", "skill/workflow"}},
	{packages: []string{"skill/procedure"}, imports: []string{"skill/internal/bayes"}},
	{packages: []string{"skill/workflow"}, imports: []string{"skill/internal/..."}},
	{packages: []string{"skill/record", "skill/lint"}, imports: []string{"skill", "skill/evidence", "skill/workflow", "skill/internal/..."}},
	{packages: []string{"skill/runner"}, imports: []string{"skill", "skill/evidence", "skill/workflow", "skill/record", "skill/internal/..."}},
	{packages: []string{"skill/export"}, imports: []string{"skill", "skill/evidence", "skill/workflow", "skill/runner", "skill/internal/..."}},
	{packages: []string{"skill/pack"}, imports: []string{"skill", "skill/workflow", "skill/lint", "skill/internal/..."}},
	{packages: []string{"skill/agent"}, imports: []string{"skill", "skill/evidence", "skill/record", "skill/internal/..."}},
	{packages: []string{"skill/training"}, imports: []string{"skill", "skill/evidence", "skill/record"}},
	{packages: []string{"skill/library", "skill/plans"}},
	{packages: []string{"skill/skilltest"}, imports: []string{"skill", "skill/evidence", "skill/record", "skill/agent"}},
	{packages: []string{"skill/internal/..."}, imports: []string{"skill/internal/..."}},
	{packages: []string{"skill/internal/parse", "skill/internal/gate"}, imports: []string{"skill/workflow"}},
	{packages: []string{"skill/internal/invoke", "skill/internal/show"}, imports: []string{"skill", "skill/evidence"}},
	{packages: []string{"skill/internal/toolset", "skill/internal/wire"}, imports: []string{"skill"}},
	{packages: []string{"skill/internal/fixture"}, imports: []string{"skill", "skill/evidence", "skill/agent", "skill/runner", "skill/skilltest"}},
	{packages: []string{"internal/plant"}, imports: []string{"lspclient"}},
	{packages: []string{"internal/repository", "internal/callers", "internal/servers"}, imports: []string{"codegraph", "codegraph/lang", "lspclient", "skill/evidence"}},
	{packages: []string{"internal/documents"}, imports: []string{"docsearch"}},
	{packages: []string{"internal/symbol"}, imports: []string{"codegraph"}},
	{packages: []string{"internal/items", "internal/answer"}, imports: []string{"codegraph", "docsearch", "skill/evidence"}},
	{packages: []string{"internal/citation"}, imports: []string{"docsearch", "docsearch/extract", "docsearch/formats", "docsearch/memstore", "docsearch/pdf", "skill/evidence"}},
	// It looks for the evidence of an answer in both rooms.
	{packages: []string{"internal/living"}, imports: []string{"codegraph", "docsearch", "skill/evidence"}},
	{packages: []string{"internal/agenttools/..."}, imports: []string{"codegraph", "docsearch", "docsearch/extract", "lspclient", "skill", "skill/evidence"}},
	{packages: []string{"internal/written"}, imports: []string{"skill/evidence"}},
	{packages: []string{"internal/agenttools"}, imports: []string{"skill", "skill/evidence"}},
	{packages: []string{"internal/..."}},
}

func TestTableIsThatOfTheDesign(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root(t), "docs", "design.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(text), "| room | may import |\n|---|---|\n")
	if !ok {
		t.Fatal(`docs/design.md holds no table with the head "| room | may import |"`)
	}
	var got, want []string
	for line := range strings.Lines(rest) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		got = append(got, strings.TrimSpace(line))
	}
	for _, r := range table {
		want = append(want, "| "+r.room+" | "+r.may+" |")
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("docs/design.md section 1 and internal/lint disagree (-lint +design):\n%s", diff)
	}
}

func TestImports(t *testing.T) {
	g := load(t)
	for _, p := range g.Own() {
		var allowed []string
		known := false
		for _, r := range slices.Concat(table, details) {
			if matches(r.packages, p.Room()) {
				known = true
				allowed = append(allowed, r.imports...)
			}
		}
		if !known {
			t.Errorf("%s is in no row of the import table: say in docs/design.md and here what it may import", p.Room())
			continue
		}
		for _, imp := range p.Imports {
			q := g.Packages[imp]
			if q == nil || !q.Own() || strings.HasPrefix(q.Room(), "internal/") {
				continue
			}
			if !matches(allowed, q.Room()) {
				t.Errorf("%s imports %s, which docs/design.md section 1 does not allow", p.Room(), q.Room())
			}
		}
	}
}

// TestLinks makes sure that who wants one room gets nothing else of weight with it.
func TestLinks(t *testing.T) {
	const (
		bleve, pdf, sitter = "github.com/blevesearch/bleve", Module + "/docsearch/pdf", "github.com/smacker/"
		mcp, cobra         = "github.com/modelcontextprotocol/", "github.com/spf13/"
		elastic            = "github.com/elastic/"
		pdfcpu             = "github.com/pdfcpu/"
	)
	g := load(t)
	for _, tt := range []struct {
		room string
		not  []string
	}{
		{"chunk", []string{bleve, pdf, sitter, mcp, cobra}},
		{"docsearch", []string{bleve, pdf, sitter, mcp, cobra}},
		{"docsearch/memstore", []string{bleve, sitter, mcp, cobra}},
		{"docsearch/pdf", []string{bleve, sitter, mcp, cobra, pdfcpu}},
		{"docsearch/pdf/mark", []string{bleve, sitter, mcp, cobra}},
		{"proof", []string{bleve, sitter, mcp, cobra}},
		{"docsearch/blevestore", []string{sitter, mcp, cobra, elastic}},
		{"docsearch/elasticstore", []string{bleve, sitter, mcp, cobra}},
		{"codegraph", []string{bleve, pdf, sitter, mcp, cobra}},
		{"codegraph/gosyntax", []string{bleve, pdf, sitter, mcp, cobra}},
		{"codegraph/treesitter", []string{bleve, pdf, mcp, cobra}},
		{"lspclient", []string{bleve, pdf, sitter, mcp, cobra}},
		{"skill", []string{bleve, pdf, sitter, mcp, cobra}},
		{"skill/claude", []string{bleve, pdf, sitter, mcp, cobra}},
		{"skill/openai", []string{bleve, pdf, sitter, mcp, cobra}},
		{"skill/evidence", []string{bleve, pdf, sitter, mcp, cobra}},
		{".", []string{mcp, cobra, elastic, pdfcpu}},
		{"examples/serve", []string{pdfcpu}},
	} {
		path := strings.TrimSuffix(Module+"/"+tt.room, "/.")
		if g.Packages[path] == nil {
			t.Errorf("there is no package %s", path)
			continue
		}
		for _, linked := range g.Links(path) {
			for _, not := range tt.not {
				if strings.HasPrefix(linked, not) {
					t.Errorf("%s links %s", tt.room, linked)
				}
			}
			if linked == "testing" || strings.HasPrefix(linked, "github.com/google/go-cmp") {
				t.Errorf("%s links %s, which is for tests", tt.room, linked)
			}
		}
	}
}

// TestGrammars makes sure that who wants one language links the grammars of no other.
func TestGrammars(t *testing.T) {
	const languages, grammars = "codegraph/treesitter/", "github.com/smacker/go-tree-sitter/"
	g := load(t)
	owner := map[string]string{}
	for _, p := range g.Own() {
		language, ok := strings.CutPrefix(p.Room(), languages)
		if !ok || strings.HasPrefix(language, "internal/") {
			continue
		}
		before := len(owner)
		for _, linked := range g.Links(Module + "/" + p.Room()) {
			if !strings.HasPrefix(linked, grammars) {
				continue
			}
			if other, ok := owner[linked]; ok {
				t.Errorf("%s is linked by %s and by %s", linked, other, language)
			}
			owner[linked] = language
		}
		if len(owner) == before {
			t.Errorf("%s links no grammar of its own", language)
		}
	}
	if len(owner) == 0 {
		t.Error("no language links a grammar")
	}
}

func TestMatches(t *testing.T) {
	for _, tt := range []struct {
		patterns []string
		room     string
		want     bool
	}{
		{[]string{"skill"}, "skill", true},
		{[]string{"skill"}, "skill/evidence", false},
		{[]string{"skill/..."}, "skill/evidence", true},
		{[]string{"skill/..."}, "skillset/evidence", false},
		{nil, ".", false},
	} {
		if got := matches(tt.patterns, tt.room); got != tt.want {
			t.Errorf("matches(%q, %q) = %v, want %v", tt.patterns, tt.room, got, tt.want)
		}
	}
}

func matches(patterns []string, room string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool {
		below, tree := strings.CutSuffix(p, "...")
		return p == room || tree && strings.HasPrefix(room, below)
	})
}
