package opc

import (
	"archive/zip"
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds of what is unpacked, in bytes.
const (
	maxPart  = 256 << 20
	maxTotal = 768 << 20 // of all parts that are read, each time they are read
	// A part is refused as a bomb when it unpacks to more than maxRatio times its packed size, once it has more than maxFree bytes.
	maxRatio = 300
	maxFree  = 16 << 20
)

const maxParts = 100_000

// A Package is an opened file. It is used by one goroutine at a time.
type Package struct {
	ctx   context.Context
	parts map[string]*zip.File // by name in lower case, without the slash in front
	left  int64                // bytes that may still be unpacked
}

// Open reads the list of parts. What is read later ends with ctx.
func Open(ctx context.Context, r io.ReaderAt, size int64) (*Package, error) {
	if err := compound(r, size); err != nil {
		return nil, err
	}
	z, err := zip.NewReader(r, size)
	if errors.Is(err, zip.ErrInsecurePath) {
		err = nil // names are keys here, and no paths of a disk
	}
	if err != nil {
		return nil, fmt.Errorf("%w: not an office document: %v", errs.Format, err)
	}
	if len(z.File) > maxParts {
		return nil, fmt.Errorf("%w: %d parts, the limit is %d", errs.TooLarge, len(z.File), maxParts)
	}
	p := &Package{ctx: ctx, parts: map[string]*zip.File{}, left: maxTotal}
	for _, f := range z.File {
		if name := key(f.Name); p.parts[name] == nil {
			p.parts[name] = f
		}
	}
	return p, nil
}

func key(name string) string {
	return strings.ToLower(strings.TrimPrefix(path.Clean("/"+strings.ReplaceAll(name, `\`, "/")), "/"))
}

// Has reports whether there is a part of a name.
func (p *Package) Has(name string) bool { return p.parts[key(name)] != nil }

// Stream opens a part and calls read with a reader of its elements.
func (p *Package) Stream(name string, read func(*xmlnode.Reader) error) error {
	f := p.parts[key(name)]
	if f == nil {
		return fmt.Errorf("%w: the file has no part %q", errs.Format, name)
	}
	if f.Flags&1 != 0 {
		return fmt.Errorf("part %s: %w: save the document without a password", name, errs.Encrypted)
	}
	rc, err := f.Open()
	if err != nil {
		if errors.Is(err, zip.ErrAlgorithm) {
			return fmt.Errorf("part %s: %w: packed by method %d, not by deflate", name, errs.Unsupported, f.Method)
		}
		return fmt.Errorf("part %s: %w: %v", name, errs.Format, err)
	}
	defer rc.Close()
	return read(xmlnode.NewReader(name, &bounded{p: p, r: rc, packed: int64(f.CompressedSize64)}))
}

// Tree reads a part as one tree.
func (p *Package) Tree(name string) (*xmlnode.Node, error) {
	var n *xmlnode.Node
	err := p.Stream(name, func(r *xmlnode.Reader) error {
		var err error
		if n, err = r.Next(); err != nil {
			return err
		}
		if n == nil {
			return fmt.Errorf("%s: %w: no element in it", name, errs.Format)
		}
		return r.Tree(n)
	})
	if err != nil {
		return nil, err
	}
	return n, nil
}

// bounded reads a part within the bounds.
type bounded struct {
	p      *Package
	r      io.Reader
	packed int64
	got    int64
}

func (b *bounded) Read(buf []byte) (int, error) {
	if err := b.p.ctx.Err(); err != nil {
		return 0, err
	}
	n, err := b.r.Read(buf)
	b.got += int64(n)
	b.p.left -= int64(n)
	switch {
	case b.got > maxPart:
		return 0, fmt.Errorf("%w: it unpacks to more than %d bytes", errs.TooLarge, maxPart)
	case b.p.left < 0:
		return 0, fmt.Errorf("%w: the parts of the file unpack to more than %d bytes", errs.TooLarge, maxTotal)
	case b.got > maxFree && b.got/maxRatio > b.packed:
		return 0, fmt.Errorf("%w: it unpacks to more than %d times its size", errs.TooLarge, maxRatio)
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, zip.ErrChecksum), errors.Is(err, zip.ErrFormat):
		return n, fmt.Errorf("%w: the packed data are damaged or cut off: %v", errs.Format, err)
	case err != nil && !errors.Is(err, io.EOF):
		return n, fmt.Errorf("%w: %v", errs.Format, err)
	}
	return n, err
}

// A Relationship leads from a part to another.
type Relationship struct {
	ID     string
	Type   string // the last word of its type, such as "styles"
	Target string // the name of a part; "" for what is outside of the file
}

// Relationships are those of a part. The zero value has none.
type Relationships struct {
	All  []Relationship // in the order of the file
	byID map[string]string
}

// ID returns the target of the relationship with an id; "" where there is none in the file.
func (rs Relationships) ID(id string) string {
	return rs.byID[id]
}

// Type returns the target of the first relationship of a type; "" where there is none in the file.
func (rs Relationships) Type(t string) string {
	for _, r := range rs.All {
		if r.Type == t && r.Target != "" {
			return r.Target
		}
	}
	return ""
}

// Relationships returns those of a part; "" is the file itself. A part without any has none, and so has one whose targets are not in the file.
func (p *Package) Relationships(part string) (Relationships, error) {
	dir, base := path.Split(part)
	name := dir + "_rels/" + base + ".rels"
	if !p.Has(name) {
		return Relationships{}, nil
	}
	n, err := p.Tree(name)
	if err != nil {
		return Relationships{}, err
	}
	out := Relationships{byID: map[string]string{}}
	for c := range n.Children("rel:Relationship") {
		r := Relationship{ID: c.Attr("Id"), Type: path.Base(c.Attr("Type"))}
		if !strings.EqualFold(c.Attr("TargetMode"), "External") {
			target := strings.ReplaceAll(c.Attr("Target"), `\`, "/")
			if s, err := url.PathUnescape(target); err == nil && !p.Has(resolve(part, target)) {
				target = s
			}
			if t := resolve(part, target); p.Has(t) {
				r.Target = t
			}
		}
		out.All = append(out.All, r)
		if _, ok := out.byID[r.ID]; !ok {
			out.byID[r.ID] = r.Target
		}
	}
	return out, nil
}

// resolve returns the name of a part that a part names.
func resolve(part, target string) string {
	if !strings.HasPrefix(target, "/") {
		target = path.Join("/", path.Dir(part), target)
	}
	return strings.TrimPrefix(path.Clean(target), "/")
}

// Main returns the name of the part that the document begins with.
func (p *Package) Main() (string, error) {
	rs, err := p.Relationships("")
	if err != nil {
		return "", err
	}
	main := rs.Type("officeDocument")
	switch {
	case main != "" && strings.HasSuffix(strings.ToLower(main), ".bin"):
		return "", fmt.Errorf("%w: a binary workbook: save it as .xlsx", errs.Unsupported)
	case main != "":
		return main, nil
	case p.Has("content.xml") && p.Has("mimetype"):
		return "", fmt.Errorf("%w: an OpenDocument file, not one of Office Open XML: save it as .docx, .pptx or .xlsx", errs.Unsupported)
	}
	return "", fmt.Errorf("%w: a ZIP file, but no office document: no relationship names its main part", errs.Format)
}
