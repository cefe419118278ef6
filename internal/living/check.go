package living

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/citation"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill/evidence"
)

// How alike texts are, see [evidence.Alike].
const (
	asChanged = .55 // the one has become the other
	asHere    = .4  // the same, where it is in the lines in which the other stood
	asNearest = .3  // it helps a reader to see it
	inStead   = .8  // it surely stands in the place of the other
	clearly   = .15 // one is more alike than another
)

// Bounds of one check.
const (
	maxRead   = 512 << 20 // bytes of texts that are made ready
	maxKept   = 48 << 20  // of them, those that are kept
	maxPlaces = 100       // equal places of one text in one document or file
	maxFixed  = 50        // other pieces of evidence that tell where a document or file has gone
	maxOthers = 40        // documents or files in which a text is looked for
	maxAlike  = 6         // of them, those in which something like it is looked for
)

// Check says what has become of the evidence of an answer, and which of its sentences hold. The error is one of ctx or of the judge, or says that nothing could be looked at.
func Check(ctx context.Context, src *citation.Sources, a *evidence.Answer, o *evidence.RecheckOptions) (out *evidence.Recheck, err error) {
	if a == nil {
		return nil, errors.New("recheck: there is no answer")
	}
	c := &checker{items: a.Items, src: citation.NewCurrent(src), texts: map[string]*source{}}
	defer func() { err = errors.Join(err, c.src.Close()) }()
	rep, err := a.Verify(ctx, c.src, &evidence.VerifyOptions{Derived: true, Places: true, NoMeaning: true})
	if err != nil {
		return nil, err
	}
	held := map[string]evidence.Finding{}
	for _, f := range rep.Findings {
		if f.About == evidence.AboutKey {
			held[f.Key] = f
		}
	}
	sealed := map[string]evidence.Sealed{}
	for _, s := range a.Sources {
		sealed[s.Key] = s
	}
	var checks []evidence.ItemCheck
	for _, it := range a.Items {
		var item evidence.ItemCheck
		var err error
		switch f := held[it.Key]; {
		case it.Derived():
			item = evidence.ItemCheck{State: evidence.StateUnread, Note: "it is the result of a search and no text of a source: ask again"}
		case f.Holds:
			item = c.held(ctx, it, sealed[it.Key], f.Reason)
		case it.At.Doc != "":
			item, err = c.document(ctx, it, sealed[it.Key])
		default:
			item, err = c.code(ctx, it, sealed[it.Key])
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			item = evidence.ItemCheck{State: evidence.StateUnread, Note: unread(err)}
		}
		item.Key = it.Key
		checks = append(checks, item)
	}
	return evidence.NewRecheck(ctx, a, c.src, checks, o)
}

// held is the check of an item whose text is at its place. In code that has changed the entity there may be another one: then it is looked for in its own.
func (c *checker) held(ctx context.Context, it evidence.Item, sealed evidence.Sealed, note string) evidence.ItemCheck {
	if it.At.Entity != "" && note != "" {
		if item, err := c.code(ctx, it, sealed); err == nil && item.State == evidence.StateMoved {
			return item
		}
	}
	return evidence.ItemCheck{State: evidence.StateHolds, At: it.At, Note: note}
}

// unread says why evidence could not be looked at.
func unread(err error) string {
	if errors.Is(err, errs.Stale) {
		return err.Error() + ": add its folder again (--docs FOLDER)"
	}
	return err.Error()
}

// A checker looks for the evidence of one answer. It is not safe for concurrent use.
type checker struct {
	items []evidence.Item // of the answer
	src   *citation.Current
	lib   *docsearch.Library
	all   []*docsearch.Document // of lib; nil: not asked for yet
	newer []string              // ids of some that have changed since the index was made
	repos []*repository.Repository

	texts map[string]*source // by document or file
	kept  int                // bytes of them
	read  int                // bytes of all that were made ready
}

// A source is the whole text of a document or file.
type source struct {
	text  *evidence.FullText
	raw   string
	lines []int // where each line of raw begins, and the end
	bare  *bare // of code; nil: not made yet
}

