package callers

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf16"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/walk"
	"github.com/findspot/findspot/lspclient"
)

// fromText looks at every place where the name is written. What stands in a comment or in prose is no use of it, and
// neither is a declaration of the name; what nothing explains is counted, and a call becomes a caller of level "name"
// when nothing else is known. Without the complete answer of a server, a name that only one entity has is taken for it
// wherever it is written and not declared anew. Files of languages without lexical rules here, such as notebooks, templates, scripts and
// configuration, may call too: every place in them counts.
func (s *search) fromText(ctx, servers context.Context, complete bool) (unread int, err error) {
	fallback, byName := len(s.by) == 0 && !Special(s.name), !complete && s.alone() && !Special(s.name)
	re, err := grep.Compile(s.name, grep.Options{Word: true})
	if err != nil {
		return 0, err
	}
	hidden, files := 0, 0 // hidden: files and folders that may hold anything
	o := walk.Options{Skip: func(p, reason string, rule bool) {
		if !rule {
			hidden++
			s.why("%s could not be read: %s", p, reason)
		}
	}}
	err = walk.Files(ctx, s.r.FS, o, func(p string, _ fs.DirEntry) error {
		data, ok, fault := s.source(p)
		if fault != "" {
			hidden++
			s.why("%s %s", p, fault)
		}
		if !ok {
			return nil
		}
		files++
		list := s.written(re, p, data)
		for _, l := range list {
			class := l.class
			if s.explained.has(l.Location) || l.harmless {
				continue
			}
			line := s.line(p, l.Line)
			if class == mask.Code && s.outOfScope(l, line) {
				continue
			}
			if class == mask.Code {
				// What the linker says of values from outside is a guess; a server that knows the type is asked.
				asked := complete && fallback && len(s.symbols) > 0
				if asked && s.elsewhere(servers, l.Location) || !asked && s.outside.has(l.Location) || s.theirs(l, line, list) {
					continue
				}
			}
			if fallback && mask.Known(p) && class == mask.Code && (len(s.symbols) == 0 || isCall(p, line, l.Col, l.EndCol) && s.reaches(l, line)) {
				s.via(ViaText)
				s.site(ctx, l.Location, ViaText, codegraph.LevelName)
				continue
			}
			if byName && class == mask.Code && s.names(l, line, list) {
				s.via(ViaText)
				s.site(ctx, l.Location, ViaText, codegraph.LevelName)
				continue
			}
			unread++
			s.unread(l.Location)
		}
		return nil
	})
	s.looked("text of %s", text.Plural(files, "file"))
	if unread > 0 {
		s.why("places where the name is written and nothing explains it: %d", unread)
	}
	return unread + hidden, err
}

// alone reports whether no other entity has the name.
func (s *search) alone() bool {
	n := 0
	for _, e := range s.g.Named(s.name) {
		if repository.IsCode(e) && e.Name == s.name {
			n++
		}
	}
	return len(s.symbols) > 0 && n == len(s.symbols)
}

// names reports whether a place of a name that only the symbol has means the symbol: a type that is used, a function
// that is passed on. list has all places in the file.
func (s *search) names(l occurrence, line string, list []occurrence) bool {
	e := s.symbols[0]
	if family(l.Path) == "" || family(l.Path) != family(e.Path) {
		return false
	}
	head, rest := strings.TrimRight(line[:l.Col-1], " \t"), strings.TrimLeft(line[l.EndCol-1:], " \t")
	if strings.HasPrefix(rest, "=") && !strings.HasPrefix(rest, "==") && family(l.Path) != "go" { // set, or the name of an argument
		return false
	}
	if strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, "::") && e.Kind == codegraph.KindFunction { // a key
		return false
	}
	if _, qualified := strings.CutSuffix(head, "."); !s.reaches(l, line) || !qualified && importedFromElsewhere(s, list) {
		return false
	}
	_, method := s.owner(e)
	enc, ok := s.g.Enclosing(l.Path, l.Line)
	if !ok || enc.Kind != codegraph.KindFunction || method {
		return true
	}
	re, err := grep.Compile(s.name, grep.Options{Word: true})
	if err != nil || enc.Name != s.name && family(l.Path) != "go" && re.MatchString(enc.Signature) && l.Line > enc.Line && !typed(enc.Signature, s.name) {
		return false // a parameter
	}
	return !slices.ContainsFunc(list, func(o occurrence) bool {
		inner, _ := s.g.Enclosing(o.Path, o.Line)
		return o.declared && inner.ID == enc.ID && !s.explained.has(o.Location)
	})
}

