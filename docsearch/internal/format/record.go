package format

import (
	"bufio"
	"bytes"
	"cmp"
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
	"github.com/findspot/findspot/internal/errs"
)

// maxRecord bounds a line of JSON Lines in bytes. Longer ones are left out, and more than maxSkip bytes of them end the reading: what has no
// line ends is no JSON Lines, and a compressed file can unfold without end.
const (
	maxRecord = 16 << 20
	maxSkip   = 256 << 20
)

// maxBadLines is how many lines that are no records a file of JSON Lines may have before it is given up.
const maxBadLines = 1000

// A Line is a line of JSON Lines that holds a document.
type Line struct {
	N        int    // from 1
	ID, Name string // of the document
	Data     []byte // what recordText reads
}

// Lines yields the lines of r that hold documents, and an error for each that is no record, with its number. check says what names and ids there may
// be. After maxBadLines errors, maxSkip bytes of lines that are too long, and where reading fails, the error is the last.
func Lines(r io.Reader, check func(id, name string) error) iter.Seq2[Line, error] {
	return func(yield func(Line, error) bool) {
		in, err := unpacked(r)
		if err != nil {
			yield(Line{}, err)
			return
		}
		seen := map[[16]byte]int{} // line of each id, by its MD5
		var buf []byte
		bad, skipped := 0, 0
		for n := 1; ; n++ {
			data, tooLong, err := readLine(in, buf[:0], &skipped)
			buf = data
			last := errors.Is(err, io.EOF)
			if err != nil && !last {
				yield(Line{N: n}, err)
				return
			}
			rec, err := jsonRecord{}, error(nil)
			switch {
			case tooLong:
				err = fmt.Errorf("%w: the line is longer than %d bytes", errs.TooLarge, maxRecord)
			case len(bytes.TrimSpace(data)) == 0:
				if last {
					return
				}
				continue
			default:
				if rec, err = recordLine(data, check); err == nil {
					key := md5.Sum([]byte(rec.ID))
					if was, ok := seen[key]; ok {
						err = fmt.Errorf("%w: id %q is on line %d already", errs.Unsupported, rec.ID, was)
					} else {
						seen[key] = n
					}
				}
			}
			if err != nil {
				if bad++; bad >= maxBadLines {
					yield(Line{N: n}, fmt.Errorf("%w; it is the %dth line that is no record: the rest of the file is left out", err, bad))
					return
				}
				if !yield(Line{N: n}, err) {
					return
				}
			} else if !yield(Line{n, rec.ID, cmp.Or(rec.Name, rec.ID), bytes.Clone(data)}, nil) {
				return
			}
			if last {
				return
			}
		}
	}
}

// recordLine reads one line.
func recordLine(data []byte, check func(id, name string) error) (rec jsonRecord, err error) {
	if !utf8.Valid(data) {
		return rec, fmt.Errorf("%w: the line is not UTF-8", errs.Format)
	}
	if err := rec.parse(data); err != nil {
		return rec, err
	}
	if rec.ID == "" {
		return rec, fmt.Errorf("%w: no id: give \"id\" or \"_id\"", errs.Unsupported)
	}
	return rec, check(rec.ID, cmp.Or(rec.Name, rec.ID))
}

// unpacked returns the lines of r, which may be packed with gzip.
func unpacked(r io.Reader) (*bufio.Reader, error) {
	in := bufio.NewReaderSize(r, 256<<10)
	if head, _ := in.Peek(2); len(head) < 2 || head[0] != 0x1f || head[1] != 0x8b {
		return in, nil
	}
	z, err := gzip.NewReader(in)
	if err != nil {
		return nil, fmt.Errorf("%w: %v", errs.Format, err)
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
			return buf, true, fmt.Errorf("%w: lines of over %d bytes make more than %d bytes: this is not JSON Lines", errs.Format, maxRecord, maxSkip)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, gzip.ErrChecksum), errors.Is(err, gzip.ErrHeader), errors.Is(err, io.ErrUnexpectedEOF):
			return buf, tooLong, fmt.Errorf("%w: packed with gzip, and damaged or cut off: %v", errs.Format, err)
		}
		return bytes.TrimSuffix(buf, []byte("\n")), tooLong, err
	}
}

// A record is a document that comes as a title and a text, such as a line of JSON Lines. Its raw text is the title, an empty line and the text, or
// one of them where the other is empty or begins with it.
type jsonRecord struct {
	ID      string // the document's id; "_id" serves too, and a number is taken as it is written
	Name    string // "" means ID
	Title   string
	Text    string
	Authors []string // in JSON also one string
	Date    string
	URL     string
}

// parse reads a record. Fields that it does not know are left out. Errors wrap errs.Format.
func (r *jsonRecord) parse(data []byte) error {
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
			return fmt.Errorf("%w: bad JSON at byte %d: %v", errs.Format, se.Offset, err)
		}
		return fmt.Errorf("%w: %s", errs.Format, strings.TrimPrefix(err.Error(), "json: "))
	}
	*r = jsonRecord{}
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
		return fmt.Errorf("%w: id: %v", errs.Format, err)
	}
	if r.Date, err = scalar(v.Date); err != nil {
		return fmt.Errorf("%w: date: %v", errs.Format, err)
	}
	if one, serr := scalar(v.Authors); serr == nil {
		if one != "" {
			r.Authors = []string{one}
		}
	} else if err := json.Unmarshal(v.Authors, &r.Authors); err != nil {
		return fmt.Errorf("%w: authors: neither a string nor a list of strings", errs.Format)
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

// raw returns the raw text of the record.
func (r *jsonRecord) raw() string {
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

// Record reads the bytes of a record.
type Record struct{}

func (Record) Version() string { return "record/1" }

func (Record) Open(_ context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	data, err := io.ReadAll(io.NewSectionReader(r, 0, size))
	if err != nil {
		return nil, err
	}
	var rec jsonRecord
	if err := rec.parse(data); err != nil {
		return nil, err
	}
	return &recordDoc{rec}, nil
}

type recordDoc struct{ rec jsonRecord }

func (d *recordDoc) Meta() extract.Meta {
	return extract.Meta{Title: clip(strings.TrimSpace(d.rec.Title), maxTitle), Authors: d.rec.Authors, Date: d.rec.Date, URL: d.rec.URL, Pages: 1}
}

func (d *recordDoc) Pages(ctx context.Context, first, last int) iter.Seq2[*extract.Page, error] {
	return (&textDoc{text: d.rec.raw()}).Pages(ctx, first, last)
}

func (d *recordDoc) Close() error { return nil }
