package mark

import (
	"bytes"
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// A page that is not as it was is not kept.
func TestReadBack(t *testing.T) {
	b := pdftest.NewBuilder()
	note := b.Add("<</Type/Annot/Subtype/Text/Rect[0 0 9 9]>>")
	b.Page(pdftest.Helvetica, "BT /F 10 Tf 50 700 Td (some words to mark) Tj ET", "/Annots[3 0 R]/UserUnit 1.25/X<</a[1(b)/c null]>>")
	data := b.Bytes()
	var out bytes.Buffer
	if _, err := Write(t.Context(), &out, bytes.NewReader(data), int64(len(data)), []Mark{{Text: "words"}}, nil); err != nil {
		t.Fatal(err)
	}
	one := annotation{page: 1, object: b.Pages[0], name: "findspot-1-1", quads: make([]quad, 1)}
	for name, tt := range map[string]struct {
		was func(cos.Dict, *annotation)
		ok  bool
	}{
		"as it is":             {func(cos.Dict, *annotation) {}, true},
		"a number with digits": {func(d cos.Dict, _ *annotation) { d["UserUnit"] = cos.Float(1.25 + 1e-12) }, true},
		"another number":       {func(d cos.Dict, _ *annotation) { d["UserUnit"] = cos.Float(1.26) }, false},
		"another entry":        {func(d cos.Dict, _ *annotation) { d["Tabs"] = cos.Name("S") }, false},
		"a list with more":     {func(d cos.Dict, _ *annotation) { d["X"] = cos.Dict{"a": cos.Array{cos.Integer(1)}} }, false},
		"a dictionary less":    {func(d cos.Dict, _ *annotation) { d["X"] = cos.Dict{} }, false},
		"another type":         {func(d cos.Dict, _ *annotation) { d["X"] = cos.Integer(1) }, false},
		"more annotations":     {func(d cos.Dict, _ *annotation) { d["Annots"] = cos.Array{cos.Ref{Num: note}, cos.Ref{Num: note}} }, false},
		"other annotations":    {func(d cos.Dict, _ *annotation) { d["Annots"] = cos.Array{cos.Ref{Num: 1}} }, false},
		"another mark":         {func(_ cos.Dict, a *annotation) { a.name = "findspot-2-1" }, false},
		"more quadrilaterals":  {func(_ cos.Dict, a *annotation) { a.quads = make([]quad, 2) }, false},
	} {
		pages, err := writable(t.Context(), data)
		if err != nil {
			t.Fatal(err)
		}
		a := one
		tt.was(pages[0].Dict, &a)
		if err := readBack(t.Context(), out.Bytes(), pages, []annotation{a}); (err == nil) != tt.ok {
			t.Errorf("%s: %v", name, err)
		}
	}
}
