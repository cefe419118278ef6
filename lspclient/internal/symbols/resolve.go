package symbols

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// Resolver finds the place that a target means.
type Resolver struct {
	pool    *session.Pool
	symbols *Lister
	locate  func(ctx context.Context, name string) ([]place.Location, error) // nil: no such help
	define  func(ctx context.Context, at Query) ([]place.Location, error)    // where a place is defined
}

// NewResolver returns what finds the places that targets mean. Locate finds places of a name that the servers do not know; nil:
// no such help. Define says where what is at a place is defined.
func NewResolver(pool *session.Pool, symbols *Lister, locate func(ctx context.Context, name string) ([]place.Location, error),
	define func(ctx context.Context, at Query) ([]place.Location, error)) *Resolver {
	return &Resolver{pool, symbols, locate, define}
}

// Resolve finds the place a target means.
func (c *Resolver) Resolve(ctx context.Context, t Query) (*Spot, error) {
	if t.Path != "" {
		abs, v, err := c.pool.FileServer(ctx, t.Path)
		if err != nil {
			return nil, err
		}
		return &Spot{Server: v, Abs: abs, Line: t.Line, Col: t.Col}, nil
	}
	if len(t.Name) > symbolname.MaxLength || !utf8.ValidString(t.Name) || strings.ContainsAny(t.Name, "\x00\n\r") {
		return nil, fmt.Errorf("%q is not the name of a symbol: %w", excerpt.Clip(t.Name, 100), errs.NotFound)
	}
	if abs, name, ok := c.splitFile(t.Name); ok {
		if line, col, ok := placeIn(name); ok {
			v, err := c.pool.ServerFor(ctx, abs)
			if err != nil {
				return nil, err
			}
			return &Spot{Server: v, Abs: abs, Line: line, Col: col}, nil
		}
		return c.resolveIn(ctx, t.Name, abs, name)
	}
	w := symbolname.Parse(t.Name)
	if len(w.Parts) == 0 {
		return nil, fmt.Errorf("%q is not the name of a symbol: %w", t.Name, errs.NotFound)
	}
	return (&search{c: c, name: t.Name, w: w}).run(ctx)
}

// splitFile takes the file from the front of a name: "path/file.py:A.b", or "path/file.py::A::b" as pytest has it. A name
// whose front is no file of the root has none.
func (c *Resolver) splitFile(whole string) (abs, name string, ok bool) {
	for from := 0; ; {
		i := strings.IndexByte(whole[from:], ':')
		if i < 0 {
			return "", "", false
		}
		i += from
		from = i + 1
		name = strings.TrimPrefix(whole[i+1:], ":")
		if i == 0 || name == "" {
			continue
		}
		abs, err := c.pool.Tree.Existing(whole[:i])
		if err != nil {
			continue
		}
		if info, err := os.Stat(abs); err == nil && info.IsDir() {
			continue
		}
		return abs, name, true
	}
}

// placeIn reads "12" and "12:5" as line and column; the column is 0 when there is none.
func placeIn(s string) (line, col int, ok bool) {
	first, second, both := strings.Cut(s, ":")
	line, err := strconv.Atoi(first)
	if err == nil && both {
		col, err = strconv.Atoi(second)
	}
	return line, col, err == nil
}

// resolveIn finds a name among the declarations of one file. One whose whole chain was written comes before those that
// only end so.
func (c *Resolver) resolveIn(ctx context.Context, whole, abs, name string) (*Spot, error) {
	w := symbolname.Parse(name)
	if len(w.Parts) == 0 {
		return nil, fmt.Errorf("%q is not the name of a symbol: %w", whole, errs.NotFound)
	}
	all, err := c.Outline(ctx, abs)
	if err != nil {
		return nil, err
	}
	fit, how := fitting(all, w)
	if len(fit) == 0 {
		return nil, &NotFoundError{Name: whole, Near: nearest(w.Last(), all)}
	}
	return c.pick(ctx, whole, w, fit, how)
}

// fitting returns the declarations that fit best, sorted by place, one a place, and how they fit.
func fitting(all []Declaration, w symbolname.Name) ([]Declaration, fit) {
	best := fitsNot
	var list []Declaration
	for _, d := range all {
		f := d.fits(w)
		if f < best {
			best, list = f, nil
		}
		if f == best && f != fitsNot {
			list = append(list, d)
		}
	}
	sortDeclarations(list)
	return slices.CompactFunc(list, func(a, b Declaration) bool { return a.At == b.At }), best
}

func sortDeclarations(list []Declaration) {
	slices.SortStableFunc(list, func(a, b Declaration) int { return place.Compare(a.At, b.At) })
}

