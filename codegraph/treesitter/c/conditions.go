package c

import (
	"cmp"
	"slices"
	"strings"
)

// A branch sums up what stands between two directives of a condition.
type branch struct {
	cond      string
	from, to  int32 // bytes
	tok, end  int32 // tokens
	net, min  int   // open brackets at its end, and least in between
	last      int32 // its last token that counts, or -1
	dead      bool  // by its condition alone
	unlikely  bool  // of another platform than most readers'
	directive bool  // holds a #define or #include
}

func (b *branch) add(net, least int, last int32) {
	b.min = min(b.min, b.net+least)
	b.net += net
	if last >= 0 {
		b.last = last
	}
}

// conditions decides which branches of #if the parser sees. Branches that are whole each are all kept, as alternatives;
// where one tears a statement apart, the first is kept that its condition does not speak against. Directives themselves
// are blanked already.
func (s *source) conditions() {
	type group struct {
		branches []branch
		guard    bool
	}
	var stack []*group
	var dead []branch
	root := &branch{last: -1}
	top := func() *branch {
		if len(stack) == 0 {
			return root
		}
		g := stack[len(stack)-1]
		return &g.branches[len(g.branches)-1]
	}
	at := int32(0) // next token to count
	count := func(to int32) {
		b := top()
		for ; at < to; at++ {
			switch s.toks[at].kind {
			case '(', '[', '{':
				b.add(1, 0, at)
			case ')', ']', '}':
				b.add(-1, -1, at)
			default:
				b.last = at
			}
		}
	}
	open := func(d *directive, cond string) branch {
		b := branch{cond: cond, from: d.end, tok: d.tok, last: -1}
		b.dead, b.unlikely = s.evaluate(cond)
		return b
	}
	end := func(d *directive) {
		b := top()
		b.to, b.end = d.start, d.tok
	}
	finish := func() {
		g := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		up := top()
		keep := s.choose(g.branches, up.last)
		alive := 0
		for i := range g.branches {
			if keep[i] && (g.branches[i].last >= 0 || g.branches[i].directive) {
				alive++
			}
		}
		for i := range g.branches {
			b := &g.branches[i]
			if !keep[i] {
				dead = append(dead, *b)
				continue
			}
			up.add(b.net, b.min, b.last)
			if !g.guard && (b.last >= 0 || b.directive) && (alive > 1 || !strings.Contains(b.cond, "__cplusplus")) {
				s.conditional = append(s.conditional, byteRange{b.from, b.to})
			}
		}
	}
	for i := range s.dirs {
		d := &s.dirs[i]
		count(d.tok)
		switch d.name {
		case "if", "ifdef", "ifndef":
			cond := d.arg
			if d.name == "ifndef" {
				cond = "!" + cond
			}
			g := &group{}
			if (d.name == "ifndef" || strings.HasPrefix(strings.ReplaceAll(d.arg, " ", ""), "!defined")) && len(stack) == 0 && i+1 < len(s.dirs) {
				next := &s.dirs[i+1]
				g.guard = next.name == "define" && next.tok == d.tok && len(next.arg) > 0 && strings.Contains(d.arg, strings.Fields(next.arg)[0])
			}
			if len(stack) > 4000 {
				return // no source; what is read stays as it is
			}
			stack = append(stack, g)
			g.branches = append(g.branches, open(d, cond))
		case "elif", "else", "elifdef", "elifndef":
			if len(stack) == 0 {
				continue
			}
			end(d)
			g := stack[len(stack)-1]
			first := g.branches[0].cond
			cond := d.arg
			if d.name == "else" {
				cond = "!(" + first + ")"
				if len(g.branches) > 1 {
					cond = ""
				}
			}
			if len(g.branches) > 1000 {
				return
			}
			g.branches = append(g.branches, open(d, cond))
		case "endif":
			if len(stack) == 0 {
				continue
			}
			end(d)
			finish()
		case "define", "include":
			top().directive = true
		}
	}
	count(int32(len(s.toks)))
	for len(stack) > 0 { // not closed
		b := top()
		b.to, b.end = int32(len(s.src)), int32(len(s.toks))
		finish()
	}
	if len(dead) == 0 {
		return
	}
	slices.SortFunc(dead, func(a, b branch) int { return cmp.Or(cmp.Compare(a.from, b.from), cmp.Compare(b.to, a.to)) })
	live := s.toks[:0]
	next := int32(0)
	for _, b := range dead {
		if b.from >= b.to {
			continue
		}
		s.blank(b.from, b.to)
		if n := len(s.deadBranches); n > 0 && s.deadBranches[n-1].end >= b.from {
			s.deadBranches[n-1].end = max(s.deadBranches[n-1].end, b.to)
		} else {
			s.deadBranches = append(s.deadBranches, byteRange{b.from, b.to})
		}
		if b.tok > next && b.tok <= int32(len(s.toks)) {
			live = append(live, s.toks[next:b.tok]...)
		}
		next = max(next, b.end)
	}
	s.toks = append(live, s.toks[next:]...)
}

// evaluate tells what a condition says by itself: that it never holds, or that it holds on few readers' machines.
func (s *source) evaluate(cond string) (dead, unlikely bool) {
	c := strings.Join(strings.Fields(cond), "")
	c = strings.TrimSuffix(strings.TrimPrefix(strings.ReplaceAll(c, "defined", ""), "("), ")")
	switch c {
	case "0", "!1", "!(1", "!(1)":
		return true, true
	case "__cplusplus", "(__cplusplus":
		return !s.cpp, !s.cpp
	case "!__cplusplus", "!(__cplusplus", "!(__cplusplus)":
		return s.cpp, s.cpp
	}
	not := strings.HasPrefix(c, "!")
	for _, w := range []string{"_WIN32", "WIN32", "_WIN64", "_MSC_VER", "__MINGW", "__CYGWIN__", "_WINDOWS", "__APPLE__", "__BORLANDC__", "__sun"} {
		if strings.Contains(c, w) {
			return false, !not
		}
	}
	return false, false
}

// choose tells which branches stay; before is the last token in front of the condition.
func (s *source) choose(bs []branch, before int32) []bool {
	keep := make([]bool, len(bs))
	whole, some := true, 0
	for i := range bs {
		b := &bs[i]
		if b.dead {
			continue
		}
		if b.last < 0 {
			keep[i] = true
			continue
		}
		some++
		if strings.Contains(b.cond, "__cplusplus") && (b.net != 0 || b.min < 0) { // extern "C" {
			return keep
		}
		k := s.toks[b.last].kind
		whole = whole && b.net == 0 && b.min >= 0 && (k == ';' || k == '}')
	}
	if some <= 1 || whole && s.startsStatement(before) {
		for i := range bs {
			keep[i] = !bs[i].dead
		}
		return keep
	}
	pick := -1
	for i := range bs {
		b := &bs[i]
		if keep[i] || b.dead || b.last < 0 {
			continue
		}
		if pick < 0 || bs[pick].unlikely && !b.unlikely {
			pick = i
		}
	}
	if pick >= 0 {
		keep[pick] = true
	}
	return keep
}

// startsStatement tells whether a statement or declaration may begin behind a token.
func (s *source) startsStatement(i int32) bool {
	if i < 0 {
		return true
	}
	return strings.IndexByte(";{}:)", s.toks[i].kind) >= 0
}
