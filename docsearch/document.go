package docsearch

import (
	"time"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// A Change says what [Library.Add] did.
type Change string

// The changes.
const (
	Added     Change = "added"     // the document was not there before
	Unchanged Change = "unchanged" // the content, the extractor and the options are those recorded: nothing was done
	Replaced  Change = "replaced"  // new content took the place of the old
)

// The values of [Document.Status].
const (
	StatusReady   = "ready"   // text and index are there
	StatusPending = "pending" // the document was taken in and is being read: it is not there yet, in this state or at all
	StatusFailed  = "failed"  // the document could not be read; Reason says why
)

// A Document is one document of a library, or one that could not be read and is remembered so that it is not lost.
type Document struct {
	ID      string   `json:"id"`      // lower-case hex MD5 of Name, or what the caller gave; see [Source.ID]
	Name    string   `json:"name"`    // slash-separated path within the added folder
	Title   string   `json:"title"`   // never empty for a ready document
	Authors []string `json:"authors"` // as the document states them; empty when it does not
	// Institutions are the organisations of the authors, where the document states them.
	Institutions []string `json:"institutions,omitempty"`
	Date         string   `json:"date,omitempty"`
	URL          string   `json:"url,omitempty"` // where the document says it comes from
	Origin       string   `json:"origin"`        // where the bytes came from: an absolute path, or what the caller gave
	Pages        int      `json:"pages"`
	Lines        int      `json:"lines"` // lines of the raw text
	Size         int64    `json:"size"`  // bytes of the file
	Hash         string   `json:"hash"`  // hex SHA-256 of the file
	Status       string   `json:"status"`
	Reason       string   `json:"reason,omitempty"` // why Status is failed, or what part of a ready document could not be read
	// Vectors is the name of the embedder that made vectors of its passages; "" when they have none. See [Options.Embedder].
	Vectors string `json:"vectors,omitempty"`
	// Pending says what could not be done for a ready document, and why: vectors that the embedder refused, without which
	// it is found by words alone. See [Library.Embed].
	Pending     string    `json:"pending,omitempty"`
	Added       time.Time `json:"added"`                 // when this content was taken in, UTC
	Format      Format    `json:"format,omitempty"`      // in which it is read by default; "" is FormatText
	Collections []string  `json:"collections,omitempty"` // names of the collections it is in, sorted
	Change      Change    `json:"change,omitempty"`      // set by Add and AddAll only
}

// documentOf returns a copy that the caller may keep and change.
func documentOf(e *catalog.Entry) *Document { return storedDocument(e.Stored()) }

func storedDocument(s *catalog.Stored) *Document {
	return &Document{
		ID: s.ID, Name: s.Name, Title: s.Title, Authors: s.Authors, Institutions: s.Institutions, Date: s.Date, URL: s.URL, Origin: s.Origin,
		Pages: s.Pages, Lines: s.Lines, Size: s.Size, Hash: s.Hash, Status: s.Status, Reason: s.Reason, Vectors: s.Vectors, Pending: s.Pending,
		Added: s.Added, Format: Format(s.Format), Collections: s.Collections,
	}
}
