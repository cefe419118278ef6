package lint

import (
	"go/ast"
	"go/parser"
	"go/token"
	"strings"
	"testing"
)

// readers may open files by the functions of os and filepath: by file or folder, with what they read. Whatever else reads a user's files does so through
// internal/rootfs, which follows no link out of a folder and opens nothing that blocks.
var readers = map[string]string{
	"internal/rootfs/":                            "the one reader",
	"internal/walk/":                              "lists folders, and follows no link",
	"internal/leak/":                              "/proc, in tests",
	"internal/disk/":                              "the folder of an index",
	"internal/changes/":                           "the system's limits",
	"internal/judged/":                            "test collections",
	"internal/golden/":                            "test data of this module",
	"docsearch/formats/internal/formattest/":      "test data of this module",
	"internal/plant/":                             "repositories that tests make",
	"internal/fakels/":                            "a language server of tests",
	"internal/lint/":                              "this module",
	"internal/licences/":                          "licences of dependencies",
	"internal/sbom/":                              "programs that are named on the command line",
	"docs/bench/":                                 "measurements by hand",
	"docsearch/blevestore/":                       "an index",
	"docsearch/elasticstore/":                     "a certificate that the host names",
	"docsearch/pdf/internal/font/gencmaps.go":     "a generator",
	"proof/proof.go":                              "the folder that it makes",
	"docsearch/pdf/internal/pdftest/":             "documents of this module, in tests",
	"lspclient/internal/process/memory_linux.go":  "/proc",
	"lspclient/internal/process/process_linux.go": "/proc",
	"lspclient/internal/process/marked_linux.go":  "/proc",
	"lspclient/internal/filetree/snapshot.go":     "lists folders, and refuses links that leave",
	"lspclient/internal/complete/reach.go":        "lists folders, and follows no link",
	"lspclient/internal/project/database.go":      "a copy of our own; the repository's database is read through rootfs",
	"lspclient/internal/project/datafolder.go":    "a folder of our own",
	"internal/agenttools/":                        "writes below an os.Root",
	"skill/pack/":                                 "packs of a project, below an os.Root",
	"documents.go":                                "the folder of a backup",
	"internal/servers/settings.go":                "the user's description of servers",
	"examples/":                                   "files that the user names on the command line",
}

// openings are the functions that follow links, or wait.
var openings = map[string][]string{
	"os":       {"Open", "OpenFile", "ReadFile", "ReadDir", "DirFS", "OpenRoot", "OpenInRoot"},
	"filepath": {"Walk", "WalkDir"},
}

// TestReading finds code that opens files beside internal/rootfs.
func TestReading(t *testing.T) {
	used := map[string]bool{}
	eachFile(t, func(name string, src []byte) {
		if strings.HasSuffix(name, "_test.go") || strings.Contains("/"+name, "/hostile/") {
			return
		}
		fset := token.NewFileSet()
		f, err := parser.ParseFile(fset, name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		ast.Inspect(f, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			for pkg, names := range openings {
				for _, fn := range names {
					if !isSelector(sel, pkg, fn) {
						continue
					}
					allowed := false
					for r := range readers {
						if name == r || strings.HasSuffix(r, "/") && strings.HasPrefix(name, r) {
							allowed, used[r] = true, true
						}
					}
					if !allowed {
						t.Errorf("%s: %s.%s: read a user's files through internal/rootfs, or say in readers what this reads", fset.Position(sel.Pos()), pkg, fn)
					}
				}
			}
			return true
		})
	})
	for r := range readers {
		if !used[r] {
			t.Errorf("%s is listed as a reader, and reads nothing", r)
		}
	}
}
