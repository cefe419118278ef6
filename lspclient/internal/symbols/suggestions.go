package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

const (
	// maxNear bounds the near names that an error lists.
	maxNear = 5
	// maxWords bounds the different identifiers that are compared with a name that nothing has.
	maxWords = 200_000
	// maxNearBytes bounds the bytes that are read for them.
	maxNearBytes = 64 << 20
)

// nearness says how near a name is to the one that was asked for: less is nearer, and above farthest it is not near.
const farthest = 100

func nearness(want, have string) int {
	w, h := strings.ToLower(want), strings.ToLower(have)
	if w == h {
		return 0
	}
	a, b := []rune(w), []rune(h)
	if len(a) > 100 || len(b) > 100 {
		return farthest + 1
	}
	if most := max(1, min(len(a), len(b))/3); min(len(a), len(b)) > 1 && max(len(a), len(b))-min(len(a), len(b)) <= most {
		d := text.Distance(a, b)
		if swapped(a, b) {
			d = 1
		}
		if d <= most {
			return d * 10
		}
	}
	if len(a) >= 3 && len(b) >= 3 {
		if strings.HasPrefix(h, w) || strings.HasPrefix(w, h) {
			return 30 + max(len(a), len(b)) - min(len(a), len(b))
		}
	}
	// Words in common: "getUserName" and "user_name".
	ws, hs := text.SplitIdent(want), text.SplitIdent(have)
	common := 0
	for _, x := range ws {
		if len(x) > 2 && slices.ContainsFunc(hs, func(y string) bool { return strings.EqualFold(x, y) }) {
			common++
		}
	}
	if common > 0 && common*2 >= max(len(ws), len(hs)) {
		return 50 + 5*(len(ws)+len(hs)-2*common)
	}
	return farthest + 1
}

// swapped reports whether the two differ by two neighbouring letters that changed places.
func swapped(a, b []rune) bool {
	if len(a) != len(b) {
		return false
	}
	i := 0
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i+1 < len(a) && a[i] == b[i+1] && a[i+1] == b[i] && slices.Equal(a[i+2:], b[i+2:])
}

// nearest returns the declarations with the nearest names, the nearest first, each name once.
func nearest(want string, all []Declaration) []Candidate {
	type scored struct {
		c    Candidate
		away int
	}
	var list []scored
	seen := map[string]bool{}
	for _, d := range all {
		away := nearness(want, d.ident())
		full := d.Full()
		if away > farthest || seen[full] {
			continue
		}
		seen[full] = true
		list = append(list, scored{Candidate{Name: full, Kind: d.Kind, Location: d.At, Write: fmt.Sprintf("%s:%d:%d", d.At.Path, d.At.Line, d.At.Col)}, away})
	}
	slices.SortStableFunc(list, func(a, b scored) int {
		return cmp.Or(cmp.Compare(a.away, b.away), place.Compare(a.c.Location, b.c.Location))
	})
	var out []Candidate
	for _, s := range list[:min(len(list), maxNear)] {
		out = append(out, s.c)
	}
	return out
}

// near finds declarations whose names come near the one that nothing has: among what the servers gave, and, since a symbol search gives
// nothing for a slip of the pen, among the identifiers of the files, of which the declarations are looked up.
func (q *search) near(ctx context.Context) []Declaration {
	last := q.w.Last()
	if list := nearest(last, q.all); len(list) > 0 && nearness(last, symbolname.Last(list[0].Name)) <= 20 {
		return q.all
	}
	folders, err := q.c.pool.Folders(ctx)
	if err != nil {
		return q.all
	}
	q.folders = folders[:min(len(folders), session.MaxFolders)]
	all := q.all
	for _, w := range q.c.nearWords(ctx, q.folders, last) {
		if ctx.Err() != nil {
			break
		}
		found := &search{c: q.c, w: symbolname.Name{Parts: []string{w.word}, Index: -1}, folders: q.folders}
		found.ask(ctx, w.word)
		hits := slices.DeleteFunc(found.all, func(d Declaration) bool { return d.ident() != w.word })
		for _, file := range w.files {
			if len(hits) > 0 || ctx.Err() != nil {
				break
			}
			outline, err := q.c.Outline(ctx, filepath.Clean(file))
			if err != nil {
				continue // it is only help
			}
			hits = slices.DeleteFunc(outline, func(d Declaration) bool { return d.ident() != w.word })
		}
		all = append(all, hits...)
	}
	if q.c.locate != nil && ctx.Err() == nil {
		// Whoever locates names may know better what comes near.
		extra, err := q.c.located(ctx, wordOf(last), wordOf(last))
		if err == nil {
			all = append(all, extra...)
		}
	}
	return all
}

