package callers

import (
	"bytes"
	"go/ast"
	"go/parser"
	"go/token"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/mask"
)

// An inFile is a text in which a name is looked for.
type inFile struct {
	path     string
	text     []byte
	name     string
	parts    func() mask.Parts
	declares map[[2]int]bool // where Go code declares the name; nil: not looked at yet
}

// An occurrence is one of them. What it is, is found out when somebody asks: most are explained by what is known.
type occurrence struct {
	codegraph.Location
	in   *inFile
	at   int    // its offset
	line []byte // without its end
}

// occurrencesOf lists the places of a name in a file.
func occurrencesOf(name string, re *grep.Pattern, p string, in source) []occurrence {
	var out []occurrence
	w := &inFile{path: p, text: in.text, name: name, parts: in.parts}
	for l := range re.Lines(in.text) {
		text := bytes.TrimRight(l.Text, "\r")
		for _, m := range l.Spans {
			if family(p) == "javascript" && (m[0] > 0 && text[m[0]-1] == '$' || m[1] < len(text) && text[m[1]] == '$') {
				continue // a part of another name
			}
			at := codegraph.Location{Path: p, Line: l.N, Col: m[0] + 1, EndLine: l.N, EndCol: m[1] + 1}
			out = append(out, occurrence{Location: at, in: w, at: l.At + m[0], line: text})
		}
	}
	return out
}

// class is what the place belongs to.
func (o occurrence) class() mask.Class { return o.in.parts().At(o.at).Class }

// declared reports whether the place is a declaration.
func (o occurrence) declared() bool {
	if o.class() != mask.Code {
		return false
	}
	if strings.HasSuffix(o.Path, ".go") {
		if o.in.declares == nil {
			o.in.declares = goDeclared(o.in.text, o.in.name)
		}
		return o.in.declares[[2]int{o.Line, o.Col}]
	}
	return declaresAt(string(o.line), o.Col-1, o.Col-1+len(o.in.name))
}

// harmless reports whether the place is a comment, prose, or a declaration.
func (o occurrence) harmless() bool {
	return o.declared() || harmless(o.in.text, o.in.parts().At(o.at), o.at, o.at+len(o.in.name))
}

// harmless reports whether the name at an offset, which lies in a part of the text, stands in a comment, or in a string literal with blanks, which is prose
// unless it looks like code: a call, an import, a doctest, or a place where a value is put in. A string without blanks
// may be a name that is looked up when the program runs.
func harmless(data []byte, part mask.Part, i, end int) bool {
	start := bytes.LastIndexByte(data[:i], '\n') + 1
	switch part.Class {
	case mask.Comment: // directives of the Go tools name functions
		line := bytes.TrimSpace(data[start:i])
		return !bytes.HasPrefix(line, []byte("//export ")) && !bytes.HasPrefix(line, []byte("//go:linkname ")) &&
			string(line) != "//export" && string(line) != "//go:linkname"
	case mask.String:
		from, to := part.From, max(part.To, end)
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

// declaring are the words that stand before a name which they declare.
var declaring = func() map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq("export default declare const let var static readonly public private protected abstract async function function* def class interface type enum namespace") {
		m[w] = true
	}
	return m
}()

// declaresAt reports by the form of a line whether the name between two byte offsets is declared there: behind words that declare, at the beginning of a line that
// sets it, as the variable of a loop, or as the argument of an arrow function.
func declaresAt(line string, from, to int) bool {
	before, next := line[:from], line[to:]
	words, rest := strings.Fields(before), strings.TrimLeft(next, " \t")
	part := strings.HasSuffix(before, ".")
	if len(words) > 0 && !part && !strings.HasPrefix(next, ".") && strings.TrimRight(before, " \t") != before &&
		!slices.ContainsFunc(words, func(w string) bool { return !declaring[w] }) {
		return true
	}
	if len(words) == 0 {
		if kind, value, set := strings.Cut(rest, "="); set && (kind == "" || kind[0] == ':' && len(kind) > 1 && !strings.Contains(kind, "(")) &&
			!strings.HasPrefix(value, "=") && !strings.HasPrefix(value, ">") {
			return true
		}
	}
	if rest != next && loopTail.MatchString(rest) && loopHead.MatchString(before) { // in this order: most names have neither behind them
		return true
	}
	return from > 0 && !part && strings.HasPrefix(rest, "=>")
}

var (
	loopHead = lazyregexp.New(`\bfor\s+(?:const\s+|let\s+|var\s+)?$`)
	loopTail = lazyregexp.New(`^(?:in|of)\b`)
)

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
		if strings.HasPrefix(rest, "?.(") || strings.HasPrefix(rest, "`") || typeArguments.MatchString(rest) || strings.Contains(head, "new") && newHead.MatchString(head) {
			return true
		}
		if (strings.HasSuffix(ext, "x") || ext == ".js") && strings.HasSuffix(head, "<") && elementHead.MatchString(head) {
			return true
		}
		fallthrough
	default:
		if strings.Contains(head, "@") && decoratorHead.MatchString(head) {
			return true
		}
	}
	return strings.HasPrefix(rest, "(")
}
