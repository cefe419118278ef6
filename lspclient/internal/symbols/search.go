package symbols

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// search is the search for one name in a whole repository.
type search struct {
	c    *Resolver
	name string // as it was written
	w    symbolname.Name

	folders  []*session.Folder // that are asked
	unasked  []string
	all      []Declaration
	answered int // servers that said which symbols they know
	failures []error
	nowhere  bool          // no file of any folder holds the word
	lacking  bool          // a server knows no symbol search, or gave as many symbols as it ever gives
	state    session.State // the worst of the answers
}

// run looks in the servers' symbol searches first. What these do not tell (a container they do not show, a local name, a
// symbol beyond the most they give) is looked for in the declarations of the files that come into question: those of the
// symbols that were found, those that declare the container, those that Options.Locate names, and those that hold the
// word where it looks declared.
func (q *search) run(ctx context.Context) (*Spot, error) {
	last := q.w.Last()
	if err := q.choose(ctx, wordOf(last)); err != nil {
		return nil, err
	}
	q.state = session.Complete
	q.ask(ctx, queryFor(last))
	names := func(d Declaration) bool { return strings.EqualFold(d.ident(), last) || fitsName(q.w, d) }
	fit, how := q.fit()
	if how > fitsExactly || q.lacking || q.w.Index >= 0 {
		// The servers may show less of the chain than the files do.
		named := slices.DeleteFunc(slices.Clone(q.all), func(d Declaration) bool { return !names(d) })
		if len(q.w.Parts) > 1 || q.w.Anchored || q.w.Index >= 0 {
			q.merge(q.c.outlineAll(ctx, named, names))
			fit, how = q.fit()
		}
	}
	if (how > fitsExactly || q.lacking) && len(q.w.Parts) > 1 {
		container := q.w.Parts[len(q.w.Parts)-2]
		found := &search{c: q.c, w: q.w, folders: q.folders}
		found.ask(ctx, queryFor(container))
		around := slices.DeleteFunc(found.all, func(d Declaration) bool { return d.ident() != container })
		q.merge(slices.DeleteFunc(q.c.outlineAll(ctx, around, names), func(d Declaration) bool { return !names(d) }))
		fit, how = q.fit()
	}
	if how > fitsExactly {
		extra, err := q.c.located(ctx, q.name, last)
		if err != nil {
			return nil, err
		}
		if len(extra) > 0 { // the one who located them knows the name's form
			known := q.c.outlineAll(ctx, extra, func(Declaration) bool { return false })
			if better, h := fitting(known, q.w); len(better) > 0 && h <= how {
				fit, how = better, h
			} else if how > fitsGaps {
				fit, how = extra, fitsGaps
			}
		}
	}
	if how > fitsGaps || q.lacking || q.state != session.Complete {
		q.merge(q.scanned(ctx, wordOf(last), names))
		fit, how = q.better(fit, how)
	}
	var near []Declaration
	if len(fit) == 0 {
		near = q.near(ctx)
		fit, how = fitting(near, q.w) // in other letter case
	}
	if len(fit) > 0 {
		s, err := q.c.pick(ctx, q.name, q.w, fit, how)
		if err == nil && q.state != session.Complete {
			s.Note = excerpt.Join(s.Note, "the servers' symbols were "+string(q.state)+", so there may be others of that name")
		}
		return s, err
	}
	if len(q.failures) > 0 && q.answered == 0 {
		return nil, errors.Join(q.failures...)
	}
	missing := &NotFoundError{Name: q.name, Near: nearest(last, near)}
	var why []string
	for _, err := range q.failures {
		if q.nowhere && errors.As(err, new(*registry.NotInstalledError)) {
			continue // what is written in none of its files is declared in none of them
		}
		if text := err.Error(); !slices.Contains(why, text) {
			missing.Causes = append(missing.Causes, err)
			why = append(why, text)
		}
	}
	if q.state != session.Complete {
		why = append(why, "the servers' answers were "+string(q.state))
	}
	if len(q.unasked) > 0 {
		why = append(why, "not asked: the servers of "+strings.Join(q.unasked, ", "))
	}
	missing.Why = strings.Join(why, "; ")
	return nil, missing
}

