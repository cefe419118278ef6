package xmlnode

import (
	"bufio"
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"strings"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/findspot/findspot/internal/errs"
)

// Bounds of what is read.
const (
	maxDepth = 256
	maxNodes = 2_000_000 // of one tree
)

// A Reader reads a part element by element.
type Reader struct {
	part  string
	dec   *xml.Decoder
	depth int
	nodes int // of the tree under way
	names map[xml.Name]string
}

// NewReader returns a reader of a part, whose name is for errors.
func NewReader(part string, r io.Reader) *Reader {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(2)
	wide := bytes.Equal(head, []byte("\xff\xfe")) || bytes.Equal(head, []byte("\xfe\xff"))
	var text io.Reader = in
	if wide {
		text = transform.NewReader(in, unicode.UTF16(unicode.LittleEndian, unicode.UseBOM).NewDecoder())
	}
	dec := xml.NewDecoder(text)
	dec.CharsetReader = func(label string, r io.Reader) (io.Reader, error) {
		if wide {
			return r, nil
		}
		return charset.NewReaderLabel(label, r)
	}
	return &Reader{part: part, dec: dec, names: map[xml.Name]string{}}
}

// Parse reads a part as one tree.
func Parse(part string, r io.Reader) (*Node, error) {
	x := NewReader(part, r)
	n, err := x.Next()
	if err != nil {
		return nil, err
	}
	if n == nil {
		return nil, fmt.Errorf("%s: %w: no element in it", part, errs.Format)
	}
	return n, x.Tree(n)
}

// Next goes to the next element and returns it with its attributes alone; nil means that the element around it ends here, or the part. What
// is in the element comes next, unless [Reader.Tree] or [Reader.Skip] is called.
func (r *Reader) Next() (*Node, error) {
	for {
		t, err := r.dec.Token()
		switch {
		case errors.Is(err, io.EOF) && r.depth == 0:
			return nil, nil
		case err != nil:
			return nil, r.fault(err)
		}
		switch t := t.(type) {
		case xml.StartElement:
			if r.depth++; r.depth > maxDepth {
				return nil, fmt.Errorf("%s: %w: elements are nested deeper than %d", r.part, errs.TooLarge, maxDepth)
			}
			return r.node(&t), nil
		case xml.EndElement:
			r.depth--
			return nil, nil
		case xml.Directive:
			return nil, fmt.Errorf("%s: %w: it declares a document type, which office documents may not", r.part, errs.Format)
		}
	}
}

// Tree reads what is in the element that [Reader.Next] returned last.
func (r *Reader) Tree(n *Node) error {
	r.nodes = 0
	return r.tree(n)
}

func (r *Reader) tree(n *Node) error {
	var text strings.Builder
	for {
		t, err := r.dec.Token()
		if err != nil {
			return r.fault(err)
		}
		switch t := t.(type) {
		case xml.CharData:
			text.Write(t)
		case xml.StartElement:
			if r.nodes++; r.nodes > maxNodes {
				return fmt.Errorf("%s: %w: more than %d elements in one", r.part, errs.TooLarge, maxNodes)
			}
			if r.depth++; r.depth > maxDepth {
				return fmt.Errorf("%s: %w: elements are nested deeper than %d", r.part, errs.TooLarge, maxDepth)
			}
			c := r.node(&t)
			if err := r.tree(c); err != nil {
				return err
			}
			if c.Name == "mc:AlternateContent" {
				n.Nodes = append(n.Nodes, alternative(c)...)
			} else {
				n.Nodes = append(n.Nodes, c)
			}
		case xml.EndElement:
			r.depth--
			if len(n.Nodes) == 0 || strings.TrimSpace(text.String()) != "" {
				n.Text = text.String()
			}
			return nil
		case xml.Directive:
			return fmt.Errorf("%s: %w: it declares a document type, which office documents may not", r.part, errs.Format)
		}
	}
}

// alternative returns what stands for an mc:AlternateContent.
func alternative(n *Node) []*Node {
	if c := n.Child("mc:Choice"); c != nil {
		return c.Nodes
	}
	if c := n.Child("mc:Fallback"); c != nil {
		return c.Nodes
	}
	return nil
}

