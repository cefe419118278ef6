package docsearch

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/docsearch/internal/search"
	"github.com/findspot/findspot/internal/relevance"
)

// searchKinds are the values of [SearchOptions.Kinds].
var searchKinds = []struct {
	name string
	kind driver.Kind
}{
	{"text", driver.KindChunk}, {"titles", driver.KindDocument}, {"figures", driver.KindFigure}, {"tables", driver.KindTable},
}

// A Mode is what a search compares.
type Mode string

// The modes.
const (
	ModeWords   Mode = "words"   // the words of the query, in tiers
	ModeVectors Mode = "vectors" // the vector of the query: every document that has vectors is found, the nearest first
	// ModeHybrid compares both. A hit's score is .2 times what the words give, from 0 to 1, the stricter tier above the wider, and .8 times how far
	// its Similarity is above a least one, as a share of the best one's (Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023).
	// The least lies below that of sentences that have nothing in common; for that the [Embedder] is asked once for six short texts of ours.
	ModeHybrid Mode = "hybrid"
	// ModeQuestion judges pieces of passages, tables and figures by how well they answer the query, which is read as a question in plain words: by the share of
	// its words that they hold, rare ones first, by how near these stand to one another, by what they look like, and in a library with an [Embedder] by how near their vectors are. Pieces are whole sentences of about 400
	// characters, or rows of a table with its head, and their scores are comparable in all of an answer; documents come by their best piece. Documents that share common
	// words alone are left out.
	ModeQuestion Mode = "question"
)

// SearchOptions says what to search and how much to return. A document must meet all that is set.
type SearchOptions struct {
	Limit    int    // most documents to return; 0 means 10
	Passages int    // most passages, and most figures and tables, of one document; 0 means 3
	Snippet  int    // snippet length in runes; 0 means 200
	Doc      string // the only document to search (see [Library.Resolve]); "" means all
	// Docs are the ids of the only documents to search; nil means all. An id that is not there is no error here: the
	// list is a set such as a folder's documents. Doc and Docs together mean Doc.
	Docs []string
	// Near holds words that need not match. Where a passage matches in several places, the one is shown that has most
	// of these words around it.
	Near  string
	Tiers []Tier // tiers to try; nil means all
	// Strict visits a lower tier only when nothing at all matched in those above. Otherwise a lower tier fills up what the ones above leave of
	// Limit, and of Passages when one document is searched.
	Strict bool
	// Literal takes the query for prose: quotes and minus signs mean nothing.
	Literal bool
	// Related makes TierAny look for words that go with those of the query too ([Read.Related]): the frequent ones of the passages that the query's own words find
	// first, with .4 of the weight of all. They raise the scores of passages that hold them, and find passages that hold no word of the query, as
	// [TierRelated]. Stricter tiers stay as they are. It is for [ModeWords] and for a question that is asked of the tiers in the end; a search of one
	// document, and an engine that counts no terms, does without. docs/bench/associations.md says what is gained.
	Related bool
	// Mode is what is compared. "" means [ModeHybrid] in a library with an [Embedder], unless Tiers, Strict or Literal is set, and
	// [ModeWords] otherwise; then an embedder that does not work only leaves vectors out ([Searched.VectorsError]), while with a Mode that
	// was asked for it is an error. Of a hybrid search the hits come by their joint score and not by tier, after those that the query names.
	// [SearchOptions.Answering] chooses ModeQuestion where a query is a question.
	Mode Mode
	// Cursor is [Results.Next] of a search with the same query and options (Limit, Passages, Snippet, Near and MaxRead may differ), and asks for
	// the documents behind it. One of another search is an error wrapping [ErrUnsupported], one of a library that was changed since
	// is one wrapping [ErrStale]. The first 10,000 documents can be reached.
	Cursor string
	// Glossary names synonyms, which are found as well; nil: none.
	Glossary *Glossary
	Boosts   *Boosts // nil means Title 0.3, Headings 0.2 and Captions 0.2
	// MaxRead bounds the bytes of stored text that are read to make sure of "none"; 0 means 64 MB, negative none at all. See [Searched].
	MaxRead int64

	Title       string   // the title must hold all of these words
	Author      string   // one of the authors must have all of these words in the name
	From, To    string   // 2026, 2026-11 or 2026-11-22: the document's date must be able to lie between them, both included
	Formats     []string // "pdf", "md", "txt": the ending of the document's name, without the dot; nil means all
	Collections []string // the document must be in one of them; nil means all
	// Section is the number or heading of a section as [Library.Section] takes it: only passages within it count, of documents that have it;
	// where several are called so, within any of them.
	Section string
	// Kinds is what of a document is searched: "text" (its passages), "titles" (with authors and keywords), "figures" and "tables"
	// (their captions, with the text of pictures and cells); nil means all.
	Kinds []string
}

// Boosts says how much a match counts by where it stands. A passage's score is that of its words and Headings times that of the headings over it; a
// document's is that of its best passage, Title times that of its title, and Captions times that of its best figure or table. 0 means not
// at all. Boosts change the order, never what is found.
type Boosts struct {
	Title    float64
	Headings float64
	Captions float64
}

// defaultBoosts: Title and Headings are the best of those that docs/bench/docsearch.md compares; Captions is only known to be better than none.
var defaultBoosts = Boosts{Title: 0.3, Headings: 0.2, Captions: 0.2}

const maxFilter = 1024 // bytes of a filter of words

