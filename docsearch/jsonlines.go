package docsearch

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"crypto/md5"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// maxRecord bounds a line of JSON Lines in bytes. Longer ones are left out, and more than maxSkip bytes of them end the reading: what has no
// line ends is no JSON Lines, and a compressed file can unfold without end.
const (
	maxRecord = 16 << 20
	maxSkip   = 256 << 20
)

// maxBadLines is how many lines that are no records a file of JSON Lines may have before it is given up.
const maxBadLines = 1000

// IsJSONLines reports whether a file of this name holds a document a line: .jsonl and .jsonl.gz, in any case.
func IsJSONLines(name string) bool {
	name = strings.ToLower(name)
	return strings.HasSuffix(name, ".jsonl") || strings.HasSuffix(name, ".jsonl.gz")
}

// JSONLines yields the documents of a file of JSON Lines: one object a line, with the fields of [Record]. Lines of white space are left out.
// Name is the file's own name, for errors, and origin is that of all its documents, usually the file's path; r is read once, line by line, from
// its beginning to its end, and unpacked where it begins as gzip does.
//
// A line that is no record (over 16 MB, bad JSON, no id, an id that was there before) yields an [*IngestError] with its number, and the lines after it
// follow; after 1000 such lines, 256 MB of lines that are too long, and where reading fails, the error is the last. The ids seen are held in memory: about 30 bytes a line.
func JSONLines(name, origin string, r io.Reader) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		fail := func(line int, err error) bool {
			return yield(Source{}, &IngestError{Name: name, Line: line, Err: err})
		}
		in, err := unpacked(r)
		if err != nil {
			fail(0, err)
			return
		}
		seen := map[[16]byte]int{} // line of each id, by its MD5
		bad, skipped := 0, 0
		var buf []byte
		for n := 1; ; n++ {
			line, tooLong, err := readLine(in, buf[:0], &skipped)
			buf = line
			last := errors.Is(err, io.EOF)
			if err != nil && !last {
				fail(n, err)
				return
			}
			var src Source
			err = nil
			switch {
			case tooLong:
				err = fmt.Errorf("%w: the line is longer than %d bytes", ErrTooLarge, maxRecord)
			case len(bytes.TrimSpace(line)) > 0:
				if src, err = recordLine(line, origin); err == nil {
					key := md5.Sum([]byte(src.ID))
					if was, ok := seen[key]; ok {
						err = fmt.Errorf("%w: id %q is on line %d already", ErrUnsupported, src.ID, was)
					} else {
						seen[key] = n
					}
				}
			}
			switch {
			case err != nil:
				if bad++; bad >= maxBadLines {
					fail(n, fmt.Errorf("%w; it is the %dth line that is no record: the rest of the file is left out", err, bad))
					return
				}
				if !fail(n, err) {
					return
				}
			case src.Open != nil:
				if !yield(src, nil) {
					return
				}
			}
			if last {
				return
			}
		}
	}
}

// unpacked returns the lines of r, which may be packed with gzip.
func unpacked(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 256<<10)
	if head, _ := in.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", ErrFormat, err)
	}
	return bufio.NewReaderSize(z, 256<<10), nil
}

// readLine appends the next line to buf, without its end. A line of more than maxRecord bytes is skipped, and the rest of it counted in skipped.
// The last line comes with io.EOF.
func readLine(in *bufio.Reader, buf []byte, skipped *int) (line []byte, tooLong bool, err error) {
	size := 0
	for {
		part, err := in.ReadSlice('\n')
		size += len(part)
		if tooLong = size > maxRecord+1; !tooLong {
			buf = append(buf, part...)
		} else if *skipped += len(part); *skipped > maxSkip {
			return buf, true, fmt.Errorf("%w: lines of over %d bytes make more than %d bytes: this is no JSON Lines", ErrFormat, maxRecord, maxSkip)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
			return buf, tooLong, fmt.Errorf("%w: packed with gzip, and damaged or cut off: %v", ErrFormat, err)
		}
		return bytes.TrimSuffix(buf, []byte("\n")), tooLong, err
	}
}

// recordLine reads one line.
func recordLine(line []byte, origin string) (Source, error) {
	if !utf8.Valid(line) {
		return Source{}, fmt.Errorf("%w: the line is not UTF-8", ErrFormat)
	}
	var rec Record
	if err := rec.UnmarshalJSON(line); err != nil {
		return Source{}, err
	}
	return rec.source(origin, bytes.Clone(line))
}

// A Record is a document that comes as a title and a text, such as a line of JSON Lines. Its raw text is the title, an empty line and the text, or
// one of them where the other is empty or begins with it.
type Record struct {
	ID      string   `json:"id"`             // the document's id; in JSON "_id" serves too, and a number is taken as it is written
	Name    string   `json:"name,omitempty"` // "" means ID
	Title   string   `json:"title,omitempty"`
	Text    string   `json:"text"`
	Authors []string `json:"authors,omitempty"` // in JSON also one string
	Date    string   `json:"date,omitempty"`
	URL     string   `json:"url,omitempty"`
}