// fitsName reports whether the last part may mean the declaration, whatever contains it.
func fitsName(w symbolname.Name, d Declaration) bool {
	links := symbolname.Chain([]string{d.Name})
	return len(links) > 0 && links[len(links)-1].Is(w.Last(), strings.EqualFold)
}

// wordOf returns the longest identifier in a name, by which texts are searched; the name itself when it has none.
func wordOf(name string) string {
	best := ""
	for at := 0; ; {
		s, e := source.NextIdent([]byte(name), at)
		if s < 0 {
			break
		}
		if e-s > len(best) {
			best = name[s:e]
		}
		at = e
	}
	if best == "" {
		return name
	}
	return best
}

// queryFor returns what a server's symbol search is asked for a name.
func queryFor(name string) string {
	if symbolname.OperatorName(name) != "" || strings.HasPrefix(name, "~") {
		return name
	}
	return wordOf(name)
}

// choose finds the workspace folders whose files hold the word; all of them when none does, as every server may know a
// near name.
func (q *search) choose(ctx context.Context, word string) error {
	folders, err := q.c.pool.Folders(ctx)
	if err != nil {
		return err
	}
	if len(folders) == 0 {
		return fmt.Errorf("%s contains no file of a language with a known server: %w", q.c.pool.Tree.Root(), errs.Unsupported)
	}
	asked := folders
	if len(folders) > 1 {
		budget := int64(session.MaxRead)
		var holding []*session.Folder
		for _, f := range folders {
			if f.Holds(ctx, q.c.pool.Tree, word, &budget) {
				holding = append(holding, f)
			}
		}
		if q.nowhere = len(holding) == 0; !q.nowhere {
			asked = holding
		}
	}
	for _, f := range asked[min(len(asked), session.MaxFolders):] {
		q.unasked = append(q.unasked, q.c.pool.Tree.Relative(f.Dir))
	}
	q.folders = asked[:min(len(asked), session.MaxFolders)]
	return nil
}

// ask asks every server for the symbols that match a query.
func (q *search) ask(ctx context.Context, query string) {
	for _, f := range q.folders {
		if f.Err != nil {
			q.fail(f.Err)
			continue
		}
		r, err := q.c.declarations(ctx, f, query)
		if err != nil {
			q.fail(err)
			continue
		}
		q.answered++
		if r.State != session.Complete {
			q.state = r.State
		}
		q.lacking = q.lacking || r.Value.lacking
		q.merge(r.Value.list)
	}
}

func (q *search) fail(err error) {
	if len(q.failures) < 2*session.MaxFolders {
		q.failures = append(q.failures, err)
	}
}

// merge adds declarations; of two at one place the one whose chain is known stays.
func (q *search) merge(list []Declaration) {
	at := map[place.Location]int{}
	for i, d := range q.all {
		at[d.At.Start()] = i
	}
	for _, d := range list {
		i, ok := at[d.At.Start()]
		switch {
		case !ok:
			at[d.At.Start()] = len(q.all)
			q.all = append(q.all, d)
		case q.all[i].Chain == nil:
			q.all[i] = d
		}
	}
}

func (q *search) fit() ([]Declaration, fit) { return fitting(q.all, q.w) }

// better returns what fits now, or what fitted before if that was as good.
func (q *search) better(fit []Declaration, how fit) ([]Declaration, fit) {
	now, h := q.fit()
	if h < how || h == how && len(now) >= len(fit) {
		return now, h
	}
	return fit, how
}

// listed is what a server's symbol search gave.
type listed struct {
	list    []Declaration
	lacking bool // it has none, or gave as many as it ever gives
}

// declarations asks one server for the workspace symbols that match a query.
func (c *Resolver) declarations(ctx context.Context, f *session.Folder, query string) (session.Reply[listed], error) {
	return session.Ask(ctx, f.Server, session.Question[listed]{
		Open: func(ctx context.Context, s *session.Session) error {
			if err := f.Open(ctx, s); err != nil {
				return err
			}
			if m := s.Server.Spec.Mentions; m.Most > 0 && !m.Counted {
				_, _, err := complete.Of(s).Mentions.OpenMentions(ctx, symbolname.Last(query))
				return err
			}
			return nil
		},
		Method: protocol.MethodWorkspaceSymbol,
		Same:   func(a, b listed) bool { return slices.EqualFunc(a.list, b.list, sameDeclaration) },
		Ask: func(ctx context.Context, s *session.Session) (listed, error) {
			if !s.Offers(protocol.MethodWorkspaceSymbol) {
				return listed{lacking: true}, nil
			}
			if count, all := complete.Of(s).Mentions.Counted(); s.Server.Spec.Mentions.Counted && count < all { // which it says when it is ready
				if _, _, err := complete.Of(s).Mentions.OpenMentions(ctx, symbolname.Last(query)); err != nil {
					return listed{}, err
				}
			}
			var r wire.Symbols
			if err := s.Call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: query}, &r); err != nil {
				return listed{}, err
			}
			list, n := declarations(s, r)
			return listed{list, looksCut(n)}, nil
		},
	})
}

