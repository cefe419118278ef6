package docsearch

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"iter"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/folder"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// IsJSONLines reports whether a file of this name holds a document a line: .jsonl and .jsonl.gz, in any case.
func IsJSONLines(name string) bool { return folder.IsJSONLines(name) }

// JSONLines yields the documents of a file of JSON Lines, one object a line: "id" (or "_id"; a string or a number), "text", and, where there are any, "title", "name"
// (otherwise the id), "authors" (a string or a list), "date" and "url"; other fields are left out. The raw text is the title, an empty line and the text, or one of them where the other is empty or
// begins with it. Lines of white space are left out.
// Name is the file's own name, for errors, and origin is that of all its documents, usually the file's path; r is read once, line by line, from
// its beginning to its end, and unpacked where it begins as gzip does.
//
// A line that is no record (over 16 MB, bad JSON, no id, an id that was there before) yields an [*IngestError] with its number, and the lines after it
// follow; after 1000 such lines, 256 MB of lines that are too long, and where reading fails, the error is the last. The ids seen are held in memory: about 30 bytes a line.
func JSONLines(name, origin string, r io.Reader) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		for l, err := range format.Lines(r, checkRecord) {
			src := recordSource(l, origin)
			if err != nil {
				src, err = Source{}, &IngestError{Name: name, Line: l.N, Err: err}
			}
			if !yield(src, err) {
				return
			}
		}
	}
}

func checkRecord(id, name string) error {
	if err := catalog.CheckID(id); err != nil {
		return err
	}
	return catalog.CheckName(name)
}

// recordSource returns a record as a source, which holds its bytes until its text was taken.
func recordSource(l format.Line, origin string) Source {
	return Source{
		ID: l.ID, Name: l.Name, Origin: origin, Size: int64(len(l.Data)), extractor: format.Record{},
		Open: func() (io.ReadCloser, error) { return memory{bytes.NewReader(l.Data)}, nil },
	}
}

// A Record is a document that comes as a title and a text, such as a row of a database; see [JSONLines] for its raw text.
type Record struct {
	ID      string   `json:"id"`             // the document's id, see [Source.ID]
	Name    string   `json:"name,omitempty"` // "" means ID
	Title   string   `json:"title,omitempty"`
	Text    string   `json:"text"`
	Authors []string `json:"authors,omitempty"`
	Date    string   `json:"date,omitempty"`
	URL     string   `json:"url,omitempty"`
}

// Source returns the record as a source. An id that cannot be used (see [Source.ID]) is an error wrapping [ErrUnsupported].
func (r *Record) Source(origin string) (Source, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return Source{}, err
	}
	if r.ID == "" {
		return Source{}, fmt.Errorf("%w: a record needs an id", ErrUnsupported)
	}
	l := format.Line{ID: r.ID, Name: cmp.Or(r.Name, r.ID), Data: data}
	return recordSource(l, origin), checkRecord(l.ID, l.Name)
}

// memory is a source's bytes that are in memory already.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// fileLines yields the documents of a file of JSON Lines.
func fileLines(f folder.File, yield func(Source, error) bool) bool {
	r, err := f.Open()
	if err != nil {
		return yield(Source{}, &IngestError{Name: f.Name, Err: folder.PlainPathError(err)})
	}
	defer r.Close() // read only
	later := false
	for src, err := range JSONLines(f.Name, f.Path, r) {
		if src.ModTime, src.later = f.Info.ModTime(), later; err == nil {
			later = true
		}
		if !yield(src, err) {
			return false
		}
	}
	return true
}