// pick chooses among declarations that fit a name equally well.
func (c *Resolver) pick(ctx context.Context, name string, w symbolname.Name, list []Declaration, how fit) (*Spot, error) {
	if len(list) > 1 {
		list = c.outlineAll(ctx, list, func(Declaration) bool { return false })
		list, _ = fitting(list, w)
	}
	for _, drop := range []func(list []Declaration, d Declaration) bool{
		func(_ []Declaration, d Declaration) bool {
			return w.Called && !symbolname.MatchParams(w.Params, symbolname.SplitParams(c.paramsAt(d)))
		},
		isConstructor,
		isStub,
		func(list []Declaration, d Declaration) bool { return w.Index < 0 && c.isSignatureOf(list, d) },
		func(_ []Declaration, d Declaration) bool { return c.isImport(d) },
	} {
		if len(list) > 1 {
			list = without(list, drop)
		}
	}
	if len(list) > 1 {
		var err error
		if list, err = c.confirmed(ctx, list); err != nil {
			return nil, err
		}
	}
	if len(list) > 1 {
		return nil, ambiguous(name, list)
	}
	d := list[0]
	var notes []string
	switch how {
	case fitsGaps:
		notes = append(notes, fmt.Sprintf("%q was taken for %s in %s", name, d.Full(), d.At.Path))
	case fitsCase:
		notes = append(notes, fmt.Sprintf("%q was taken for %s in %s, which differs in upper and lower case", name, d.Full(), d.At.Path))
	}
	abs, v, err := c.pool.FileServer(ctx, d.At.Path)
	if err != nil {
		return nil, err
	}
	return &Spot{Server: v, Abs: abs, Line: d.At.Line, Col: d.At.Col, Declared: true, Note: excerpt.Join(notes...)}, nil
}

// without removes declarations, unless that would leave none.
func without(list []Declaration, drop func(list []Declaration, d Declaration) bool) []Declaration {
	kept := slices.DeleteFunc(slices.Clone(list), func(d Declaration) bool { return drop(list, d) })
	if len(kept) == 0 {
		return list
	}
	return kept
}

// isConstructor reports whether a declaration constructs a type that is in the list: "A" means the type, "A::A" or "A.A" what
// constructs it.
func isConstructor(list []Declaration, d Declaration) bool {
	return slices.ContainsFunc(list, func(t Declaration) bool {
		return t.At != d.At && t.ident() == d.ident() && isType(t.Kind) && !isType(d.Kind) && t.At.Path == d.At.Path &&
			(strings.HasSuffix(d.Full(), t.Full()+"."+d.ident()) || d.Kind == "constructor")
	})
}

func isType(kind string) bool {
	switch kind {
	case "class", "struct", "interface", "enum":
		return true
	}
	return false
}

// isImport reports whether a declaration stands in an import or a re-export, which may span lines.
func (c *Resolver) isImport(d Declaration) bool {
	abs, err := c.pool.Tree.Existing(d.At.Path)
	if err != nil {
		return false
	}
	text, _, err := c.pool.Tree.Read(abs)
	if err != nil {
		return false
	}
	raw, _ := text.Line(d.At.Line)
	line := strings.TrimSpace(string(raw[:min(len(raw), 2000)]))
	word, rest, _ := strings.Cut(line, " ")
	switch {
	case word == "using", word == "#include":
		return true
	case (word == "const" || word == "let" || word == "var") && strings.Contains(rest, "require("):
		return true
	case importing(line, d.At.Path) || complete.RequiredAt(text, d.At) > 0:
		return true
	}
	return importing(text.Opener(d.At.Line), d.At.Path)
}

// importing reports whether a line begins an import or a re-export of names in a list.
func importing(line, path string) bool {
	word, rest, _ := strings.Cut(line, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "import", "from":
		return true
	case "use":
		return strings.HasSuffix(path, ".rs")
	case "pub":
		return strings.HasPrefix(rest, "use ")
	case "export":
		return strings.HasPrefix(rest, "{") || strings.HasPrefix(rest, "*") || strings.HasPrefix(rest, "type {")
	}
	return false
}

