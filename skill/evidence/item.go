package evidence

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"path"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// A Place is where a piece of evidence stands: in a document (Doc set) or in code (Path set). Zero fields are unknown.
type Place struct {
	Doc     string `json:"doc,omitempty"`      // document id
	Name    string `json:"name,omitempty"`     // document name: slash path relative to the added folder
	Title   string `json:"title,omitempty"`    // document title
	Page    int    `json:"page,omitempty"`     // from 1
	Repo    string `json:"repo,omitempty"`     // repository name, when it was added with one
	Path    string `json:"path,omitempty"`     // file in the repository, slash path relative to its root
	Line    int    `json:"line,omitempty"`     // first line, from 1
	EndLine int    `json:"end_line,omitempty"` // last line, inclusive
	Start   int    `json:"start,omitempty"`    // byte offset in the document's raw text, from 0
	End     int    `json:"end,omitempty"`      // byte offset behind the last byte; 0: no offsets
	Entity  string `json:"entity,omitempty"`   // entity id in the code graph
	// Running asks a [Source] for the running text of a document alone, without what stands between two pages: heads, feet and page numbers, and, where they are told apart,
	// footnotes, captions, figures and tables. A source that does not know these gives all of the text. It is no part of where the evidence stands.
	Running bool `json:"-"`
}

// IsZero reports whether the place says nothing.
func (p Place) IsZero() bool { return p == Place{} }

// String is the place as a reader looks it up: `"Title" p. 3, l. 120-124 (name.pdf)` in a document, `path/file.py:10-24`
// in code.
func (p Place) String() string {
	if p.inCode() {
		return p.code()
	}
	var b strings.Builder
	if p.Title != "" {
		b.WriteString(strconv.Quote(p.Title) + " ")
	}
	b.WriteString(p.Within())
	name := path.Base(p.Name)
	if folders, _, ok := strings.Cut(p.Name, "//"); ok { // which of several of that name
		name = folders + "//" + name
	}
	if p.Name == "" {
		name = p.Doc
	}
	if b.Len() == 0 {
		return name
	}
	fmt.Fprintf(&b, " (%s)", name)
	return strings.TrimSpace(b.String())
}

// Within is the place without what it is in: "p. 3, l. 120-124" of a document, ":10-24" of a file.
func (p Place) Within() string {
	if p.inCode() {
		if p.Line > 0 && p.Path != "" {
			return ":" + lines(p.Line, p.EndLine)
		}
		return ""
	}
	var b strings.Builder
	if p.Page > 0 {
		fmt.Fprintf(&b, "p. %d", p.Page)
	}
	if p.Line > 0 {
		if p.Page > 0 {
			b.WriteString(", ")
		}
		b.WriteString("l. " + lines(p.Line, p.EndLine))
	}
	return b.String()
}

func (p Place) code() string {
	at := p.Path
	if at == "" {
		at = p.Entity
	}
	if p.Repo != "" {
		at = p.Repo + "//" + at
	}
	return at + p.Within()
}

func (p Place) inCode() bool { return p.Path != "" || p.Doc == "" && p.Name == "" }

func lines(first, last int) string {
	if last <= first {
		return strconv.Itoa(first)
	}
	return strconv.Itoa(first) + "-" + strconv.Itoa(last)
}

// identity names the place apart from its display fields, so that a title learnt later does not make a second place.
func (p Place) identity() string {
	if p.Doc != "" {
		p.Name = ""
	}
	return fmt.Sprintf("%q", []string{p.Doc, p.Name, p.Repo, p.Path, p.Entity,
		strconv.Itoa(p.Page), strconv.Itoa(p.Line), strconv.Itoa(p.EndLine), strconv.Itoa(p.Start), strconv.Itoa(p.End)})
}