func sameDeclaration(a, b Declaration) bool {
	return a.Name == b.Name && a.Container == b.Container && a.Kind == b.Kind && a.At == b.At
}

// declarations converts workspace symbols, sorted by place, and counts what there was. A symbol whose place is not below
// the root is left out.
func declarations(s *session.Session, r wire.Symbols) ([]Declaration, int) {
	symbols, _ := WorkspaceSymbols(s, r)
	list := make([]Declaration, len(symbols))
	for i, sym := range symbols {
		list[i] = Declaration{Name: sym.Name, Container: sym.Container, Kind: sym.Kind, At: sym.Selection}
	}
	sortDeclarations(list)
	return slices.CompactFunc(list, sameDeclaration), len(r.List)
}

// declares matches what stands before the name in a declaration, in one of many languages.
var declares = lazyregexp.New(`(?:^|[\s(,;{*&])(?:def|class|func|function|fn|interface|struct|enum|trait|type|var|let|const|val|namespace|module|mod|static|void|public|private|protected|impl|macro_rules!|#\s*define)\b[^=;]*$`)

// scanned lists the declarations that names wants in the files that hold the word, the files first where a line looks
// like its declaration. No more than maxOutlined files are asked about.
func (q *search) scanned(ctx context.Context, word string, names func(Declaration) bool) []Declaration {
	type candidate struct {
		path  string
		score int
	}
	var files []candidate
	budget := int64(session.MaxRead)
	for _, f := range q.folders {
		if f.Err != nil {
			continue
		}
		for _, file := range f.Files {
			if budget <= 0 || ctx.Err() != nil {
				break
			}
			text, _, err := q.c.pool.Tree.Read(file)
			if err != nil {
				continue
			}
			budget -= int64(len(text.Bytes))
			if score := declaredScore(text.Bytes, word); score > 0 {
				files = append(files, candidate{file, score})
			}
		}
	}
	slices.SortStableFunc(files, func(a, b candidate) int { return b.score - a.score })
	var out []Declaration
	for _, f := range files[:min(len(files), maxOutlined)] {
		if ctx.Err() != nil {
			break
		}
		list, err := q.c.Outline(ctx, filepath.Clean(f.path))
		if err != nil {
			q.fail(err)
			continue
		}
		for _, d := range list {
			if names(d) {
				out = append(out, d)
			}
		}
	}
	if len(files) > maxOutlined {
		q.lacking = true
	}
	return out
}

// declaredScore says how much the text looks as if it declared the word: 0 when it does not hold it.
func declaredScore(text []byte, word string) int {
	score := 0
	w := []byte(word)
	for at, seen := 0, 0; seen < 100; seen++ {
		i := bytes.Index(text[at:], w)
		if i < 0 {
			break
		}
		i += at
		at = i + len(w)
		r, _ := utf8.DecodeRune(text[at:])
		if at < len(text) && source.IsIdent(r) || source.EndsInIdent(text[:i]) {
			continue
		}
		before := text[max(0, i-200):i]
		before = before[bytes.LastIndexAny(before, "\r\n")+1:]
		after := bytes.TrimLeft(text[at:min(len(text), at+100)], " \t")
		s := 1
		switch {
		case declares.Match(before):
			s = 4
		case len(bytes.TrimSpace(before)) == 0 && len(after) > 0 && (after[0] == '=' || after[0] == ':' || after[0] == '('):
			s = 3
		case len(after) > 0 && after[0] == '(' && len(before) > 0 && before[len(before)-1] == ' ':
			s = 2
		}
		score = max(score, s)
	}
	return score
}
