package findspot

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// ReferenceQuestion tells whether a text asks who calls or uses something in code ("who calls X", "where is X
// referenced", "list every place that uses X", "X's callers"), and what: the objects as they are written, in order, without
// quotes, articles and argument lists. "the run method of Server" is Server.run.
//
// It reads the form first, then how the object is written: something in back quotes, a word that is written as programs write
// names, a word that the text calls a function or class, or a noun phrase that may name a piece of code ("the cell
// searcher"). A phrase that only a graph could tell ("the shots") is none; [Workspace.ReferenceAnswer] looks there.
// Questions about documents ("which standard references X", "where is X used in TS 38.331") are none. At most the first
// 4,000 bytes are read, and at most 8 objects are given.
func ReferenceQuestion(text string) (objects []string, ok bool) { return intent.References(text) }

// ReferenceOptions of [Workspace.ReferenceAnswer].
type ReferenceOptions struct {
	Callers *CallersOptions
	Bodies  int              // most callers whose code is read; 0 means 50, -1 none. All are named
	Lines   int              // most lines of a caller's code that is given whole; 0 means 60. Of a longer one the lines around its uses
	Ledger  *evidence.Ledger // gives the keys; nil means a new one
}

// A ReferenceAnswer is what code holds for a question such as "who calls X" or "where is X used": the callers and uses of
// each symbol that is asked about, with the code of the callers.
type ReferenceAnswer struct {
	Question    string           `json:"question"`
	Asked       bool             `json:"asked"`             // the question asks for callers or uses of something in code
	Topic       string           `json:"topic"`             // what else it asks; the whole question when Asked is false
	Complete    bool             `json:"complete"`          // all of Callers are complete, there is at least one, and nothing is missing
	Callers     []*CallersResult `json:"callers"`           // one for each symbol, in the order of the question; never nil
	Missing     []MissingSymbol  `json:"missing,omitempty"` // names that look meant and are no symbols here
	Items       []evidence.Item  `json:"items"`             // of each symbol: definitions, the verdict, callers and uses, the callers' code; never nil
	Assumptions []string         `json:"assumptions"`       // how the question was understood, where that was not plain
	Problems    []string         `json:"problems"`          // what could not be looked at
}

// A MissingSymbol is a name that a question asks about and no repository has.
type MissingSymbol struct {
	Asked string   `json:"asked"`
	Near  []string `json:"near"` // ids of entities with names like it, nearest first; may be empty
}

// CallersCode says how far the code of callers was read.
type CallersCode struct {
	Read   int      `json:"read"`             // entities whose code was read: every line that uses the symbol, with what is around it
	Unread []string `json:"unread,omitempty"` // the other entities, as "id: reason"
	// Complete is the end of a reference question: a language server or the graph gave callers, the code of every one was
	// read, and so was every place of the name that nothing explains; or it is verified that there are none.
	Complete bool `json:"complete"`
}

// ReferenceAnswer answers a question for callers and uses ("who calls X", "where is X referenced"; see [ReferenceQuestion]
// for the forms): each object is resolved to a symbol of the graphs, its callers and uses are looked up by
// [Workspace.Callers], and the code of each caller is read. A question that does not ask this gives an answer with Asked
// false and no error. A phrase ("the cell searcher") is taken for the entity of that name, and Assumptions says so; a
// name that looks meant and is no symbol is in Missing, with near names.
//
// The result of each look-up is evidence of its own: an item of kind reference whose text is the verdict and what was
// searched, so that "nobody calls it" has a key too.
func (w *Workspace) ReferenceAnswer(ctx context.Context, question string, o *ReferenceOptions) (*ReferenceAnswer, error) {
	var opt ReferenceOptions
	if o != nil {
		opt = *o
	}
	q := intent.Parse(question)
	out := &ReferenceAnswer{Question: question, Topic: intent.TrimTopic(question), Callers: []*CallersResult{}, Items: []evidence.Item{}, Assumptions: []string{}, Problems: []string{}}
	if len(q.References) == 0 {
		return out, nil
	}
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, fmt.Errorf("references of %q: no repository in workspace %s: add one", question, w.dir)
	}
	r := &referenceReader{w: w, repos: repos, q: q, led: opt.Ledger, opt: opt, out: out}
	symbols, err := r.symbols(ctx)
	if err != nil {
		return nil, err
	}
	for _, s := range symbols {
		if err := r.callers(ctx, s); err != nil {
			return nil, err
		}
	}
	if out.Asked {
		out.Topic = q.Topic
	}
	out.Complete = len(out.Callers) > 0 && len(out.Missing) == 0 && len(out.Problems) == 0
	for _, c := range out.Callers {
		out.Complete = out.Complete && c.Code.Complete
	}
	return out, nil
}

