package symbols

import (
	"bytes"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// In Python the signatures of an overloaded function (typing.overload) are declarations of one symbol, and the last one is
// the function itself. Some servers list all of them and others the last one only, so that what the others leave out is
// read from the text: "name[0]" means the same with each of them.

// definesPython matches a line that begins a function.
var definesPython = lazyregexp.New(`(?m)^([ \t]*)(?:async[ \t]+)?def[ \t]+([\p{L}_][\p{L}\p{Nd}_]*)`)

// maxSignatures bounds the signatures of one function that are added.
const maxSignatures = 200

func isPython(path string) bool {
	return strings.HasSuffix(path, ".py") || strings.HasSuffix(path, ".pyi")
}

// withSignatures adds the overloaded signatures that are missing in the outline of a Python file, in the order of the file.
func withSignatures(list []Declaration, text *source.Text, path string) []Declaration {
	if !isPython(path) || !bytes.Contains(text.Bytes, []byte("overload")) {
		return list
	}
	type key struct{ indent, name string }
	lines := map[key][]int{} // where a function of a name begins, by its indentation
	classes := mask.Classes(path, text.Bytes)
	for _, m := range definesPython.FindAllSubmatchIndex(text.Bytes, -1) {
		if classes[m[4]] != mask.Code {
			continue
		}
		line, _ := text.Place(m[4])
		k := key{string(text.Bytes[m[2]:m[3]]), string(text.Bytes[m[4]:m[5]])}
		lines[k] = append(lines[k], line)
	}
	added := false
	for _, d := range slices.Clone(list) {
		if d.siblings != 1 || d.Chain == nil || !memberKinds[d.Kind] {
			continue
		}
		row, _ := text.Line(d.At.Line)
		m := definesPython.FindSubmatch(row)
		if m == nil || string(m[2]) != d.ident() {
			continue
		}
		same := lines[key{string(m[1]), string(m[2])}]
		if len(same) < 2 || len(same) > maxSignatures {
			continue
		}
		scope := complete.ScopeOf(text, d.At.Line)
		for _, n := range same {
			if n == d.At.Line || !isSignature(text, n) || complete.ScopeOf(text, n) != scope {
				continue
			}
			start, end, ok := text.FindIdent(n, 1+len(m[1]), d.ident())
			if !ok {
				continue
			}
			o := d
			o.params = ""
			o.At = place.Location{Path: d.At.Path, Line: n, Col: start, EndLine: n, EndCol: end}
			o.Whole = o.At
			list, added = append(list, o), true
		}
	}
	if !added {
		return list
	}
	sortDeclarations(list)
	count := map[string]int{}
	for pass := range 2 {
		seen := map[string]int{}
		for i := range list {
			k := strings.Join(list[i].Chain[:len(list[i].Chain)-1], "\x00") + "\x00" + list[i].ident()
			if pass == 0 {
				count[k]++
				continue
			}
			list[i].index, list[i].siblings = seen[k], count[k]
			seen[k]++
		}
	}
	return list
}

// isSignature reports whether the function on a line is decorated as an overload.
func isSignature(text *source.Text, n int) bool {
	for n--; n > 0; n-- {
		row, _ := text.Line(n)
		row = bytes.TrimSpace(row)
		switch {
		case len(row) == 0 || row[0] == '#':
		case row[0] == '@':
			word := row[1:]
			if i := bytes.IndexAny(word, " \t(#"); i >= 0 {
				word = word[:i]
			}
			if string(word[bytes.LastIndexByte(word, '.')+1:]) == "overload" {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// isSignatureOf reports whether a declaration is an overloaded signature of a function that is in the list itself.
func (c *Resolver) isSignatureOf(list []Declaration, d Declaration) bool {
	return c.isOverload(d) && slices.ContainsFunc(list, func(o Declaration) bool {
		return o.At.Path == d.At.Path && o.Full() == d.Full() && !c.isOverload(o)
	})
}

// isOverload reports whether a declaration is a function of Python that is decorated as an overload.
func (c *Resolver) isOverload(d Declaration) bool {
	abs, err := c.pool.Tree.Existing(d.At.Path)
	if err != nil || !isPython(abs) {
		return false
	}
	text, _, err := c.pool.Tree.Read(abs)
	return err == nil && isSignature(text, d.At.Line)
}
