package opc

import (
	"archive/zip"
	"bytes"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

func pack(t *testing.T, parts ...string) *Package {
	t.Helper()
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	for i := 0; i < len(parts); i += 2 {
		w, err := z.Create(parts[i])
		if err == nil {
			_, err = w.Write([]byte(parts[i+1]))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	p, err := Open(t.Context(), bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Targets are found from the part that names them, and none is outside of the file.
func TestRelationships(t *testing.T) {
	p := pack(t,
		"/word/document.xml", "<a/>", "word/media/a b.png", "", "word\\styles.xml", "<a/>", "../escape.xml", "<a/>",
		"word/_rels/document.xml.rels", `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
			<Relationship Id="r1" Type="http://x/styles" Target="styles.xml"/>
			<Relationship Id="r2" Type="http://x/image" Target="media/a%20b.png"/>
			<Relationship Id="r3" Type="http://x/hyperlink" Target="http://example.org/" TargetMode="External"/>
			<Relationship Id="r4" Type="http://x/up" Target="../../../../Word/Document.xml"/>
			<Relationship Id="r5" Type="http://x/gone" Target="gone.xml"/>
			<Relationship Id="r6" Type="http://x/file" Target="file:///etc/passwd"/>
		</Relationships>`)
	rs, err := p.Relationships("word/document.xml")
	if err != nil {
		t.Fatal(err)
	}
	want := []Relationship{
		{"r1", "styles", "word/styles.xml"}, {"r2", "image", "word/media/a b.png"}, {"r3", "hyperlink", ""}, {"r4", "up", "Word/Document.xml"}, {"r5", "gone", ""}, {"r6", "file", ""},
	}
	if diff := cmp.Diff(want, rs.All); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if _, err := p.Tree(rs.ID("r4")); err != nil {
		t.Error(err)
	}
	if rs.Type("styles") != "word/styles.xml" || rs.Type("hyperlink") != "" || rs.ID("none") != "" {
		t.Errorf("%+v", rs)
	}
	if _, err := p.Tree("word/gone.xml"); !errors.Is(err, errs.Format) {
		t.Errorf("a part that is not there: %v", err)
	}
	if rs, err := p.Relationships("word/styles.xml"); rs.All != nil || err != nil {
		t.Errorf("a part without relationships: %v, %v", rs, err)
	}
}

func TestProperties(t *testing.T) {
	const rels = `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="a" Type="http://x/metadata/core-properties" Target="core.xml"/></Relationships>`
	const head = `<c:coreProperties xmlns:c="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:d="http://purl.org/dc/elements/1.1/" xmlns:t="http://purl.org/dc/terms/">`
	for _, tt := range []struct {
		in   string
		want extract.Meta
	}{
		{"", extract.Meta{}},
		{
			"<d:title> A\n title</d:title><d:creator>Ada; Ben ;</d:creator><t:created>2020-01-02T03:04:05Z</t:created><t:modified>2021-02</t:modified><c:keywords>a, b</c:keywords>",
			extract.Meta{Title: "A title", Authors: []string{"Ada", "Ben"}, Date: "2021-02", Keywords: "a, b"},
		},
		{"<t:modified>yesterday</t:modified><t:created>2020-01-02</t:created>", extract.Meta{Date: "2020-01-02"}},
	} {
		m, err := pack(t, "_rels/.rels", rels, "core.xml", head+tt.in+"</c:coreProperties>").Properties()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, m); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.in, diff)
		}
	}
}