// FirstCalls are the calls of [Workspace.Tools] with which work on a question begins, for
// [github.com/findspot/findspot/skill/agent.GatherOptions]: for one that asks for callers or uses, the references of each symbol and the
// code of the callers; for a name that looks meant and is no symbol, a search for names like it. Empty for any other.
func (w *Workspace) FirstCalls(ctx context.Context, question string) ([]skill.ToolCall, error) {
	q := intent.Parse(question)
	if len(q.References) == 0 {
		return nil, nil
	}
	repos, err := w.openRepos(ctx)
	if err != nil || len(repos) == 0 {
		return nil, err
	}
	out := &ReferenceAnswer{}
	symbols, err := (&referenceReader{w: w, repos: repos, q: q, out: out}).symbols(ctx)
	if err != nil {
		return nil, err
	}
	var calls []skill.ToolCall
	call := func(tool, arg, value string) error {
		data, err := json.Marshal(map[string]string{arg: value})
		calls = append(calls, skill.ToolCall{Name: tool, Args: data})
		return err
	}
	for _, s := range symbols {
		if err := call("references", "symbol", s.name); err != nil {
			return nil, err
		}
		calls = append(calls, skill.ToolCall{Name: "read"}) // what that named
	}
	for _, m := range out.Missing {
		if err := call("search_entity", "query", m.Asked); err != nil {
			return nil, err
		}
	}
	return calls, nil
}

// referenceReader answers the part of a question that asks for callers and uses.
type referenceReader struct {
	w     *Workspace
	repos []*repository.Repository
	q     intent.Question
	led   *evidence.Ledger
	opt   ReferenceOptions
	out   *ReferenceAnswer
}

// A target is a symbol that is asked about.
type target struct {
	name string // an id, or a name that the graphs or the files have
	in   string // where the question looks
}

func (r *referenceReader) assume(format string, args ...any) {
	r.out.Assumptions = append(r.out.Assumptions, fmt.Sprintf(format, args...))
}

func (r *referenceReader) add(it evidence.Item) string {
	if r.led == nil {
		r.led = evidence.NewLedger()
	}
	it = r.led.Add(r.w.guard().Item(it))
	if !slices.ContainsFunc(r.out.Items, func(x evidence.Item) bool { return x.Key == it.Key }) {
		r.out.Items = append(r.out.Items, it)
	}
	return it.Key
}

// symbols turns the objects of the question into names of the graphs. An object that looks like a name and is none is
// missing; one of plain words that no entity is called was no question about code.
func (r *referenceReader) symbols(ctx context.Context) ([]target, error) {
	var out []target
	for _, o := range r.q.References {
		name, err := "", error(nil)
		if pronouns[strings.ToLower(o.Name)] {
			name, err = r.meant(ctx, o)
		} else {
			name, err = r.symbol(ctx, o)
		}
		if err != nil {
			return nil, err
		}
		if name == "" {
			if len(r.repos) == 0 {
				continue
			}
			near := r.near(o)
			if o.Kind == intent.KindName || o.Kind == intent.KindPhrase && len(near) > 0 && !strings.Contains(o.Name, " ") {
				r.out.Asked = true
				r.out.Missing = append(r.out.Missing, MissingSymbol{Asked: o.Name, Near: near})
				hint := ""
				if len(near) > 0 {
					hint = "; near names: " + strings.Join(near, ", ")
				}
				r.out.Problems = append(r.out.Problems, fmt.Sprintf("no symbol is named %q%s", o.Name, hint))
			}
			continue
		}
		r.out.Asked = true
		if name, err = r.within(name, o), error(nil); !slices.ContainsFunc(out, func(t target) bool { return t.name == name }) {
			out = append(out, target{name, o.Scope})
		}
	}
	return out, nil
}

