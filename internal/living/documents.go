package living

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/skill/evidence"
)

// A paper is a document with its text.
type paper struct {
	*docsearch.Document
	*source
	lib *docsearch.Library // that has it as its file is now
}

// document says what has become of evidence in a document.
func (c *checker) document(ctx context.Context, it evidence.Item, sealed evidence.Sealed) (evidence.ItemCheck, error) {
	if c.lib == nil {
		lib, err := c.src.Documents.Open(ctx)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		c.lib = lib
	}
	own, err := c.paper(ctx, it.At.Doc)
	if err != nil && !missing(err) {
		return evidence.ItemCheck{}, err
	}
	why := ""
	if err != nil {
		why = reason("document", err)
	}
	var like evidence.Alike
	if own != nil {
		at, note, ok, err := c.stands(ctx, own, it, sealed)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if ok {
			return standing(it, at, note), nil
		}
		if like, err = c.alikeIn(ctx, own, it, c.oldLine(own, it)); err != nil {
			return evidence.ItemCheck{}, err
		}
	}
	others, err := c.others(ctx, it, sealed)
	if err != nil {
		return evidence.ItemCheck{}, err
	}
	// The same words elsewhere prove nothing where others surely stand in their place: an older edition has them too.
	replaced := own != nil && like.Score >= inStead && (it.At.Line == 0 || distance(like.First, it.At.Line) <= besides)
	for _, id := range others {
		p, err := c.paper(ctx, id)
		if missing(err) {
			continue
		}
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		at, note, ok, err := c.stands(ctx, p, it, sealed)
		switch {
		case err != nil:
			return evidence.ItemCheck{}, err
		case ok && replaced:
			now := c.at(ctx, own, like.Stretch, it)
			return changed(evidence.StateChanged, now, like, "the old words still stand in "+at.String()), nil
		case ok:
			return evidence.ItemCheck{State: evidence.StateMoved, At: at, Note: joinNotes(note, why)}, nil
		}
	}
	best, in := like, own
	for _, id := range others[:min(len(others), maxAlike)] {
		p, err := c.paper(ctx, id)
		if err != nil {
			continue // as above
		}
		a, err := c.alikeIn(ctx, p, it, 0)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if a.Score > best.Score+clearly || best.Score < asChanged && a.Score > best.Score {
			best, in = a, p
		}
	}
	switch {
	case best.Score >= asChanged || in == own && best.Score >= asHere && here(best.Stretch, it.At):
		return changed(evidence.StateChanged, c.at(ctx, in, best.Stretch, it), best, why), nil
	}
	if c.src.Newer() {
		why = joinNotes(why, "the index is older than its files: add the folder again (--docs FOLDER) to look in new ones")
	}
	if best.Score >= asNearest {
		return changed(evidence.StateGone, c.at(ctx, in, best.Stretch, it), best, why), nil
	}
	return evidence.ItemCheck{State: evidence.StateGone, Note: why}, nil
}

// alikeIn finds what is most like the text of an item in a document. A table is compared without its lines.
func (c *checker) alikeIn(ctx context.Context, p *paper, it evidence.Item, line int) (evidence.Alike, error) {
	if it.Kind != evidence.KindTable {
		return p.text.Alike(ctx, it, line)
	}
	key := "table " + p.ID
	s := c.texts[key]
	if s == nil {
		var err error
		if s, err = c.ready(key, unruled(p.raw)); err != nil {
			return evidence.Alike{}, err
		}
	}
	it.Text = unruled(it.Text)
	return s.text.Alike(ctx, it, line)
}

// rules are lines that only draw a table.
var rules = lazyregexp.New(`(?m)^[ \t|:+=-]+$`)

// unruled is a text without what draws its tables, line by line.
func unruled(s string) string {
	return strings.ReplaceAll(rules.ReplaceAllString(s, ""), "|", " ")
}

// standing is the check of an item whose text stands at a place of its own document or file.
func standing(it evidence.Item, at evidence.Place, note string) evidence.ItemCheck {
	state := evidence.StateMoved
	switch was := it.At; {
	case at.Doc == was.Doc && at.Name == was.Name && at.Repo == was.Repo && at.Path == was.Path && at.Page == was.Page && at.Line == was.Line && at.EndLine == was.EndLine:
		if at.Title == was.Title && (was.Entity == "" || at.Entity == was.Entity) {
			state, note, at = evidence.StateHolds, cmp.Or(note, "what is not cited of its place has changed"), was
		}
	}
	return evidence.ItemCheck{State: state, At: at, Note: note}
}