// check reports every field that cannot be used.
func (o *SearchOptions) check() error {
	var bad []string
	add := func(format string, args ...any) { bad = append(bad, fmt.Sprintf(format, args...)) }
	for _, f := range []struct {
		name  string
		value int
	}{{"Limit", o.Limit}, {"Passages", o.Passages}, {"Snippet", o.Snippet}} {
		if f.value < 0 {
			add("%s %d is negative", f.name, f.value)
		}
	}
	for _, t := range o.Tiers {
		if !slices.Contains(Tiers(), t) {
			add("tier %q: there are phrase, all and any", t)
		}
	}
	if o.Mode != "" && o.Mode != ModeWords && o.Mode != ModeVectors && o.Mode != ModeHybrid && o.Mode != ModeQuestion {
		add("mode %q: there are words, vectors, hybrid and question", o.Mode)
	}
	for _, k := range o.Kinds {
		if kindOf(k) == "" {
			add("kind %q: there are text, titles, figures and tables", k)
		}
	}
	for _, f := range []struct{ name, value string }{{"From", o.From}, {"To", o.To}} {
		if f.value != "" && !catalog.IsDate(f.value) {
			add("%s %q is no date: 2026, 2026-11 or 2026-11-22", f.name, f.value)
		}
	}
	for _, f := range []struct{ name, value string }{{"Title", o.Title}, {"Author", o.Author}, {"Section", o.Section}} {
		if len(f.value) > maxFilter {
			add("%s is longer than %d bytes", f.name, maxFilter)
		}
	}
	if o.Mode == ModeQuestion && (o.Kinds != nil || o.Section != "" || o.Tiers != nil) {
		add("Mode %s judges pieces of all kinds, sections and tiers", o.Mode)
	}
	if o.Section != "" && o.Kinds != nil && !slices.Contains(o.Kinds, "text") {
		add("Section is about passages, and Kinds leaves text out")
	}
	if b := o.Boosts; b != nil {
		for _, f := range []struct {
			name  string
			value float64
		}{{"Title", b.Title}, {"Headings", b.Headings}, {"Captions", b.Captions}} {
			if f.value < 0 || math.IsNaN(f.value) || math.IsInf(f.value, 0) {
				add("boost %s %v is no weight from 0 on", f.name, f.value)
			}
		}
	}
	if len(bad) > 0 {
		return fmt.Errorf("search options: %w: %s", ErrUnsupported, strings.Join(bad, ", "))
	}
	return nil
}

// withDefaults returns a copy with every default in its place.
func (o *SearchOptions) withDefaults() SearchOptions {
	v := *o
	v.Limit = cmp.Or(v.Limit, 10)
	v.Passages = cmp.Or(v.Passages, 3)
	v.Snippet = cmp.Or(v.Snippet, 200)
	v.MaxRead = cmp.Or(v.MaxRead, 64<<20)
	if v.Mode == "" && (v.Tiers != nil || v.Strict || v.Literal) {
		v.Mode = ModeWords
	}
	if v.Tiers == nil {
		v.Tiers = Tiers()
	}
	if v.Boosts == nil {
		b := defaultBoosts
		v.Boosts = &b
	}
	return v
}

// Answering chooses what fits a query in plain words, where nothing is set or written that it would take away: a Mode, Tiers, Strict, Literal, Kinds, Section,
// Snippet, words in quotes or behind a minus. A question in a whole sentence ("How large is a chunk?") gets [ModeQuestion]. Where at least three words count,
// and none is an identifier, [SearchOptions.Related] is set.
func (o *SearchOptions) Answering(query string) {
	if o.Mode != "" || o.Tiers != nil || o.Strict || o.Literal || o.Kinds != nil || o.Section != "" || o.Snippet > 0 {
		return
	}
	segs, _ := querytext.Parse(query)
	if slices.ContainsFunc(segs, func(s querytext.Segment) bool { return s.Quoted || s.Minus }) {
		return
	}
	if relevance.Sentence(query) {
		o.Mode = ModeQuestion
	}
	words := slices.DeleteFunc(querytext.Words(query, false), func(w querytext.Word) bool { return w.Stop })
	o.Related = o.Related || len(words) >= 3 && !slices.ContainsFunc(words, func(w querytext.Word) bool { return w.Whole != "" })
}

func kindOf(name string) driver.Kind {
	for _, k := range searchKinds {
		if k.name == name {
			return k.kind
		}
	}
	return ""
}

// kinds returns the indices to search.
func (o *SearchOptions) kinds() []driver.Kind {
	var out []driver.Kind
	for _, k := range searchKinds {
		// What stands in a section is known of passages only.
		if (o.Kinds == nil || slices.Contains(o.Kinds, k.name)) && (o.Section == "" || k.kind == driver.KindChunk) {
			out = append(out, k.kind)
		}
	}
	return out
}

func (o *SearchOptions) filter() *catalog.Filter {
	return &catalog.Filter{Title: o.Title, Author: o.Author, From: o.From, To: o.To, Formats: o.Formats, Collections: o.Collections}
}

// engine returns the options, which have their defaults, in the form of package search.
func (o *SearchOptions) engine(vectors bool, cur *cursor) *search.Options {
	kinds := o.kinds()
	mode := cmp.Or(o.Mode, ModeWords)
	if o.Mode == "" && vectors {
		mode = ModeHybrid
	}
	out := &search.Options{
		Limit: o.Limit, Passages: o.Passages, Snippet: o.Snippet, OneDoc: o.Doc != "", Near: o.Near, Strict: o.Strict, Mode: search.Mode(mode), MustEmbed: o.Mode != "",
		Related: o.Related && mode != ModeVectors, Section: o.Section, Kinds: kinds, Boosts: search.Boosts(*o.Boosts), MaxRead: o.MaxRead, Listed: cur.listed, Depth: cur.depth,
	}
	for _, t := range query.Tiers() {
		if slices.Contains(o.Tiers, Tier(t)) {
			out.Tiers = append(out.Tiers, t)
		}
	}
	return out
}
