package complete

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/jsonrpc"
	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
	"golang.org/x/sync/errgroup"
)

// A server that has no dependencies leaves out what it cannot resolve, without a word: a call whose receiver or arguments
// come from a library it does not know. So its answers are checked against the text: whatever place of the word is not
// among the references must be the place of another symbol, which the server is asked about.

// maxAsked bounds the places that are asked about for one question.
const maxAsked = 300

// askedAtOnce bounds how many of them are asked about at a time.
const askedAtOnce = 4

// javaChecker checks answers about Java against the sources: a server without a project's dependencies does not know what it
// does not find.
type javaChecker struct {
	sess     *session.Session
	meanings meanings
}

// uncertain says why the answer to a question about a place may be wrong for want of dependencies, "" when it cannot be.
func (c *javaChecker) uncertain(ctx context.Context, method string, f Asked) (string, error) {
	facts, err := c.sess.Project.Read(ctx)
	if err != nil {
		return "", err
	}
	rel := c.sess.Server.Pool.Tree.Relative(f.Abs)
	src, known := facts.Files[f.Abs]
	if !known || c.sess.Project.Misfits[f.Abs] {
		return rel + " belongs to no source folder: its package does not fit its folder", nil
	}
	if method != protocol.MethodTextDocumentDefinition && method != protocol.MethodTextDocumentTypeDefinition {
		return "", nil
	}
	foreign := facts.Foreign(src)
	for _, i := range foreign {
		if i.Simple() == f.Ident {
			return i.Name + " is of a dependency, and dependencies are not read", nil
		}
	}
	if len(f.Places) == 0 && !f.Declared {
		return c.sess.Project.Lacks(facts), nil
	}
	// For a type that it cannot resolve the server guesses one of that name, from wherever.
	if !slices.ContainsFunc(foreign, func(i project.JavaImport) bool { return i.All }) {
		return "", nil
	}
	for _, p := range f.Places {
		abs, ok := source.PathOf(p.URI)
		stem := strings.TrimSuffix(filepath.Base(abs), ".java")
		theirs := facts.Files[abs].Package
		switch {
		case !ok, stem == f.Ident && theirs != src.Package && !slices.ContainsFunc(src.Imports, func(i project.JavaImport) bool {
			return i.Name == theirs || strings.HasPrefix(i.Name, theirs+"."+stem)
		}):
			return fmt.Sprintf("%s imports everything of %s, which is a dependency, and dependencies are not read", rel, foreign[0].Name), nil
		}
	}
	return "", nil
}

// unaccounted says which uses of the target the answer may lack, "" when it lacks none: each place of its name in the code
// is one of the answer's, or is defined elsewhere. Such an answer is whole although there are no dependencies.
func (c *javaChecker) unaccounted(ctx context.Context, f Asked) (string, error) {
	facts, err := c.sess.Project.Read(ctx)
	if err != nil {
		return "", err
	}
	declared, err := c.declaredAt(ctx, f)
	if err != nil {
		return "", err
	}
	counted := accounts(append(slices.Clone(f.Places), declared...))
	var rest []project.Word
	budget := int64(session.MaxRead)
	for path := range facts.Snapshot.Files {
		if err := ctx.Err(); err != nil {
			return "", err
		}
		if facts.Snapshot.Linked[path] || !c.sess.Server.Owns(path) {
			continue
		}
		text, err := c.sess.Documents.Text(path)
		if err != nil {
			continue // the server cannot read it either
		}
		if budget -= int64(len(text.Bytes)); budget < 0 {
			return fmt.Sprintf("the files are too large to tell whether all places of %q were found", f.Ident), nil
		}
		places, escaped := project.JavaWords(path, text.Bytes, f.Ident)
		if escaped {
			return c.sess.Server.Pool.Tree.Relative(path) + " spells names with escapes, so that places of this one may be missing", nil
		}
		rest = append(rest, c.unaccountedIn(counted, text, places)...)
	}
	if len(rest) == 0 {
		return "", nil
	}
	slices.SortFunc(rest, func(a, b project.Word) int {
		if a.Path != b.Path {
			return strings.Compare(a.Path, b.Path)
		}
		return a.Start - b.Start
	})
	if len(rest) > maxAsked {
		return fmt.Sprintf("%d more places hold %q, too many to ask the server what each of them means; %s", len(rest), f.Ident, c.because(facts)), nil
	}
	end, _ := ctx.Deadline()
	limited, cancel := context.WithDeadline(ctx, end.Add(-min(time.Until(end)/4, 2*time.Second)))
	defer cancel()
	missed := make([]bool, len(rest))
	g, each := errgroup.WithContext(limited)
	g.SetLimit(askedAtOnce)
	for i, p := range rest {
		g.Go(func() (err error) {
			missed[i], err = c.mayMean(each, p, declared)
			return err
		})
	}
	switch err := g.Wait(); {
	case limited.Err() != nil && ctx.Err() == nil:
		return fmt.Sprintf("there was no time to ask what %d more places of %q mean", len(rest), f.Ident), nil
	case err != nil:
		return "", err
	}
	if i := slices.Index(missed, true); i >= 0 {
		text, err := c.sess.Documents.Text(rest[i].Path)
		if err != nil {
			return "", err
		}
		line, _ := text.Place(rest[i].Start)
		return fmt.Sprintf("%s:%d holds %q, and the server does not know what it means there; %s",
			c.sess.Server.Pool.Tree.Relative(rest[i].Path), line, f.Ident, c.because(facts)), nil
	}
	return "", nil
}