// paper reads a document, as its file is now.
func (c *checker) paper(ctx context.Context, id string) (*paper, error) {
	lib, err := c.src.Library(ctx, id)
	if err != nil {
		return nil, err
	}
	d, err := lib.Resolve(ctx, id)
	if err != nil {
		return nil, err
	}
	if d.ID != id {
		return nil, fmt.Errorf("document %s: %w", id, errs.NotFound)
	}
	if s := c.texts["doc "+id]; s != nil {
		return &paper{d, s, lib}, nil
	}
	x, err := lib.View(ctx, id, docsearch.Lines{First: 1})
	if err != nil {
		return nil, err
	}
	s, err := c.ready("doc "+id, c.shown(x.Text))
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", d.Name, err)
	}
	return &paper{d, s, lib}, nil
}

// shown is a text as answers have it.
func (c *checker) shown(s string) string {
	if !c.src.ShowSecrets {
		s, _ = secrets.MaskString(s)
	}
	return s
}

// oldLine is the line at which the item stood, that of its page where it names no other.
func (c *checker) oldLine(p *paper, it evidence.Item) int {
	if it.At.Line > 0 || p.Pages == 0 {
		return it.At.Line
	}
	return max(it.At.Page-1, 0)*len(p.lines)/p.Pages + 1
}

// stands looks for the text of an item in a document, and gives the place.
func (c *checker) stands(ctx context.Context, p *paper, it evidence.Item, sealed evidence.Sealed) (at evidence.Place, note string, ok bool, err error) {
	found, err := p.text.Find(ctx, it, maxPlaces)
	if err != nil {
		return at, "", false, err
	}
	if len(found) == 0 {
		if it.At.Page > 0 && it.At.Line == 0 { // a table or figure, which stands in no line as it is shown
			page, n, err := c.page(ctx, p, it)
			return c.whole(p, page), several(n, 0, "the document"), page > 0, err
		}
		return at, "", false, nil
	}
	old := c.oldLine(p, it)
	line := old
	if len(found) > 1 {
		if line, err = c.expected(ctx, p.source, it.At, old); err != nil {
			return at, "", false, err
		}
	}
	lines := nearest(found, line)
	if it.At.Line > 0 {
		lines, _ = p.place(lines, height(it.At), sealed.Hash)
	}
	at = c.at(ctx, p, lines, it)
	return at, several(len(found), line-old, "the document"), !at.IsZero(), nil
}

// at is the place of some lines, in the form of the item's own place: a page or a whole document stays one.
func (c *checker) at(ctx context.Context, p *paper, lines evidence.Stretch, it evidence.Item) evidence.Place {
	if it.At.Line == 0 && it.At.Page == 0 {
		return c.whole(p, 0)
	}
	x, err := p.lib.View(ctx, p.ID, docsearch.Lines{First: lines.First, Last: lines.Last})
	if err != nil {
		return evidence.Place{} // it was changed meanwhile
	}
	at := c.whole(p, x.Page)
	if it.At.Page == 0 {
		at.Page = 0
	}
	if it.At.Line > 0 {
		at.Line, at.EndLine = lines.First, lines.Last
		if it.At.End > 0 {
			at.Start, at.End = x.Start, x.End
		}
	}
	return at
}

// whole is the place of a page, or with page 0 of a document.
func (c *checker) whole(p *paper, page int) evidence.Place {
	return evidence.Place{Doc: p.ID, Name: p.Name, Title: c.shown(p.Title), Page: page}
}

// page looks for the page whose figures and tables, or text, hold the text of an item, the nearest to its own; n is how many there are.
func (c *checker) page(ctx context.Context, p *paper, it evidence.Item) (page, n int, err error) {
	pages := []int{it.At.Page}
	for d := 1; d <= 3; d++ {
		pages = append(pages, it.At.Page-d, it.At.Page+d)
	}
	words, _ := rare(it.Text)
	res, err := p.lib.Search(ctx, words, &docsearch.SearchOptions{Doc: p.ID, Limit: 1, Passages: 10, Literal: true, Mode: docsearch.ModeWords})
	if err != nil {
		return 0, 0, err
	}
	for _, h := range res.Hits {
		for _, x := range h.Tables {
			pages = append(pages, x.Page)
		}
		for _, x := range h.Figures {
			pages = append(pages, x.Page)
		}
		for _, x := range h.Passages {
			pages = append(pages, x.Page)
		}
	}
	slices.Sort(pages)
	for _, no := range slices.Compact(pages) {
		text, err := c.src.Text(ctx, c.whole(p, no))
		if no < 1 || missing(err) {
			continue
		}
		if err != nil {
			return 0, 0, err
		}
		ok, err := holds(ctx, text, it)
		if err == nil && !ok && it.Kind == evidence.KindTable {
			bare := it
			bare.Text = unruled(it.Text)
			ok, err = holds(ctx, unruled(text), bare)
		}
		if err != nil {
			return 0, 0, err
		}
		if ok {
			if n++; page == 0 || distance(no, it.At.Page) < distance(page, it.At.Page) {
				page = no
			}
		}
	}
	return page, n, nil
}

