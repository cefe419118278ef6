package complete

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// Servers leave files out of their answers without a word: what .gitignore names (ty), what build constraints exclude
// (gopls), modules that nobody declares (rust-analyzer). So the files that hold the name and have no place in an answer
// are asked about: where the name stands for the same symbol there, the place is added, and where the server does not
// know the file, the answer says so.

const (
	// maxTried bounds the places of a name that are asked about in a file to learn what it means there.
	maxTried = 3
	// maxUnlisted bounds the places that are added from one file.
	maxUnlisted = 100
	// maxNamed bounds the files that a reason names.
	maxNamed = 3
)

// unlisted adds the references that lie in files the server leaves out, as far as ReachRule.Unlisted goes. Declared are
// the places of the symbol's declarations.
func (c *Checker) unlisted(ctx context.Context, list wire.Locations, declared []wire.Location, pos protocol.TextDocumentPositionParams, word string) (wire.Locations, error) {
	rule := c.sess.Server.Spec.Reach
	if rule.Unlisted == 0 || word == "" || !c.sess.Offers(protocol.MethodTextDocumentDefinition) {
		return list, nil
	}
	declared, local, err := c.declarationOf(ctx, declared, pos)
	if local || err != nil {
		return list, err
	}
	paths, err := c.holding(ctx, word)
	if err != nil {
		return list, err
	}
	known := map[string]bool{pathIn(pos): true}
	for _, p := range slices.Concat(list.List, declared) {
		if abs, ok := source.PathOf(p.URI); ok {
			known[abs] = true
		}
	}
	paths, left := c.candidates(paths, known, rule)
	if len(paths) == 0 {
		return list, nil
	}
	// What is found here is worth no more than a part of the time.
	some, cancel := third(ctx)
	defer cancel()
	var unread, late []string
	for _, path := range paths {
		places, known, err := c.occurrences(some, path, word, declared)
		switch {
		case err == nil:
		case some.Err() != nil && ctx.Err() == nil:
			late = append(late, path)
			continue
		default:
			return list, err
		}
		list.List = append(list.List, places...)
		if !known {
			unread = append(unread, path)
		}
	}
	list.List = wire.SortLocations(list.List)
	if len(unread) > 0 {
		list.Incomplete = excerpt.Join(list.Incomplete, fmt.Sprintf("%s does not read %d of the files that hold %q: %s", c.sess.Server.Spec.Name, len(unread), word, c.names(unread)))
		if rule.Way != "" {
			list.Incomplete += " (" + rule.Way + ")"
		}
	}
	if len(late) > 0 {
		list.Incomplete = excerpt.Join(list.Incomplete, fmt.Sprintf("there was no time to see what %q means in %d files that %s lists nothing in: %s", word, len(late), c.sess.Server.Spec.Name, c.names(late)))
	}
	if left > 0 {
		list.Note = excerpt.Join(list.Note, fmt.Sprintf("of the files that hold %q %d more were not looked at: %s says that it is another symbol there, or does not read them", word, left, c.sess.Server.Spec.Name))
	}
	return list, nil
}

// unlistedUsers complains about references in files that the server leaves out, before a question whose answer it gives
// without these.
func (c *Checker) unlistedUsers(ctx context.Context, pos protocol.TextDocumentPositionParams, word string) (string, error) {
	var declared wire.Locations
	listed, err := c.sess.References(ctx, pos, true)
	if err == nil && c.sess.Offers(protocol.MethodTextDocumentDefinition) {
		declared, err = c.sess.Definition(ctx, pos)
	}
	if jsonrpc.IsAnswer(err) {
		return fmt.Sprintf("%s could not say which files use it: %v", c.sess.Server.Spec.Name, err), nil
	} else if err != nil {
		return "", err
	}
	all, err := c.unlisted(ctx, wire.Locations{List: slices.Clone(listed.List)}, declared.List, pos, word)
	if err != nil {
		return "", err
	}
	var more []string
	for _, p := range all.List {
		if abs, ok := source.PathOf(p.URI); ok && !slices.Contains(listed.List, p) && !slices.Contains(more, abs) {
			more = append(more, abs)
		}
	}
	if len(more) > 0 {
		all.Incomplete = excerpt.Join(fmt.Sprintf("%s leaves out files with references that it knows when asked about them (%d): %s", c.sess.Server.Spec.Name, len(more), c.names(more)), all.Incomplete)
	}
	return all.Incomplete, nil
}

