package questions

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

const (
	// maxAliasLines bounds how far above a name its import may begin.
	maxAliasLines = 100
	// maxAliasUses bounds the places that are asked about because they hold another name of the target.
	maxAliasUses = 200
	// maxAliasBytes bounds the text that is searched for them.
	maxAliasBytes = 256 << 20
)

// importsByName are the languages in which an import can give a function or type another name, and whose servers take
// that for another symbol: its uses are not among the references. (In TypeScript they are, Go and C have no such imports.)
var importsByName = map[string]bool{"python": true, "rust": true}

var (
	otherName    = lazyregexp.New(`^(?:[ \t]|\\\r?\n|\r?\n)+as[ \t]+(?:r#)?([\p{L}_][\p{L}\p{N}_]*)`)
	pythonImport = lazyregexp.New(`^[ \t]*(?:from[ \t]+[\p{L}\p{N}_.]+[ \t]+)?import\b`)
	pythonListed = lazyregexp.New(`^[\p{L}\p{N}_., \t\r]*(?:#.*)?$`)
	rustTree     = lazyregexp.New(`(?:^|[^\p{L}\p{N}_])use[ \t\r\n][\p{L}\p{N}_:{},* \t\r\n#]*$`)
)

// aliases returns the other names that imports among the references give to what they import, in the order of the
// references.
func aliases(v *session.Converter, refs []place.Location) []place.Location {
	list := []place.Location{}
	for _, ref := range refs {
		abs := v.Session.Server.Pool.Absolute(ref.Path)
		language := v.Session.Server.Spec.LanguageOf(abs)
		if !importsByName[language] || !source.Below(v.Session.Server.Folder, abs) {
			continue
		}
		if text := v.Text(abs); text != nil {
			if at, ok := aliasAt(text, ref, language); ok {
				list = append(list, at)
			}
		}
	}
	return list
}

// aliasAt returns the name behind "as" if the place is a name in an import.
func aliasAt(text *source.Text, at place.Location, language string) (place.Location, bool) {
	line, ok := text.Line(at.EndLine)
	if !ok || at.Line != at.EndLine || at.EndCol-1 > len(line) {
		return place.Location{}, false
	}
	end := text.Starts[at.EndLine-1] + at.EndCol - 1
	m := otherName.FindSubmatchIndex(text.Bytes[end:min(len(text.Bytes), end+1000)])
	if m == nil {
		return place.Location{}, false
	}
	name := text.Bytes[end+m[2] : end+m[3]]
	if string(name) == "_" || !inImport(text, at, language) {
		return place.Location{}, false
	}
	row := at.EndLine + bytes.Count(text.Bytes[end:end+m[2]], []byte("\n"))
	if row > len(text.Starts) {
		return place.Location{}, false
	}
	col := end + m[2] - text.Starts[row-1] + 1
	return place.Location{Path: at.Path, Line: row, Col: col, EndLine: row, EndCol: col + len(name)}, true
}

