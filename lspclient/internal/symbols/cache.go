package symbols

import (
	"crypto/sha256"
	"slices"

	"github.com/findspot/findspot/internal/lru"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// maxSymbolCache bounds what a client keeps, in bytes by estimate.
const maxSymbolCache = 16 << 20

// symbolKey says what the symbols of a file depend on. The settings are those of the server's entry, which does not
// change while the client lives.
type symbolKey struct {
	server   string // name and version
	folder   string
	language string
	path     string
	content  [sha256.Size]byte
}

// symbolCache keeps the symbols of texts that servers have listed. It is safe for concurrent use.
type symbolCache struct {
	lru *lru.Cache[symbolKey, []place.Symbol]
}

func newSymbolCache() symbolCache {
	return symbolCache{lru.New[symbolKey, []place.Symbol](maxSymbolCache)}
}

// key returns the key of a file with the given text; false when its symbols depend on more than that: in languages with a
// preprocessor what is declared depends on other files.
func (c symbolCache) key(s *session.Session, abs string, text *source.Text) (symbolKey, bool) {
	language := s.Server.Spec.LanguageOf(abs)
	if slices.Contains([]string{"c", "cpp", "objective-c", "objective-cpp", "cuda-cpp", "hlsl", "opencl"}, language) {
		return symbolKey{}, false
	}
	return symbolKey{s.Label, s.Server.Folder, language, abs, sha256.Sum256(text.Bytes)}, true
}

// get returns the symbols that a server has listed for the present text of a file, if they were kept. They are the caller's.
func (c symbolCache) get(s *session.Session, abs string) ([]place.Symbol, bool) {
	text, err := s.Documents.Text(abs)
	if err != nil {
		return nil, false // asking tells why
	}
	key, ok := c.key(s, abs, text)
	if !ok {
		return nil, false
	}
	kept, ok := c.lru.Get(key)
	return place.Clone(kept), ok
}

// put keeps what the server has listed for a text, if that is a whole answer for just this text: nothing was left out, the
// server had nothing else to do and nothing to complain of, and had been told nothing new since notified notifications. An
// empty list is not kept, as some servers say nothing where they should say "not yet".
func (c symbolCache) put(s *session.Session, abs string, text *source.Text, symbols []place.Symbol, notified int64) {
	st, _ := s.Ready.Status()
	if len(symbols) == 0 || !st.Signalled || st.Overdue || st.Busy != "" || st.Problem != "" || s.Conn.Notified() != notified {
		return
	}
	if key, ok := c.key(s, abs, text); ok {
		c.lru.Put(key, place.Clone(symbols), sizeOfSymbols(symbols))
	}
}

func sizeOfSymbols(in []place.Symbol) int {
	n := 0
	for _, s := range in {
		n += 320 + len(s.Name) + len(s.Container) + len(s.Detail) + sizeOfSymbols(s.Children)
	}
	return n
}
