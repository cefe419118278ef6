package callers

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf16"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/textfiles"
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
	hidden, files := 0, 0                          // hidden: files and folders that may hold anything
	if s.files, err = s.r.Files(ctx); err != nil { // language servers may have taken long
		return 0, err
	}
	for _, k := range s.files.Skips {
		if !k.Rule {
			hidden++
			s.why("%s could not be read: %s", k.Path, k.Reason)
		}
	}
	sought := textfiles.Seek(re.Needs, false)
	type looked struct {
		path string
		in   source
		list []occurrence
	}
	look := func(f *textfiles.File) looked {
		in := s.source(f, sought)
		list := occurrencesOf(s.name, re, f.Path, in)
		if len(list) == 0 {
			in.text, in.parts = nil, nil // not to be kept until the others were looked at
		}
		return looked{f.Path, in, list}
	}
	for found, err := range textfiles.Each(ctx, s.files.Files, look) {
		if err != nil {
			return 0, err
		}
		p, list := found.path, found.list
		if found.in.fault != "" {
			hidden++
			s.why("%s %s", p, found.in.fault)
		}
		if !found.in.ok {
			continue
		}
		files++
		for _, l := range list {
			if s.explained.has(l.Location) || l.harmless() {
				continue
			}
			line, class := string(l.line), l.class()
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
	}
	s.looked("text of %s", text.Plural(files, "file"))
	if unread > 0 {
		in := ""
		if s.foreign > 0 {
			in = fmt.Sprintf(", %d in files of other languages", s.foreign)
		}
		s.why("places where the name is written and nothing explains it: %d%s", unread, in)
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
	if err != nil || enc.Name != s.name && family(l.Path) != "go" && re.Match([]byte(enc.Signature)) && l.Line > enc.Line && !typed(enc.Signature, s.name) {
		return false // a parameter
	}
	return !slices.ContainsFunc(list, func(o occurrence) bool {
		inner, _ := s.g.Enclosing(o.Path, o.Line)
		return o.declared() && inner.ID == enc.ID && !s.explained.has(o.Location)
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
	m := before[strings.LastIndexFunc(before, func(r rune) bool { return r != '_' && !unicode.In(r, unicode.L, unicode.N) })+1:]
	return m == strings.TrimSuffix(path.Base(e.Path), path.Ext(e.Path)) || m == path.Base(path.Dir(e.Path))
}

var importLine = lazyregexp.New(`^\s*(?:from|import)\s`)

// importedFromElsewhere reports whether a file imports the name, and not from the symbol.
func importedFromElsewhere(s *search, list []occurrence) bool {
	return slices.ContainsFunc(list, func(o occurrence) bool {
		return !s.explained.has(o.Location) && importLine.Match(o.line)
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
	first := len(s.noted[l.Path]) == 0
	s.noted.add(l)
	s.res.Unexplained++
	p := Place{Path: l.Path, Line: l.Line}
	f := family(l.Path)
	switch own := slices.ContainsFunc(s.symbols, func(e codegraph.Entity) bool { return family(e.Path) == f }); {
	case f == "" && !own: // a template, a script, the configuration: it may call
		s.near = append(s.near, p)
	case own || len(s.symbols) == 0:
		s.res.Unread = append(s.res.Unread, p)
	default: // code in another language hardly means the symbol, and could hide what does under hundreds of places
		s.foreign++
		if first {
			s.far = append(s.far, p)
		}
	}
}

// proseExts are files that are read by people.
var proseExts = map[string]bool{".md": true, ".markdown": true, ".rst": true, ".txt": true, ".adoc": true, ".tex": true,
	".bib": true, ".log": true, ".csv": true, ".tsv": true, ".svg": true, ".po": true, ".pot": true, ".diff": true, ".patch": true}

var proseNames = lazyregexp.New(`(?i)^(readme|licen[cs]e|copying|notice|authors|contributors|changes|changelog|history|news|todo)\b`)

// prose reports whether a file holds no code that runs.
func prose(p string) bool {
	ext := path.Ext(p)
	stem := strings.TrimSuffix(path.Base(p), ext)
	switch {
	case proseExts[strings.ToLower(ext)]:
		return true
	case ext != "" && (mask.Known(p) || strings.ToUpper(stem) != stem): // unlike LICENSE.MIT
		return false
	}
	return proseNames.MatchString(stem)
}

// A source is the text of a file that may call something, without it when the file is known not to hold what is sought.
type source struct {
	text  []byte
	parts func() mask.Parts // what is no code in it
	ok    bool              // there is something to look at
	fault string            // what stands in the way of looking, after the file's name
}

func (s *search) source(f *textfiles.File, sought textfiles.Sought) source {
	if prose(f.Path) {
		return source{}
	}
	if _, unsaved := s.r.Overlay(f.Path); unsaved {
		data, err := s.r.ReadText(f.Path)
		src := s.looksAt(f.Path, data, bytes.IndexByte(data, 0) >= 0, err)
		src.parts = sync.OnceValue(func() mask.Parts { return mask.Of(f.Path, data) })
		return src
	}
	look, err := f.Look(sought)
	if look.Lacks && look.Zero >= 0 && mask.Known(f.Path) { // it may hold the name in UTF-16
		look, err = f.Look(nil)
	}
	src := s.looksAt(f.Path, look.Text, look.Zero >= 0, err)
	src.parts = func() mask.Parts { return look.Parts(f) }
	return src
}

func (s *search) looksAt(p string, data []byte, binary bool, err error) source {
	switch {
	case binary && !mask.Known(p):
		return source{} // a picture, an archive, a compiled file
	case err != nil:
		return source{fault: "could not be read: " + walk.Reason(err)}
	case binary && holds(data, s.name):
		return source{fault: "holds the name and is binary"}
	case binary:
		return source{}
	}
	return source{text: data, ok: true}
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
	every, err := s.r.EveryFile(ctx)
	if err != nil {
		return 0, err
	}
	sought := textfiles.Seek(re.Needs, false)
	files, size := 0, 0
	for _, f := range every.Files {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		p, kept := f.Path, s.files.File(f.Path)
		if kept != nil {
			f = kept
		}
		in := s.source(f, sought)
		if in.fault != "" {
			s.why("%s %s", p, in.fault)
			unread++
		}
		if !in.ok {
			continue
		}
		files++
		if kept == nil {
			if size += len(in.text); files > confirmNoneFiles || size > confirmNoneBytes {
				s.why("the files that .gitignore leaves out are too many to be read")
				unread++
				break
			}
			for _, l := range occurrencesOf(s.name, re, p, in) {
				if !l.harmless() {
					unread++
					s.unread(l.Location)
					s.why("the name is written in a file that .gitignore leaves out: %s", p)
				}
			}
		}
		lines, err := s.joined(f)
		if err != nil {
			s.why("%s could not be read: %s", p, walk.Reason(err))
			unread++
		}
		for _, line := range lines {
			unread++
			s.unread(codegraph.Location{Path: p, Line: line})
			s.why("a name that is put together when the program runs may be this one: %s", at(p, line))
		}
	}
	s.looked("what .gitignore leaves out, and names that are put together: %s", text.Plural(files, "file"))
	return unread, nil
}

var hole = lazyregexp.New(`\$?\{[^}]*\}|%[sdv]`)

// joined returns the lines of string literals that are the beginning or the end of the name and are joined with something else, in a file that looks names up when
// it runs.
func (s *search) joined(f *textfiles.File) (lines []int, err error) {
	if !mask.Known(f.Path) {
		return nil, nil
	}
	var parts any
	if _, unsaved := s.r.Overlay(f.Path); unsaved {
		data, err := s.r.ReadText(f.Path)
		if err != nil {
			return nil, err
		}
		parts = literals(f.Path, data)
	} else if parts, err = f.Memo(literals); err != nil {
		return nil, err
	}
	for _, l := range parts.([]literal) {
		for k, part := range l.parts {
			if len(part) < 3 || len(part) >= len(s.name) {
				continue
			}
			if (k == 0 && strings.HasPrefix(s.name, part)) || (k == len(l.parts)-1 && strings.HasSuffix(s.name, part)) {
				lines = append(lines, l.line)
				break
			}
		}
	}
	return lines, nil
}

// A literal is one that is joined with something else.
type literal struct {
	line  int
	parts []string // what stands between the places where values are put in
}

// literals gives the literals of a file that looks names up when it runs.
func literals(p string, data []byte) any {
	var out []literal
	if !lookups.Match(data) {
		return out
	}
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
		if parts := hole.Split(string(lit), -1); glued || len(parts) > 1 {
			out = append(out, literal{1 + bytes.Count(data[:from], []byte("\n")), parts})
		}
	}
	return out
}
