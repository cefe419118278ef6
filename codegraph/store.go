package codegraph

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph/lang"
)

// formatVersion: older readers must refuse.   1: first.
const formatVersion = 1

const (
	factsMagic = "FSCGFACT"
	filesMagic = "FSCGFILE"
	headerSize = 8 + 4 + 8 + sha256.Size
)

// newerError is the one kind of damage that is not repaired: a newer program would lose its work.
type newerError struct{ have, know uint32 }

func (e *newerError) Error() string {
	return fmt.Sprintf("written in format %d, this program reads up to %d: use the newer program, or another folder", e.have, e.know)
}

func (e *newerError) Unwrap() error { return ErrFormat }

func seal(magic string, payload []byte) []byte {
	out := make([]byte, 0, headerSize+len(payload))
	out = append(out, magic...)
	out = binary.LittleEndian.AppendUint32(out, formatVersion)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(payload)))
	sum := sha256.Sum256(payload)
	out = append(out, sum[:]...)
	return append(out, payload...)
}

func unseal(magic string, b []byte) ([]byte, error) {
	if len(b) < headerSize || string(b[:8]) != magic {
		return nil, fmt.Errorf("%w: no header", ErrFormat)
	}
	if v := binary.LittleEndian.Uint32(b[8:]); v > formatVersion {
		return nil, &newerError{v, formatVersion}
	} else if v < 1 {
		return nil, fmt.Errorf("%w: format %d", ErrFormat, v)
	}
	payload := b[headerSize:]
	if n := binary.LittleEndian.Uint64(b[12:]); n != uint64(len(payload)) {
		return nil, fmt.Errorf("%w: %d bytes, the header says %d", ErrFormat, len(payload), n)
	}
	if sum := sha256.Sum256(payload); !bytes.Equal(sum[:], b[20:headerSize]) {
		return nil, fmt.Errorf("%w: wrong checksum", ErrFormat)
	}
	return payload, nil
}

// writer and reader of the payloads: variable-length integers and byte strings.
type writer struct{ b []byte }

func (w *writer) num(n uint64) { w.b = binary.AppendUvarint(w.b, n) }
func (w *writer) bytes(s []byte) {
	w.num(uint64(len(s)))
	w.b = append(w.b, s...)
}
func (w *writer) str(s string) {
	w.num(uint64(len(s)))
	w.b = append(w.b, s...)
}

type reader struct {
	b   []byte
	bad bool
}

func (r *reader) num() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.bad, r.b = true, nil
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of things of at least one byte each.
func (r *reader) count() int {
	v := r.num()
	if v > uint64(len(r.b)) {
		r.bad, r.b = true, nil
		return 0
	}
	return int(v)
}

func (r *reader) bytes() []byte {
	n := r.count()
	s := r.b[:n]
	r.b = r.b[n:]
	return s
}

func (r *reader) str() string { return string(r.bytes()) }

func (w *writer) key(k key) {
	w.b = append(w.b, k.hash[:]...)
	w.str(k.lang)
	w.str(k.ext)
	w.num(uint64(k.version))
}

func (r *reader) key() (k key) {
	if len(r.b) < len(k.hash) {
		r.bad, r.b = true, nil
		return k
	}
	copy(k.hash[:], r.b)
	r.b = r.b[len(k.hash):]
	k.lang, k.ext, k.version = r.str(), r.str(), int(r.num())
	return k
}

func compareKeys(a, b key) int {
	if c := bytes.Compare(a.hash[:], b.hash[:]); c != 0 {
		return c
	}
	if c := strings.Compare(a.lang, b.lang); c != 0 {
		return c
	}
	if c := strings.Compare(a.ext, b.ext); c != 0 {
		return c
	}
	return a.version - b.version
}

func encodeFacts(cache map[key]*record) []byte {
	keys := make([]key, 0, len(cache))
	for k := range cache {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, compareKeys)
	var w writer
	w.num(uint64(len(keys)))
	for _, k := range keys {
		rec := cache[k]
		w.key(k)
		w.bytes(rec.facts.Append(nil))
		w.num(uint64(len(rec.words)))
		for _, s := range rec.words {
			w.str(s)
		}
		w.num(uint64(len(rec.bodies)))
		for _, l := range rec.bodies {
			w.num(uint64(len(l)))
			for _, i := range l {
				w.num(uint64(i))
			}
		}
	}
	return seal(factsMagic, w.b)
}

func decodeFacts(b []byte) (map[key]*record, error) {
	payload, err := unseal(factsMagic, b)
	if err != nil {
		return nil, err
	}
	r := reader{b: payload}
	cache := map[key]*record{}
	shared := map[string]string{} // words repeat from file to file
	for range r.count() {
		k := r.key()
		facts, err := lang.Decode(r.bytes())
		if err != nil || r.bad {
			return nil, fmt.Errorf("%w: facts: %v", ErrFormat, err)
		}
		rec := &record{facts: facts, words: make([]string, r.count())}
		for i := range rec.words {
			s := r.bytes()
			w, ok := shared[string(s)]
			if !ok {
				w = string(s)
				shared[w] = w
			}
			rec.words[i] = w
		}
		rec.bodies = make([][]uint32, r.count())
		if len(rec.bodies) != len(facts.Decls)+1 {
			return nil, fmt.Errorf("%w: bodies", ErrFormat)
		}
		for i := range rec.bodies {
			n := r.count()
			if n == 0 {
				continue
			}
			l := make([]uint32, n)
			for j := range l {
				v := r.num()
				if v >= uint64(len(rec.words)) {
					return nil, fmt.Errorf("%w: word %d", ErrFormat, v)
				}
				l[j] = uint32(v)
			}
			rec.bodies[i] = l
		}
		cache[k] = rec
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: facts end early or late", ErrFormat)
	}
	return cache, nil
}

func encodeState(st *state) []byte {
	var w writer
	w.num(uint64(st.began.UnixNano()))
	paths := st.paths()
	w.num(uint64(len(paths)))
	for _, p := range paths {
		f := st.files[p]
		w.str(p)
		w.num(uint64(f.size))
		w.num(uint64(f.mtime))
		w.key(f.key)
	}
	names := make([]string, 0, len(st.configs))
	for p := range st.configs {
		names = append(names, p)
	}
	slices.Sort(names)
	w.num(uint64(len(names)))
	for _, p := range names {
		w.str(p)
		w.bytes(st.configs[p])
	}
	return seal(filesMagic, w.b)
}

// decodeState reads a state. Files whose facts are not in cache are left out, so that they are read again.
func decodeState(b []byte, cache map[key]*record) (*state, error) {
	payload, err := unseal(filesMagic, b)
	if err != nil {
		return nil, err
	}
	r := reader{b: payload}
	st := &state{began: time.Unix(0, int64(r.num())), files: map[string]*fileState{}, configs: map[string][]byte{}}
	for range r.count() {
		p := r.str()
		f := &fileState{size: int64(r.num()), mtime: int64(r.num()), key: r.key()}
		if !fs.ValidPath(p) {
			return nil, fmt.Errorf("%w: path %q", ErrFormat, p)
		}
		if f.rec = cache[f.key]; f.rec != nil {
			st.files[p] = f
		}
	}
	for range r.count() {
		p := r.str()
		st.configs[p] = bytes.Clone(r.bytes())
	}
	if r.bad || len(r.b) > 0 {
		return nil, fmt.Errorf("%w: state ends early or late", ErrFormat)
	}
	return st, nil
}
