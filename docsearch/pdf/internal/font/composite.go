package font

import (
	"context"
	"strings"
	"sync"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/encoding"
)

func (f *Loader) compositeFont(ft *Font, d, desc, fd cos.Dict) {
	ft.widths = map[uint32]float64{}
	ft.dw = f.NumOr(desc["DW"], 1000)
	readWidths(f.Reader, ft, f.Array(desc["W"]))
	ordering := string(f.Str(f.Dict(desc["CIDSystemInfo"])["Ordering"]))
	encName := ""
	switch e := f.Resolve(d["Encoding"]).(type) {
	case cos.Name:
		encName = string(e)
		ft.Vertical = encName == "V" || strings.HasSuffix(encName, "-V")
		if encName != "Identity-H" && encName != "Identity-V" {
			ft.enc = predefinedCMap(encName)
			ft.ucs = strings.Contains(encName, "UCS2") || strings.Contains(encName, "UTF16")
		}
	case *cos.Stream:
		if data, err := f.Stream(e); len(data) > 0 && err == nil {
			ft.enc = parseCMap(data, predefinedCMap)
			if ft.enc.use == nil {
				ft.enc.use = predefinedCMap(f.Name(e.Dict["UseCMap"]))
			}
			ft.Vertical = ft.enc.vertical || f.NumOr(e.Dict["WMode"], 0) == 1
		}
	}
	// A name in the place of a ToUnicode map can only be Identity: the codes are Unicode.
	if strings.HasPrefix(f.Name(d["ToUnicode"]), "Identity") {
		ft.ucs = true
	}
	byCollection := collectionText(ordering)
	var tt *sfnt
	var cf *cffFont
	loaded := false
	var toGID []byte
	// The embedded program is read only when a code has no text by other means; that may be in a later call.
	f = &Loader{Reader: f.With(context.WithoutCancel(f.Context())), Set: f.Set}
	fromProgram := func(cid uint32) string {
		if !loaded {
			loaded = true
			tt, cf, _ = f.program(fd)
			toGID, _ = f.Stream(desc["CIDToGIDMap"])
		}
		g := cid
		if len(toGID) > 0 {
			g = uint32(u16(toGID, int(2*cid)))
		} else if cf != nil && cf.gids != nil {
			gid, ok := cf.gids[int(cid)]
			if !ok {
				return ""
			}
			g = uint32(gid)
		}
		if cf != nil && cf.names != nil && int(g) < len(cf.names) {
			if s := encoding.GlyphText(cf.names[g]); s != "" {
				return s
			}
		}
		if tt != nil && g < maxGlyphs {
			return tt.text(uint16(g))
		}
		return ""
	}
	order := sync.OnceValue(func() []string { return glyphOrderOf(f.Reader, ft, tt, fd) })
	ft.cidText = func(c, cid uint32) string {
		if ft.ucs && encoding.ValidRune(rune(c)) {
			return string(encoding.UTF16Runes(codeBytes(c)))
		}
		if byCollection != nil {
			if s, ok := byCollection(cid); ok && meaningful(s) {
				return s
			}
		}
		if s := fromProgram(cid); s != "" {
			return s
		}
		texts := order()
		switch {
		case int(cid) < len(texts):
			return texts[cid]
		case texts == nil && byCollection == nil && !ft.uni.tells() && !tt.tells() && !cf.tells():
			return rawCode(c)
		}
		return ""
	}
}

// glyphOrderOf guesses what the glyphs of a composite font show from its advances, those of the dictionary or else those
// of the font program. It returns nil when no usual order fits.
func glyphOrderOf(f *cos.Reader, ft *Font, tt *sfnt, fd cos.Dict) []string {
	texts := guessOrder(func(n int) float64 { return ft.widths[uint32(n)] })
	if texts == nil && tt != nil {
		texts = guessOrder(tt.advance)
	}
	embedded := fd["FontFile"] != nil || fd["FontFile2"] != nil || fd["FontFile3"] != nil
	if texts == nil && !embedded && macOrdered(ft.Name) {
		texts = glyphOrders[0].texts()
	}
	return texts
}

// codeBytes writes a UTF-16 code of one or two units.
func codeBytes(c uint32) []byte {
	if c > 0xFFFF {
		return []byte{byte(c >> 24), byte(c >> 16), byte(c >> 8), byte(c)}
	}
	return []byte{byte(c >> 8), byte(c)}
}

// readWidths reads a W array: "c [w1 w2 ...]" and "first last w".
func readWidths(f *cos.Reader, ft *Font, w cos.Array) {
	left := 4 * maxGlyphs // a width may be stated again
	for i := 0; i+1 < len(w) && len(ft.widths) < maxGlyphs*2 && left > 0; {
		first, ok := f.Num(w[i])
		if !ok || first < 0 {
			i++
			continue
		}
		if list := f.Array(w[i+1]); list != nil {
			for k, v := range list {
				ft.widths[uint32(first)+uint32(k)] = f.NumOr(v, ft.dw)
			}
			i += 2
			continue
		}
		if i+2 >= len(w) {
			return
		}
		last, v := f.NumOr(w[i+1], first), f.NumOr(w[i+2], ft.dw)
		for c := first; c <= last && c-first < maxGlyphs && left > 0; c++ {
			left--
			ft.widths[uint32(c)] = v
		}
		i += 3
	}
}
