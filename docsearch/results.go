package docsearch

import (
	"time"

	"github.com/findspot/findspot/docsearch/extract"
)

// A Tier is how strictly a passage matches the query. [TierPhrase] is stricter than [TierAll], and that than [TierAny].
type Tier string

// The tiers, strictest first.
const (
	TierPhrase Tier = "phrase" // the words stand in a row, as written in the query
	TierAll    Tier = "all"    // every word of the query, stop words aside, is in the passage
	TierAny    Tier = "any"    // at least one word is

	// TierRelated is no step of strictness: a passage that it marks holds words that go with those of the query, and none of the query's own; a document, only
	// such passages among those shown, and a title without them. It is ranked together with TierAny. See [SearchOptions.Related].
	TierRelated Tier = "related"

	// TierSemantic is no step of strictness: what it marks was found by its vector alone. See [SearchOptions.Mode].
	TierSemantic Tier = "semantic"
)

// Tiers returns the tiers, strictest first.
func Tiers() []Tier { return []Tier{TierPhrase, TierAll, TierAny} }

// Results is the answer to one search. Its slices are never nil, so that they are never null in JSON.
type Results struct {
	Query      string `json:"query"`
	Total      int    `json:"total"`       // distinct documents that match in the tiers visited
	TotalExact bool   `json:"total_exact"` // false: there are at least Total
	Truncated  bool   `json:"truncated"`   // documents matched that are not in Hits
	// Next asks for the documents behind these, as [SearchOptions.Cursor]; "" when there are none. The tiers below may turn out
	// to hold no more.
	Next string `json:"next,omitempty"`
	Mode Mode   `json:"mode"` // what was compared, and so what Hits are ordered by
	Hits []Hit  `json:"hits"` // in ModeWords by tier, then score, then name; a document the query names by number comes first
	Read Read   `json:"read"` // how the query was understood
	// Suggestions are for words of the query that occur nowhere in the library.
	Suggestions []Suggestion `json:"suggestions"`
	Searched    Searched     `json:"searched"`
	Freshness   Freshness    `json:"freshness"`
}

// Searched says what a search looked at, so that "none" can be weighed.
type Searched struct {
	Documents int    `json:"documents"` // ready documents in scope
	Failed    int    `json:"failed"`    // documents in scope that could not be read and were therefore not searched
	Outside   int    `json:"outside"`   // ready documents that the options left out
	Chunks    int    `json:"chunks"`    // passages in the index; 0 in a library that leaves documents out, see [Library.Within]
	Tiers     []Tier `json:"tiers"`     // tiers visited
	Vectors   int    `json:"vectors"`   // documents whose vectors were compared with the query's; 0 where words alone were searched
	// VectorsError says why vectors were left out of a search that would have compared them.
	VectorsError string `json:"vectors_error,omitempty"`
	// FullText says that nothing matched in the index, and that it was made sure of in the stored texts: every text that may hold
	// the words although the index cannot tell was read.
	FullText bool `json:"full_text"`
	// Unread is the number of documents whose texts would have had to be read too, but for [SearchOptions.MaxRead], or, for a query of
	// stop words alone, because 1,000 documents were found. While it is not 0, an empty answer does not mean that there is nothing.
	Unread int `json:"unread"`
}

// Read is how a query was understood. Its slices are never nil.
type Read struct {
	Words    []string  `json:"words"`    // words that count, as written, those in quotes too
	Phrases  []string  `json:"phrases"`  // in quotes: every passage must hold them
	Without  []string  `json:"without"`  // behind a minus: no passage may hold them
	Ignored  []string  `json:"ignored"`  // words that need not match: they only ask, are common, or name a document
	Named    []string  `json:"named"`    // ids of the documents that the query names by number, which come first
	Synonyms []Synonym `json:"synonyms"` // terms that the glossary knows, with what was searched as well
	Related  []Related `json:"related"`  // words that were searched as well, those with the most weight first; see [SearchOptions.Related]
	Notes    []string  `json:"notes"`    // what was read in another way than it may have been meant
}

// A Synonym is a term of a query with what means the same.
type Synonym struct {
	Term string   `json:"term"`
	As   []string `json:"as"`
}