// because says what stands behind an unknown name.
func (c *javaChecker) because(facts *project.JavaFacts) string {
	if lack := c.sess.Project.Lacks(facts); lack != "" {
		return lack
	}
	return "the code may be broken, or generated in part"
}

// declaredAt returns where the target is declared.
func (c *javaChecker) declaredAt(ctx context.Context, f Asked) ([]wire.Location, error) {
	text, err := c.sess.Documents.Text(f.Abs)
	if err != nil {
		return nil, err
	}
	start, err := c.sess.Position(text, f.Target.Line, f.Target.Col)
	if err != nil {
		return nil, err
	}
	pos := session.Position(f.Abs, start)
	list, err := c.sess.Definition(ctx, pos)
	return list.List, err
}

// mayMean reports whether a place that is not among the references may be one: the server finds no definition of it, or
// the target's.
func (c *javaChecker) mayMean(ctx context.Context, p project.Word, declared []wire.Location) (bool, error) {
	text, err := c.sess.Documents.Text(p.Path)
	if err != nil {
		return false, err
	}
	at, ok := placeAt(c.sess, p.Path, text, p.Start, p.End-p.Start)
	if !ok {
		return true, nil
	}
	pos := session.Position(p.Path, at.Range.Start)
	list, err := c.meanings.of(c.sess, p, func() (wire.Locations, error) { return c.sess.Definition(ctx, pos) })
	if err != nil {
		if jsonrpc.IsAnswer(err) {
			return true, nil
		}
		return false, err
	}
	if len(list.List) == 0 {
		return true, nil
	}
	return slices.ContainsFunc(list.List, func(d wire.Location) bool { return sameStart(d, declared) }), nil
}

// meanings keeps what the places of words mean, for as long as no file changes. It is safe for concurrent use.
type meanings struct {
	mu      sync.Mutex
	changes int // of the session when they were asked
	known   map[project.Word]wire.Locations
}

// maxMeanings bounds what is kept.
const maxMeanings = 20_000

// of returns what a place means, and asks if that is not known.
func (m *meanings) of(s *session.Session, p project.Word, ask func() (wire.Locations, error)) (wire.Locations, error) {
	changes := s.Documents.Changes()
	m.mu.Lock()
	if m.changes != changes || m.known == nil || len(m.known) >= maxMeanings {
		m.changes, m.known = changes, map[project.Word]wire.Locations{}
	}
	list, ok := m.known[p]
	m.mu.Unlock()
	if ok {
		return list, nil
	}
	list, err := ask()
	if err == nil {
		m.mu.Lock()
		if m.changes == changes {
			m.known[p] = list
		}
		m.mu.Unlock()
	}
	return list, err
}

// trim cuts references down to the name that stands at a position, for a server that gives whole expressions: a call
// with its arguments, a type with its package. What does not hold the name stays, such as a call of a constructor by super.
func (c *javaChecker) trim(places []wire.Location, pos protocol.TextDocumentPositionParams) []wire.Location {
	abs, ok := source.PathOf(string(pos.TextDocument.URI))
	if c.sess.Project == nil || !ok {
		return places
	}
	text, err := c.sess.Documents.Text(abs)
	if err != nil {
		return places
	}
	at, ok := c.offsetOf(text, pos.Position)
	if !ok {
		return places
	}
	start, end := source.NextIdent(text.Bytes[at:], 0)
	if start != 0 {
		return places
	}
	word := string(text.Bytes[at : at+end])
	conv := c.sess.Converter()
	for i, p := range places {
		abs, ok := source.PathOf(p.URI)
		if !ok {
			continue
		}
		text := conv.Text(abs)
		if text == nil {
			continue
		}
		from, ok1 := c.offsetOf(text, p.Range.Start)
		to, ok2 := c.offsetOf(text, p.Range.End)
		if !ok1 || !ok2 || to < from {
			continue
		}
		code := project.JavaCode{Text: text.Bytes[:to], At: from}
		for {
			f, t, ok := code.Word()
			if !ok {
				break
			}
			if string(text.Bytes[f:t]) != word {
				continue
			}
			if name, ok := placeAt(c.sess, abs, text, f, t-f); ok {
				places[i].Range = name.Range
			}
			break
		}
	}
	return wire.SortLocations(places)
}

// accounted are places of an answer by file.
type accounted map[string][]protocol.Range

func accounts(places []wire.Location) accounted {
	m := accounted{}
	for _, p := range places {
		if abs, ok := source.PathOf(p.URI); ok {
			m[abs] = append(m[abs], p.Range)
		}
	}
	return m
}

// unaccountedIn returns the places of a word in a text that the answer does not account for. Each of its ranges accounts for one: the
// first within it, since a range may begin with what qualifies the name.
func (c *javaChecker) unaccountedIn(m accounted, text *source.Text, places []project.Word) []project.Word {
	if len(places) == 0 || len(m[places[0].Path]) == 0 {
		return places
	}
	taken := make([]bool, len(places))
	for _, r := range m[places[0].Path] {
		from, ok1 := c.offsetOf(text, r.Start)
		to, ok2 := c.offsetOf(text, r.End)
		if !ok1 || !ok2 {
			continue
		}
		if i := slices.IndexFunc(places, func(p project.Word) bool { return p.Start >= from && p.End <= to }); i >= 0 {
			taken[i] = true
		}
	}
	var rest []project.Word
	for i, p := range places {
		if !taken[i] {
			rest = append(rest, p)
		}
	}
	return rest
}

// offsetOf returns the byte offset of a server's position.
func (c *javaChecker) offsetOf(text *source.Text, p protocol.Position) (int, bool) {
	line, col, ok := c.sess.Place(text, p)
	if !ok {
		return 0, false
	}
	return text.Offset(line, col), true
}