// outOfScope reports whether the symbols are local to functions and a name stands outside of all of them, alone: it is
// another one then. Values that functions hand out are known to the graph, or are reached through something.
func (s *search) outOfScope(l occurrence, line string) bool {
	if len(s.symbols) == 0 || strings.HasSuffix(strings.TrimRight(line[:l.Col-1], " \t"), ".") {
		return false
	}
	return !slices.ContainsFunc(s.symbols, func(e codegraph.Entity) bool {
		i := strings.LastIndexByte(e.ID, '.')
		if i < strings.LastIndexByte(e.ID, ':') || i < 0 {
			return true
		}
		f, ok := s.g.Entity(e.ID[:i])
		return !ok || f.Kind != codegraph.KindFunction || f.Path == l.Path && f.Line <= l.Line && l.Line <= f.EndLine || family(l.Path) != family(f.Path)
	})
}

// reaches reports whether what stands before a place allows it to be the symbol: a method is reached through a value, and
// anything else by its own name or through its module or package.
func (s *search) reaches(l occurrence, line string) bool {
	e := s.symbols[0]
	_, method := s.owner(e)
	before, qualified := strings.CutSuffix(strings.TrimRight(line[:l.Col-1], " \t"), ".")
	if method || !qualified {
		return method == qualified
	}
	m := lastWord.FindString(before)
	return m == strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)) || m == path.Base(path.Dir(e.Path))
}

var importLine = lazyregexp.New(`^\s*(?:from|import)\s`)

// importedFromElsewhere reports whether a file imports the name, and not from the symbol.
func importedFromElsewhere(s *search, list []occurrence) bool {
	return slices.ContainsFunc(list, func(o occurrence) bool {
		return !s.explained.has(o.Location) && importLine.MatchString(s.line(o.Path, o.Line))
	})
}

// theirs reports whether a name that stands alone means another entity, which the same file declares.
func (s *search) theirs(l occurrence, line string, list []occurrence) bool {
	if len(s.symbols) == 0 || strings.HasSuffix(strings.TrimRight(line[:l.Col-1], " \t"), ".") ||
		slices.ContainsFunc(s.symbols, func(e codegraph.Entity) bool { return e.Path == l.Path }) {
		return false
	}
	_, ok := s.g.Entity(l.Path + ":" + s.name)
	return ok && !importedFromElsewhere(s, list)
}

// maxAsked bounds the places that a server is asked about, one by one.
const maxAsked = 64

// elsewhere asks the language server what stands at a place, and reports whether it is known to be something else.
func (s *search) elsewhere(ctx context.Context, l codegraph.Location) bool {
	if s.asked++; s.asked > maxAsked || family(l.Path) != family(s.symbols[0].Path) {
		return false
	}
	lc, err := s.r.Servers(ctx)
	if err != nil {
		return false
	}
	def, err := lc.Definition(ctx, lspclient.At(l.Path, l.Line, l.Col), nil)
	if err != nil || def.State != lspclient.Complete || len(def.Locations) == 0 {
		return false
	}
	return !slices.ContainsFunc(def.Locations, func(d lspclient.Location) bool {
		// A definition that is an import of something that the server cannot find says nothing.
		return d.Path == l.Path && d.Line == l.Line && d.Col == l.Col || s.isDefinition(codegraph.Location(d)) || !d.Outside() && importLine.MatchString(s.line(d.Path, d.Line))
	})
}

var lastWord = lazyregexp.New(`[\pL\pN_]*$`)

// typed reports whether a name stands in a signature as a type or a default, behind a colon, an arrow or another word.
func typed(signature, name string) bool {
	re := regexp.MustCompile(`(?:[:=>\[|]\s*|[\pL\pN_)\]]\s+|[*&.])` + regexp.QuoteMeta(name) + `(?:$|[^\pL\pN_])`)
	return re.MatchString(signature)
}

// family names the group of languages of a file that call each other directly.
func family(p string) string {
	switch strings.ToLower(path.Ext(p)) {
	case ".py", ".pyi":
		return "python"
	case ".go":
		return "go"
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		return "javascript"
	}
	return ""
}

func (s *search) unread(l codegraph.Location) {
	if s.noted.line(l.Path, l.Line) {
		return
	}
	s.noted.add(l)
	s.res.Unexplained++
	if p := at(s.r.ID(l.Path), l.Line); len(s.res.Unread) < maxUnread && !slices.Contains(s.res.Unread, p) {
		s.res.Unread = append(s.res.Unread, p)
	}
}