// OpenUsers shows the server the files that refer to the symbol at a position, before a question whose answer does not
// say under which names they do. It returns a complaint when not all of them could be shown, or are left out.
func (c *Checker) OpenUsers(ctx context.Context, method, ident string, pos protocol.TextDocumentPositionParams) (string, error) {
	if !slices.Contains(crossFile, method) || !c.sess.Offers(protocol.MethodTextDocumentReferences) {
		return "", nil
	}
	if c.sess.Server.Spec.Reach.Unlisted > 0 {
		return c.unlistedUsers(ctx, pos, ident)
	}
	if !c.Mentions.mustOpen(method) {
		return "", nil
	}
	_, lack, err := c.Mentions.AskAll(ctx, method, ident, func() (wire.Locations, error) { return c.sess.References(ctx, pos, true) })
	return lack, err
}

// declarationOf returns the places whose definition means the symbol at a position, of those that the server gives for it.
// Local says that it is declared within the body of a function of the file, and so cannot be meant elsewhere.
func (c *Checker) declarationOf(ctx context.Context, declared []wire.Location, pos protocol.TextDocumentPositionParams) (_ []wire.Location, local bool, err error) {
	if len(declared) == 0 || !c.sess.Offers(protocol.MethodTextDocumentDocumentSymbol) {
		return declared, false, nil
	}
	abs := pathIn(pos)
	r, err := c.sess.DocumentSymbols(ctx, abs)
	if jsonrpc.IsAnswer(err) {
		return declared, false, nil
	} else if err != nil {
		return nil, false, err
	}
	conv := c.sess.Converter()
	symbols := conv.Symbols(abs, r)
	target := wire.Location{URI: string(pos.TextDocument.URI), Range: protocol.Range{Start: pos.Position, End: pos.Position}}
	if here, ok := conv.Location(target.URI, target.Range); ok && !sameStart(target, declared) {
		place.Each(symbols, func(sym place.Symbol) {
			if sym.Selection.Start() == here.Start() {
				// A method from which the server leads to the one it implements: others that do so are not this one.
				declared = []wire.Location{target}
			}
		})
	}
	for _, d := range declared {
		at, ok := conv.Location(d.URI, d.Range)
		if d.URI != target.URI || !ok {
			return declared, false, nil
		}
		var inner *place.Symbol // the innermost one around the declaration
		place.Each(symbols, func(sym place.Symbol) {
			if sym.Location.Holds(at) && sym.Selection.Start() != at.Start() && (inner == nil || place.CompareSizes(sym.Location, inner.Location) <= 0) {
				inner = &sym
			}
		})
		line, _ := conv.Text(abs).Line(at.Line)
		ofObject := at.Col > 1 && at.Col-2 < len(line) && line[at.Col-2] == '.' // what is set at "self.name"
		if inner == nil || ofObject || inner.Kind != "function" && inner.Kind != "method" && inner.Kind != "constructor" {
			return declared, false, nil
		}
	}
	return declared, true, nil
}

// holding lists the files that the server may read in which a word stands outside of comments and strings.
func (c *Checker) holding(ctx context.Context, word string) ([]string, error) {
	list, err := c.Mentions.remember(ctx, "holding "+word, func(files []string) (list wordFiles, err error) {
		budget := int64(session.MaxRead)
		for _, path := range files {
			if err := ctx.Err(); err != nil {
				return list, err
			}
			text, err := c.sess.Documents.Text(path)
			if err != nil || !bytes.Contains(text.Bytes, []byte(word)) {
				continue
			}
			if budget -= int64(len(text.Bytes)); budget < 0 {
				break // of so much nothing is looked at anyway
			}
			if len(wordsInCode(path, text.Bytes, word, 1)) > 0 {
				list.paths = append(list.paths, path)
			}
		}
		return list, nil
	})
	return list.paths, err
}

// wordsInCode returns the offsets at which a word stands as an identifier of its own outside of comments and strings, at
// most so many.
func wordsInCode(path string, text []byte, word string, most int) []int {
	var classes []mask.Class
	var list []int
	for at := 0; len(list) < most; {
		i := bytes.Index(text[at:], []byte(word))
		if i < 0 {
			break
		}
		i += at
		at = i + len(word)
		if s, e := source.NextIdent(text, i); s != i || e != at || source.EndsInIdent(text[:i]) {
			continue
		}
		if classes == nil {
			classes = mask.Classes(filepath.Base(path), text)
		}
		if classes[i] == mask.Code {
			list = append(list, i)
		}
	}
	return list
}

