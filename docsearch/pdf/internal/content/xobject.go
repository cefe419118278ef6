package content

import (
	"errors"
	"fmt"

	"github.com/findspot/findspot/docsearch/pdf/internal/budget"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
)

// xobject runs a form or places an image.
func (in *interp) xobject(o cos.Object, res cos.Dict) {
	d := in.f.Dict(o)
	if d == nil || in.off > 0 || in.hidden(d["OC"]) {
		return
	}
	switch in.f.Name(d["Subtype"]) {
	case "Image":
		in.placeImage(o, d)
	case "Form":
		in.form(o, d, res)
	}
}

func (in *interp) form(o cos.Object, d, res cos.Dict) {
	nr := cos.ObjectNumber(o)
	if len(in.forms) >= maxFormDepth {
		return
	}
	for _, n := range in.forms {
		if n == nr && nr != 0 {
			return
		}
	}
	if in.ops += 16; in.ops >= in.check && !in.bounded("form object", nr) {
		return
	}
	data, err := in.f.Stream(o)
	if errors.Is(err, budget.ErrSpent) {
		in.err = err
		return
	}
	if err != nil && in.fault == nil {
		in.fault = fmt.Errorf("form object %d: %w", nr, err)
	}
	if r := in.f.Dict(d["Resources"]); r != nil {
		res = r
	}
	saved, stack, tm, tlm, marks, off := in.st, in.stack, in.tm, in.tlm, in.marks, in.off
	in.forms = append(in.forms, nr)
	in.stack, in.marks = nil, nil
	if m := in.f.Nums(d["Matrix"]); len(m) == 6 {
		in.st.ctm = geometry.Matrix(m).Mul(in.st.ctm)
	}
	if in.st.ctm.Finite() {
		if b := in.f.Nums(d["BBox"]); len(b) == 4 {
			in.st.clip = in.st.clip.Intersect(in.st.ctm.Box(b[0], b[1], b[2], b[3]))
		}
		in.run(data, res)
	}
	in.forms = in.forms[:len(in.forms)-1]
	in.st, in.stack, in.tm, in.tlm, in.marks, in.off = saved, stack, tm, tlm, marks, off
}