// pronouns stand for what the rest of the question is about.
var pronouns = map[string]bool{"it": true, "this": true, "that": true, "them": true, "these": true, "those": true}

// meant takes a pronoun for the identifier that the question names, else for what its words are found to be.
func (r *referenceReader) meant(ctx context.Context, o intent.Object) (string, error) {
	for _, id := range r.q.Identifiers {
		name, err := r.symbol(ctx, intent.Object{Name: id, Kind: intent.KindName})
		if err != nil || name != "" {
			if name != "" {
				r.assume("%q was taken for %s", o.Name, name)
			}
			return name, err
		}
	}
	return r.guess(ctx, o.Name, r.q.Topic, intent.KindPhrase)
}

func (r *referenceReader) symbol(ctx context.Context, o intent.Object) (string, error) {
	bare := o.Name
	if first, rest, ok := strings.Cut(o.Name, " "); ok && intent.IsArticle(strings.ToLower(first)) {
		bare = rest
	}
	for _, rp := range r.repos {
		local, ok := rp.LocalID(bare)
		if !ok {
			continue
		}
		named := rp.Graph().Named(local)
		if i := slices.IndexFunc(named, repository.IsCode); i >= 0 {
			if bare != o.Name && !strings.HasSuffix(named[i].ID, bare) {
				r.assume("%q was taken for %s, of that name but for the case", o.Name, rp.ID(named[i].ID))
			}
			return bare, nil
		}
	}
	if o.Kind == intent.KindName || bare == o.Name && bare == strings.ToUpper(bare) { // a constant or a field is no entity of the graph
		for _, rp := range r.repos {
			local, ok := rp.LocalID(bare)
			if !ok {
				continue
			}
			if ok, err := rp.Written(ctx, local); err != nil || ok {
				return bare, err
			}
		}
	}
	if o.Kind == intent.KindName && !strings.Contains(o.Name, " ") {
		return "", nil
	}
	return r.guess(ctx, o.Name, bare, o.Kind)
}

// guess takes plain words for the entity that a search for them finds first, by name. The name of an agent stands for its
// action too: "the detector" for detect_pss. Of words that do not look like a name of code, the entity's name must be
// made of these words alone: "the shots" is no question about shots_per_minute.
func (r *referenceReader) guess(ctx context.Context, said, what string, l intent.Kind) (string, error) {
	o := &codegraph.SearchOptions{Limit: 1, Kinds: []codegraph.Kind{codegraph.KindClass, codegraph.KindFunction}}
	words := intent.ContentWords(what)
	if len(words) == 0 || len(words) > 8 {
		return "", nil
	}
	tries := []string{strings.Join(words, " ")}
	last := words[len(words)-1]
	if l >= intent.KindPhrase {
		if n := len(words); n > 1 && intent.IsSymbolNoun(strings.ToLower(last)) { // "the retry helper" may be called retry
			tries = append(tries, strings.Join(words[:n-1], " "))
		}
		for _, ending := range []string{"or", "er"} {
			if stem, ok := strings.CutSuffix(strings.ToLower(last), ending); ok && len(stem) >= 4 {
				head := words[:len(words)-1]
				tries = append(tries, strings.Join(append(slices.Clone(head), stem), " "), strings.Join(append(slices.Clone(head), stem+"e"), " "))
			}
		}
	}
	for _, phrase := range tries {
		for _, rp := range r.repos {
			res, err := rp.Graph().Search(ctx, phrase, o)
			if err != nil {
				return "", err
			}
			if len(res.Hits) == 0 || res.Hits[0].Tier != "name" || res.Hits[0].Match == "fuzzy" {
				continue
			}
			if l < intent.KindPhrase && !sameWords(res.Hits[0].Name, phrase) {
				continue
			}
			id := rp.ID(res.Hits[0].ID)
			r.assume("%q is no symbol here; it was taken for %s, the first of %d entities found by a search for %q (%s)", said, id, res.Total, phrase, matchWords(res.Hits[0]))
			return id, nil
		}
	}
	return "", nil
}

