package mark

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf16"

	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/model"
	"github.com/pdfcpu/pdfcpu/pkg/pdfcpu/types"

	"github.com/findspot/findspot/internal/errs"
)

const author = "findspot"

// An annotation is one highlight of one page, in the page's user space.
type annotation struct {
	page     int // from 1
	object   int // of the page
	name     string
	subject  string
	contents string
	faint    bool
	quads    []quad
	popup    [4]float64 // lower left, upper right
}

// A quad is a quadrilateral with its corners as the text runs: the upper ones from left to right, then the lower ones. The standard
// says counter-clockwise; every viewer, Adobe's first, reads them in this order.
type quad [4][2]float64

// bounds is the box around quads: lower left, upper right.
func bounds(quads []quad) (b [4]float64) {
	b = [4]float64{quads[0][0][0], quads[0][0][1], quads[0][0][0], quads[0][0][1]}
	for _, q := range quads {
		for _, p := range q {
			b = [4]float64{min(b[0], p[0]), min(b[1], p[1]), max(b[2], p[0]), max(b[3], p[1])}
		}
	}
	return b
}

// config is what pdfcpu is to do. It is written out, since the default of pdfcpu makes a folder in the user's home and reads it.
func config() *model.Configuration {
	limits := model.DefaultResourceLimits()
	limits.MaxStreamBytes, limits.MaxDecodeBytes = 200<<20, 200<<20
	limits.MaxObjectCount, limits.MaxXRefEntries = 2_000_000, 2_000_000
	return &model.Configuration{Reader15: true, ValidationMode: model.ValidationRelaxed, Eol: types.EolLF, Offline: true, Limits: limits}
}

// increment returns what is to be appended to a file so that it has the annotations.
func increment(ctx context.Context, data []byte, list []annotation) (added []byte, err error) {
	defer guard(&err)
	doc, err := pdfcpu.ReadWithContext(ctx, bytes.NewReader(data), config())
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	if err != nil {
		return nil, unreadable(err)
	}
	prev := doc.Write.OffsetPrevXRef
	if prev == nil || *prev <= 0 || *prev >= int64(len(data)) {
		return nil, unreadable(errors.New("it does not find the last cross-references"))
	}
	section := data[*prev:]
	head := int64(max(bytes.Index(data[:min(len(data), 1024)], []byte("%PDF-")), 0)) // offsets count from the header
	*prev -= head
	// An update has cross-references of the kind that the file has.
	doc.WriteXRefStream = !bytes.HasPrefix(bytes.TrimLeft(section[:min(len(section), 64)], "\x00\t\n\f\r "), []byte("xref"))
	if first, ok := doc.Find(0); ok { // what was deleted stays so: its number is not used again
		none := int64(0)
		first.Offset = &none
	}
	w := &updater{doc: doc}
	for i := range list {
		if err := w.add(&list[i]); err != nil {
			return nil, fmt.Errorf("page %d: %w", list[i].page, err)
		}
	}
	var out bytes.Buffer
	if data[len(data)-1] != '\n' {
		out.WriteByte('\n')
	}
	doc.Write.Increment, doc.Write.Offset = true, int64(len(data)+out.Len())-head
	doc.Write.Writer = bufio.NewWriter(&out)
	if err := errors.Join(pdfcpu.WriteIncrement(doc), doc.Write.Flush()); err != nil {
		return nil, fmt.Errorf("%w: pdfcpu could not write: %v", errs.Format, err)
	}
	return out.Bytes(), ctx.Err()
}

func unreadable(err error) error {
	return fmt.Errorf("%w: pdfcpu, which writes the marks, cannot read it: let another program write it anew first, for instance qpdf (%v)", errs.Format, err)
}

// An updater collects the objects of an update.
type updater struct {
	doc   *model.Context
	state types.IndirectRef // graphics state of the appearances; 0: none yet
}

func (w *updater) insert(o types.Object) (types.IndirectRef, error) {
	n, err := w.doc.InsertObject(o)
	if err != nil {
		return types.IndirectRef{}, err
	}
	w.doc.Write.IncrementWithObjNr(n)
	return *types.NewIndirectRef(n, 0), nil
}

