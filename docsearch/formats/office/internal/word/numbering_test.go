package word

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

func tree(t *testing.T, xml string) *xmlnode.Node {
	t.Helper()
	n, err := xmlnode.Parse("test", strings.NewReader(`<w:x xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">`+xml+`</w:x>`))
	if err != nil {
		t.Fatal(err)
	}
	return n
}

func level3(i int, format, text, more string) string {
	return `<w:lvl w:ilvl="` + string(rune('0'+i)) + `"><w:start w:val="1"/><w:numFmt w:val="` + format + `"/>` + more + `<w:lvlText w:val="` + text + `"/></w:lvl>`
}

// Lists count as Word shows them: lists of one pattern go on, an override of the start begins again once, a level begins again after one that is higher.
func TestNumbering(t *testing.T) {
	lists := `<w:abstractNum w:abstractNumId="0">` + level3(0, "decimal", "%1", "") + level3(1, "lowerLetter", "%1.%2", "") + level3(2, "lowerRoman", "(%3)", `<w:lvlRestart w:val="0"/>`) + `</w:abstractNum>
		<w:abstractNum w:abstractNumId="1">` + level3(0, "upperRoman", "Part %1", "") + level3(1, "decimal", "%1.%2", "<w:isLgl/>") + level3(2, "bullet", "•", "") + level3(3, "none", "Note:", "") + `</w:abstractNum>
		<w:abstractNum w:abstractNumId="2"><w:numStyleLink w:val="ListStyle"/></w:abstractNum>
		<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>
		<w:num w:numId="2"><w:abstractNumId w:val="0"/></w:num>
		<w:num w:numId="3"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="5"/></w:lvlOverride></w:num>
		<w:num w:numId="4"><w:abstractNumId w:val="1"/></w:num>
		<w:num w:numId="5"><w:abstractNumId w:val="2"/></w:num>
		<w:num w:numId="6"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0">` + level3(0, "decimalZero", "#%1", "") + `</w:lvlOverride></w:num>`
	s := newStyles(tree(t, `<w:style w:type="numbering" w:styleId="ListStyle"><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr></w:pPr></w:style>`))
	for _, tt := range []struct {
		name  string
		items []form
		want  string
	}{
		{"levels", []form{{num: "1"}, {num: "1", depth: 1}, {num: "1", depth: 1}, {num: "1"}, {num: "1", depth: 1}}, "1 1.a 1.b 2 2.a"},
		{"another list of the pattern goes on", []form{{num: "1"}, {num: "2"}, {num: "1"}}, "1 2 3"},
		{"a start of its own counts once", []form{{num: "1"}, {num: "3"}, {num: "3"}, {num: "1"}}, "1 5 6 7"},
		{"a level below one that was not used", []form{{num: "1", depth: 1}, {num: "1", depth: 1}}, "1.a 1.b"},
		{"a level that never begins again", []form{{num: "1", depth: 2}, {num: "1"}, {num: "1", depth: 2}}, "(i) 1 (ii)"},
		{"Roman, and decimal where the law wants it", []form{{num: "4"}, {num: "4"}, {num: "4", depth: 1}}, "Part I Part II 2.1"},
		{"a bullet, and words alone", []form{{num: "4", depth: 2}, {num: "4", depth: 3}}, "* Note:"},
		{"through a style", []form{{num: "5"}, {num: "5"}}, "Part I Part II"},
		{"a level of its own", []form{{num: "6"}}, "#01"},
		{"none", []form{{num: "0"}, {num: ""}, {num: "99"}}, "- - -"},
		{"a depth that no list has", []form{{num: "1", depth: 77}, {num: "1", depth: -1}}, " 1"},
	} {
		x := newNumbering(tree(t, lists), s)
		var got []string
		for _, f := range tt.items {
			n, ok := x.next(f)
			switch {
			case !ok:
				got = append(got, "-")
			case n.bullet:
				got = append(got, "*")
			default:
				got = append(got, n.text)
			}
		}
		if diff := cmp.Diff(tt.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

func TestCountText(t *testing.T) {
	for _, tt := range []struct {
		n            int
		format, want string
	}{
		{27, "lowerLetter", "aa"}, {52, "upperLetter", "ZZ"}, {1 << 30, "lowerLetter", "1073741824"}, {1994, "upperRoman", "MCMXCIV"}, {4000, "lowerRoman", "4000"}, {0, "lowerRoman", "0"}, {-3, "decimal", "-3"},
		{11, "ordinal", "11th"}, {22, "ordinal", "22nd"}, {3, "decimalEnclosedCircle", "③"}, {7, "decimalZero", "07"}, {12, "decimalZero", "12"}, {5, "unknown", "5"}, {29, "russianLower", "29"},
	} {
		if got := countText(tt.n, tt.format); got != tt.want {
			t.Errorf("%d as %s: %q, want %q", tt.n, tt.format, got, tt.want)
		}
	}
}

// The level of a heading is found by outline, by name, and through the styles that one is based on, which may go in a circle.
func TestForm(t *testing.T) {
	s := newStyles(tree(t, `
		<w:style w:type="paragraph" w:styleId="a" w:default="1"><w:name w:val="Normal"/></w:style>
		<w:style w:type="paragraph" w:styleId="h2"><w:name w:val="heading 2"/><w:basedOn w:val="a"/></w:style>
		<w:style w:type="paragraph" w:styleId="mine"><w:name w:val="My heading"/><w:basedOn w:val="h2"/></w:style>
		<w:style w:type="paragraph" w:styleId="de"><w:name w:val="Überschrift 3"/></w:style>
		<w:style w:type="paragraph" w:styleId="out"><w:name w:val="Clause"/><w:pPr><w:outlineLvl w:val="4"/></w:pPr></w:style>
		<w:style w:type="paragraph" w:styleId="body"><w:name w:val="Not a heading"/><w:basedOn w:val="h2"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>
		<w:style w:type="paragraph" w:styleId="x"><w:basedOn w:val="y"/></w:style>
		<w:style w:type="paragraph" w:styleId="y"><w:basedOn w:val="x"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>
		<w:style w:type="paragraph" w:styleId="toc"><w:name w:val="toc 1"/><w:pPr><w:outlineLvl w:val="0"/></w:pPr></w:style>`))
	for _, tt := range []struct {
		ppr  string
		want int
	}{
		{`<w:pStyle w:val="h2"/>`, 2}, {`<w:pStyle w:val="mine"/>`, 2}, {`<w:pStyle w:val="de"/>`, 3}, {`<w:pStyle w:val="out"/>`, 5}, {`<w:pStyle w:val="body"/>`, 0}, {`<w:pStyle w:val="x"/>`, 1},
		{`<w:pStyle w:val="toc"/>`, 0}, {`<w:pStyle w:val="Heading3"/>`, 3}, {`<w:pStyle w:val="h2"/><w:outlineLvl w:val="0"/>`, 1}, {`<w:pStyle w:val="h2"/><w:outlineLvl w:val="9"/>`, 0}, {``, 0},
	} {
		if got := s.form(tree(t, tt.ppr)).level; got != tt.want {
			t.Errorf("%s: level %d, want %d", tt.ppr, got, tt.want)
		}
	}
}