// UnmarshalJSON reads a record. Fields that it does not know are left out. Errors wrap [ErrFormat].
func (r *Record) UnmarshalJSON(data []byte) error {
	var v struct {
		ID      json.RawMessage `json:"id"`
		Other   json.RawMessage `json:"_id"`
		Name    *string         `json:"name"`
		Title   *string         `json:"title"`
		Text    *string         `json:"text"`
		Authors json.RawMessage `json:"authors"`
		Date    json.RawMessage `json:"date"`
		URL     *string         `json:"url"`
	}
	if err := json.Unmarshal(data, &v); err != nil {
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			return fmt.Errorf("%w: bad JSON at byte %d: %v", ErrFormat, se.Offset, err)
		}
		return fmt.Errorf("%w: %s", ErrFormat, strings.TrimPrefix(err.Error(), "json: "))
	}
	*r = Record{}
	for _, s := range []struct {
		to   *string
		from *string
	}{{&r.Name, v.Name}, {&r.Title, v.Title}, {&r.Text, v.Text}, {&r.URL, v.URL}} {
		if s.from != nil {
			*s.to = *s.from
		}
	}
	id := v.ID
	if id == nil {
		id = v.Other
	}
	var err error
	if r.ID, err = scalar(id); err != nil {
		return fmt.Errorf("%w: id: %v", ErrFormat, err)
	}
	if r.Date, err = scalar(v.Date); err != nil {
		return fmt.Errorf("%w: date: %v", ErrFormat, err)
	}
	if one, serr := scalar(v.Authors); serr == nil {
		if one != "" {
			r.Authors = []string{one}
		}
	} else if err := json.Unmarshal(v.Authors, &r.Authors); err != nil {
		return fmt.Errorf("%w: authors: neither a string nor a list of strings", ErrFormat)
	}
	return nil
}

// scalar returns a string, a number as it is written, or "" for what is not there.
func scalar(raw json.RawMessage) (string, error) {
	switch {
	case raw == nil || string(raw) == "null":
		return "", nil
	case raw[0] == '"':
		var s string
		err := json.Unmarshal(raw, &s)
		return s, err
	case raw[0] == '-' || raw[0] >= '0' && raw[0] <= '9':
		return string(raw), nil
	default:
		return "", errors.New("neither a string nor a number")
	}
}

// Source returns the record as a source. An id that cannot be used (see [Source.ID]) is an error wrapping [ErrUnsupported].
func (r *Record) Source(origin string) (Source, error) {
	data, err := json.Marshal(r)
	if err != nil {
		return Source{}, err
	}
	return r.source(origin, data)
}

// source is Source for a record whose bytes are known. The source holds it until its text was taken.
func (r *Record) source(origin string, data []byte) (Source, error) {
	if r.ID == "" {
		return Source{}, fmt.Errorf("%w: no id: give \"id\" or \"_id\"", ErrUnsupported)
	}
	if err := catalog.CheckID(r.ID); err != nil {
		return Source{}, err
	}
	name := r.Name
	if name == "" {
		name = r.ID
	}
	if err := catalog.CheckName(name); err != nil {
		return Source{}, err
	}
	return Source{
		ID: r.ID, Name: name, Origin: origin, Size: int64(len(data)), extractor: recordText{},
		Open: func() (io.ReadCloser, error) { return memory{bytes.NewReader(data)}, nil },
	}, nil
}

// memory is a source's bytes that are in memory already.
type memory struct{ *bytes.Reader }

func (memory) Close() error { return nil }

// raw returns the raw text of the record.
func (r *Record) raw() string {
	clean := func(s string) string {
		s = strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n")
		return strings.Map(func(c rune) rune {
			if c < 0x20 && c != '\n' && c != '\t' && c != '\f' {
				return utf8.RuneError // as for any text: it is no sign that can be read
			}
			return c
		}, s)
	}
	title, text := strings.Join(strings.Fields(clean(r.Title)), " "), clean(r.Text)
	body := strings.TrimSpace(text)
	switch {
	case title == "" || strings.HasPrefix(strings.Join(strings.Fields(body[:min(len(body), 2*len(title)+64)]), " "), title):
		return text
	case body == "":
		return title
	default:
		return title + "\n\n" + text
	}
}

// lines yields the documents of a file of JSON Lines.
func (f sourceFile) lines(yield func(Source, error) bool) bool {
	r, err := f.open()
	if err != nil {
		return yield(Source{}, &IngestError{Name: f.name, Err: plainPathError(err)})
	}
	defer r.Close() // read only
	later := false
	for src, err := range JSONLines(f.name, f.path, r) {
		if src.ModTime, src.later = f.info.ModTime(), later; err == nil {
			later = true
		}
		if !yield(src, err) {
			return false
		}
	}
	return true
}

// recordText reads the bytes of a [Record].
type recordText struct{}

func (recordText) Version() string { return "record/1" }

func (recordText) Open(_ context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	var rec Record
	if err := rec.UnmarshalJSON(data); err != nil {
		return nil, err
	}
	return &recordDoc{rec}, nil
}

type recordDoc struct{ rec Record }

func (d *recordDoc) Meta() extract.Meta {
	return extract.Meta{Title: clip(strings.TrimSpace(d.rec.Title), maxTitle), Authors: d.rec.Authors, Date: d.rec.Date, URL: d.rec.URL, Pages: 1}
}

func (d *recordDoc) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return (&textDoc{text: d.rec.raw()}).Pages(ctx, first, last)
}

func (d *recordDoc) Close() error { return nil }
