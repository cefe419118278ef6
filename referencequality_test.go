package findspot_test

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/skill/evidence"
)

// TestReferenceHonesty asks for the callers of twenty symbols of each repository in FINDSPOT_REFERENCE_REPOS, a list of
// folders, and compares the answer with a word search of its own: which words of the name stand in code and are neither
// a site of the answer, nor a definition. It prints the differences, for a reader to explain, and the numbers.
func TestReferenceHonesty(t *testing.T) {
	folders := os.Getenv("FINDSPOT_REFERENCE_REPOS")
	if folders == "" {
		t.Skip("set FINDSPOT_REFERENCE_REPOS to folders with repositories, with a colon between")
	}
	for _, dir := range filepath.SplitList(folders) {
		t.Run(filepath.Base(dir), func(t *testing.T) { honest(t, dir) })
	}
}

func honest(t *testing.T, dir string) {
	ws := open(t, t.TempDir(), &findspot.Options{})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	g, err := codegraph.Build(t.Context(), os.DirFS(dir), findspot.Languages(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var symbols []codegraph.Entity
	for e := range g.Entities() {
		if (e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction) && !e.Test && !strings.Contains(e.ID, "#") && !strings.HasPrefix(e.Path, "docs") && !strings.HasPrefix(e.Path, "example") {
			symbols = append(symbols, e)
		}
	}
	order := func(e codegraph.Entity) string { return fmt.Sprintf("%x", sha256.Sum256([]byte(e.ID))) }
	slices.SortFunc(symbols, func(a, b codegraph.Entity) int { return cmp.Compare(order(a), order(b)) })
	texts := words(t, dir)
	verdicts := map[findspot.Verdict]int{}
	complete, callers, sites, code, explained, differ, unreadBodies := 0, 0, 0, 0, 0, 0, 0
	for _, e := range symbols[:min(20, len(symbols))] {
		ans, err := ws.ReferenceAnswer(t.Context(), "who calls `"+e.ID+"`?", &findspot.AskOptions{Bodies: 1000})
		if err != nil {
			t.Errorf("%s: %v", e.ID, err)
			continue
		}
		if !ans.Asked || len(ans.Callers) != 1 {
			t.Errorf("%s: asked %v, %d results, %q", e.ID, ans.Asked, len(ans.Callers), ans.Problems)
			continue
		}
		res := ans.Callers[0]
		verdicts[res.Verdict]++
		if ans.Complete {
			complete++
		}
		known := map[string]bool{}
		for _, c := range res.Callers {
			callers++
			for _, s := range c.Sites {
				sites++
				known[fmt.Sprintf("%s:%d", s.Path, s.Line)] = true
				if !slices.ContainsFunc(ans.Items, func(it evidence.Item) bool {
					return slices.Contains(c.Code, it.Key) && it.At.Path == s.Path && it.At.Line <= s.Line && s.Line <= it.At.EndLine
				}) {
					unreadBodies++
					t.Errorf("%s: no code was read at %s:%d", e.ID, s.Path, s.Line)
				}
			}
		}
		for _, u := range res.Unread {
			known[fmt.Sprintf("%s:%d", u.Path, u.Line)] = true
		}
		defined := map[string]bool{}
		for _, o := range g.Named(e.Name) {
			for l := o.Line; l <= min(o.EndLine, o.Line+30); l++ {
				if o.Name == e.Name && defines(texts.line(o.Path, l), o.Name) {
					defined[fmt.Sprintf("%s:%d", o.Path, l)] = true
				}
			}
		}
		var left []string
		for _, at := range texts.find(e.Name) {
			code++
			if known[at] || defined[at] {
				explained++
				continue
			}
			left = append(left, at)
		}
		differ += len(left)
		others := 0
		for _, o := range g.Named(e.Name) {
			if o.Name == e.Name && o.ID != e.ID {
				others++
			}
		}
		t.Logf("%-16s %3d callers, %3d places, complete %-5v %s (%d others of the name, by %s)", res.Verdict, len(res.Callers), len(known), ans.Complete, e.ID, others, res.Via)
		for _, why := range res.Why {
			t.Logf("      why: %s", why)
		}
		for i, at := range left {
			if i == 12 {
				t.Logf("      and %d more", len(left)-i)
				break
			}
			t.Logf("      not in the answer: %s %s", at, texts.at(at))
		}
	}
	t.Logf("SUM %s: %v, complete %d, callers %d, places %d, without code %d; the word search has %d lines of code, %d in the answer or definitions, %d others", filepath.Base(dir), verdicts, complete, callers, sites, unreadBodies, code, explained, differ)
}

func defines(line, name string) bool {
	return regexp.MustCompile(`(?:func|def|class|type|interface|const|let|var|function|struct)\b.*\b`+regexp.QuoteMeta(name)+`\b`).MatchString(line) ||
		regexp.MustCompile(`^\s*(?:async |static |get |set |export )*`+regexp.QuoteMeta(name)+`\s*[(:=<?]`).MatchString(line)
}

// files are the texts of a folder, with what stands in comments and strings blanked out by rules of their own.
type files map[string]struct{ raw, code []string }

func (f files) line(path string, n int) string {
	if x, ok := f[path]; ok && n >= 1 && n <= len(x.raw) {
		return x.raw[n-1]
	}
	return ""
}

func (f files) at(at string) string {
	i := strings.LastIndexByte(at, ':')
	n := 0
	fmt.Sscan(at[i+1:], &n)
	s := strings.TrimSpace(f.line(at[:i], n))
	return s[:min(len(s), 100)]
}

func (f files) find(name string) []string {
	re := regexp.MustCompile(`(?:^|[^\pL\pN_$])` + regexp.QuoteMeta(name) + `(?:$|[^\pL\pN_$])`)
	var out []string
	for p, x := range f {
		for i, l := range x.code {
			if strings.Contains(l, name) && re.MatchString(l) {
				out = append(out, fmt.Sprintf("%s:%d", p, i+1))
			}
		}
	}
	slices.Sort(out)
	return out
}

func words(t *testing.T, dir string) files {
	out := files{}
	err := fs.WalkDir(os.DirFS(dir), ".", func(p string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch filepath.Ext(p) {
		case ".md", ".rst", ".txt", ".lock", ".svg", ".mdx", ".css", ".html":
			return nil
		}
		data, err := os.ReadFile(filepath.Join(dir, p))
		if err != nil || bytes.IndexByte(data, 0) >= 0 || !utf8.Valid(data) {
			return nil
		}
		out[p] = struct{ raw, code []string }{strings.Split(string(data), "\n"), strings.Split(blank(filepath.Ext(p), string(data)), "\n")}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// blank puts blanks for comments and strings, roughly: by the signs that open and close them.
func blank(ext, s string) string {
	pairs := [][2]string{{"//", "\n"}, {"/*", "*/"}, {"`", "`"}, {"\"", "\""}, {"'", "'"}}
	if ext == ".py" || ext == ".pyi" || ext == ".toml" || ext == ".yml" || ext == ".yaml" || ext == ".sh" {
		pairs = [][2]string{{"#", "\n"}, {`"""`, `"""`}, {"'''", "'''"}, {"\"", "\""}, {"'", "'"}}
	}
	out := []byte(s)
	for i := 0; i < len(s); {
		k := slices.IndexFunc(pairs, func(p [2]string) bool { return strings.HasPrefix(s[i:], p[0]) })
		if k < 0 {
			i++
			continue
		}
		from, end := i, pairs[k][1]
		for i += len(pairs[k][0]); i < len(s) && !strings.HasPrefix(s[i:], end); i++ {
			if s[i] == '\\' && end != "\n" && end != "*/" && !(ext == ".go" && end == "`") {
				i++
			} else if s[i] == '\n' && (end == "\"" || end == "'") {
				break
			}
		}
		for n := from; n < min(i, len(s)); n++ {
			if s[n] != '\n' {
				out[n] = ' '
			}
		}
		if i < len(s) && end != "\n" {
			i += min(len(end), len(s)-i)
		}
	}
	return string(out)
}
