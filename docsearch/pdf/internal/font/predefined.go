package font

import (
	"bytes"
	"compress/flate"
	_ "embed"
	"encoding/binary"
	"io"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
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
		m := &cmap{shared: true}
		for range r.u() {
			m.spaces = append(m.spaces, codeSpace{int(r.u()), uint32(r.u()), uint32(r.u())})
		}
		m.cids = r.ranges()
		uses[name] = r.str()
		for _, t := range r.ranges() {
			m.textRuns = append(m.textRuns, textRange{t.lo, t.hi, encoding.UTF16Runes(codeBytes(t.cid))})
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

// legacyFonts are the names of the East Asian fonts of old Windows systems, as the beginning of their names in their
// own language, by the CMap and the collection that their codes are in.
var legacyFonts = []struct {
	cmap, collection string
	names            []string
}{
	{"GBK-EUC-H", "Adobe-GB1-UCS2", []string{"宋体", "黑体", "楷体", "仿宋", "隶书", "幼圆", "新宋体", "微软", "华文"}},
	{"ETen-B5-H", "Adobe-CNS1-UCS2", []string{"細明體", "新細明體", "標楷體", "微軟正黑體"}},
	{"90ms-RKSJ-H", "Adobe-Japan1-UCS2", []string{"ＭＳ", "メイリオ"}},
	{"KSCms-UHC-H", "Adobe-Korea1-UCS2", []string{"바탕", "굴림", "돋움", "궁서", "맑은"}},
}

// legacyCharset returns the CMap for a simple TrueType font that is not embedded and whose name is that of an East Asian
// font in the bytes of a Windows code page. The strings shown in such a font are of that code page too, whatever its
// Encoding says. It returns "" for other fonts.
func legacyCharset(name string, fd cos.Dict, f *cos.Reader) string {
	if fd["FontFile"] != nil || fd["FontFile2"] != nil || fd["FontFile3"] != nil {
		return ""
	}
	for _, n := range [...]string{name, f.Name(fd["FontName"]), string(f.Str(fd["FontName"]))} {
		if len(n) < 4 || n[0] < 0x80 {
			continue
		}
		for _, l := range legacyFonts {
			s := decodeLegacy([]byte(n), l.cmap, l.collection)
			for _, want := range l.names {
				if strings.HasPrefix(s, want) {
					return l.cmap
				}
			}
		}
	}
	return ""
}

// decodeLegacy reads bytes by a predefined CMap.
func decodeLegacy(b []byte, enc, collection string) string {
	m, text := predefinedCMap(enc), predefined()[collection]
	if m == nil || text == nil {
		return ""
	}
	var s strings.Builder
	for len(b) > 0 {
		c, n := m.next(b)
		t, _ := text.unicode(m.cid(c))
		s.WriteString(t)
		b = b[n:]
	}
	return s.String()
}

// legacy makes ft a composite font of a Windows code page: whole ems for its own characters, half ems for the others.
func (ft *Font) legacy(enc string) {
	ft.composite, ft.enc, ft.dw = true, predefinedCMap(enc), 1000
	ft.widths = map[uint32]float64{}
	var text *cmap
	for _, l := range legacyFonts {
		if l.cmap == enc {
			text = predefined()[l.collection]
		}
	}
	for c := range uint32(256) {
		if cid := ft.enc.cid(c); cid != 0 {
			ft.widths[cid] = 500
		}
	}
	ft.cidText = func(_, cid uint32) string {
		s, _ := text.unicode(cid)
		return s
	}
}
