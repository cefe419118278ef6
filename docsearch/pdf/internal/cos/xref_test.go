package cos

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
)

// Each file shows the same page; notes are words that the faults reported must hold.
func TestOpen(t *testing.T) {
	good := onePage().pdf("")
	at := bytes.LastIndex(good, []byte("xref\n0 1"))
	replace := func(b []byte, old, new string) []byte {
		if !bytes.Contains(b, []byte(old)) {
			t.Fatalf("no %q in the file", old)
		}
		return bytes.ReplaceAll(b, []byte(old), []byte(new))
	}
	updated := func(change objects, trailer string) []byte {
		out := bytes.NewBuffer(bytes.Clone(good))
		change.table(out, change.body(out), fmt.Sprintf("/Prev %d%s", at, trailer))
		return out.Bytes()
	}
	hybrid := func() []byte {
		var out bytes.Buffer
		out.WriteString("%PDF-1.5\n")
		o := onePage()
		stream := flated("/Type/ObjStm/N 1/First 4", "5 0 12")
		offs := o.with(7, stream).with(5, "99").body(&out)
		delete(offs, 5)
		x := out.Len()
		fmt.Fprintf(&out, "8 0 obj\n%s\nendobj\n", flated("/Type/XRef/W[1 1 1]/Index[5 1]/Size 9", "\x02\x07\x00"))
		tab := out.Len()
		out.WriteString("xref\n0 1\n0000000000 65535 f \n5 1\n0000000000 00000 f \n")
		for n, off := range offs {
			fmt.Fprintf(&out, "%d 1\n%010d 00000 n \n", n, off)
		}
		fmt.Fprintf(&out, "trailer\n<</Size 9/Root 1 0 R/XRefStm %d>>\nstartxref\n%d\n%%%%EOF\n", x, tab)
		return out.Bytes()
	}
	tests := []struct {
		name  string
		data  []byte
		notes string
	}{
		{"table", good, ""},
		{"streams", onePage().packed(""), ""},
		{"hybrid", hybrid(), ""},
		{"junk before the header", append([]byte(strings.Repeat("junk ", 100)+"\n"), good...), ""},
		{"junk and an offset from the file's beginning", replace(append([]byte("junk\n"), good...), fmt.Sprintf("startxref\n%d", at), fmt.Sprintf("startxref\n%d", at+5)), "found elsewhere"},
		{"junk at the end", append(bytes.Clone(good), bytes.Repeat([]byte{0}, 3000)...), ""},
		{"carriage returns", bytes.ReplaceAll(good, []byte(" \n"), []byte(" \r")), ""},
		{"entries of 19 bytes", replace(good, " n \n", " n\n"), ""},
		{"startxref of another place", replace(good, fmt.Sprintf("startxref\n%d", at), "startxref\n20"), "whole file"},
		{"no startxref", good[:at], "whole file"},
		{"no header", good[9:], "whole file"},
		{"offsets that lead elsewhere", replace(good, " 00000 n ", "\b00000 n "), "whole file"},
		{"one wrong offset", replace(good, fmt.Sprintf("%010d 00000 n", bytes.Index(good, []byte("4 0 obj"))), "0000000011 00000 n"), "found elsewhere"},
		{"offset of another object", replace(good, fmt.Sprintf("%010d 00000 n", bytes.Index(good, []byte("4 0 obj"))),
			fmt.Sprintf("%010d 00000 n", bytes.Index(good, []byte("5 0 obj")))), "object 5 stands there"},
		{"no catalog where the trailer says", replace(good, "/Root 1 0 R", "/Root 5 0 R"), "no page tree"},
		{"first section numbered from 1", replace(replace(good, "xref\n0 1\n", "xref\n1 2\n"), "\n1 1\n", "\n"), ""},
		{"wrong length", onePage().with(5, "3").pdf(""), ""},
		{"length that is too long", onePage().with(5, "3000").pdf(""), ""},
		{"length that needs its own stream", onePage().with(4, "<</Length 4 0 R>>stream\nBT (x) Tj ET\nendstream").pdf(""), ""},
		{"no endstream", replace(replace(good, "endstream\n", ""), "/Length 5 0 R", ""), "whole file"},
		{"an update", updated(objects{4: "<<>>stream\r\nBT (x) Tj ET\r\nendstream"}, "/Root 1 0 R"), ""},
		{"an update without a root", updated(objects{6: "null"}, ""), ""},
		{"a section that precedes itself", updated(objects{6: "null"}, "/Root 1 0 R/Prev "+fmt.Sprint(len(good)+len("6 0 obj\nnull\nendobj\n"))), "its own predecessor"},
		{"a predecessor that is lost", replace(updated(objects{6: "null"}, "/Root 1 0 R"), fmt.Sprintf("/Prev %d", at), "/Prev 99999"), "xref at byte 99999"},
		{"without cross-reference stream", cutAt(onePage().packed(""), "91 0 obj"), "whole file"},
		{"catalog lost", replace(replace(good, "/Root 1 0 R", ""), "/Size", "/Sise"), "no page tree"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var notes []string
			f, err := openBytes(tt.data, &Options{Note: func(err error) { notes = append(notes, err.Error()) }})
			if err != nil {
				t.Fatal(err)
			}
			got, err := content(t, f)
			if err != nil || got != shown {
				t.Errorf("the page shows %q, %v; want %q", got, err, shown)
			}
			if s := strings.Join(notes, "\n"); !strings.Contains(s, tt.notes) || tt.notes == "" && s != "" {
				t.Errorf("notes are %q, want something with %q", s, tt.notes)
			}
		})
	}
}