// nearWord is an identifier of some files.
type nearWord struct {
	word  string
	away  int
	files []string // three at most, those first where it looks declared
}

// nearWords returns the nearest identifiers in the files of the folders.
func (c *Resolver) nearWords(ctx context.Context, folders []*session.Folder, want string) []nearWord {
	type seenWord struct {
		away  int
		files []string
		best  int // how much the first file looks as if it declared it
	}
	seen := map[string]*seenWord{}
	budget := maxNearBytes
	for _, f := range folders {
		for _, file := range f.Files {
			if budget <= 0 || ctx.Err() != nil {
				break
			}
			body, _, err := c.pool.Tree.Read(file)
			if err != nil {
				continue
			}
			budget -= len(body.Bytes)
			for at := 0; ; {
				s, e := source.NextIdent(body.Bytes, at)
				if s < 0 {
					break
				}
				at = e
				if e-s > 400 {
					continue
				}
				w, ok := seen[string(body.Bytes[s:e])]
				if !ok {
					if len(seen) >= maxWords {
						continue
					}
					word := string(body.Bytes[s:e])
					w = &seenWord{away: nearness(want, word)}
					seen[word] = w
				}
				if w.away <= farthest && !slices.Contains(w.files, file) {
					score := declaredScore(body.Bytes, string(body.Bytes[s:e]))
					if score > w.best {
						w.files, w.best = slices.Insert(w.files, 0, file), score
					} else if len(w.files) < 3 {
						w.files = append(w.files, file)
					}
					w.files = w.files[:min(len(w.files), 3)]
				}
			}
		}
	}
	var list []nearWord
	for word, w := range seen {
		if w.away <= farthest && utf8.RuneCountInString(word) > 1 {
			list = append(list, nearWord{word, w.away, w.files})
		}
	}
	slices.SortFunc(list, func(a, b nearWord) int { return cmp.Or(cmp.Compare(a.away, b.away), cmp.Compare(a.word, b.word)) })
	return list[:min(len(list), 2*maxNear)]
}

// located asks Options.Locate, and moves each place it gives to the name there.
func (c *Resolver) located(ctx context.Context, name, last string) ([]Declaration, error) {
	if c.locate == nil {
		return nil, nil
	}
	places, err := c.locate(ctx, name)
	if err != nil {
		if errors.Is(err, errs.NotFound) {
			return nil, nil
		}
		return nil, fmt.Errorf("locating %q: %w", name, err)
	}
	const most = 1000
	var list []Declaration
	for _, at := range places[:min(len(places), most)] {
		abs, err := c.pool.Tree.Existing(at.Path)
		if err != nil {
			continue
		}
		if d, ok := c.nameNear(ctx, abs, at, last); ok {
			list = append(list, d)
		}
	}
	sortDeclarations(list)
	return slices.CompactFunc(list, func(a, b Declaration) bool { return a.At == b.At }), nil
}

// nameNear finds the declaration at a place: among those of the file the one of that name that begins nearest, else the
// name's first occurrence from the place on.
func (c *Resolver) nameNear(ctx context.Context, abs string, at place.Location, last string) (Declaration, bool) {
	var best Declaration
	bestAway := -1
	outline, err := c.Outline(ctx, abs)
	if err == nil {
		for _, d := range outline {
			away := max(d.Whole.Line-max(at.EndLine, at.Line), at.Line-d.At.Line, 0)
			if d.ident() == last && (bestAway < 0 || away < bestAway) {
				best, bestAway = d, away
			}
		}
	}
	if bestAway == 0 {
		return best, true
	}
	body, _, err := c.pool.Tree.Read(abs)
	if err != nil {
		return Declaration{}, false
	}
	for line := at.Line; line <= min(max(at.EndLine, at.Line), at.Line+50); line++ {
		if start, end, ok := body.FindIdent(line, 1, last); ok {
			return Declaration{Name: last, At: place.Location{Path: c.pool.Tree.Relative(abs), Line: line, Col: start, EndLine: line, EndCol: end}}, true
		}
	}
	return best, bestAway >= 0
}
