package repository

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/internal/textfiles"
)

// Written reports whether a name stands in the code of some file, comments and strings aside.
func (r *Repository) Written(ctx context.Context, name string) (bool, error) {
	if strings.ContainsAny(name, " \t\n/:") || name == "" {
		return false, nil
	}
	re, err := grep.Compile(name, grep.Options{Word: true})
	if err != nil {
		return false, err
	}
	list, err := r.Files(ctx)
	if err != nil {
		return false, err
	}
	sought := textfiles.Seek(re.Needs, false)
	for _, f := range list.Files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if !mask.Known(f.Path) {
			continue
		}
		look, err := f.Look(sought)
		if err != nil || look.Lacks {
			continue // what cannot be read is counted by the search that follows
		}
		for l := range re.Lines(look.Text) {
			for _, span := range l.Spans {
				if look.Parts(f).At(l.At+span[0]).Class == mask.Code {
					return true, nil
				}
			}
		}
	}
	return false, nil
}

// NamePlace returns the place of an entity's own name, which decorators, keywords and receivers stand before.
func (r *Repository) NamePlace(e codegraph.Entity) codegraph.Location {
	data, err := r.Text(e.Path)
	if err != nil {
		data = nil
	}
	return NameIn(e, bytes.Split(data, []byte("\n")))
}

// keywords match what stands before a name that is declared, by the extension of the file.
var keywords = map[string]*lazyregexp.Regexp{".py": pythonKeyword, ".pyi": pythonKeyword, ".go": lazyregexp.New(`^\s*func\s*(?:\([^)]*\)\s*)?$`)}

var pythonKeyword = lazyregexp.New(`^\s*(?:async\s+)?(?:def|class)\s+$`)

// NameIn is namePlace with the lines of the file. Without the name there it is the beginning of the entity.
func NameIn(e codegraph.Entity, lines [][]byte) codegraph.Location {
	last := min(e.EndLine, len(lines), e.Line+200)
	place := func(n, col int) codegraph.Location {
		return codegraph.Location{Path: e.Path, Line: n, Col: col, EndLine: n, EndCol: col + len(e.Name)}
	}
	word, err := grep.Compile(e.Name, grep.Options{Word: true})
	if err != nil {
		return place(e.Line, 1)
	}
	if keyword := keywords[strings.ToLower(path.Ext(e.Path))]; keyword != nil {
		for n := max(e.Line, 1); n <= last; n++ {
			for _, span := range word.Line(lines[n-1]) {
				if keyword.Match(lines[n-1][:span[0]]) {
					return place(n, span[0]+1)
				}
			}
		}
	}
	for n := max(e.Line, 1); n <= last; n++ {
		text := lines[n-1]
		if bytes.HasPrefix(bytes.TrimSpace(text), []byte("@")) {
			continue
		}
		if m := word.Line(text); len(m) > 0 {
			return place(n, m[0][0]+1)
		}
	}
	return place(e.Line, 1)
}

// IsCode reports whether an entity is a function or a class, and no file or folder.
func IsCode(e codegraph.Entity) bool {
	return e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction
}
