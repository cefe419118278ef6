//go:build cgo

package findspot_test

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
)

// locateRepos are the repositories that the reports are about, in the order of the golden file. Those with a module's path are of the
// version that go.mod names: when it changes, so may ranks, and what is right.
var locateRepos = []struct{ name, dir, module string }{
	{name: "receiver", dir: receiver},
	{name: "console", dir: "examples/testdata/console"},
	{name: "cobra", module: "github.com/spf13/cobra"},
	{name: "bleve", module: bleve},
	{name: "expr", module: "github.com/expr-lang/expr"},
}

// A locateReport is a text with what is right for it: testdata/locate/reports.txtar says how it is written down.
type locateReport struct {
	repo, name, form string
	files, funcs     []string
	text             string
}

func locateReports(t *testing.T) []locateReport {
	t.Helper()
	path := filepath.Join("testdata", "locate", "reports.txtar")
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var out []locateReport
	for _, f := range txtar.Parse(bytes.ReplaceAll(src, []byte("\r\n"), []byte("\n"))).Files {
		head, text, _ := strings.Cut(string(f.Data), "\n\n")
		r := locateReport{name: f.Name, text: text}
		r.repo, _, _ = strings.Cut(f.Name, "/")
		for line := range strings.Lines(head) {
			key, value, _ := strings.Cut(strings.TrimSpace(line), " ")
			switch key {
			case "form":
				r.form = value
			case "file":
				r.files = append(r.files, value)
			case "func":
				r.funcs = append(r.funcs, value)
				file, _, _ := strings.Cut(value, ":")
				r.files = append(r.files, file)
			default:
				t.Fatalf("%s, %s: line %q: begin it with form, file or func", path, f.Name, line)
			}
		}
		if r.form == "" || len(r.files) == 0 || strings.TrimSpace(text) == "" || seen[f.Name] {
			t.Fatalf("%s, %s: a report has a name of its own, a form, something that is right, an empty line and a text", path, f.Name)
		}
		seen[f.Name] = true
		out = append(out, r)
	}
	return out
}

// locateSum adds up ranks, which count from 1 and are 0 where nothing right is in the list.
type locateSum struct {
	reports, first, five, ten int
	mrr                       float64
	funcs, funcsFive          int
}

func (s *locateSum) add(file, fn int, named bool) {
	s.reports++
	if file > 0 {
		s.mrr += 1 / float64(file)
	}
	for _, in := range []struct {
		n     *int
		limit int
	}{{&s.first, 1}, {&s.five, 5}, {&s.ten, 10}} {
		if file > 0 && file <= in.limit {
			*in.n++
		}
	}
	if named {
		s.funcs++
		if fn > 0 && fn <= 5 {
			s.funcsFive++
		}
	}
}

func (s *locateSum) String() string {
	n := float64(cmp.Or(s.reports, 1))
	return fmt.Sprintf("%2d  %.3f  %.3f  %.3f  %.3f  %.3f", s.reports, float64(s.first)/n, float64(s.five)/n, float64(s.ten)/n, s.mrr/n,
		float64(s.funcsFive)/float64(cmp.Or(s.funcs, 1)))
}

// TestLocateQuality keeps the ranks of what reports of many forms are about, so that a change of ranking shows in review.
func TestLocateQuality(t *testing.T) {
	var lines, sums bytes.Buffer
	fmt.Fprintln(&lines, "# rank of the first right file, and of the first right class or function among such (0: not there, -: none is named); report, form, first file")
	fmt.Fprintln(&sums, "\n# repository: reports; share with a right file first, in the first 5, in the first 10; mean reciprocal rank of it; share with a right class or function in the first 5")
	reports := locateReports(t)
	var overall locateSum
	for _, repo := range locateRepos {
		if repo.module != "" {
			repo.dir = need.Module(t, repo.module)
		}
		g, err := codegraph.Build(t.Context(), os.DirFS(repo.dir), findspot.Languages(), nil)
		if err != nil {
			t.Fatal(err)
		}
		var sum locateSum
		for _, r := range reports {
			if r.repo != repo.name {
				continue
			}
			for _, id := range slices.Concat(r.files, r.funcs) {
				if _, ok := g.Entity(id); !ok {
					t.Fatalf("%s: %s is no entity of the repository: see what it is called now", r.name, id)
				}
			}
			// The files of an answer as users get it, with all of their classes and functions.
			res, err := g.Locate(t.Context(), r.text, &codegraph.LocateOptions{Limit: 10_000, Lines: -1})
			if err != nil {
				t.Fatal(err)
			}
			var files, funcs []string
			for _, s := range res.Spots {
				if s.Kind == codegraph.KindFile {
					files = append(files, s.ID)
				} else {
					funcs = append(funcs, s.ID)
				}
			}
			file := 1 + slices.IndexFunc(files, func(id string) bool { return slices.Contains(r.files, id) })
			fn := 1 + slices.IndexFunc(funcs, func(id string) bool { return slices.Contains(r.funcs, id) })
			sum.add(file, fn, len(r.funcs) > 0)
			overall.add(file, fn, len(r.funcs) > 0)
			rank, first := fmt.Sprint(fn), "nothing"
			if len(r.funcs) == 0 {
				rank = "-"
			}
			if len(files) > 0 {
				first = files[0]
			}
			fmt.Fprintf(&lines, "%-3d %-3s  %s  %s  =>  %s\n", file, rank, r.name, r.form, first)
		}
		fmt.Fprintf(&sums, "%-9s %v\n", repo.name, &sum)
	}
	if overall.reports != len(reports) {
		t.Errorf("%d of %d reports were asked about: the others name a repository that is not in locateRepos", overall.reports, len(reports))
	}
	fmt.Fprintf(&sums, "%-9s %v\n", "all", &overall)
	golden.Compare(t, filepath.Join("testdata", "locate", "golden.txt"), append(lines.Bytes(), sums.Bytes()...))
}
