package mark

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

const maxFields = 100_000 // of a form, and annotations of all pages, that are looked at

// writable returns the pages of a file that may be marked, or says why it may not.
func writable(ctx context.Context, data []byte) (pages []catalog.Page, err error) {
	defer guard(&err)
	var damage error
	f, err := cos.Open(ctx, bytes.NewReader(data), int64(len(data)), &cos.Options{Note: func(err error) {
		if damage == nil {
			damage = err
		}
	}})
	if errors.Is(err, errs.Encrypted) || err == nil && f.Encrypted() {
		return nil, fmt.Errorf("%w: an encrypted file is not marked: take its encryption off first, for instance with qpdf --decrypt", errs.Encrypted)
	}
	if err != nil {
		return nil, err
	}
	if damage != nil {
		return nil, fmt.Errorf("%w: its cross-references are damaged, so that nothing can be added to it: let another program write it anew first, for instance qpdf (%v)", errs.Format, damage)
	}
	d := cos.NewReader(ctx, f, budget.New(budget.OpenUnits))
	if pages, err = catalog.Pages(d); err != nil {
		return nil, err
	}
	if why := signed(d, pages); why != "" {
		return nil, fmt.Errorf("%w: a signed file is not marked, since any change makes its signature void (%s): mark a copy without signatures, as printing to PDF makes it", errs.Unsupported, why)
	}
	return pages, ctx.Err()
}

// signed says what shows that a file is signed; "" when nothing does.
func signed(d *cos.Reader, pages []catalog.Page) string {
	root := d.Catalog()
	if perms := d.Dict(root["Perms"]); len(perms) > 0 { // DocMDP, or the usage rights of a form
		for _, k := range []string{"DocMDP", "UR3", "UR"} {
			if d.Dict(perms[k]) != nil {
				return "its catalog has permissions under " + k
			}
		}
	}
	form := d.Dict(root["AcroForm"])
	look := &fieldWalk{d: d, seen: map[int]bool{}}
	if look.any(d.Array(form["Fields"]), "", 0) {
		return "a signature field has a value"
	}
	for i := range pages { // a field that the form does not list
		if look.any(d.Array(pages[i].Dict["Annots"]), "", 0) {
			return fmt.Sprintf("a signature field on page %d has a value", i+1)
		}
	}
	return ""
}

type fieldWalk struct {
	d    *cos.Reader
	seen map[int]bool // object numbers
	n    int
}

// any reports whether a signature field among fields and those below has a value. typ is the type that they inherit.
func (w *fieldWalk) any(fields cos.Array, typ string, depth int) bool {
	for _, o := range fields {
		n := cos.ObjectNumber(o)
		if w.n++; w.n > maxFields || depth > 50 || n != 0 && w.seen[n] {
			continue
		}
		f := w.d.Dict(o)
		if f == nil {
			continue
		}
		t := w.d.Name(f["FT"])
		if t == "" {
			t = typ
			for up, i := f, 0; t == "" && i < 50; i++ { // a widget reached from its page
				if up = w.d.Dict(up["Parent"]); up == nil {
					break
				}
				t = w.d.Name(up["FT"])
			}
		}
		if n != 0 {
			w.seen[n] = true
		}
		if t == "Sig" && w.value(f) || w.any(w.d.Array(f["Kids"]), t, depth+1) {
			return true
		}
	}
	return false
}

func (w *fieldWalk) value(f cos.Dict) bool {
	for i := 0; f != nil && i < 50; i++ {
		if w.d.Dict(f["V"]) != nil {
			return true
		}
		f = w.d.Dict(f["Parent"])
	}
	return false
}

// guard turns a panic into an error.
func guard(err *error) {
	if p := recover(); p != nil {
		*err = fmt.Errorf("%w: internal fault: %v", errs.Format, p)
	}
}
