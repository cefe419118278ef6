package lspclient

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// The repositories in testdata whose names end in "edge" say in comments what every question about them must answer. The
// marks of a line follow the first "@" in it:
//
//	def(N)            the line declares N, a name with what contains it: Outer.Inner.reach
//	decl(N)           the line declares N, and another one defines it
//	use(N), use(N=a)  the line refers to N, in the second form under another name
//	impl(N)           the line is an implementation of N
//	typed(N=T)        N is a variable of the type T
//	calls(A, B)       on this line A calls B; "*" is what has no mark, such as a file
//	hover(N, "text")  what the server shows of N holds the text
//	name("text")      this is what the text means as a name
//	many("text")      this is one of the things the text may mean
//	snap(COL, id)     column COL of the line means the identifier id of the line
//	rename(N, M)      N can be renamed to M; testdata/renames holds the diff
//	wrong()           the line holds an error
var markSyntax = regexp.MustCompile(`\b([a-z]+)\(((?:"[^"]*"|[^()"])*)\)`)

// markArity holds the kinds of marks with the number of their arguments.
var markArity = map[string]int{
	"def": 1, "decl": 1, "use": 1, "impl": 1, "typed": 1, "calls": 2, "hover": 2, "name": 1, "many": 1, "snap": 2, "rename": 2, "wrong": 0,
}

// mark is one mark.
type mark struct {
	kind string
	args []string
	path string
	line int
}

func (m mark) at() string { return m.path + ":" + strconv.Itoa(m.line) }

// split takes an argument "a=b" apart; without "=" both are the same.
func (m mark) split() (name, other string) {
	name, other, ok := strings.Cut(m.args[0], "=")
	if !ok {
		other = name
	}
	return name, other
}

// markedRepo is what the marks of a repository say.
type markedRepo struct {
	root  string
	marks []mark
	defs  map[string]mark // by name
	texts map[string]*source.Text
}

// readMarks reads the marks of a repository, and fails the test when one of them means nothing.
func readMarks(t *testing.T, root string) *markedRepo {
	t.Helper()
	m := &markedRepo{root: root, defs: map[string]mark{}, texts: map[string]*source.Text{}}
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, _, err := source.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		if err != nil {
			return err
		}
		rel = filepath.ToSlash(rel)
		m.texts[rel] = text
		for n := range text.Starts {
			line, _ := text.Line(n + 1)
			_, comment, _ := strings.Cut(string(line), "@")
			for _, found := range markSyntax.FindAllStringSubmatch(comment, -1) {
				one := mark{kind: found[1], path: rel, line: n + 1}
				if found[2] != "" {
					for arg := range strings.SplitSeq(found[2], ", ") {
						one.args = append(one.args, strings.Trim(arg, `"`))
					}
				}
				if want, ok := markArity[one.kind]; !ok || want != len(one.args) {
					t.Errorf("%s: %s is no mark", one.at(), found[0])
					continue
				}
				if one.kind == "def" {
					if had, ok := m.defs[one.args[0]]; ok {
						t.Errorf("%s: %s is declared at %s too", one.at(), one.args[0], had.at())
					}
					m.defs[one.args[0]] = one
				}
				m.marks = append(m.marks, one)
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, one := range m.marks {
		for _, name := range one.names() {
			if _, ok := m.defs[name]; !ok {
				t.Errorf("%s: no line declares %s", one.at(), name)
			}
		}
	}
	return m
}

// names returns the marked names that a mark speaks of.
func (m mark) names() []string {
	switch m.kind {
	case "def", "decl", "use", "impl":
		name, _ := m.split()
		return []string{name}
	case "typed":
		name, typ := m.split()
		return []string{name, typ}
	case "calls":
		return slices.DeleteFunc(slices.Clone(m.args), func(name string) bool { return name == "*" })
	case "hover", "rename":
		return m.args[:1]
	}
	return nil
}

// of returns the lines with marks of a kind about a name, sorted, each once.
func (m *markedRepo) of(kind, name string) []string {
	list := []string{}
	for _, one := range m.marks {
		if one.kind != kind {
			continue
		}
		if n, _ := one.split(); n == name {
			list = append(list, one.at())
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// columns returns the byte columns of an identifier on a line where it stands before the marks.
func (m *markedRepo) columns(path string, line int, ident string) []int {
	row, _ := m.texts[path].Line(line)
	end := len(row)
	if i := strings.IndexByte(string(row), '@'); i >= 0 {
		end = i
	}
	var list []int
	for from := 1; ; {
		s, e, ok := m.texts[path].FindIdent(line, from, ident)
		if !ok || s > end {
			return list
		}
		list = append(list, s)
		from = e
	}
}

// at is the text of a range on one line.
func (m *markedRepo) at(l Location) string {
	text := m.texts[l.Path]
	if text == nil {
		return ""
	}
	row, ok := text.Line(l.Line)
	if !ok || l.EndLine != l.Line || l.Col < 1 || l.EndCol < l.Col || l.EndCol-1 > len(row) {
		return ""
	}
	return string(row[l.Col-1 : l.EndCol-1])
}

// place is the target of a declared name.
func (m *markedRepo) place(t *testing.T, name string) Target {
	t.Helper()
	d := m.defs[name]
	cols := m.columns(d.path, d.line, symbolname.Last(name))
	if len(cols) == 0 {
		t.Fatalf("%s does not hold %s", d.at(), symbolname.Last(name))
	}
	return At(d.path, d.line, cols[0])
}

// edgeRepos are the marked repositories, by language.
var edgeRepos = []string{"goedge", "pyedge", "tsedge", "cppedge", "rsedge"}

// TestMarks: every mark means something, and the repositories hold what they are there for.
func TestMarks(t *testing.T) {
	for _, repo := range edgeRepos {
		t.Run(repo, func(t *testing.T) {
			m := readMarks(t, copyRepo(t, repo))
			kinds := map[string]int{}
			for _, one := range m.marks {
				kinds[one.kind]++
				if one.kind == "def" {
					m.place(t, one.args[0])
				}
			}
			for kind := range markArity {
				if kinds[kind] == 0 && kind != "decl" && !(kind == "typed" && repo == "rsedge") {
					t.Errorf("no line is marked %s", kind)
				}
			}
			has := map[string]bool{}
			for path, text := range m.texts {
				s := string(text.Bytes)
				has["CRLF"] = has["CRLF"] || strings.Contains(s, "\r\n")
				has["a byte order mark"] = has["a byte order mark"] || strings.HasPrefix(string(must(os.ReadFile(filepath.Join(m.root, path)))), "\ufeff")
				has["U+2028"] = has["U+2028"] || strings.Contains(s, "\u2028")
				has["no end of line"] = has["no end of line"] || !strings.HasSuffix(s, "\n")
				has["an astral character"] = has["an astral character"] || strings.Contains(s, "\U0001F4E1")
				has["a tab"] = has["a tab"] || strings.Contains(s, "\n\t")
			}
			if len(has) != 6 || slices.Contains(slices.Collect(maps.Values(has)), false) {
				t.Errorf("the repository lacks something: %v", has)
			}
		})
	}
}