// ready makes a text ready, and keeps it for a while.
func (c *checker) ready(key, raw string) (*source, error) {
	if c.read += len(raw); c.read > maxRead {
		return nil, fmt.Errorf("the texts that have to be searched hold over %d bytes: %w", maxRead, errs.TooLarge)
	}
	text, err := evidence.NewFullText(raw)
	if err != nil {
		return nil, err
	}
	s := &source{text: text, raw: raw, lines: []int{0}}
	for i := range len(raw) {
		if raw[i] == '\n' && i+1 < len(raw) {
			s.lines = append(s.lines, i+1)
		}
	}
	s.lines = append(s.lines, len(raw))
	if c.kept += len(raw); c.kept > maxKept {
		clear(c.texts)
		c.kept = len(raw)
	}
	c.texts[key] = s
	return s, nil
}

// besides is within how many lines of a document one text stands in the place of another.
const besides = 60

// maxWindow is of how many lines a place is that is looked for by its hash.
const maxWindow = 2000

// place gives the lines that were sealed, if they stand as they did and have a part of a stretch: a text may be shown with words around its place, or be a part of it. Else
// it gives the stretch.
func (s *source) place(at evidence.Stretch, n int, hash string) (lines evidence.Stretch, exact bool) {
	if n > maxWindow {
		return at, false
	}
	for first := max(at.First-n+1, 1); first <= at.Last && first-1+n < len(s.lines); first++ {
		if evidence.Hash(s.raw[s.lines[first-1]:s.lines[first-1+n]]) == hash {
			return evidence.Stretch{First: first, Last: first - 1 + n}, true
		}
	}
	return at, false
}

// here reports whether a stretch has lines of a place.
func here(s evidence.Stretch, at evidence.Place) bool {
	return at.Line > 0 && s.First <= max(at.EndLine, at.Line) && s.Last >= at.Line
}

// height is how many lines a place has.
func height(p evidence.Place) int { return max(p.EndLine-p.Line, 0) + 1 }

// expected is the line at which evidence that stood at a line is to be looked for, in a source that may be the one in which it stood (of) or another: as far on as the evidence
// nearest to it that stands there once.
func (c *checker) expected(ctx context.Context, s *source, of evidence.Place, line int) (now int, err error) {
	if line == 0 {
		return line, nil
	}
	moved, far, looked := 0, 0, 0
	for _, it := range c.items {
		if it.At.Line == 0 || it.At.Line == line || it.At.Doc != of.Doc || it.At.Repo != of.Repo || it.At.Path != of.Path || far > 0 && distance(it.At.Line, line) >= far {
			continue
		}
		if looked++; looked > maxFixed {
			break
		}
		found, err := s.text.Find(ctx, it, 2)
		if err != nil {
			return 0, err
		}
		if len(found) == 1 {
			moved, far = found[0].First-it.At.Line, distance(it.At.Line, line)
		}
	}
	return line + moved, nil
}

// nearest gives the stretch that is nearest to a line.
func nearest(found []evidence.Stretch, line int) evidence.Stretch {
	return slices.MinFunc(found, func(a, b evidence.Stretch) int { return distance(a.First, line) - distance(b.First, line) })
}

func distance(a, b int) int { return max(a-b, b-a) }

// several says that a text stands at many places; along is how many lines evidence beside it has moved.
func several(n, along int, kind string) string {
	if n < 2 {
		return ""
	}
	many := fmt.Sprint(n)
	if n >= maxPlaces {
		many = "at least " + many
	}
	why := "the old place"
	if along != 0 {
		why = "where other evidence of the answer has moved to"
	}
	return fmt.Sprintf("the same words stand at %s places of %s; this one is the nearest to %s", many, kind, why)
}

// changed is the check of a text of which something like it stands at a place.
func changed(state string, at evidence.Place, a evidence.Alike, note string) evidence.ItemCheck {
	return evidence.ItemCheck{State: state, At: at, Now: a.Text, Score: float64(int(a.Score*100+.5)) / 100, Words: a.Words, Note: note}
}

// missing reports an error that says that something is not there, or no longer readable, and so may be elsewhere.
func missing(err error) bool {
	return err != nil && !errors.Is(err, errs.Stale) && !errors.Is(err, errs.TooLarge) && !errors.Is(err, errs.Closed)
}
