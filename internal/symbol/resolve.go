package symbol

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/intent"
	"github.com/findspot/findspot/internal/repository"
)

// A Target is a symbol that is asked about.
type Target struct {
	Name string // an id, or a name that the graphs or the files have
	In   string // where the question looks; "" for everywhere
}

// A Missing symbol is a name that looks meant and that no repository has.
type Missing struct {
	Asked string
	Near  []string // ids of entities with names like it, nearest first; never nil
}

// A Resolution is what the objects of a question stand for.
type Resolution struct {
	Asked       bool // the question asks for something in code
	Targets     []Target
	Missing     []Missing
	Assumptions []string // how the question was understood, where that was not plain
	Problems    []string
}

// Resolve turns the objects of a question into names of the graphs. An object that looks like a name and is none is
// missing; one of plain words that no entity is called was no question about code.
func Resolve(ctx context.Context, repos []*repository.Repository, q intent.Question) (*Resolution, error) {
	r := &resolver{repos: repos, q: q, out: &Resolution{}}
	for _, o := range q.References {
		find := r.symbol
		if pronouns[strings.ToLower(o.Name)] {
			find = r.meant
		}
		name, err := find(ctx, o)
		if err != nil {
			return nil, err
		}
		if name == "" {
			r.missing(o)
			continue
		}
		r.out.Asked = true
		if name = r.within(name, o); !slices.ContainsFunc(r.out.Targets, func(t Target) bool { return t.Name == name }) {
			r.out.Targets = append(r.out.Targets, Target{name, o.Scope})
		}
	}
	return r.out, nil
}

// resolver resolves one question.
type resolver struct {
	repos []*repository.Repository
	q     intent.Question
	out   *Resolution
}

func (r *resolver) assume(format string, args ...any) {
	r.out.Assumptions = append(r.out.Assumptions, fmt.Sprintf(format, args...))
}

// missing notes an object that is no symbol, where it looks meant.
func (r *resolver) missing(o intent.Object) {
	if len(r.repos) == 0 {
		return
	}
	near := repository.Near(r.repos, o.Name)
	if o.Kind != intent.KindName && (o.Kind != intent.KindPhrase || len(near) == 0 || strings.Contains(o.Name, " ")) {
		return
	}
	r.out.Asked = true
	r.out.Missing = append(r.out.Missing, Missing{o.Name, near})
	hint := ""
	if len(near) > 0 {
		hint = "; near names: " + strings.Join(near, ", ")
	}
	r.out.Problems = append(r.out.Problems, fmt.Sprintf("no symbol is named %q%s", o.Name, hint))
}

// pronouns stand for what the rest of the question is about.
var pronouns = map[string]bool{"it": true, "this": true, "that": true, "them": true, "these": true, "those": true}

// meant takes a pronoun for the identifier that the question names, else for what its words are found to be.
func (r *resolver) meant(ctx context.Context, o intent.Object) (string, error) {
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

func (r *resolver) symbol(ctx context.Context, o intent.Object) (string, error) {
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
func (r *resolver) guess(ctx context.Context, said, what string, l intent.Kind) (string, error) {
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

// within takes a name that stands for several entities for the one that is where the question looks: "run in server.py".
func (r *resolver) within(name string, o intent.Object) string {
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
			if Inside(e, o.Scope) {
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

// Inside reports whether an entity is where a question looks: in a file, a folder, a class, or in the tests.
func Inside(e codegraph.Entity, in string) bool {
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
