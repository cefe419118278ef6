package drawing

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

func tree(t *testing.T, xml string) *xmlnode.Node {
	t.Helper()
	n, err := xmlnode.Parse("p", strings.NewReader(strings.Replace(xml, ">", ` xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart">`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// The boxes of a diagram come with those below them, in the order that the connections say; a circle ends, and a box that nothing leads to comes last.
func TestItems(t *testing.T) {
	pt := func(id, kind, text string) string {
		return `<dgm:pt modelId="` + id + `" type="` + kind + `"><dgm:t><a:p><a:r><a:t>` + text + `</a:t></a:r></a:p></dgm:t></dgm:pt>`
	}
	cxn := func(from, to, order string) string {
		return `<dgm:cxn srcId="` + from + `" destId="` + to + `" srcOrd="` + order + `"/>`
	}
	got := items(tree(t, `<dgm:dataModel><dgm:ptLst>`+pt("0", "doc", "")+pt("1", "node", "second")+pt("2", "", "first")+pt("3", "asst", "below")+pt("4", "pres", "not shown")+pt("5", "node", "alone")+
		`</dgm:ptLst><dgm:cxnLst>`+cxn("0", "1", "1")+cxn("0", "2", "0")+cxn("2", "3", "0")+cxn("3", "2", "0")+`</dgm:cxnLst></dgm:dataModel>`))
	want := []Item{{"first", 0}, {"below", 1}, {"second", 0}, {"alone", 0}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestPoints(t *testing.T) {
	pt := func(i, v string) string { return `<c:pt idx="` + i + `"><c:v>` + v + `</c:v></c:pt>` }
	for _, tt := range []struct {
		in   string
		want []string
	}{
		{`<c:numCache>` + pt("1", "0.30000000000000004") + pt("0", "7") + `</c:numCache>`, []string{"7", "0.3"}},
		{`<c:multiLvlStrCache><c:lvl>` + pt("0", "Jan") + pt("1", "Feb") + `</c:lvl><c:lvl>` + pt("0", "2026") + `</c:lvl></c:multiLvlStrCache>`, []string{"2026 Jan", "Feb"}},
		{`<c:strLit>` + pt("-1", "x") + pt("99999999", "x") + `</c:strLit>`, nil},
		{``, nil},
	} {
		if diff := cmp.Diff(tt.want, points(tree(t, `<c:cat>`+tt.in+`</c:cat>`))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}

// A title without words is the name of the only series; of several, none is.
func TestChartTitle(t *testing.T) {
	ser := func(name string) string {
		return `<c:ser><c:tx><c:v>` + name + `</c:v></c:tx><c:val><c:numLit><c:pt idx="0"><c:v>7</c:v></c:pt></c:numLit></c:val></c:ser>`
	}
	for _, tt := range []struct{ title, series, want string }{
		{"<c:title/>", ser("Rain"), "Rain"},
		{"<c:title/>", ser("Rain") + ser("Snow"), ""},
		{"", ser("Rain"), ""},
		{"<c:title><a:p><a:r><a:t>Weather</a:t></a:r></a:p></c:title>", ser("Rain"), "Weather"},
	} {
		got := chart(tree(t, `<c:chartSpace><c:chart>`+tt.title+`<c:plotArea><c:barChart>`+tt.series+`</c:barChart></c:plotArea></c:chart></c:chartSpace>`))
		if got.Caption != tt.want || len(got.Rows) != 2 {
			t.Errorf("%s %s: caption %q of %d rows, want %q", tt.title, tt.series, got.Caption, len(got.Rows), tt.want)
		}
	}
}

func TestDescription(t *testing.T) {
	for _, tt := range []struct{ descr, title, want string }{
		{"A bar", "", "A bar"}, {"A bar", "Rain", "Rain: A bar"}, {"image1.PNG", "", ""}, {"image1.png", "Rain", "Rain"}, {"A map\nDescription automatically generated", "", "A map"}, {"", "", ""},
	} {
		n := &xmlnode.Node{Attrs: []xmlnode.Attr{{Name: "descr", Value: tt.descr}, {Name: "title", Value: tt.title}}}
		if got := Description(n); got != tt.want {
			t.Errorf("%q, %q: %q, want %q", tt.descr, tt.title, got, tt.want)
		}
	}
}
