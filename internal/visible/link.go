package visible

import (
	"io"
	"strings"
)

// A Spot is a place that a reader may open. Zero fields are unknown.
type Spot struct {
	Doc, Name string // of a document: id and name
	Page      int    // from 1
	Repo      string // of code: the name of its repository, where it was added with one
	Path      string // slash path below the repository's root
	Line      int    // from 1
}

// A Linker writes a text that leads to a spot where it can, and the text alone where it cannot.
type Linker interface {
	LinkSpot(at Spot, text string) error
}

// Link writes a text that leads to a spot, where W knows how. The text goes through [Text].
func (p *Printer) Link(at Spot, text string) {
	p.Keep(WriteLink(p.W, at, text))
}

// WriteLink writes a text that leads to a spot, where w is a [Linker], else [Text] of it.
func WriteLink(w io.Writer, at Spot, text string) error {
	if l, ok := w.(Linker); ok {
		return l.LinkSpot(at, text)
	}
	_, err := io.WriteString(w, Text(text))
	return err
}

const (
	linkStart = "\x1b]8;;"
	linkEnd   = "\x1b\\"
)

// maxURI is what terminals take of an address, in bytes (VTE and iTerm2: 2083).
const maxURI = 2083

// Link writes a text as a link to uri, in the form of OSC 8 that terminals know. It is the only way for such a sequence through a Writer: those in what
// is written or in the text are written out as [Text] does. What is not printable ASCII in uri becomes percent-encoded, so that it can neither end the sequence
// nor begin another. A text of several lines, or an address that is too long, is written without a link.
func (w *Writer) Link(uri, text string) error {
	text = Text(text)
	uri = printable(uri)
	if text == "" || uri == "" || len(uri) > maxURI || strings.ContainsAny(text, "\n\r") {
		_, err := w.Write([]byte(text))
		return err
	}
	w.links = append(w.links, inserted{len(w.held), linkStart + uri + linkEnd}, inserted{len(w.held) + len(text), linkStart + linkEnd})
	_, err := w.Write([]byte(text))
	return err
}

// printable is an address with everything percent-encoded that is not printable ASCII, and the characters that no address holds.
func printable(uri string) string {
	var b strings.Builder
	for i := range len(uri) {
		c := uri[i]
		if c <= 0x20 || c >= 0x7f || strings.IndexByte("\"<>\\^`{|}", c) >= 0 {
			const hex = "0123456789ABCDEF"
			b.WriteString("%" + string(hex[c>>4]) + string(hex[c&15]))
			continue
		}
		b.WriteByte(c)
	}
	return b.String()
}