// inImport reports whether the statement around a place is an import.
func inImport(text *source.Text, at place.Location, language string) bool {
	top := max(1, at.Line-maxAliasLines)
	if language == "rust" {
		return rustTree.Match(text.Bytes[text.Starts[top-1] : text.Starts[at.Line-1]+at.Col-1])
	}
	line, _ := text.Line(at.Line)
	if pythonImport.Match(line[:at.Col-1]) {
		return true
	}
	for row := at.Line; row >= top; row-- { // the lines between the parentheses, or behind a backslash
		line, _ := text.Line(row)
		if row < at.Line {
			if pythonImport.Match(line) {
				open := bytes.IndexByte(line, '(')
				return open >= 0 && !bytes.Contains(line[open:], []byte(")")) || bytes.HasSuffix(bytes.TrimRight(line, " \t\r"), []byte(`\`))
			}
			line = bytes.TrimSuffix(bytes.TrimRight(line, " \t\r"), []byte(`\`))
		} else {
			line = line[:at.Col-1]
		}
		if !pythonListed.Match(line) {
			return false
		}
	}
	return false
}

// underOtherNames adds the calls of the target under names that imports give it, which the servers leave out: words that
// are such a name, look like a call, and whose definition is the target's.
func (c *CallFinder) underOtherNames(ctx context.Context, at *symbols.Spot, r *CallsResult) error {
	if !importsByName[at.Server.Spec.LanguageOf(at.Abs)] {
		return nil
	}
	target := symbols.At(c.pool.Tree.Relative(at.Abs), at.Line, at.Col)
	_, a, err := c.find.references(ctx, target, false)
	if err != nil {
		return err
	}
	refs := result(a, 1<<30, nil)
	if refs.State != session.Complete && r.State == session.Complete {
		r.State, r.Reason = refs.State, cmp.Or(refs.Reason, "not all imports of the target are known yet")
	}
	v := a.Session.Converter()
	other := aliases(v, refs.Locations)
	if len(other) == 0 {
		return nil
	}
	def, err := c.find.Definition(ctx, target, nil)
	if err != nil {
		return err
	}
	known := map[place.Location]bool{}
	for _, call := range r.Calls {
		for _, site := range call.Sites {
			known[site.Start()] = true
		}
	}
	words := map[string]bool{}
	for _, name := range other {
		words[wordAt(v, name)] = true
	}
	sites, short, err := c.callsOf(ctx, v, words)
	if err != nil {
		return err
	}
	around := c.enclosing(at.Server)
	added := 0
	for _, site := range sites {
		if known[site.Start()] {
			continue
		}
		leads, err := c.find.Definition(ctx, symbols.At(site.Path, site.Line, site.Col), nil)
		if err != nil {
			if ctx.Err() != nil {
				return err
			}
			short = cmp.Or(short, fmt.Sprintf("the server does not say what %s:%d calls: %v", site.Path, site.Line, err))
			continue
		}
		if !slices.ContainsFunc(leads.Locations, func(l place.Location) bool { return slices.Contains(def.Locations, l) }) {
			continue
		}
		call, why, err := around.caller(ctx, site, v.Text(c.pool.Absolute(site.Path)))
		if err != nil {
			return err
		}
		short = cmp.Or(short, why)
		if call != nil {
			r.add(*call)
			added++
		}
	}
	r.tidy()
	if added > 0 {
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("calls under another name, found by their definitions: %d (%s)", added, excerpt.List(wordsAt(v, other), 3)))
	}
	a.Session.Degrade(&r.Answer, short)
	return nil
}

// callsOf finds the words in the files of a server's folder that look like calls, outside of comments and strings. The
// second value says that not all were diagnosis at.
func (c *CallFinder) callsOf(ctx context.Context, v *session.Converter, words map[string]bool) ([]place.Location, string, error) {
	files, err := v.Session.Server.Files(ctx)
	if err != nil {
		return nil, "", err
	}
	var sites []place.Location
	size := 0
	for _, abs := range files {
		if err := ctx.Err(); err != nil {
			return nil, "", err
		}
		text, err := v.Session.Documents.Text(abs)
		if err != nil {
			continue // gone since it was listed
		}
		if size += len(text.Bytes); size > maxAliasBytes {
			return sites, "more text than can be searched for other names of the target", nil
		}
		for word := range words {
			if !source.HoldsWord(text.Bytes, word) {
				continue
			}
			sites = append(sites, callLike(text, c.pool.Tree.Relative(abs), 1, len(text.Starts), word)...)
			if len(sites) > maxAliasUses {
				return sites[:maxAliasUses], fmt.Sprintf("more than %d places hold another name of the target", maxAliasUses), nil
			}
		}
	}
	slices.SortFunc(sites, place.Compare)
	return sites, "", nil
}

// wordsAt returns the text of places on one line each, and where they are.
func wordsAt(v *session.Converter, places []place.Location) []string {
	list := make([]string, 0, len(places))
	for _, at := range places {
		list = append(list, fmt.Sprintf("%s at %s:%d:%d", wordAt(v, at), at.Path, at.Line, at.Col))
	}
	return list
}

// wordAt returns the text of a place on one line.
func wordAt(v *session.Converter, at place.Location) string {
	text := v.Text(v.Session.Server.Pool.Absolute(at.Path))
	if text == nil {
		return ""
	}
	line, _ := text.Line(at.Line)
	if at.EndCol-1 > len(line) {
		return ""
	}
	return string(line[at.Col-1 : at.EndCol-1])
}
