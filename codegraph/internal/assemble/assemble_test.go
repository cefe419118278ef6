package assemble

import (
	"bytes"
	"encoding/binary"
	"runtime/metrics"
	"testing"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/link"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// The number of a declaration, which may be any in a saved block, asks for no memory.
func TestCraftedDeclaration(t *testing.T) {
	var b lang.Builder
	b.Declare(lang.Decl{Name: "f", Kind: lang.Function, Parent: lang.File, Span: lang.Span{Start: 1, End: 9, Line: 1, EndLine: 3}})
	g, err := Next(&snapshot.Graph{}, []*Part{{Linked: &link.Linked{File: &symtab.File{Path: "a.go", Facts: &b.Facts}}}}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, ok := g.SlotAt("a.go")
	if !ok {
		t.Fatal("a.go is not there")
	}
	raw := bytes.Clone(g.Slots[s].Block.Raw)
	binary.LittleEndian.PutUint32(raw[block.HeaderSize+4*(block.NodeWords+block.NodeDecl):], block.MaxLocal-1)
	if g.Slots[s].Block, err = block.Parse(raw); err != nil {
		t.Fatal(err)
	}
	a := &assembly{g: g, slotOf: map[string]uint32{"a.go": s}, locals: map[uint32]map[uint32]uint32{}}
	allocated := func() uint64 {
		m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
		metrics.Read(m)
		return m[0].Value.Uint64()
	}
	before := allocated()
	if _, _, err := a.number(&symtab.File{Path: "a.go", Facts: &lang.Facts{}}, 3); err == nil {
		t.Error("a declaration is found that is not there")
	}
	if used := allocated() - before; used > 1<<20 {
		t.Errorf("%d MB of memory are asked for", used>>20)
	}
}
