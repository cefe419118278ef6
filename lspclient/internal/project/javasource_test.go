package project

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseJava(t *testing.T) {
	for _, tt := range []struct {
		name, text string
		want       javaSource
	}{
		{"nothing", "", javaSource{}},
		{"no package", "class A {}\n", javaSource{}},
		{"a comment before", "/* package wrong; */\n// package wrong;\npackage a.b;\nclass A {}", javaSource{Package: "a.b"}},
		{"annotations before", "@Nonnull(when = \"package c;\")\npackage a . b ;\n", javaSource{Package: "a.b"}},
		{"imports", "package a;\nimport x.Y;\nimport x.z.*;\nimport static q.R.s;\nimport static q.T.*;\npublic class A { int package_; }\nimport late.Late;\n", javaSource{
			Package: "a",
			Imports: []JavaImport{
				{Name: "x.Y"}, {Name: "x.z", All: true}, {Name: "q.R", All: true, stat: true}, {Name: "q.T", All: true, stat: true},
			},
		}},
		{"a text block", "@X(\"\"\"\n package b; \"quoted\"\n \"\"\") package a;", javaSource{Package: "a"}},
		{"a string that is not closed", "@X(\"\npackage a;\n", javaSource{Package: "a"}},
		{"a comment that is not closed", "package a; /* import b.C;", javaSource{Package: "a"}},
		{"half an import", "package a;\nimport b.", javaSource{Package: "a"}},
		{"rubbish in a name", "package a(b);\nimport c.D;", javaSource{Imports: []JavaImport{{Name: "c.D"}}}},
	} {
		if diff := cmp.Diff(tt.want, parseJava([]byte(tt.text)), cmp.AllowUnexported(javaSource{}, JavaImport{})); diff != "" {
			t.Errorf("%s: parseJava(%q) (-want +got):\n%s", tt.name, tt.text, diff)
		}
	}
}

func TestWordsInJava(t *testing.T) {
	for _, tt := range []struct {
		text    string
		want    []int
		escaped bool
	}{
		{"peak(peak, apeak, peaks, _peak, $peak)", []int{0, 5}, false},
		{"// peak\npeak /* peak */ peak", []int{8, 24}, false},
		{`"peak" + 'p' + "\"peak" + peak`, []int{26}, false},
		{"\"\"\"\npeak \" peak \\\"\"\" \"\"\" peak", []int{25}, false},
		{"0xpeak 1peak 7_peak peak", []int{20}, false},
		{`'\'' + peak`, []int{7}, false},
		{`p\u0065ak()`, nil, true},
		{`"p\u0065ak" + peak`, []int{14}, false},
		{"größe.peak", []int{8}, false},
	} {
		list, escaped := JavaWords("A.java", []byte(tt.text), "peak")
		var got []int
		for _, p := range list {
			got = append(got, p.Start)
			if tt.text[p.Start:p.End] != "peak" {
				t.Errorf("%q: the place at %d holds %q", tt.text, p.Start, tt.text[p.Start:p.End])
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" || escaped != tt.escaped {
			t.Errorf("wordsIn(%q), escaped %v (-want +got):\n%s", tt.text, escaped, diff)
		}
	}
}

// FuzzParseJava: whatever a file holds, what is read of it are words of it, in order, and the walk ends.
func FuzzParseJava(f *testing.F) {
	for _, s := range []string{"package a.b;\nimport c.D;\nclass A { String s = \"x\"; }", "\"\"\" \\", "/*", "'", "import static a.*;", "0x\\u", "package \x00;", "\xff\xfe"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		parseJava(text)
		code := JavaCode{Text: text}
		last := 0
		for {
			from, to, ok := code.Word()
			if !ok {
				break
			}
			if from < last || to <= from || to > len(text) {
				t.Fatalf("a word at %d to %d behind %d of %d bytes", from, to, last, len(text))
			}
			last = to
		}
	})
}

func TestForeignImports(t *testing.T) {
	facts := &JavaFacts{pkgs: map[string]bool{"a.b": true, "": true}, types: map[string]bool{"a.b.C": true}}
	for text, want := range map[string]int{
		"import java.util.List;":                                       0,
		"import javax.swing.JFrame; import org.w3c.dom.Node;":          0,
		"import javax.inject.Inject;":                                  1,
		"import com.sun.jna.Library;":                                  1,
		"import com.sun.net.httpserver.*;":                             0,
		"import a.b.C; import a.b.C.Inner; import a.b.*;":              0,
		"import static a.b.C.d; import static a.b.C.*;":                0,
		"import a.b.Generated;":                                        1,
		"import a.*;":                                                  1,
		"import static org.junit.Assert.*; import org.junit.Test;":     2,
		"import static java.util.Objects.requireNonNull;":              0,
		"import javaxy.Z; import javafx.application.Application;":      2,
		"import static a.b.Other.d;":                                   1,
		"import javax.xml.parsers.SAXParser; import javax.xml.bind.X;": 1,
	} {
		if got := facts.Foreign(parseJava([]byte(text))); len(got) != want {
			t.Errorf("%s: %d are foreign, want %d: %+v", text, len(got), want, got)
		}
	}
}
