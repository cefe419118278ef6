package lspclient

import (
	"container/list"
	"crypto/sha256"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/source"
)

const (
	// maxSymbolCache and maxTextCache bound what a client keeps, in bytes, the first by estimate.
	maxSymbolCache = 16 << 20
	maxTextCache   = 32 << 20
)

// lru keeps values up to a number of bytes; the least recently used go first. It is safe for concurrent use.
type lru[K comparable, V any] struct {
	most int

	mu    sync.Mutex
	bytes int
	order list.List // of *cached[K, V], the last used first
	byKey map[K]*list.Element
}

type cached[K comparable, V any] struct {
	key   K
	value V
	size  int
}

func newLRU[K comparable, V any](most int) *lru[K, V] {
	return &lru[K, V]{most: most, byKey: map[K]*list.Element{}}
}

func (l *lru[K, V]) get(key K) (v V, ok bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	e := l.byKey[key]
	if e == nil {
		return v, false
	}
	l.order.MoveToFront(e)
	return e.Value.(*cached[K, V]).value, true
}

// put keeps a value of so many bytes. One that takes more than a quarter of all is not kept.
func (l *lru[K, V]) put(key K, value V, size int) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if e := l.byKey[key]; e != nil {
		l.drop(e)
	}
	if size > l.most/4 {
		return
	}
	l.byKey[key] = l.order.PushFront(&cached[K, V]{key, value, size})
	for l.bytes += size; l.bytes > l.most; {
		l.drop(l.order.Back())
	}
}

func (l *lru[K, V]) drop(e *list.Element) {
	c := e.Value.(*cached[K, V])
	l.order.Remove(e)
	delete(l.byKey, c.key)
	l.bytes -= c.size
}

// symbolKey says what the symbols of a file depend on. The settings are those of the server's entry, which does not
// change while the client lives.
type symbolKey struct {
	server   string // name and version
	folder   string
	language string
	path     string
	content  [sha256.Size]byte
}

// symbolKey returns the key of a file with the given text; false when its symbols depend on more than that: in languages
// with a preprocessor what is declared depends on other files.
func (s *session) symbolKey(abs string, text *source.Text) (symbolKey, bool) {
	language := s.srv.spec.LanguageOf(abs)
	if slices.Contains([]string{"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp", "hlsl", "opencl"}, language) {
		return symbolKey{}, false
	}
	return symbolKey{s.label, s.srv.folder, language, abs, sha256.Sum256(text.Bytes)}, true
}

// keptSymbols returns the symbols that a server has listed for a text, if they were kept. They are the caller's.
func (s *session) keptSymbols(abs string) ([]Symbol, bool) {
	text, err := s.text(abs)
	if err != nil {
		return nil, false // asking tells why
	}
	key, ok := s.symbolKey(abs, text)
	if !ok {
		return nil, false
	}
	kept, ok := s.srv.client.symbols.get(key)
	return copySymbols(kept), ok
}

// keepSymbols keeps what the server has listed for a text, if that is a whole answer for just this text: nothing was left
// out, the server had nothing else to do and nothing to complain of, and had been told nothing new since notified
// notifications. An empty list is not kept, as some servers say nothing where they should say "not yet".
func (s *session) keepSymbols(abs string, text *source.Text, symbols []Symbol, notified int64) {
	st, _ := s.ready.Status()
	if len(symbols) == 0 || !st.Signalled || st.Overdue || st.Busy != "" || st.Problem != "" || s.conn.Notified() != notified {
		return
	}
	if key, ok := s.symbolKey(abs, text); ok {
		s.srv.client.symbols.put(key, copySymbols(symbols), sizeOfSymbols(symbols))
	}
}

func copySymbols(in []Symbol) []Symbol {
	out := slices.Clone(in)
	for i := range out {
		out[i].Children = copySymbols(out[i].Children)
	}
	return out
}

func sizeOfSymbols(in []Symbol) int {
	n := 0
	for _, s := range in {
		n += 320 + len(s.Name) + len(s.Container) + len(s.Detail) + sizeOfSymbols(s.Children)
	}
	return n
}

// keptText is the text of a file on disk with what the file looked like.
type keptText struct {
	text *source.Text
	is   stamp
}

// readKept returns the text of a file on disk, as readFile does. A text that was read before is taken if the file looks
// as it did, and had not been changed so shortly before it was read that a later change may look the same.
func (c *Client) readKept(abs string) (*source.Text, os.FileInfo, error) {
	if kept, ok := c.texts.get(abs); ok {
		if info, err := os.Stat(abs); err == nil && info.Mode().IsRegular() && stampOf(info) == kept.is {
			return kept.text, info, nil
		}
	}
	began := time.Now()
	text, info, err := source.ReadFile(abs)
	if err == nil && began.Sub(changedAt(info)) > racyCoarse {
		c.texts.put(abs, keptText{text, stampOf(info)}, len(text.Bytes)+8*len(text.Starts))
	}
	return text, info, err
}