func cutAt(b []byte, word string) []byte { return b[:bytes.LastIndex(b, []byte(word))] }

func TestNewestWins(t *testing.T) {
	good := onePage().with(4, "<</Length 3>>stream\nold\nendstream").pdf("")
	out := bytes.NewBuffer(bytes.Clone(good))
	change := objects{4: "<</Length 3>>stream\nnew\nendstream"}
	change.table(out, change.body(out), fmt.Sprintf("/Root 1 0 R/Prev %d", bytes.LastIndex(good, []byte("xref\n0 1"))))
	for name, data := range map[string][]byte{"followed": out.Bytes(), "scanned": bytes.ReplaceAll(out.Bytes(), []byte("startxref"), nil)} {
		f, err := openBytes(data, nil)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := content(t, f); got != "new" || err != nil {
			t.Errorf("%s: the page shows %q, %v; want the newest", name, got, err)
		}
	}
}

// What looks like objects within a stream is none, and the page's own objects stay.
func TestScanSkipsStreams(t *testing.T) {
	inner := onePage().with(4, "<</Length 5>>stream\ninner\nendstream").pdf("")
	o := onePage()
	o[6] = fmt.Sprintf("<</Type/EmbeddedFile/Length %d>>stream\n%s\nendstream", len(inner), inner)
	f, err := openBytes(cutAt(o.pdf(""), "xref\n0 1"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := content(t, f); got != shown || err != nil {
		t.Errorf("the page shows %q, %v; want that of the outer file", got, err)
	}
}

func TestOpenErrors(t *testing.T) {
	loop := onePage().with(3, "3 0 R")
	tests := []struct {
		name string
		data []byte
		want error
		text string
	}{
		{"empty", nil, errs.Format, "not a PDF"},
		{"text", []byte(strings.Repeat("no such thing\n", 100)), errs.Format, "not a PDF"},
		{"header only", []byte("%PDF-1.4\n"), errs.Format, "startxref"},
		{"public key", onePage().with(9, "<</Filter/Adobe.PubSec/V 4>>").pdf("/Encrypt 9 0 R"), errs.Encrypted, "Adobe.PubSec"},
		{"unknown method", onePage().with(9, "<</Filter/Standard/V 9>>").pdf("/Encrypt 9 0 R"), errs.Encrypted, "V 9"},
		{"revision of another method", onePage().with(9, fmt.Sprintf("<</Filter/Standard/V 5/R 2/O(%032d)/U(%032d)>>", 0, 0)).pdf("/Encrypt 9 0 R"), errs.Encrypted, "password"},
		{"keys missing", onePage().with(9, "<</Filter/Standard/V 2/R 3>>").pdf("/Encrypt 9 0 R"), errs.Format, "lacks its keys"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := openBytes(tt.data, nil)
			if !errors.Is(err, tt.want) || !strings.Contains(err.Error(), tt.text) {
				t.Errorf("Open = %v, want one of %v with %q", err, tt.want, tt.text)
			}
		})
	}
	f, err := openBytes(loop.pdf(""), nil)
	if err != nil {
		t.Fatal(err)
	}
	if o := f.Resolve(context.Background(), Ref{3, 0}); o != nil {
		t.Errorf("an object that refers to itself is %v, want nil", o)
	}
}

// However a file is cut, it opens or fails without a panic; while the page lies before the cut, it is shown.
func TestCut(t *testing.T) {
	for name, data := range map[string][]byte{"table": onePage().pdf(""), "streams": onePage().packed("")} {
		last := bytes.LastIndex(data, []byte("endstream")) + len("endstream")
		if name == "streams" {
			last = bytes.Index(data, []byte("91 0 obj"))
		}
		for i := range data {
			f, err := openBytes(data[:i], nil)
			if err != nil {
				if !errors.Is(err, errs.Format) {
					t.Fatalf("%s cut at %d: %v", name, i, err)
				}
				if i > last {
					t.Errorf("%s cut at %d: %v", name, i, err)
				}
				continue
			}
			got, err := content(t, f)
			if i > last && (got != shown || err != nil) {
				t.Errorf("%s cut at %d: the page shows %q, %v", name, i, got, err)
			}
		}
	}
}

// Any one byte may be wrong.
func TestFlip(t *testing.T) {
	for _, data := range [][]byte{onePage().pdf(""), onePage().packed("")} {
		for i := range data {
			for _, c := range []byte{0, ' ', '9', '<', '(', 0xFF} {
				b := bytes.Clone(data)
				b[i] = c
				f, err := openBytes(b, nil)
				if err == nil {
					_, _ = content(t, f) // whether it can be shown depends on the byte
				}
			}
		}
	}
}