// Skip leaves out what is in the element that [Reader.Next] returned last.
func (r *Reader) Skip() error {
	for level := 1; level > 0; {
		t, err := r.dec.Token()
		if err != nil {
			return r.fault(err)
		}
		switch t.(type) {
		case xml.StartElement:
			if level++; r.depth+level > maxDepth {
				return fmt.Errorf("%s: %w: elements are nested deeper than %d", r.part, errs.TooLarge, maxDepth)
			}
		case xml.EndElement:
			level--
		}
	}
	r.depth--
	return nil
}

// fault says where a part cannot be read. What the source of its bytes says comes through as it is.
func (r *Reader) fault(err error) error {
	line, col := r.dec.InputPos()
	if _, ok := errors.AsType[*xml.SyntaxError](err); ok || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return fmt.Errorf("%s line %d column %d: %w: %v", r.part, line, col, errs.Format, err)
	}
	return fmt.Errorf("%s: %w", r.part, err)
}

func (r *Reader) node(t *xml.StartElement) *Node {
	n := &Node{Name: r.name(t.Name)}
	for _, a := range t.Attr {
		if a.Name.Space == "xmlns" || a.Name.Space == "" && a.Name.Local == "xmlns" {
			continue
		}
		name := a.Name.Local
		if a.Name.Space != "" {
			name = r.name(a.Name)
		}
		n.Attrs = append(n.Attrs, Attr{name, a.Value})
	}
	return n
}

// name returns a name with its usual prefix; "?:" for a namespace that is not known.
func (r *Reader) name(x xml.Name) string {
	if s, ok := r.names[x]; ok {
		return s
	}
	prefix, ok := prefixes[plain(x.Space)]
	switch {
	case x.Space == "":
		return x.Local
	case !ok:
		prefix = "?"
	}
	s := prefix + ":" + x.Local
	if len(r.names) < 10_000 {
		r.names[x] = s
	}
	return s
}

// plain takes from a namespace what differs between the strict form (ISO/IEC 29500) and the transitional one.
func plain(space string) string {
	for _, base := range []string{"http://schemas.openxmlformats.org/", "http://purl.oclc.org/ooxml/"} {
		if s, ok := strings.CutPrefix(space, base); ok {
			return strings.Replace(s, "/2006", "", 1)
		}
	}
	return space
}

const microsoft = "http://schemas.microsoft.com/office/"

var prefixes = map[string]string{
	"wordprocessingml/main":                 "w",
	"drawingml/main":                        "a",
	"presentationml/main":                   "p",
	"spreadsheetml/main":                    "x",
	"officeDocument/relationships":          "r",
	"officeDocument/math":                   "m",
	"drawingml/wordprocessingDrawing":       "wp",
	"drawingml/spreadsheetDrawing":          "xdr",
	"drawingml/picture":                     "pic",
	"drawingml/chart":                       "c",
	"drawingml/diagram":                     "dgm",
	"markup-compatibility":                  "mc",
	"package/relationships":                 "rel",
	"package/metadata/core-properties":      "cp",
	"officeDocument/extended-properties":    "ep",
	"officeDocument/extendedProperties":     "ep",
	"http://purl.org/dc/elements/1.1/":      "dc",
	"http://purl.org/dc/terms/":             "dcterms",
	"urn:schemas-microsoft-com:vml":         "v",
	"urn:schemas-microsoft-com:office:word": "w10",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingShape":  "wps",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingGroup":  "wpg",
	"http://schemas.microsoft.com/office/word/2010/wordprocessingCanvas": "wpc",
	microsoft + "word/2010/wordml":                                       "w14",
	microsoft + "word/2012/wordml":                                       "w15",
	microsoft + "powerpoint/2010/main":                                   "p14",
	microsoft + "powerpoint/2018/8/main":                                 "p188",
	microsoft + "drawing/2010/main":                                      "a14",
	microsoft + "drawing/2014/chartex":                                   "cx",
	microsoft + "spreadsheetml/2018/threadedcomments":                    "tc",
	"http://www.w3.org/XML/1998/namespace":                               "xml",
}
