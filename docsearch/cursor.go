package docsearch

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/findspot/findspot/docsearch/internal/search"
)

// A cursor says where the next page of a search begins. Its text is, in unpadded URL base64: the version 1, the first eight bytes of the fingerprint,
// then as unsigned varints the generation, the documents listed so far, and the depth that the search began with.
type cursor struct {
	print      [8]byte
	generation uint64
	listed     int
	depth      int
}

const cursorVersion = 1

// movedOn says that a cursor is of another state of the library. It is an [ErrStale], whose words are about files.
type movedOn struct{}

func (movedOn) Error() string {
	return "the library has changed since that page: search again without the cursor"
}

func (movedOn) Is(err error) bool { return err == ErrStale }

func (c *cursor) String() string {
	b := append([]byte{cursorVersion}, c.print[:]...)
	b = binary.AppendUvarint(b, c.generation)
	b = binary.AppendUvarint(b, uint64(c.listed))
	b = binary.AppendUvarint(b, uint64(c.depth))
	return base64.RawURLEncoding.EncodeToString(b)
}

// fingerprint tells one search from another: by the query, and by the options that decide what is found and in which order.
func fingerprint(query string, o *SearchOptions) ([8]byte, error) {
	p := *o
	p.Limit, p.Passages, p.Snippet, p.Near, p.Cursor, p.MaxRead, p.Glossary = 0, 0, 0, "", "", 0, nil
	p.Docs = slices.Sorted(slices.Values(p.Docs))
	glossary := ""
	if o.Glossary != nil {
		glossary = o.Glossary.sets.Hash
	}
	data, err := json.Marshal([]any{query, p, o.Docs != nil, glossary})
	if err != nil {
		return [8]byte{}, fmt.Errorf("search options: %w: %v", ErrUnsupported, err)
	}
	sum := sha256.Sum256(data)
	return [8]byte(sum[:8]), nil
}

// readCursor reads the cursor of a search, or makes that of its first page.
func readCursor(query string, o *SearchOptions, generation uint64) (*cursor, error) {
	print, err := fingerprint(query, o)
	if err != nil {
		return nil, err
	}
	if o.Cursor == "" {
		return &cursor{print: print, generation: generation, depth: max(2*min(o.Limit, search.MaxListed), 100)}, nil
	}
	bad := fmt.Errorf("cursor %.60q: %w: no search returned it: search without it", o.Cursor, ErrUnsupported)
	b, err := base64.RawURLEncoding.Strict().DecodeString(o.Cursor)
	if err != nil || len(b) < 12 || len(b) > 64 || b[0] != cursorVersion {
		return nil, bad
	}
	c := &cursor{print: [8]byte(b[1:9])}
	var n [3]uint64
	for i, rest := 0, b[9:]; i < 3; i++ {
		v, k := binary.Uvarint(rest)
		if k <= 0 || i == 2 && k != len(rest) {
			return nil, bad
		}
		n[i], rest = v, rest[k:]
	}
	if n[1] > search.MaxListed || n[2] < 100 || n[2] > 2*search.MaxListed {
		return nil, bad
	}
	c.generation, c.listed, c.depth = n[0], int(n[1]), int(n[2])
	if c.print != print {
		return nil, fmt.Errorf("cursor %s: %w: it belongs to another query or other options: search without it", o.Cursor, ErrUnsupported)
	}
	if c.generation != generation {
		return nil, fmt.Errorf("cursor %s: %w", o.Cursor, movedOn{})
	}
	return c, nil
}
