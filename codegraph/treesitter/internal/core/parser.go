package core

/*
#cgo CFLAGS: -O2
#cgo darwin LDFLAGS: -Wl,-undefined,dynamic_lookup
#include "flatten.h"
*/
import "C"

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"time"
	"unsafe"

	_ "github.com/smacker/go-tree-sitter" // the parser's objects

	"github.com/findspot/findspot/codegraph/lang"
)

const (
	parseLimit = 5 * time.Second       // for one file
	parseSlice = 50 * time.Millisecond // between checks of the context
	maxDepth   = 1500                  // nesting of a tree; deeper ones are refused
	maxSource  = 64 << 20              // bytes; far over what a repository's options let through
)

// A Grammar is one language of the parser. It is loaded by its first use. Safe for concurrent use.
type Grammar struct {
	Symbols []string // names of the kinds of nodes, by number; of a loaded grammar

	fields []string
	lang   unsafe.Pointer
	load   func() error
	pool   sync.Pool // of *parser
}

// NewGrammar gives the grammar with this name, which language points to. The probe is a line of the language: the parser
// refuses a grammar of another version of its interface without a word, so that loading one parses it.
func NewGrammar(name, probe string, language func() unsafe.Pointer) *Grammar {
	g := &Grammar{}
	g.load = sync.OnceValue(func() error {
		g.lang = language()
		for i := range uint32(C.fs_symbol_count(g.lang)) {
			g.Symbols = append(g.Symbols, C.GoString(C.fs_symbol_name(g.lang, C.uint16_t(i))))
		}
		for i := range uint32(C.fs_field_count(g.lang)) + 1 {
			g.fields = append(g.fields, C.GoString(C.fs_field_name(g.lang, C.uint16_t(i))))
		}
		t, err := g.parse(context.Background(), []byte(probe))
		if err != nil {
			return fmt.Errorf("treesitter: grammar %s (interface %d): %w", name, int(C.fs_version(g.lang)), err)
		}
		if len(t.Nodes) < 2 || t.Errors > 0 {
			return fmt.Errorf("treesitter: grammar %s does not parse %q", name, probe)
		}
		return nil
	})
	return g
}

// Parse gives the tree of a source.
func (g *Grammar) Parse(ctx context.Context, src []byte) (*Tree, error) {
	if err := g.load(); err != nil {
		return nil, err
	}
	return g.parse(ctx, src)
}

// trimAfter is how many bytes of sources are parsed before the memory of their trees is given back to the system.
const trimAfter = 8 << 20

// A trimmer gives the memory that trees took back to the system when no file is being parsed: the allocator of C keeps what
// the largest trees took, for each thread.
type trimmer struct {
	mu     sync.Mutex
	active int
	bytes  int // parsed since the last time
}

var trees trimmer

func (t *trimmer) begin() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active++
}

func (t *trimmer) end(bytes int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.active--
	if t.bytes += bytes; t.active == 0 && t.bytes >= trimAfter {
		t.bytes = 0
		C.fs_trim()
	}
}

type parser struct{ c *C.fs_parser }

func (g *Grammar) open() (*parser, error) {
	if p, ok := g.pool.Get().(*parser); ok {
		return p, nil
	}
	var status C.int
	c := C.fs_open(g.lang, &status)
	if c == nil {
		return nil, fmt.Errorf("parser does not start (status %d)", int(status))
	}
	p := &parser{c}
	runtime.AddCleanup(p, func(c *C.fs_parser) { C.fs_close(c) }, c) // when the pool lets it go
	return p, nil
}

// Facts parses a source and gives what walk makes of its tree.
func (g *Grammar) Facts(ctx context.Context, src []byte, walk func(*Tree) *lang.Facts) (*lang.Facts, error) {
	t, err := g.Parse(ctx, src)
	if err != nil {
		return nil, err
	}
	return walk(t), nil
}

// parse lets the parser work in slices of time, and checks ctx between two.
func (g *Grammar) parse(ctx context.Context, src []byte) (*Tree, error) {
	if len(src) > maxSource {
		return nil, fmt.Errorf("%d bytes, over the parser's limit of %d", len(src), maxSource)
	}
	p, err := g.open()
	if err != nil {
		return nil, err
	}
	trees.begin()
	defer trees.end(len(src))
	var pin runtime.Pinner // the parser remembers the source between two slices
	defer pin.Unpin()
	text := (*C.char)(unsafe.Pointer(unsafe.StringData("\x00")))
	if len(src) > 0 {
		pin.Pin(&src[0])
		text = (*C.char)(unsafe.Pointer(&src[0]))
	}
	var res C.fs_result
	deadline := time.Now().Add(parseLimit)
	for {
		status := C.fs_parse(p.c, text, C.uint32_t(len(src)), C.uint64_t(parseSlice.Microseconds()), maxDepth, &res)
		runtime.KeepAlive(p)
		if status == C.FS_AGAIN {
			if err := ctx.Err(); err != nil {
				return nil, err // the parser is in the middle of a file: it does not go back to the pool
			}
			if time.Now().After(deadline) {
				return nil, fmt.Errorf("not parsed within %v", parseLimit)
			}
			continue
		}
		g.pool.Put(p)
		switch status {
		case C.FS_OK:
		case C.FS_DEEP:
			return nil, fmt.Errorf("nested deeper than %d", maxDepth)
		default:
			return nil, errors.New("parser is out of memory")
		}
		break
	}
	t := &Tree{Grammar: g, Src: src, Errors: int32(res.errors), Nodes: make([]Node, int(res.count))}
	for i, r := range unsafe.Slice(res.records, int(res.count)) {
		t.Nodes[i] = Node{Start: int32(r.start), End: int32(r.end), Next: int32(r.next), Symbol: uint16(r.symbol), Field: uint8(r.field), Flags: uint8(r.flags)}
	}
	C.fs_free(&res)
	return t, nil
}
