package questions

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

const (
	// maxDerivedFiles bounds the files whose symbols are asked for to find the declarations around references.
	maxDerivedFiles = 200
	// maxDerivedCalls bounds the calls in one body whose definitions are asked for.
	maxDerivedCalls = 200
)

// derivedCallers finds callers by the references: each one that looks like a call belongs to the innermost function,
// method or class around it, else to its file.
func (c *CallFinder) derivedCallers(ctx context.Context, at *symbols.Spot, why string) (*CallsResult, error) {
	rel := c.pool.Tree.Relative(at.Abs)
	_, a, err := c.find.references(ctx, symbols.At(rel, at.Line, at.Col), false)
	if err != nil {
		return nil, err
	}
	refs := result(a, 1<<30, nil)
	r := &CallsResult{Target: refs.Target, Calls: []Call{}, Answer: refs.Answer}
	v := a.Session.Converter()
	around := c.enclosing(at.Server)
	var bad, other []string
	left := 0
	for _, ref := range refs.Locations {
		text := v.Text(c.pool.Absolute(ref.Path))
		if text == nil || !looksLikeCall(text, ref) {
			if left++; len(other) < 3 {
				other = append(other, fmt.Sprintf("%s:%d:%d", ref.Path, ref.Line, ref.Col))
			}
			continue
		}
		call, why, err := around.caller(ctx, ref, text)
		if err != nil {
			return nil, err
		}
		bad = append(bad, why)
		if call != nil {
			r.add(*call)
		}
	}
	r.tidy()
	note := why + ": the callers are derived from its references"
	if left > 0 {
		if left > len(other) {
			other = append(other, "...")
		}
		note += fmt.Sprintf(", of which %d do not look like calls (%s)", left, strings.Join(other, ", "))
	}
	r.Note = excerpt.Join(r.Note, note)
	a.Session.Degrade(&r.Answer, bad...)
	return r, nil
}

// enclosing finds the declarations around places, asking for the symbols of each file once.
type enclosing struct {
	pool    *session.Pool
	symbols *symbols.Lister
	server  *session.Server
	files   map[string][]place.Symbol
}

func (c *CallFinder) enclosing(v *session.Server) *enclosing {
	return &enclosing{c.pool, c.find.symbols, v, map[string][]place.Symbol{}}
}

// caller returns the declaration around a place as the end of a call from there, nil in one file too many. The second
// value says what was left out.
func (e *enclosing) caller(ctx context.Context, at place.Location, text *source.Text) (*Call, string, error) {
	symbols, asked := e.files[at.Path]
	if !asked && len(e.files) == maxDerivedFiles {
		return nil, fmt.Sprintf("the callers lie in more than %d files", maxDerivedFiles), nil
	}
	why := ""
	if !asked {
		a, lost, err := e.symbols.Document(ctx, e.server, e.pool.Absolute(at.Path))
		if err != nil {
			return nil, "", err
		}
		symbols, why = a.Value, lost
		e.files[at.Path] = symbols
	}
	call := callerAt(symbols, at, text)
	return &call, why, nil
}

// callerAt returns the innermost declaration around a place that can hold code, as the end of a call from there.
func callerAt(symbols []place.Symbol, at place.Location, text *source.Text) Call {
	var best *place.Symbol
	place.Each(symbols, func(s place.Symbol) {
		// The declaration of what is called holds its own name; a flat list has declarations of one line.
		if s.Location.Holds(at) && !s.Selection.Holds(at) && slices.Contains([]string{"function", "method", "constructor", "class", "struct", "property"}, s.Kind) &&
			(best == nil || place.CompareSizes(s.Location, best.Location) <= 0) {
			best = &s
		}
	})
	if best == nil {
		end := len(text.Starts)
		line, _ := text.Line(end)
		whole := place.Location{Path: at.Path, Line: 1, Col: 1, EndLine: end, EndCol: len(line) + 1}
		return Call{
			Name: at.Path, Kind: "file", Location: whole,
			Selection: place.Location{Path: at.Path, Line: 1, Col: 1, EndLine: 1, EndCol: 1}, Sites: []place.Location{at},
		}
	}
	return Call{
		Name: best.Name, Kind: best.Kind, Detail: best.Detail, Location: best.Location, Selection: best.Selection, Sites: []place.Location{at},
	}
}

// looksLikeCall reports whether an opening parenthesis follows the identifier, past type arguments on the same line, or
// an at sign begins what it ends, as with a decorator.
func looksLikeCall(text *source.Text, at place.Location) bool {
	line, ok := text.Line(at.EndLine)
	if !ok || at.EndCol-1 > len(line) {
		return false
	}
	rest := bytes.TrimLeft(line[at.EndCol-1:], " \t")
	rest = bytes.TrimPrefix(bytes.TrimPrefix(rest, []byte("!")), []byte("::"))
	if len(rest) > 0 && (rest[0] == '<' || rest[0] == '[') {
		depth := 0
		for i, b := range rest {
			switch b {
			case '<', '[':
				depth++
			case '>', ']':
				depth--
			}
			if depth == 0 {
				rest = rest[i+1:]
				break
			}
		}
	}
	if bytes.HasPrefix(rest, []byte("(")) {
		return true
	}
	before := bytes.TrimRightFunc(line[:at.Col-1], func(r rune) bool { return source.IsIdent(r) || r == '.' })
	return len(rest) == 0 && bytes.HasPrefix(bytes.TrimSpace(before), []byte("@")) && len(bytes.TrimSpace(before)) == 1
}

