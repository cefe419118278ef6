package rfc_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/docsearch/formats/rfc"
	"github.com/findspot/findspot/internal/errs"
)

func TestText(t *testing.T) { formattest.Golden(t, rfc.New(nil), ".txt") }

func TestXML(t *testing.T) { formattest.Golden(t, rfc.NewXML(), ".xml") }

func FuzzRFC(f *testing.F) { formattest.Fuzz(f, rfc.New(nil), ".txt") }

func FuzzRFCXML(f *testing.F) { formattest.Fuzz(f, rfc.NewXML(), ".xml") }

// TestOther: what is no RFC goes to the other reader, and fails without one.
func TestOther(t *testing.T) {
	const note = "Dear harbour,\n\nsee RFC 9999.\n"
	if _, err := formattest.Read(t.Context(), rfc.New(nil), []byte(note)); !errors.Is(err, errs.Format) {
		t.Errorf("a letter is read as an RFC: %v", err)
	}
	if _, err := formattest.Read(t.Context(), rfc.New(rfc.NewXML()), []byte(note)); err == nil {
		t.Error("a letter did not go to the other reader")
	}
	if rfc.Is(note) || !rfc.Is("\n\nNetwork Working Group     M. Lind\nRequest for Comments: 9999\n") {
		t.Error("Is takes a letter for an RFC, or an RFC for none")
	}
}

// TestEntities: entities do not grow, and those of other files are named.
func TestEntities(t *testing.T) {
	const src = `<!DOCTYPE rfc [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;&a;"><!ENTITY f SYSTEM "file:///etc/passwd">]><rfc><front><title>T</title></front><middle><section title="S"><t>&b; &f;</t></section></middle></rfc>`
	got, err := formattest.Read(t.Context(), rfc.NewXML(), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(got, "(includes file:///etc/passwd)") || strings.Contains(got, "aaaa") {
		t.Errorf("entities: %s", got)
	}
	deep := "<rfc>" + strings.Repeat("<section>", 1000)
	if _, err := formattest.Read(t.Context(), rfc.NewXML(), []byte(deep)); !errors.Is(err, errs.TooLarge) {
		t.Errorf("1000 elements in one another: %v", err)
	}
}

func TestHostile(t *testing.T) {
	formattest.Hostile(t, rfc.NewXML(), "<t>", "<rfc>", "&a;", "<rfc/><a>", "<!ENTITY a \"b\">")
	formattest.Hostile(t, rfc.New(nil), "RFC 1\n", "RFC 1\nA. B\n", "RFC 1\n1. a\n", "RFC 1\n\n1. a\n")
}
