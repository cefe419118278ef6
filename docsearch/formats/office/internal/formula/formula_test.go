package formula

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

func TestText(t *testing.T) {
	r := func(s string) string { return "<m:r><m:t>" + s + "</m:t></m:r>" }
	e := func(name, s string) string { return "<m:" + name + ">" + s + "</m:" + name + ">" }
	for _, tt := range []struct{ in, want string }{
		{r("a") + r("+") + r("b"), "a+b"},
		{e("f", e("num", r("a+b"))+e("den", r("2c"))), "(a+b)/2c"},
		{e("f", e("fPr", `<m:type m:val="noBar"/>`)+e("num", r("n"))+e("den", r("k"))), "(n ; k)"},
		{e("sSup", e("e", r("a+b"))+e("sup", r("2"))), "(a+b)^2"},
		{e("sSubSup", e("e", r("x"))+e("sub", r("i,j"))+e("sup", r("10"))), "x_(i,j)^10"},
		{e("sPre", e("sub", r("2"))+e("sup", r("4"))+e("e", r("He"))), "_2^4He"},
		{e("rad", e("radPr", `<m:degHide m:val="1"/>`)+e("deg", "")+e("e", r("x+1"))), "√(x+1)"},
		{e("rad", e("deg", r("3"))+e("e", r("x"))), "∛(x)"},
		{e("rad", e("deg", r("n"))+e("e", r("x"))), "root(n, x)"},
		{e("nary", e("naryPr", `<m:chr m:val="∑"/>`)+e("sub", r("i=1"))+e("sup", r("n"))+e("e", r("i"))), "∑_(i=1)^n i"},
		{e("nary", e("naryPr", `<m:supHide m:val="1"/>`)+e("sub", r("S"))+e("sup", "")+e("e", r("f"))), "∫_S f"},
		{e("d", e("e", r("a"))+e("e", r("b"))), "(a|b)"},
		{e("d", e("dPr", `<m:begChr m:val="["/><m:endChr m:val=""/><m:sepChr m:val=","/>`)+e("e", r("a"))+e("e", r("b"))), "[a,b"},
		{e("func", e("fName", r("sin"))+e("e", r("x"))), "sin x"},
		{e("func", e("fName", r("f"))+e("e", e("d", e("e", r("x"))))), "f(x)"},
		{e("limLow", e("e", r("lim"))+e("lim", r("n→∞"))), "lim_(n→∞)"},
		{e("acc", e("accPr", `<m:chr m:val="̂"/>`)+e("e", r("x"))), "x̂"},
		{e("bar", e("barPr", `<m:pos m:val="top"/>`)+e("e", r("x"))), "x̄"},
		{e("m", e("mr", e("e", r("a"))+e("e", r("b")))+e("mr", e("e", r("c"))+e("e", r("d")))), "[a, b; c, d]"},
		{e("eqArr", e("e", r("x&amp;=1"))+e("e", r("y&amp;=2"))), "x=1; y=2"},
		{e("phant", e("phantPr", `<m:show m:val="0"/>`)+e("e", r("x"))), ""},
		{e("borderBox", e("e", r("x"))), "x"},
	} {
		n, err := xmlnode.Parse("p", strings.NewReader(`<m:oMath xmlns:m="http://schemas.openxmlformats.org/officeDocument/2006/math">`+tt.in+`</m:oMath>`))
		if err != nil {
			t.Fatal(err)
		}
		if got := Text(n); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.in, got, tt.want)
		}
	}
}