// proseExts are files that are read by people.
var proseExts = map[string]bool{".md": true, ".markdown": true, ".rst": true, ".txt": true, ".adoc": true, ".tex": true,
	".bib": true, ".log": true, ".csv": true, ".tsv": true, ".svg": true, ".po": true, ".pot": true, ".diff": true, ".patch": true}

var proseNames = lazyregexp.New(`(?i)^(readme|licen[cs]e|copying|notice|authors|contributors|changes|changelog|history|news|todo)\b[^.]*$`)

// prose reports whether a file holds no code that runs.
func prose(p string) bool {
	base := path.Base(p)
	return proseExts[strings.ToLower(path.Ext(base))] || proseNames.MatchString(base)
}

// source reads a file that may call something. It is not ok when there is nothing to look at; fault says what stands in
// the way of looking, after the file's name.
func (s *search) source(p string) (data []byte, ok bool, fault string) {
	if prose(p) {
		return nil, false, ""
	}
	data, err := s.r.ReadText(p)
	binary := bytes.IndexByte(data, 0) >= 0
	switch {
	case binary && !mask.Known(p):
		return nil, false, "" // a picture, an archive, a compiled file
	case err != nil:
		return nil, false, "could not be read: " + walk.Reason(err)
	case binary && holds(data, s.name):
		return nil, false, "holds the name and is binary"
	case binary:
		return nil, false, ""
	}
	return data, true, ""
}

// holds reports whether data has the name in UTF-8 or in UTF-16.
func holds(data []byte, name string) bool {
	if bytes.Contains(data, []byte(name)) {
		return true
	}
	var little, big []byte
	for _, u := range utf16.Encode([]rune(name)) {
		little = binary.LittleEndian.AppendUint16(little, u)
		big = binary.BigEndian.AppendUint16(big, u)
	}
	return bytes.Contains(data, little) || bytes.Contains(data, big)
}

// An occurrence is a place where the name is written.
type occurrence struct {
	codegraph.Location
	class    mask.Class
	declared bool // it is a declaration
	harmless bool // a comment, prose, or a declaration
}

// written lists the places of the name in a file.
func (s *search) written(re *regexp.Regexp, p string, data []byte) []occurrence {
	if !bytes.Contains(data, []byte(s.name)) {
		return nil
	}
	var out []occurrence
	classes := mask.Classes(p, data)
	declared := declaredIn(p, data, s.name)
	off := 0
	for n, line := range bytes.SplitAfter(data, []byte("\n")) {
		text := bytes.TrimRight(line, "\r\n")
		for _, m := range grep.Line(re, text) {
			if family(p) == "javascript" && (m[0] > 0 && text[m[0]-1] == '$' || m[1] < len(text) && text[m[1]] == '$') {
				continue // a part of another name
			}
			at := off + m[0]
			l := occurrence{Location: codegraph.Location{Path: p, Line: n + 1, Col: m[0] + 1, EndLine: n + 1, EndCol: m[1] + 1}, class: classes[at]}
			l.declared = l.class == mask.Code && declared(n+1, m[0]+1, text)
			l.harmless = l.declared || harmless(data, classes, at, at+len(s.name))
			out = append(out, l)
		}
		off += len(line)
	}
	return out
}

// harmless reports whether the name at an offset stands in a comment, or in a string literal with blanks, which is prose
// unless it looks like code: a call, an import, a doctest, or a place where a value is put in. A string without blanks
// may be a name that is looked up when the program runs.
func harmless(data []byte, classes []mask.Class, i, end int) bool {
	start := bytes.LastIndexByte(data[:i], '\n') + 1
	switch classes[i] {
	case mask.Comment: // directives of the Go tools name functions
		line := bytes.TrimSpace(data[start:i])
		return !bytes.HasPrefix(line, []byte("//export ")) && !bytes.HasPrefix(line, []byte("//go:linkname ")) &&
			string(line) != "//export" && string(line) != "//go:linkname"
	case mask.String:
		from, to := i, end
		for from > 0 && classes[from-1] == mask.String {
			from--
		}
		for to < len(classes) && classes[to] == mask.String {
			to++
		}
		if !bytes.ContainsAny(data[from:to], " \t\n") {
			return false
		}
		if o := bytes.LastIndexByte(data[from:i], '{'); o >= 0 && bytes.IndexByte(data[from+o:i], '}') < 0 {
			return false // f"{name()} ...", `${name()} ...`, "{{ .Name }} ..."
		}
		head := bytes.TrimSpace(data[max(start, from):i])
		if bytes.HasPrefix(head, []byte(">>>")) || bytes.HasPrefix(head, []byte("...")) {
			return false
		}
		if doc := bytes.TrimSpace(data[bytes.LastIndexByte(data[:from], '\n')+1 : from]); len(doc) == 0 &&
			(bytes.HasPrefix(data[from:], []byte(`"""`)) || bytes.HasPrefix(data[from:], []byte("'''"))) {
			return true // a docstring
		}
		return !bytes.HasPrefix(bytes.TrimLeft(data[end:to], " \t"), []byte("(")) && !bytes.Contains(data[from:to], []byte("import "))
	}
	return false
}

