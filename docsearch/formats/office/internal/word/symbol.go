package word

import (
	"strconv"
	"strings"
	"sync"
)

// symbolFont has the characters of the font Symbol from 0x21, and from 0xa0, as its encoding orders them; a blank is one that is not known.
var symbolFont = sync.OnceValue(func() [2][]rune {
	return [2][]rune{
		[]rune("!∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"),
		[]rune("€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑         ⟩∫"),
	}
})

// dingbats are signs of other fonts that documents use, by the font's name in lower case.
var dingbats = sync.OnceValue(func() map[string]map[int]rune {
	return map[string]map[int]rune{
		"wingdings": {
			0x22: '✂', 0x28: '☎', 0x2a: '✉', 0x32: '📄', 0x3f: '✍', 0x4a: '☺', 0x4b: '😐', 0x4c: '☹', 0x6c: '●', 0x6d: '❍', 0x6e: '■', 0x6f: '□', 0x70: '❐', 0x71: '❑',
			0x72: '❒', 0x73: '⬧', 0x74: '⧫', 0x75: '◆', 0x76: '❖', 0x77: '⬥', 0x9f: '•', 0xa1: '○', 0xa4: '◉', 0xa7: '▪', 0xa8: '◻', 0xab: '★', 0xd8: '➢', 0xdf: '←', 0xe0: '→',
			0xe1: '↑', 0xe2: '↓', 0xe7: '🡐', 0xe8: '➔', 0xef: '⇦', 0xf0: '⇨', 0xf1: '⇧', 0xf2: '⇩', 0xf3: '⇔', 0xfb: '✗', 0xfc: '✓', 0xfd: '☒', 0xfe: '☑',
		},
		"wingdings 2": {0x4f: '✗', 0x50: '✓', 0x51: '☒', 0x52: '☑', 0x53: '☒', 0x97: '●', 0xa2: '■', 0xa3: '☐'},
		"wingdings 3": {0x63: '↵', 0x7d: '▶', 0x7c: '◀', 0x70: '▲', 0x71: '▼'},
		"webdings":    {0x61: '✓', 0x72: '✗', 0x63: '□', 0x67: '■', 0x6e: '●'},
	}
})

// sign returns the character at a code of a font of signs, which may be counted from 0xf000; false where it is not known.
func sign(font string, code int) (rune, bool) {
	if code >= 0xf000 && code <= 0xf0ff {
		code -= 0xf000
	}
	font = strings.ToLower(font)
	if font == "symbol" {
		for i, from := range []int{0x21, 0xa0} {
			if k := code - from; k >= 0 && k < len(symbolFont()[i]) && symbolFont()[i][k] != ' ' {
				return symbolFont()[i][k], true
			}
		}
		return 0, false
	}
	r, ok := dingbats()[font][code]
	return r, ok
}

// symbol reads a w:sym: its font, and its code in hexadecimal.
func symbol(font, hex string) string {
	code, err := strconv.ParseUint(hex, 16, 32)
	if err != nil {
		return ""
	}
	if r, ok := sign(font, int(code)); ok {
		return string(r)
	}
	if code >= 0x20 && code < 0xe000 && !(code >= 0xd800) && dingbats()[strings.ToLower(font)] == nil {
		return string(rune(code))
	}
	return "\ufffd" // a sign is shown, and which one is not known
}

// symbols replaces the characters of the private area in text of a font of signs.
func symbols(font, s string) string {
	if strings.ToLower(font) != "symbol" && dingbats()[strings.ToLower(font)] == nil {
		return s
	}
	return strings.Map(func(r rune) rune {
		if r >= 0xf000 && r <= 0xf0ff {
			if c, ok := sign(font, int(r)); ok {
				return c
			}
		}
		return r
	}, s)
}