// add adds an annotation with its appearance and its pop-up to the page.
func (w *updater) add(a *annotation) error {
	entry, ok := w.doc.Find(a.object)
	if !ok || entry.Free {
		return unreadable(fmt.Errorf("it has no object %d", a.object))
	}
	self := *types.NewIndirectRef(a.object, *entry.Generation)
	page, err := w.doc.DereferenceDict(self) // from its object stream, if it is in one
	if err != nil || page == nil {
		return unreadable(fmt.Errorf("object %d is no dictionary for it", a.object))
	}
	entry.Object = page
	annots, err := w.doc.DereferenceArray(page["Annots"])
	if err != nil {
		return unreadable(err)
	}
	form, err := w.appearance(a)
	if err != nil {
		return err
	}
	box := bounds(a.quads)
	red, green, blue := a.colour()
	mark := types.Dict{
		"Type": types.Name("Annot"), "Subtype": types.Name("Highlight"), "P": self,
		"Rect": numbers(box[:]...), "QuadPoints": points(a.quads), "F": types.Integer(4), // print
		"C": numbers(red, green, blue), "NM": text(a.name), "T": text(author), "Subj": text(a.subject), "Contents": text(a.contents),
		"AP": types.Dict{"N": form},
	}
	ref, err := w.insert(mark)
	if err != nil {
		return err
	}
	popup, err := w.insert(types.Dict{
		"Type": types.Name("Annot"), "Subtype": types.Name("Popup"), "P": self, "Parent": ref, "Rect": numbers(a.popup[:]...),
		"Open": types.Boolean(false), "F": types.Integer(28), // as Adobe has it: it is not printed with the page, nor zoomed or turned with it
	})
	if err != nil {
		return err
	}
	mark["Popup"] = popup
	page["Annots"] = append(append(types.Array{}, annots...), ref, popup)
	w.doc.Write.IncrementWithObjNr(a.object)
	return nil
}

func (a *annotation) colour() (r, g, b float64) {
	if a.faint {
		return 1, .95, .68
	}
	return 1, .83, .2
}

// appearance is what viewers draw: the quads, multiplied with what is below so that the text stays black.
func (w *updater) appearance(a *annotation) (types.IndirectRef, error) {
	if w.state.ObjectNumber == 0 {
		ref, err := w.insert(types.Dict{"Type": types.Name("ExtGState"), "BM": types.Name("Multiply")})
		if err != nil {
			return ref, err
		}
		w.state = ref
	}
	var b strings.Builder
	red, green, blue := a.colour()
	fmt.Fprintf(&b, "/G gs %s %s %s rg\n", number(red), number(green), number(blue))
	for _, q := range a.quads {
		for i, k := range []int{0, 1, 3, 2} { // around it
			fmt.Fprintf(&b, "%s %s %s ", number(q[k][0]), number(q[k][1]), [2]string{"m", "l"}[min(i, 1)])
		}
		b.WriteString("h f\n") // each by itself: where two lines touch nothing is left out
	}
	box := bounds(a.quads)
	form := types.StreamDict{Content: []byte(b.String()), Dict: types.Dict{
		"Type": types.Name("XObject"), "Subtype": types.Name("Form"), "BBox": numbers(box[:]...),
		"Resources": types.Dict{"ExtGState": types.Dict{"G": w.state}},
	}}
	if err := form.Encode(); err != nil {
		return types.IndirectRef{}, err
	}
	return w.insert(form)
}

// number writes a coordinate to a thousandth of a point.
func number(v float64) string { return strconv.FormatFloat(math.Round(v*1000)/1000, 'f', -1, 64) }

func numbers(vs ...float64) types.Array {
	out := make(types.Array, 0, len(vs))
	for _, v := range vs {
		out = append(out, types.Float(v))
	}
	return out
}

func points(quads []quad) types.Array {
	out := make(types.Array, 0, 8*len(quads))
	for _, q := range quads {
		for _, p := range q {
			out = append(out, types.Float(p[0]), types.Float(p[1]))
		}
	}
	return out
}

// text is a text string: UTF-16 with its mark, so that any character may stand in it and none ends it.
func text(s string) types.HexLiteral {
	b := []byte{0xFE, 0xFF}
	for _, u := range utf16.Encode([]rune(s)) {
		b = append(b, byte(u>>8), byte(u))
	}
	return types.NewHexLiteral(b)
}