// declaredIn returns a test of whether the name at a place, given by line and byte column, is declared there: a function,
// a variable, a field or a method of an interface. The test is by the syntax for Go and by the form of the line otherwise.
func declaredIn(p string, data []byte, name string) func(line, col int, text []byte) bool {
	if strings.HasSuffix(p, ".go") && bytes.Contains(data, []byte(name)) {
		places := goDeclared(data, name)
		return func(line, col int, _ []byte) bool { return places[[2]int{line, col}] }
	}
	q := regexp.QuoteMeta(name)
	const words = `(?:(?:export|default|declare|const|let|var|static|readonly|public|private|protected|abstract|async|function\*?|def|class|interface|type|enum|namespace)\s+)`
	// A line that begins with the name and sets it, or one that begins with a word for declarations.
	re := regexp.MustCompile(`^\s*(?:` + words + `+(` + q + `)(?:$|[^\pL\pN_.])|(` + q + `)\s*(?::[^=(]+)?=(?:[^=>]|$))|\bfor\s+(?:const\s+|let\s+|var\s+)?(` +
		q + `)\s+(?:in|of)\b|[^\pL\pN_.](` + q + `)\s*=>`)
	return func(_, col int, text []byte) bool {
		m := re.FindSubmatchIndex(text)
		return m != nil && max(m[2], m[4], m[6], m[8]) == col-1
	}
}

// goDeclared finds where Go code declares a name. A file with a syntax error is taken as far as it goes.
func goDeclared(data []byte, name string) map[[2]int]bool {
	fset := token.NewFileSet()
	f, _ := parser.ParseFile(fset, "", data, parser.SkipObjectResolution)
	out := map[[2]int]bool{}
	if f == nil {
		return out
	}
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id != nil && id.Name == name {
				p := fset.PositionFor(id.Pos(), false)
				out[[2]int{p.Line, p.Column}] = true
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
			if n.Recv != nil { // a type is not used by having methods
				ast.Inspect(n.Recv, func(x ast.Node) bool {
					if id, ok := x.(*ast.Ident); ok {
						add(id)
					}
					return true
				})
			}
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		case *ast.AssignStmt:
			if n.Tok == token.DEFINE {
				for _, x := range n.Lhs {
					if id, ok := x.(*ast.Ident); ok {
						add(id)
					}
				}
			}
		}
		return true
	})
	return out
}

var (
	decoratorHead = lazyregexp.New(`^\s*@[\pL\pN_.]*$`)
	typeArguments = lazyregexp.New(`^<[\pL\pN_$.,|&\[\]<> ]*>\(`)
	elementHead   = lazyregexp.New(`(?:^|[^\pL\pN_$)\]])<$`)
	newHead       = lazyregexp.New(`(?:^|[^\pL\pN_$])new\s+(?:[\pL\pN_$]+\.)*$`)
)

// isCall reports whether an identifier between two byte columns of a line is called, or decorates something, or is the
// name of an element.
func isCall(p, line string, col, end int) bool {
	if col < 1 || end < col || end-1 > len(line) {
		return false
	}
	head, rest := line[:col-1], strings.TrimLeft(line[end-1:], " \t")
	switch ext := strings.ToLower(path.Ext(p)); ext {
	case ".go":
		if strings.HasPrefix(rest, "[") { // type arguments
			if i := strings.IndexByte(rest, ']'); i > 0 {
				rest = rest[i+1:]
			}
		}
	case ".js", ".jsx", ".mjs", ".cjs", ".ts", ".tsx", ".mts", ".cts":
		if strings.HasPrefix(rest, "?.(") || strings.HasPrefix(rest, "`") || typeArguments.MatchString(rest) || newHead.MatchString(head) {
			return true
		}
		if elementHead.MatchString(head) && strings.HasSuffix(ext, "x") || ext == ".js" && elementHead.MatchString(head) {
			return true
		}
		fallthrough
	default:
		if decoratorHead.MatchString(head) {
			return true
		}
	}
	return strings.HasPrefix(rest, "(")
}