// derivedCallees finds callees by the body: each identifier in it that looks like a call is asked for its definition.
func (c *CallFinder) derivedCallees(ctx context.Context, at *symbols.Spot, why string) (*CallsResult, error) {
	rel := c.pool.Tree.Relative(at.Abs)
	def, err := c.find.Definition(ctx, symbols.At(rel, at.Line, at.Col), nil)
	if err != nil {
		return nil, err
	}
	r := &CallsResult{Target: def.Target, Calls: []Call{}, Answer: def.Answer}
	if r.State == session.Complete && (len(def.Locations) != 1 || def.Locations[0].Outside()) {
		return nil, fmt.Errorf("%s, and the target has not one definition below the root: %w", why, errs.Unsupported)
	}
	body, text, err := c.bodyAt(ctx, at.Server, def.Locations)
	if err != nil {
		return nil, err
	}
	if body == nil {
		return nil, fmt.Errorf("%s, and its definition is no function: %w", why, errs.Unsupported)
	}
	sites := callSites(body.Location, body.Selection, text, at.Server.Spec.LanguageOf(at.Abs))
	var bad []string
	if len(sites) > maxDerivedCalls {
		bad = append(bad, fmt.Sprintf("the body has %d calls, %d were diagnosis at", len(sites), maxDerivedCalls))
		sites = sites[:maxDerivedCalls]
	}
	var nowhere []string
	for _, site := range sites {
		to, err := c.find.Definition(ctx, symbols.At(site.Path, site.Line, site.Col), nil)
		if err != nil {
			return nil, err
		}
		if to.State != session.Complete {
			bad = append(bad, to.Reason)
		}
		if len(to.Locations) == 0 {
			nowhere = append(nowhere, fmt.Sprintf("%s:%d:%d", site.Path, site.Line, site.Col))
		}
		for _, callee := range to.Locations {
			row, _ := text.Line(site.Line)
			r.add(Call{
				Name: string(row[site.Col-1 : site.EndCol-1]), Kind: "unknown", Location: callee, Selection: callee, Sites: []place.Location{site},
			})
		}
	}
	slices.SortStableFunc(r.Calls, func(a, b Call) int { return place.Compare(a.Selection, b.Selection) })
	calls := r.Calls
	r.Calls = []Call{}
	for _, call := range calls {
		r.add(call)
	}
	r.tidy()
	if len(nowhere) > 0 {
		bad = append(bad, fmt.Sprintf("%d calls lead nowhere the server knows: %s", len(nowhere), excerpt.List(nowhere, 3)))
	}
	r.Note = excerpt.Join(r.Note, why+": the callees are the definitions of what looks like a call in the body")
	r.Degrade(bad...)
	return r, nil
}

// bodyAt returns the function or class whose name is at the definition.
func (c *CallFinder) bodyAt(ctx context.Context, v *session.Server, defs []place.Location) (*place.Symbol, *source.Text, error) {
	if len(defs) == 0 {
		return nil, nil, nil
	}
	abs := c.pool.Absolute(defs[0].Path)
	a, _, err := c.find.symbols.Document(ctx, v, abs)
	if err != nil {
		return nil, nil, err
	}
	text, err := a.Session.Documents.Text(abs)
	if err != nil {
		return nil, nil, err
	}
	var body *place.Symbol
	place.Each(a.Value, func(s place.Symbol) {
		if s.Location.Holds(defs[0]) && s.Selection.Line == defs[0].Line && s.Location.EndLine > s.Selection.Line-1 &&
			slices.Contains([]string{"function", "method", "constructor", "class"}, s.Kind) {
			if body == nil || place.CompareSizes(s.Location, body.Location) > 0 {
				body = &s
			}
		}
	})
	return body, text, nil
}

// callSites lists the identifiers in a body that look like calls, comments and strings left out.
func callSites(body, name place.Location, text *source.Text, language string) []place.Location {
	return slices.DeleteFunc(callLike(text, body.Path, body.Line, body.EndLine, ""), func(at place.Location) bool {
		row, _ := text.Line(at.Line)
		return !body.Holds(at) || name.Holds(at) || reserved(language, string(row[at.Col-1:at.EndCol-1]))
	})
}

// callLike lists the identifiers in the code of some lines that look like calls: all, or those that are one word.
func callLike(text *source.Text, path string, first, last int, word string) []place.Location {
	classes := classesOf(path, text)
	var sites []place.Location
	for n := first; n <= last; n++ {
		row, ok := text.Line(n)
		if !ok {
			break
		}
		for from := 0; ; {
			s, e := source.NextIdent(row, from)
			if s < 0 {
				break
			}
			from = e
			at := place.Location{Path: path, Line: n, Col: s + 1, EndLine: n, EndCol: e + 1}
			if (word == "" || word == string(row[s:e])) && (classes == nil || classes[text.Starts[n-1]+s] == mask.Code) && looksLikeCall(text, at) {
				sites = append(sites, at)
			}
		}
	}
	return sites
}