// sameWords reports whether a name is made of the words of a phrase: CellSearcher of "cell searcher".
func sameWords(name, phrase string) bool {
	squeeze := func(s string) string {
		return strings.Map(func(r rune) rune {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				return unicode.ToLower(r)
			}
			return -1
		}, s)
	}
	a, b := squeeze(name), squeeze(phrase)
	return a == b || a+"s" == b
}

func matchWords(h codegraph.EntityHit) string {
	if h.Tier == "body" {
		return "its text matches"
	}
	return "its name matches: " + h.Match
}

// near lists the ids of entities with names like the object's.
func (r *referenceReader) near(o intent.Object) []string {
	near := []string{}
	for _, rp := range r.repos {
		for _, id := range rp.Graph().Near(o.Name, 5) {
			if e, ok := rp.Graph().Entity(id); ok && repository.IsCode(e) && len(near) < 5 {
				near = append(near, rp.ID(id))
			}
		}
	}
	return near
}

// within takes a name that stands for several entities for the one that is where the question looks: "run in server.py".
func (r *referenceReader) within(name string, o intent.Object) string {
	if o.Scope == "" {
		return name
	}
	var all, here []string
	for _, rp := range r.repos {
		local, ok := rp.LocalID(name)
		if !ok {
			continue
		}
		for _, e := range rp.Graph().Named(local) {
			if !repository.IsCode(e) {
				continue
			}
			id := rp.ID(e.ID)
			all = append(all, id)
			if inside(e, o.Scope) {
				here = append(here, id)
			}
		}
	}
	if len(here) == 1 && len(all) > 1 {
		r.assume("%q names %d entities; %s, which is in %s, was taken", name, len(all), here[0], o.Scope)
		return here[0]
	}
	return name
}

// inside reports whether an entity is where a question looks: in a file, a folder, a class, or in the tests.
func inside(e codegraph.Entity, in string) bool {
	words := strings.Fields(in)
	for _, w := range words {
		w = strings.Trim(w, "`'\",.;?!")
		switch {
		case w == "":
		case strings.ToLower(w) == "tests" || strings.ToLower(w) == "test":
			if e.Test {
				return true
			}
		case strings.ContainsAny(w, "/.") || len(words) <= 2:
			p := strings.Trim(w, "/")
			if e.Path == p || strings.HasSuffix(e.Path, "/"+p) || strings.HasPrefix(e.Path, p+"/") || strings.Contains(e.Path, "/"+p+"/") ||
				strings.HasPrefix(e.Path, strings.ReplaceAll(p, ".", "/")+".") || path.Base(path.Dir(e.Path)) == p {
				return true
			}
			if _, symbol, ok := strings.Cut(e.ID, ":"); ok && (strings.HasPrefix(symbol, w+".") || symbol == w) {
				return true
			}
		}
	}
	return false
}

