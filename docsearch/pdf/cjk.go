package pdf

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"strings"
	"sync"
)

// cmapsBin holds the predefined CMaps; gencmaps.go describes its form. Licence: cmaps.LICENSE.
//
//go:embed cmaps.bin
var cmapsBin []byte

// predefined is unpacked when the first font asks for one of the predefined CMaps; it is never changed after.
var predefined = sync.OnceValue(func() map[string]*cmap {
	data, err := io.ReadAll(flate.NewReader(bytes.NewReader(cmapsBin)))
	if err != nil {
		panic("pdf: embedded CMaps are broken: " + err.Error())
	}
	r := varReader{data}
	out, uses := map[string]*cmap{}, map[string]string{}
	for len(r.b) > 0 {
		name := r.str()
		m := &cmap{}
		for range r.u() {
			m.spaces = append(m.spaces, codeSpace{int(r.u()), uint32(r.u()), uint32(r.u())})
		}
		m.cids = r.ranges()
		uses[name] = r.str()
		for _, t := range r.ranges() {
			m.textRuns = append(m.textRuns, textRange{t.lo, t.hi, utf16Runes(codeBytes(t.cid))})
		}
		out[name] = m
	}
	for name, use := range uses {
		out[name].use = out[use]
	}
	return out
})

type varReader struct{ b []byte }

func (r *varReader) u() uint64 {
	v, n := binary.Uvarint(r.b)
	r.b = r.b[max(n, 1):]
	return v
}

func (r *varReader) i() int64 {
	v, n := binary.Varint(r.b)
	r.b = r.b[max(n, 1):]
	return v
}

func (r *varReader) str() string {
	n := r.u()
	s := string(r.b[:n])
	r.b = r.b[n:]
	return s
}

func (r *varReader) ranges() []cidRange {
	out := make([]cidRange, r.u())
	var c, v int64
	for i := range out {
		lo := c + r.i()
		hi := lo + int64(r.u())
		v += r.i()
		out[i] = cidRange{uint32(lo), uint32(hi), uint32(v)}
		c, v = hi, v+hi-lo
	}
	return out
}

// predefinedCMap returns a CMap of ISO 32000-1, table 118, or nil. A vertical one reads as its horizontal form: they
// differ in a few glyphs, not in text.
func predefinedCMap(name string) *cmap {
	if name == "" || strings.HasPrefix(name, "Identity") {
		return nil
	}
	if name == "V" {
		name = "H"
	}
	if n, ok := strings.CutSuffix(name, "-V"); ok {
		name = n + "-H"
	}
	return predefined()[name]
}

// collectionText returns the CID to text table of one of Adobe's character collections, nil for others.
func collectionText(ordering string) func(cid uint32) (string, bool) {
	switch ordering {
	case "GB1", "Japan1", "CNS1", "Korea1":
		if m := predefined()["Adobe-"+ordering+"-UCS2"]; m != nil {
			return m.unicode
		}
	}
	return nil
}