// holds reports whether the text of an item stands in a text.
func holds(ctx context.Context, text string, it evidence.Item) (bool, error) {
	full, err := evidence.NewFullText(text)
	if err != nil {
		return false, err
	}
	found, err := full.Find(ctx, it, 1)
	return len(found) > 0, err
}

// others lists the documents in which the text of an item may stand, the likeliest first: those with the content that its own had, those with a row of its words, those of
// its name, those with its rare words, and those that are newer than the index.
func (c *checker) others(ctx context.Context, it evidence.Item, sealed evidence.Sealed) (ids []string, err error) {
	if c.all == nil {
		if c.all, err = c.lib.Documents(ctx); err != nil {
			return nil, err
		}
		check, err := c.lib.CheckSources(ctx, lookFor)
		if err != nil {
			return nil, err
		}
		for _, d := range c.all {
			if slices.Contains(check.Examples, d.Name) {
				c.newer = append(c.newer, d.ID)
			}
		}
	}
	names := map[string]string{}
	for _, d := range c.all {
		names[d.ID] = d.Name
		if d.ID != it.At.Doc && sealed.File != "" && d.Hash == sealed.File {
			ids = append(ids, d.ID)
		}
	}
	words, row := rare(it.Text)
	var found []string
	for _, q := range []struct {
		text  string
		tiers []docsearch.Tier
	}{{row, []docsearch.Tier{docsearch.TierPhrase}}, {words, nil}} {
		if q.text == "" {
			continue
		}
		res, err := c.lib.Search(ctx, q.text, &docsearch.SearchOptions{Limit: maxOthers / 4, Passages: 1, Literal: true, Mode: docsearch.ModeWords, Tiers: q.tiers})
		if err != nil {
			return nil, err
		}
		for _, h := range res.Hits {
			found = append(found, h.Doc)
		}
	}
	base := path.Base(it.At.Name)
	slices.SortStableFunc(found, func(a, b string) int {
		return cmp.Compare(unlike(path.Base(names[a]), base), unlike(path.Base(names[b]), base))
	})
	for _, id := range append(found, c.newer...) {
		if id != it.At.Doc && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	return ids[:min(len(ids), maxOthers)], nil
}

// lookFor is how long documents are looked for that are newer than the index.
const lookFor = 2 * time.Second

// unlike is 0 for names that are the same.
func unlike(a, b string) int {
	if a == b {
		return 0
	}
	return 1
}

// Words of a text by which others are searched for.
const (
	maxRare = 16
	inRow   = 7
)

// rare gives the words of a text that are likely rare, the longest first, and some words in a row from its middle.
func rare(text string) (words, row string) {
	all := strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '_' })
	mid := max((len(all)-inRow)/2, 0)
	row = strings.Join(all[mid:min(mid+inRow, len(all))], " ")
	all = slices.DeleteFunc(slices.Clone(all), func(w string) bool { return len(w) < 3 && !strings.ContainsFunc(w, unicode.IsDigit) || len(w) > 60 })
	slices.SortStableFunc(all, func(a, b string) int {
		return cmp.Compare(utf8.RuneCountInString(b), utf8.RuneCountInString(a))
	})
	var kept []string
	for _, w := range all {
		if !slices.Contains(kept, w) && len(kept) < maxRare {
			kept = append(kept, w)
		}
	}
	return strings.Join(kept, " "), row
}

// reason says why a document or file could not be looked at.
func reason(what string, err error) string {
	if errors.Is(err, errs.NotFound) || errors.Is(err, fs.ErrNotExist) {
		return "the " + what + " is no longer there"
	}
	return "the " + what + " cannot be read: " + err.Error()
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}