// A Related is a word that goes with those of the query: it stands in passages that the query's own words find.
type Related struct {
	Word     string `json:"word"`     // as these write it most often, in lower case
	Passages int    `json:"passages"` // of at most ten, that hold it
}

// A Suggestion is a word that occurs in the library and is spelt nearly like one of the query that does not.
type Suggestion struct {
	Word        string `json:"word"`        // as the query writes it
	Replacement string `json:"replacement"` // as the library writes it most often in what was looked at
	Documents   int    `json:"documents"`   // that hold the replacement
}

// Freshness says which state of the library answered.
type Freshness struct {
	Generation uint64    `json:"generation"` // grows with every change of the library
	Checked    time.Time `json:"checked"`    // when this library last compared a source with its copy; zero: not since it was opened
	Changed    int       `json:"changed"`    // sources that differed then
	// Looked counts the documents of a search's answer whose files were looked at for it, and Stale those of them whose files have
	// another size or time than what was searched, or are gone: [Hit.Source] says which. Other answers leave both 0.
	Looked int `json:"looked"`
	Stale  int `json:"stale"`
}

// A Hit is one document that matches.
type Hit struct {
	Doc   string  `json:"doc"` // id
	Name  string  `json:"name"`
	Title string  `json:"title"`
	Tier  Tier    `json:"tier"`  // best tier of its parts
	Score float64 `json:"score"` // comparable within one tier of one answer; of a hybrid search: see [ModeHybrid]
	// Source is how the document's file compares with what was searched, looked at for this answer: its size and time, not its bytes. "" where
	// the time for looking (some milliseconds for all hits) was over before.
	Source SourceState `json:"source,omitempty"`
	// Similarity is the cosine of the query and its nearest passage, or its title or a caption, where it has no passage that is near or none is
	// searched; 0 when vectors did not bring the document.
	Similarity float64     `json:"similarity,omitempty"`
	Passages   []Passage   `json:"passages"`
	Figures    []FigureHit `json:"figures"`
	Tables     []TableHit  `json:"tables"`
	// After asks for the documents behind this one, as [SearchOptions.Cursor]; "" in a search of one document.
	After string `json:"-"`
}

// A Passage is the place of one match.
type Passage struct {
	Page      int      `json:"page"`       // from 1: page of the match
	LineStart int      `json:"line_start"` // from 1: first line of the match
	LineEnd   int      `json:"line_end"`   // last line of the match, inclusive
	Start     int      `json:"start"`      // byte offsets of the match in the raw text, half-open
	End       int      `json:"end"`
	Snippet   string   `json:"snippet"` // stored text around the match, runs of white space turned into one blank
	Matches   [][2]int `json:"matches"` // byte ranges of Snippet that match, half-open, in order
	Tier      Tier     `json:"tier"`
	Score     float64  `json:"score"`
	// Synonyms are those that the passage was found by, "PSS = primary synchronization signal"; none when it holds the query's own words.
	Synonyms []string `json:"synonyms,omitempty"`
	// Related are the words that the passage was found by, where it holds none of the query's own: see [TierRelated].
	Related []string           `json:"related,omitempty"`
	Signals map[string]float64 `json:"signals,omitempty"`
}

// A FigureHit is a figure whose caption, or the text read from its picture, matches.
type FigureHit struct {
	Page    int                `json:"page"`
	BBox    extract.Box        `json:"bbox"`
	Caption string             `json:"caption"`
	OCR     string             `json:"ocr,omitempty"`
	Tier    Tier               `json:"tier"`
	Score   float64            `json:"score"`
	Signals map[string]float64 `json:"signals,omitempty"` // see [Passage]
}

// A TableHit is a table whose caption or cells match.
type TableHit struct {
	Page    int                `json:"page"`
	BBox    extract.Box        `json:"bbox"`
	Caption string             `json:"caption"`
	Head    []string           `json:"head,omitempty"` // in [ModeQuestion]: the first row of the table, where Rows are others
	Rows    [][]string         `json:"rows"`           // in [ModeQuestion]: those that answer
	Tier    Tier               `json:"tier"`
	Score   float64            `json:"score"`
	Signals map[string]float64 `json:"signals,omitempty"` // see [Passage]
}

// Lines is a range of lines of the raw text, from 1, both inclusive. Last 0 means the end.
type Lines struct {
	First int `json:"first"`
	Last  int `json:"last"`
}
