package xmlnode

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

const head = `<w:a xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006" xmlns:u="urn:unknown">`

func TestParse(t *testing.T) {
	n, err := Parse("p", strings.NewReader(head+`<w:b w:val="0" plain="x" u:y="z">t<w:c/>u</w:b><u:d/><mc:AlternateContent><mc:Choice Requires="x"><w:e>1</w:e></mc:Choice><mc:Fallback><w:e>2</w:e></mc:Fallback></mc:AlternateContent><mc:AlternateContent><mc:Fallback><w:e>3</w:e></mc:Fallback></mc:AlternateContent></w:a>`))
	if err != nil {
		t.Fatal(err)
	}
	b := n.Child("w:b")
	if n.Name != "w:a" || b.Attr("w:val") != "0" || b.Attr("plain") != "x" || b.Attr("?:y") != "z" || b.Text != "tu" || b.On("w:val") || n.Child("?:d") == nil || n.Child("w:b", "w:c") == nil {
		t.Errorf("%+v", n)
	}
	got := ""
	for e := range n.All("w:e") {
		got += e.Text
	}
	if got != "13" || n.First("w:e").Text != "1" {
		t.Errorf("choices: %q, want 13", got)
	}
	var none *Node
	if none.Child("x").First("y").Attr("z") != "" || none.On("v") || none.Int("v", 7) != 7 {
		t.Error("nil has something")
	}
}

// Streaming goes from element to element, into those that are not skipped.
func TestNext(t *testing.T) {
	r := NewReader("p", strings.NewReader(head+`<w:b><w:c>1</w:c><w:c>2</w:c></w:b><w:d><w:e/></w:d><w:f/></w:a>`))
	got := ""
	for {
		n, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if n == nil {
			if got += ")"; strings.HasSuffix(got, "))") {
				break
			}
			continue
		}
		got += n.Name[2:]
		switch n.Name {
		case "w:c":
			err = r.Tree(n)
			got += n.Text
		case "w:d":
			err = r.Skip()
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if got != "abc1c2)df))" {
		t.Errorf("%q", got)
	}
	if n, err := r.Next(); n != nil || err != nil {
		t.Errorf("after the end: %v, %v", n, err)
	}
}

func TestFaults(t *testing.T) {
	for _, tt := range []struct {
		in   string
		want error
	}{
		{"", errs.Format}, {"<a>", errs.Format}, {"<a></b>", errs.Format}, {"<a>&x;</a>", errs.Format}, {"<!DOCTYPE a><a/>", errs.Format}, {"<a><!DOCTYPE a></a>", errs.Format}, {"\xff\xfe<", errs.Format},
		{strings.Repeat("<a>", maxDepth+1), errs.TooLarge},
	} {
		if n, err := Parse("p", strings.NewReader(tt.in)); !errors.Is(err, tt.want) {
			t.Errorf("%.30q: %v, %v, want %v", tt.in, n, err, tt.want)
		}
	}
	r := NewReader("p", strings.NewReader("<b>"+strings.Repeat("<a>", maxDepth+1)))
	if _, err := r.Next(); err != nil {
		t.Fatal(err)
	}
	if err := r.Skip(); !errors.Is(err, errs.TooLarge) {
		t.Errorf("skipping: %v", err)
	}
}