// candidates chooses the files that are asked about, and says how many are left: first those that the entry suspects, then
// one of each folder in turn, of the folders first that the answer has nothing from. What is excluded is mostly folders.
func (c *Checker) candidates(paths []string, known map[string]bool, rule serverspec.ReachRule) ([]string, int) {
	suspect := func(string) bool { return false }
	if rule.Suspect != "" {
		re := regexp.MustCompile(rule.Suspect) // the registry has checked it
		suspect = func(path string) bool {
			const head = 4 << 10
			text, err := c.sess.Documents.Text(path)
			return re.MatchString(filepath.ToSlash(path)) || err == nil && re.Match(text.Bytes[:min(len(text.Bytes), head)])
		}
	}
	answered := map[string]bool{}
	for path := range known {
		answered[filepath.Dir(path)] = true
	}
	type candidate struct {
		path string
		rank [3]int
	}
	var list []candidate
	turns := map[string]int{}
	for _, path := range paths {
		if known[path] {
			continue
		}
		dir := filepath.Dir(path)
		c := candidate{path: path, rank: [3]int{1, turns[dir], 0}}
		turns[dir]++
		if answered[dir] {
			c.rank[2] = 1
		}
		if suspect(path) {
			c.rank = [3]int{}
		}
		list = append(list, c)
	}
	slices.SortStableFunc(list, func(a, b candidate) int { return slices.Compare(a.rank[:], b.rank[:]) })
	left := max(0, len(list)-rule.Unlisted)
	out := make([]string, 0, rule.Unlisted)
	for _, c := range list[:len(list)-left] {
		out = append(out, c.path)
	}
	return out, left
}

// occurrences asks what a word stands for in a file that the answer has nothing from. It returns the places where it is the
// symbol with these declarations, and whether the server knows the file.
func (c *Checker) occurrences(ctx context.Context, path, word string, declared []wire.Location) (places []wire.Location, known bool, err error) {
	text, err := c.sess.Documents.Text(path)
	if err != nil {
		return nil, true, nil // gone since
	}
	tried := 0
	for _, offset := range wordsInCode(path, text.Bytes, word, maxUnlisted) {
		at, ok := placeAt(c.sess, path, text, offset, len(word))
		if !ok {
			continue
		}
		pos := session.Position(path, at.Range.Start)
		leads, err := c.sess.Definition(ctx, pos)
		if err != nil && !jsonrpc.IsAnswer(err) {
			return places, true, err
		}
		if slices.ContainsFunc(leads.List, func(p wire.Location) bool { return sameStart(p, declared) }) {
			places = append(places, at)
			known = true
			continue
		}
		if !known {
			if known, err = c.knowsFile(ctx, pos, len(leads.List) > 0); err != nil {
				return places, true, err
			}
		}
		if tried++; tried == maxTried && len(places) == 0 {
			break
		}
	}
	return places, known || tried == 0, nil
}

// placeAt returns the place of so many bytes at an offset of a file.
func placeAt(s *session.Session, path string, text *source.Text, offset, size int) (wire.Location, bool) {
	line, col := text.Place(offset)
	from, err := s.Position(text, line, col)
	if err != nil {
		return wire.Location{}, false
	}
	to, ok := text.ToServer(line, col+size, s.Encoding, s.Lines())
	return wire.Location{URI: source.FileURI(path), Range: protocol.Range{Start: from, End: to}}, ok
}

// knowsFile reports whether the server knows the file of a position, by the question that its entry names. A definition that
// leads somewhere is enough.
func (c *Checker) knowsFile(ctx context.Context, pos protocol.TextDocumentPositionParams, defined bool) (bool, error) {
	method := c.sess.Server.Spec.Reach.Member
	if defined || method == "" {
		return true, nil
	}
	var raw json.RawMessage
	if err := c.sess.Call(ctx, method, &pos, &raw); jsonrpc.IsAnswer(err) {
		return false, nil
	} else if err != nil {
		return false, err
	}
	return !slices.Contains([]string{"", "null", "[]", "{}"}, string(raw)), nil
}

// sameStart reports whether a place is one of the declarations. Servers differ in how much of it they give.
func sameStart(p wire.Location, declared []wire.Location) bool {
	return slices.ContainsFunc(declared, func(d wire.Location) bool { return d.URI == p.URI && d.Range.Start == p.Range.Start })
}

// names lists the first files, relative to the root.
func (c *Checker) names(paths []string) string {
	var list []string
	for _, p := range paths[:min(len(paths), maxNamed)] {
		list = append(list, c.sess.Server.Pool.Tree.Relative(p))
	}
	if len(paths) > maxNamed {
		list = append(list, "...")
	}
	return strings.Join(list, ", ")
}

// third limits a side question to a third of the time that is left.
func third(ctx context.Context) (context.Context, context.CancelFunc) {
	part := session.DefaultTimeout / 3
	if end, ok := ctx.Deadline(); ok {
		part = time.Until(end) / 3
	}
	return context.WithTimeout(ctx, part)
}
