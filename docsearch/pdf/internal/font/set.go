package font

import (
	"sync"
	"sync/atomic"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// maxFonts is how many fonts of one file are kept.
const maxFonts = 4096

// Bounds on the memory of fonts, estimated: of those kept for a file, and of those that one page may have read.
const (
	maxFontBytes = 64 << 20
	MaxPageBytes = 192 << 20
)

// A Set holds the fonts of a file that were read, for all who read its pages.
type Set struct {
	mu    sync.Mutex // guards what follows
	fonts map[fontKey]*fontEntry
	bytes int
}

type fontEntry struct {
	mu   sync.Mutex // held while the font is read
	font *Font      // nil: not yet
	dict cos.Dict   // keeps the dictionary, whose address may be the key
}

// NewSet returns a set without fonts.
func NewSet() *Set { return &Set{fonts: map[fontKey]*fontEntry{}} }

// get returns the font under a key; read makes it when it is not there, and says whether it may be kept.
func (s *Set) get(key fontKey, d cos.Dict, read func() (*Font, bool)) *Font {
	s.mu.Lock()
	e := s.fonts[key]
	if e == nil {
		if len(s.fonts) >= maxFonts || s.bytes > maxFontBytes {
			clear(s.fonts)
			s.bytes = 0
		}
		e = &fontEntry{dict: d}
		s.fonts[key] = e
	}
	s.mu.Unlock()
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.font != nil {
		return e.font
	}
	ft, keep := read()
	if keep {
		e.font = ft
	}
	return ft
}

// weigh adds to the memory that the kept fonts take.
func (s *Set) weigh(n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bytes += n
}

// bytes estimates the memory that a font takes, without its program.
func (ft *Font) bytes() int {
	n := 10<<10 + 48*len(ft.widths)
	for _, m := range []*cmap{ft.uni, ft.enc} {
		if m != nil && !m.shared {
			n += 64*len(m.text) + 80*len(m.textRuns) + 12*len(m.cids) + 16*len(m.spaces)
		}
	}
	return n
}

// A charCache keeps what a composite font tells of its codes. It is safe for concurrent use: it is read without a lock,
// which counts where every character of a page comes by.
type charCache struct {
	blocks [256]atomic.Pointer[charBlock] // codes of up to two bytes, by their high byte

	mu   sync.Mutex // held while a character is worked out; guards long
	long map[uint32]char
}

type charBlock [256]atomic.Pointer[char]

// look returns the character of a code, nil when it has not been worked out yet or the code is a long one.
func (c *charCache) look(code uint32) *char {
	if code > 0xFFFF {
		return nil
	}
	b := c.blocks[code>>8].Load()
	if b == nil {
		return nil
	}
	return b[code&0xFF].Load()
}

// get returns the character of a code; find works it out once, one call at a time.
func (c *charCache) get(code uint32, find func(uint32) char) char {
	c.mu.Lock()
	defer c.mu.Unlock()
	if ch := c.look(code); ch != nil {
		return *ch
	}
	if ch, ok := c.long[code]; ok {
		return ch
	}
	ch := find(code)
	switch {
	case code <= 0xFFFF:
		b := c.blocks[code>>8].Load()
		if b == nil {
			b = new(charBlock)
			c.blocks[code>>8].Store(b)
		}
		b[code&0xFF].Store(&ch)
	case len(c.long) < maxGlyphs:
		if c.long == nil {
			c.long = map[uint32]char{}
		}
		c.long[code] = ch
	}
	return ch
}
