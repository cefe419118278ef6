package asciidoc_test

import (
	"testing"

	"github.com/findspot/findspot/docsearch/formats/asciidoc"
	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, asciidoc.New(), ".adoc") }

func FuzzAsciiDoc(f *testing.F) { formattest.Fuzz(f, asciidoc.New(), ".adoc") }

// TestBroken reads what once made the reader panic, or nearly did.
func TestBroken(t *testing.T) {
	for _, s := range []string{"[#%]\nx", "[#.]\nx", "[.]\nx", "[%]\nx", "[format=csv,separator=]\n|===\na\n|===\n"} {
		formattest.Check(t, asciidoc.New(), []byte(s))
	}
}

func TestHostile(t *testing.T) {
	formattest.Hostile(t, asciidoc.New(), "*a ", "`a ", "`+a ", "_a_", "<<a", "((a", "(((a", "[a", "{a", "{counter:a}", "footnote:[", "link:a[", "* a\n", "** a\n* b\n", "+\n", "a::\n", "|===\n", "----\n", "====\n", "--\n", "[a]\n", ":a: {a}{a}\n", "ifdef::a[]\n", "ifdef::asciidoctor[]\n", ".a\n", "http://", "'`", "\"`", "^", "~a", "++a", "$$", "[[[a", "pass:[",
		"http://a[b] ", "link:a[b] ", "http://a[", "xref:a", "pass:a,", "{a:", "{set:a:b}", "a--b", ":a", "c:", "[a]", "<<a ", "((a ", "mailto:", "\\a:")
}
