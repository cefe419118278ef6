package answer

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/walk"
	"github.com/findspot/findspot/skill/evidence"
)

// The bounds of reading callers' code.
const (
	defaultBodies = 50
	defaultLines  = 60
	budgetLines   = 20
	nearUse       = 8       // lines on either side of a use in a long caller
	fullUses      = 12      // uses in one long caller that are shown with so much around them; the rest alone
	maxUses       = 400     // uses in one caller
	maxWindow     = 1 << 15 // bytes of one piece: the lines of a minified file are no code to read
	maxCallerCode = 1 << 20 // bytes of all
)

// A body is an entity whose code is to be read, with the lines of the symbol's uses in it.
type body struct {
	repo   string
	entity codegraph.Entity
	lines  []int
	uses   []int // indices in the result
	call   bool
}

// readCode reads the code of the callers in res and adds it as evidence: an entity whole where it is not long, else the
// lines around each use. Code that is no test comes first, calls before other uses. Of each entity every line that uses
// the symbol is read, or none.
func (g *gatherer) readCode(ctx context.Context, res *Callers) error {
	most, whole := cmp.Or(g.opt.Bodies, defaultBodies), g.opt.Lines
	if whole == 0 {
		whole = defaultLines
		if g.budget {
			whole = budgetLines
		}
	}
	code := &items.CodeRead{}
	res.Code = code
	files := map[string][][]byte{}
	size := 0
	for n, b := range bodies(res.Uses) {
		if err := ctx.Err(); err != nil {
			return err
		}
		why := ""
		var pieces []evidence.Item
		switch {
		case n >= most:
			why = fmt.Sprintf("the code of %d callers was read, no more was asked for", max(most, 0))
		case size > maxCallerCode:
			why = fmt.Sprintf("over %d bytes of code were read", maxCallerCode)
		case g.budget && n > 0 && g.left <= 0:
			why = fmt.Sprintf("the answer would have over %d tokens", g.opt.Tokens)
		default:
			pieces, why = g.codeOf(b, whole, files)
		}
		if why != "" {
			code.Unread = append(code.Unread, b.entity.ID+": "+why)
			continue
		}
		code.Read++
		for _, it := range pieces {
			size += len(it.Text)
			key := g.add(it)
			if g.budget {
				g.left -= g.size(it)
			}
			for _, i := range b.uses {
				res.Uses[i].Code = append(res.Uses[i].Code, key)
			}
		}
	}
	// What the text alone gave is a guess by the name, and places that nobody looked at may be callers.
	seen := res.Unexplained <= len(res.Unread) && !slices.ContainsFunc(res.Symbols, func(e codegraph.Entity) bool {
		return callers.Special(e.Name) && e.Name != "__init__" && e.Name != "constructor" // the language calls it where nothing is written
	})
	code.Complete = res.Verdict == callers.VerifiedNone || res.Verdict == callers.Found && len(code.Unread) == 0 && res.Via != callers.ViaText && seen
	return nil
}

// bodies are the entities that hold uses, each once: those that are no tests first, and calls before other uses.
func bodies(uses []callers.Use) []*body {
	by := map[string]*body{}
	var out []*body
	for i, u := range uses {
		b := by[u.Entity.ID]
		if b == nil {
			b = &body{repo: u.Repo, entity: u.Entity, call: u.Call}
			by[u.Entity.ID] = b
			out = append(out, b)
		}
		b.uses = append(b.uses, i)
		for _, s := range u.Sites {
			b.lines = append(b.lines, s.Line)
		}
	}
	rank := func(b *body) int {
		n := 0
		if b.entity.Test {
			n += 2
		}
		if !b.call {
			n++
		}
		return n
	}
	slices.SortStableFunc(out, func(a, b *body) int { return cmp.Compare(rank(a), rank(b)) })
	return out
}

// codeOf gives the code of one entity as list; why says why there is none.
func (g *gatherer) codeOf(b *body, whole int, files map[string][][]byte) (list []evidence.Item, why string) {
	rp := g.repo(b.repo)
	if rp == nil {
		return nil, "its repository is gone"
	}
	p := b.entity.Path
	lines, ok := files[b.repo+"//"+p]
	if !ok {
		data, err := rp.SourceText(p)
		if err != nil {
			return nil, "it could not be read: " + walk.Reason(err)
		}
		lines = repository.SplitLines(data)
		files[b.repo+"//"+p] = lines
	}
	slices.Sort(b.lines)
	b.lines = slices.Compact(b.lines)
	if len(b.lines) > maxUses {
		return nil, fmt.Sprintf("it has over %d uses", maxUses)
	}
	for _, w := range windows(b, whole, len(lines)) {
		text := string(bytes.Join(lines[w[0]-1:w[1]], nil))
		if len(text) > maxWindow {
			return nil, fmt.Sprintf("lines %d to %d are over %d bytes", w[0], w[1], maxWindow)
		}
		var uses []string
		for _, l := range b.lines {
			if w[0] <= l && l <= w[1] {
				uses = append(uses, fmt.Sprint(l))
			}
		}
		note := "code of a caller"
		if !b.call {
			note = "code of a use"
		}
		if len(uses) > 0 {
			note += ", in line " + strings.Join(uses[:min(len(uses), 20)], ", ")
			if len(uses) > 20 {
				note += fmt.Sprintf(" and %d more", len(uses)-20)
			}
		}
		list = append(list, evidence.Item{Kind: evidence.KindEntity, Text: text, Via: "source", Note: note,
			At: evidence.Place{Repo: b.repo, Path: p, Line: w[0], EndLine: w[1], Entity: b.entity.ID}})
	}
	if len(list) == 0 {
		return nil, "its lines are no longer there"
	}
	return list, ""
}

// windows are the lines of an entity to read, first and last inclusive: all of a function or class that is not long, else
// its beginning and what is around each use. Every use is in one of them; a use behind the end of the file gives none.
func windows(b *body, whole, last int) [][2]int {
	e := b.entity
	if n := len(b.lines); n > 0 && b.lines[n-1] > last {
		return nil
	}
	code := repository.IsCode(e) && e.Line > 0
	inside := code && !slices.ContainsFunc(b.lines, func(l int) bool { return l < e.Line || l > e.EndLine })
	if inside && e.EndLine-e.Line < whole && e.EndLine <= last {
		return [][2]int{{e.Line, e.EndLine}}
	}
	from, to := 1, last
	var out [][2]int
	if inside {
		from, to = e.Line, min(e.EndLine, last)
		out = append(out, [2]int{from, min(from+2, to)})
	}
	for i, l := range b.lines {
		around := nearUse
		if i >= fullUses {
			around = 0
		}
		w := [2]int{max(l-around, from), min(l+around, to)}
		if n := len(out); n > 0 && w[0] <= out[n-1][1]+1 {
			out[n-1][1] = max(out[n-1][1], w[1])
			continue
		}
		out = append(out, w)
	}
	return out
}