// callers looks one symbol up, reads the code of its callers, and adds what was found.
func (r *referenceReader) callers(ctx context.Context, t target) error {
	res, err := r.w.Callers(ctx, t.name, r.opt.Callers)
	if err != nil {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		r.out.Problems = append(r.out.Problems, err.Error())
		return nil
	}
	if len(res.Symbols) > 1 {
		var ids []string
		for _, e := range res.Symbols {
			ids = append(ids, e.ID)
		}
		r.assume("%q names %d entities, and the callers of all are listed: %s", t.name, len(ids), strings.Join(ids, ", "))
	}
	if t.in != "" && len(res.Callers) > 0 {
		n := 0
		for _, c := range res.Callers {
			n += b2i(inside(c.Entity, t.in))
		}
		r.assume("the question looks in %q: %d of the %d callers and uses are there, and all are listed", t.in, n, len(res.Callers))
	}
	for _, e := range res.Symbols {
		for _, rp := range r.repos {
			if local, ok := rp.LocalID(e.ID); ok {
				if d, ok := rp.Graph().Entity(local); ok {
					r.add(entityItem(rp, d, "name", "the symbol", 0))
					break
				}
			}
		}
	}
	for i := range res.Callers {
		c := &res.Callers[i]
		c.Key = r.add(CallerItem(*c))
	}
	if err := r.read(ctx, res); err != nil {
		return err
	}
	for _, at := range res.Unread { // a reader may tell what no source could
		i := strings.LastIndexByte(at, ':')
		line, err := strconv.Atoi(at[i+1:])
		if i < 0 || err != nil {
			continue
		}
		if it, err := r.w.ReadLines(ctx, at[:i], line, line); err == nil && len(it.Text) <= maxWindow {
			it.Note = "the name is written here, and nothing explains it"
			r.add(it)
		}
	}
	res.Key = r.add(VerdictItem(res))
	r.out.Callers = append(r.out.Callers, res)
	return nil
}

// VerdictItem returns the result of a look-up of callers as an item of evidence, without a key: its text is
// [CallersResult.Summary], its tier [evidence.TierVerdict], and its place the symbol alone, as it is no text of a file (see [evidence.Item.Derived]).
func VerdictItem(res *CallersResult) evidence.Item {
	it := evidence.Item{Kind: evidence.KindReference, Tier: evidence.TierVerdict, Text: res.Summary(), Via: cmp.Or(res.Via, "findspot"),
		Note: "result of a reference search", At: evidence.Place{Entity: res.Asked}}
	if len(res.Symbols) > 0 {
		it.At.Entity = res.Symbols[0].ID
	}
	return it
}

// Summary is the result in a few sentences: the verdict, the number of callers and uses, what was searched, how far the
// callers' code was read, and what limits the answer.
func (res *CallersResult) Summary() string {
	var b strings.Builder
	ids := res.Asked
	if n := len(res.Symbols); n > 0 {
		ids = res.Symbols[0].ID
		if n > 1 {
			ids += fmt.Sprintf(" and %d more of the name", n-1)
		}
	}
	switch res.Verdict {
	case VerifiedNone:
		fmt.Fprintf(&b, "Nothing calls or uses %s (verified none).", ids)
	case NoneKnown:
		fmt.Fprintf(&b, "No caller or use of %s is known, but that there is none could not be verified (none known).", ids)
	default:
		calls := 0
		for _, c := range res.Callers {
			calls += b2i(c.Call)
		}
		fmt.Fprintf(&b, "%s has %s and %s (found).", ids, text.Plural(calls, "caller"), text.Plural(len(res.Callers)-calls, "other use"))
		switch {
		case res.Tests == len(res.Callers):
			b.WriteString(" All of them are test code.")
		case res.Tests > 0:
			fmt.Fprintf(&b, " %d of them are test code.", res.Tests)
		}
	}
	if len(res.Looked) > 0 {
		fmt.Fprintf(&b, " Searched: %s.", strings.Join(res.Looked, "; "))
	}
	if c := res.Code; c != nil && len(res.Callers) > 0 {
		fmt.Fprintf(&b, " The code of %s was read", text.Plural(c.Read, "of them"))
		if n := len(c.Unread); n > 0 {
			fmt.Fprintf(&b, ", of %d not", n)
		}
		b.WriteByte('.')
	}
	if n := res.Unexplained - len(res.Unread); len(res.Unread) > 0 {
		fmt.Fprintf(&b, " Not explained: %s", strings.Join(res.Unread, ", "))
		if n > 0 {
			fmt.Fprintf(&b, " and %d more", n)
		}
		b.WriteByte('.')
	}
	return b.String()
}