// confirmed asks the server where each of a few candidates is defined. Candidates of which one is said to be defined
// where the other is are one symbol: an import and what it imports, a forward declaration and its definition, a stub and
// its implementation where the server says so. Of these the one that others lead to is kept, else the longest. When the
// time is up before all were asked about, that is an error: whoever asks in time may find them to be one.
func (c *Resolver) confirmed(ctx context.Context, list []Declaration) ([]Declaration, error) {
	if len(list) < 2 || len(list) > maxConfirmed {
		return list, nil
	}
	group := make([]int, len(list)) // the first of the group
	pointed := make([]int, len(list))
	for i := range group {
		group[i] = i
	}
	byPlace := map[place.Location][]int{} // outside the list
	join := func(a, b int) {
		a, b = group[a], group[b]
		for i := range group {
			if group[i] == max(a, b) {
				group[i] = min(a, b)
			}
		}
	}
	for i, d := range list {
		defined, err := c.define(ctx, At(d.At.Path, d.At.Line, d.At.Col))
		if ctx.Err() != nil || errors.Is(err, context.DeadlineExceeded) {
			return nil, fmt.Errorf("%d declarations have the name %q, and there was no time to see whether they are one symbol (%s:%d): %w",
				len(list), d.Full(), d.At.Path, d.At.Line, cmp.Or(err, ctx.Err()))
		}
		if err != nil {
			continue
		}
		for _, at := range defined {
			j := slices.IndexFunc(list, func(o Declaration) bool {
				return o.At.Path == at.Path && o.At.Line == at.Line && (o.At.Col == at.Col || o.Whole.Line == at.Line && o.Whole.Col == at.Col)
			})
			switch {
			case j == i:
			case j >= 0 && d.overrides(list[j]):
			case j >= 0:
				pointed[j]++
				join(i, j)
			case len(defined) == 1: // servers differ in how much of the definition they give
				at.EndLine, at.EndCol = at.Line, at.Col
				byPlace[at] = append(byPlace[at], i)
			}
		}
	}
	for _, same := range byPlace {
		for _, i := range same[1:] {
			join(same[0], i)
		}
	}
	best := map[int]int{}
	for i := range list {
		b, ok := best[group[i]]
		if !ok || pointed[i] > pointed[b] || pointed[i] == pointed[b] && list[i].Whole.EndLine-list[i].Whole.Line > list[b].Whole.EndLine-list[b].Whole.Line {
			best[group[i]] = i
		}
	}
	var out []Declaration
	for _, i := range best {
		out = append(out, list[i])
	}
	sortDeclarations(out)
	return out, nil
}

// paramsAt returns the parameter list of a declaration without its brackets: what follows the name in the file, else what
// the server shows.
func (c *Resolver) paramsAt(d Declaration) string {
	const most = 4000
	show := strings.TrimSuffix(strings.TrimPrefix(d.params, "("), ")")
	abs, err := c.pool.Tree.Existing(d.At.Path)
	if err != nil {
		return show
	}
	text, _, err := c.pool.Tree.Read(abs)
	if err != nil || d.At.EndLine > len(text.Starts) || d.At.EndLine < 1 {
		return show
	}
	at := text.Starts[d.At.EndLine-1] + d.At.EndCol - 1
	if at < 0 || at > len(text.Bytes) {
		return show
	}
	rest := strings.TrimLeft(string(text.Bytes[at:min(len(text.Bytes), at+most)]), " \t")
	for _, b := range []byte{'<', '['} {
		if strings.HasPrefix(rest, string(b)) {
			rest = strings.TrimLeft(rest[symbolname.Balanced(rest, b, map[byte]byte{'<': '>', '[': ']'}[b]):], " \t")
		}
	}
	if !strings.HasPrefix(rest, "(") {
		return show
	}
	n := symbolname.Balanced(rest, '(', ')')
	return strings.TrimSuffix(rest[1:n], ")")
}

// ambiguous lists the candidates, and for each the shortest form that means it alone.
func ambiguous(name string, list []Declaration) *AmbiguousError {
	e := &AmbiguousError{Name: name}
	alone := func(form string, d Declaration, within []Declaration) bool {
		fit, how := fitting(within, symbolname.Parse(form))
		return how <= fitsExactly && len(fit) == 1 && fit[0].At == d.At
	}
	for _, d := range list {
		cand := Candidate{Name: d.Full(), Kind: d.Kind, Location: d.At}
		if d.siblings > 1 {
			cand.Name += "[" + strconv.Itoa(d.index) + "]"
		}
		var same []Declaration
		for _, o := range list {
			if o.At.Path == d.At.Path {
				same = append(same, o)
			}
		}
		file := d.At.Path + ":"
		switch {
		case alone(cand.Name, d, list):
			cand.Write = cand.Name
		case alone(cand.Name, d, same):
			cand.Write = file + cand.Name
		case d.Chain != nil && alone("/"+cand.Name, d, same):
			cand.Write = file + "/" + cand.Name
		case d.Chain != nil && alone(strings.Join(d.Chain, "/"), d, same):
			cand.Write = file + strings.Join(d.Chain, "/")
		default:
			cand.Write = fmt.Sprintf("%s%d:%d", file, d.At.Line, d.At.Col)
		}
		e.Candidates = append(e.Candidates, cand)
	}
	return e
}

// maxOutlined bounds the files whose declarations are listed to find one name.
const maxOutlined = 40

// maxConfirmed bounds the candidates whose definitions are asked for.
const maxConfirmed = 8