// The bounds of a last look.
const (
	confirmNoneFiles = 20_000
	confirmNoneBytes = 256 << 20
)

// lookups are signs that a file looks names up at run time.
var lookups = lazyregexp.New(`\b(?:getattr|hasattr|globals|locals|vars|__dict__|attrgetter|methodcaller|import_module|eval|exec|MethodByName|FieldByName|Reflect)\b|[\pL\pN_$)]\[`)

// confirmNone is what stands before "verified none": it looks for the name in the files that .gitignore leaves out, and in
// all files for string literals that are a part of the name and are joined with something, as in
// getattr(self, "visit_" + kind).
func (s *search) confirmNone(ctx context.Context) (unread int, err error) {
	re, err := grep.Compile(s.name, grep.Options{Word: true})
	if err != nil {
		return 0, err
	}
	kept := map[string]bool{}
	err = walk.Files(ctx, s.r.FS, walk.Options{}, func(p string, _ fs.DirEntry) error {
		kept[p] = true
		return nil
	})
	if err != nil {
		return 0, err
	}
	files, size := 0, 0
	err = walk.Files(ctx, s.r.FS, walk.Options{All: true}, func(p string, _ fs.DirEntry) error {
		data, ok, fault := s.source(p)
		if fault != "" {
			s.why("%s %s", p, fault)
			unread++
		}
		if !ok {
			return nil
		}
		files++
		size += len(data)
		if !kept[p] {
			if files > confirmNoneFiles || size > confirmNoneBytes {
				return errStop
			}
			for _, l := range s.written(re, p, data) {
				if !l.harmless {
					unread++
					s.unread(l.Location)
					s.why("the name is written in a file that .gitignore leaves out: %s", p)
				}
			}
		}
		if mask.Known(p) {
			for _, line := range joined(p, data, s.name) {
				unread++
				s.unread(codegraph.Location{Path: p, Line: line})
				s.why("a name that is put together when the program runs may be this one: %s", at(p, line))
			}
		}
		return nil
	})
	s.looked("what .gitignore leaves out, and names that are put together: %s", text.Plural(files, "file"))
	if errors.Is(err, errStop) {
		s.why("the files that .gitignore leaves out are too many to be read")
		return unread + 1, nil
	}
	return unread, err
}

var hole = lazyregexp.New(`\$?\{[^}]*\}|%[sdv]`)

// joined returns the lines of string literals that are the beginning or the end of a name and are joined with something
// else, in a file that looks names up when it runs.
func joined(p string, data []byte, name string) []int {
	if !lookups.Match(data) {
		return nil
	}
	var out []int
	classes := mask.Classes(p, data)
	for i := 0; i < len(data); {
		if classes[i] != mask.String {
			i++
			continue
		}
		from := i
		for i < len(data) && classes[i] == mask.String {
			i++
		}
		lit := bytes.Trim(data[from:i], "\"'`")
		if len(lit) > 200 || bytes.ContainsAny(lit, " \t\n") {
			continue
		}
		before := bytes.TrimRight(data[max(0, from-8):from], " \tfFrRbBuU\n(")
		after := bytes.TrimLeft(data[i:min(len(data), i+12)], " \t\n)")
		glued := bytes.HasSuffix(before, []byte("+")) || bytes.HasPrefix(after, []byte("+")) || bytes.HasPrefix(after, []byte("%")) || bytes.HasPrefix(after, []byte(".join"))
		parts := hole.Split(string(lit), -1)
		if !glued && len(parts) < 2 {
			continue
		}
		for k, part := range parts {
			if len(part) < 3 || len(part) >= len(name) {
				continue
			}
			if (k == 0 && strings.HasPrefix(name, part)) || (k == len(parts)-1 && strings.HasSuffix(name, part)) {
				out = append(out, 1+bytes.Count(data[:from], []byte("\n")))
				break
			}
		}
	}
	return out
}

// errStop ends a walk that has found what it looked for.
var errStop = errors.New("stop")