// The kinds of items.
const (
	KindPassage   = "passage"   // text of a document
	KindFigure    = "figure"    // figure of a document; Text is its caption or recognised text
	KindTable     = "table"     // table of a document
	KindEntity    = "entity"    // class, function, file or directory of code
	KindCaller    = "caller"    // an entity that uses the one asked for
	KindReference = "reference" // a place that names the symbol asked for
	KindText      = "text"      // lines of a file found by text search
)

// TierVerdict marks an item of kind reference that is no place of the symbol but the result of the search itself: its text
// states the verdict and what was searched, and its place is the symbol. It can be cited, as "nobody calls it", and is
// none of the things that were found.
const TierVerdict = "verdict"

// An Item is one piece of evidence.
type Item struct {
	Key     string   `json:"key"`  // set by a ledger: D1.. for documents, C1.. for code
	Kind    string   `json:"kind"` // passage, figure, table, entity, caller, reference or text
	At      Place    `json:"at"`
	Text    string   `json:"text"`
	Hash    string   `json:"hash"`              // hex SHA-256 of Text; set by a ledger
	Tier    string   `json:"tier,omitempty"`    // how it matched: phrase, all, any; name, body; verdict: see [TierVerdict]
	Via     string   `json:"via,omitempty"`     // what gave it: a tool, or a language server with its version
	Level   string   `json:"level,omitempty"`   // how sure the code graph is: exact ... name
	Score   float64  `json:"score,omitempty"`   // comparable within one result only
	Note    string   `json:"note,omitempty"`    // what a reader must know: an assumption, a limit
	Matches [][2]int `json:"matches,omitempty"` // byte ranges in Text that matched, half-open
}

// IsDocument reports whether the item comes from a document (its key starts with D) and not from code (C).
func (it Item) IsDocument() bool {
	if it.At.Doc != "" {
		return true
	}
	switch it.Kind {
	case KindPassage, KindFigure, KindTable:
		return true
	}
	return false
}

// Hash is the hex SHA-256 of text, as [Item.Hash] holds it.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// WriteText writes an item as a person reads it: its key, place and how it was found, then at most twelve lines of its text with open and
// close around each match. What would be invisible is written out. It returns the error of writing.
func (it Item) WriteText(w io.Writer, open, close string) error { return it.write(w, 12, open, close) }

// WriteWhole is [Item.WriteText] with all lines of its text.
func (it Item) WriteWhole(w io.Writer, open, close string) error {
	return it.write(w, math.MaxInt, open, close)
}

func (it Item) write(w io.Writer, most int, open, close string) error {
	p := visible.Printer{W: w}
	if it.Key != "" {
		p.Printf("[%s] ", it.Key)
	}
	if it.Kind == KindEntity || it.Kind == KindCaller || it.Kind == KindReference {
		p.Printf("%s  ", visible.Text(it.At.Entity))
	}
	at := it.At
	p.Link(visible.Spot{Doc: at.Doc, Name: at.Name, Page: at.Page, Repo: at.Repo, Path: at.Path, Line: at.Line}, at.String())
	var how []string
	for _, s := range []string{it.Tier, it.viaWords(), it.Note} {
		if s != "" {
			how = append(how, s)
		}
	}
	if len(how) > 0 {
		p.Printf("  (%s)", visible.Text(strings.Join(how, "; ")))
	}
	p.Printf("\n")
	lines := strings.Split(strings.TrimSpace(visible.Mark(it.Text, it.Matches, open, close)), "\n")
	for i, line := range lines {
		if i == most {
			p.Printf("     ... %d more lines\n", len(lines)-i)
			break
		}
		p.Printf("     %s\n", line)
	}
	return p.Err
}

// viaWords names the source of a caller; of the rest it goes without saying.
func (it Item) viaWords() string {
	if it.Kind != KindCaller && it.Kind != KindReference {
		return ""
	}
	if it.Level == "" || it.Level == "exact" {
		return "by " + it.Via
	}
	return "by " + it.Via + ", level " + it.Level
}
