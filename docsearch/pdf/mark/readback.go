package mark

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// readBack makes sure that what was written is whole: the pages that there were, as they were, with their annotations and the new ones.
func readBack(ctx context.Context, out []byte, were []catalog.Page, list []annotation) (err error) {
	defer guard(&err)
	broken := func(why string, args ...any) error {
		if ctx.Err() != nil {
			return ctx.Err()
		}
		return fmt.Errorf("%w: what pdfcpu wrote cannot be read again, so it is not kept: "+why, append([]any{errs.Format}, args...)...)
	}
	var damage error
	f, err := cos.Open(ctx, bytes.NewReader(out), int64(len(out)), &cos.Options{Note: func(err error) { damage = err }})
	if err = errors.Join(err, damage); err != nil {
		return broken("%v", err)
	}
	d := cos.NewReader(ctx, f, budget.New(budget.OpenUnits))
	pages, err := catalog.Pages(d)
	if err != nil {
		return broken("%v", err)
	}
	if len(pages) != len(were) {
		return broken("%d pages of %d are there", len(pages), len(were))
	}
	for _, a := range list {
		page, was := &pages[a.page-1], &were[a.page-1]
		if page.Object() != a.object {
			return broken("page %d is gone", a.page)
		}
		for key := range was.Dict {
			if key != "Annots" && !same(was.Dict[key], page.Dict[key]) {
				return broken("page %d has another entry %s", a.page, key)
			}
		}
		annots, old := d.Array(page.Dict["Annots"]), d.Array(was.Dict["Annots"])
		if len(annots) < len(old) || !slices.EqualFunc(old, annots[:len(old)], same) {
			return broken("page %d has lost annotations", a.page)
		}
		found := false
		for _, o := range annots[len(old):] {
			if m := d.Dict(o); m != nil && d.Name(m["Subtype"]) == "Highlight" && bytes.Equal(d.Str(m["NM"]), utf16Bytes(a.name)) {
				found = len(d.Array(m["QuadPoints"])) == 8*len(a.quads)
			}
		}
		if !found {
			return broken("page %d lacks the mark %s", a.page, a.name)
		}
	}
	return ctx.Err()
}

func utf16Bytes(s string) []byte {
	b, _ := text(s).Bytes()
	return b
}

// same reports whether two objects are the same as they are written, but for the digits of numbers.
func same(a, b cos.Object) bool {
	switch x := a.(type) {
	case cos.Integer, cos.Float:
		m, _ := number64(x)
		n, ok := number64(b)
		return ok && math.Abs(m-n) <= 1e-9*max(1, math.Abs(m))
	case cos.Array:
		y, ok := b.(cos.Array)
		return ok && slices.EqualFunc(x, y, same)
	case cos.Dict:
		y, ok := b.(cos.Dict)
		if !ok || len(x) != len(y) {
			return false
		}
		for k := range x {
			if !same(x[k], y[k]) {
				return false
			}
		}
		return true
	case *cos.Stream: // stands behind a reference
		return false
	}
	return a == b
}

func number64(o cos.Object) (float64, bool) {
	switch x := o.(type) {
	case cos.Integer:
		return float64(x), true
	case cos.Float:
		return float64(x), true
	}
	return 0, false
}
