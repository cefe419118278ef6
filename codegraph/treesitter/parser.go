package treesitter

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

	_ "github.com/smacker/go-tree-sitter"                       // the parser's objects
	_ "github.com/smacker/go-tree-sitter/c"                     // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/cpp"                   // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/java"                  // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/javascript"            // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/python"                // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/rust"                  // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/typescript/tsx"        // a grammar's objects
	_ "github.com/smacker/go-tree-sitter/typescript/typescript" // a grammar's objects
)

const (
	parseLimit = 5 * time.Second       // for one file
	parseSlice = 50 * time.Millisecond // between looks at the context
	maxDepth   = 1500                  // nesting of a tree; deeper ones are refused
	maxSource  = 64 << 20              // bytes; far over what a repository's options let through
)

// A grammar is one loaded language of the parser, with its names by number.
type grammar struct {
	lang    unsafe.Pointer
	symbols []string
	fields  []string
	pool    sync.Pool // of *parser
}

// loadGrammar looks a grammar up and parses a line with it: one of another version of the interface is refused by the
// parser without a word.
func loadGrammar(which int, name, probe string) (*grammar, error) {
	p := unsafe.Pointer(C.fs_language(C.int(which)))
	if p == nil {
		return nil, fmt.Errorf("treesitter: grammar %s is not linked in", name)
	}
	g := &grammar{lang: p}
	for i := range uint32(C.fs_symbol_count(p)) {
		g.symbols = append(g.symbols, C.GoString(C.fs_symbol_name(p, C.uint16_t(i))))
	}
	for i := range uint32(C.fs_field_count(p)) + 1 {
		g.fields = append(g.fields, C.GoString(C.fs_field_name(p, C.uint16_t(i))))
	}
	t, err := g.parse(context.Background(), []byte(probe))
	if err != nil {
		return nil, fmt.Errorf("treesitter: grammar %s (interface %d): %w", name, int(C.fs_version(p)), err)
	}
	if len(t.rec) < 2 || t.errors > 0 {
		return nil, fmt.Errorf("treesitter: grammar %s does not parse %q", name, probe)
	}
	return g, nil
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

func (g *grammar) open() (*parser, error) {
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

// parse gives the tree of a source. The parser works in slices of time, with a look at ctx between two.
func (g *grammar) parse(ctx context.Context, src []byte) (*tree, error) {
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
	t := &tree{g: g, src: src, errors: int32(res.errors)}
	t.rec = make([]record, int(res.count))
	for i, r := range unsafe.Slice(res.records, int(res.count)) {
		t.rec[i] = record{start: int32(r.start), end: int32(r.end), next: int32(r.next), symbol: uint16(r.symbol), field: uint8(r.field), flags: uint8(r.flags)}
	}
	C.fs_free(&res)
	return t, nil
}
