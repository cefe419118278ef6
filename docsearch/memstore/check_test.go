package memstore

import (
	"errors"
	"testing"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

func TestCheck(t *testing.T) {
	s := New().(*store)
	doc := func(id, text string) *driver.Document {
		return &driver.Document{ID: id, Data: []byte("{}"), Records: []driver.Record{{Kind: driver.KindChunk, Text: text, Heads: "a head"}}}
	}
	if err := s.Replace(t.Context(), []*driver.Document{doc("a", "words of one"), doc("b", "words of another")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Replace(t.Context(), []*driver.Document{doc("a", "other words")}); err != nil {
		t.Fatal(err)
	}
	if err := s.Delete(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if err := s.Check(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.docs["a"].records[0].Text = "quite other words"
	if err := s.Check(t.Context()); !errors.Is(err, errs.Format) {
		t.Errorf("Check of a text that changed: %v, want ErrFormat", err)
	}
}
