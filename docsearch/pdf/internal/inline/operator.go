package inline

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"golang.org/x/text/unicode/norm"
)

// An operatorName is a function that is named by upright letters.
type operatorName struct {
	Tex    string
	Limits bool // what stands beneath it says over what it runs
}

// operatorNames are those that TeX has commands for (The TeXbook, chapter 18), and usual ones written in one word.
var operatorNames = map[string]operatorName{
	"log": {`\log`, false}, "ln": {`\ln`, false}, "exp": {`\exp`, false}, "sin": {`\sin`, false}, "cos": {`\cos`, false}, "tan": {`\tan`, false},
	"arg": {`\arg`, false}, "dim": {`\dim`, false}, "deg": {`\deg`, false}, "ker": {`\ker`, false}, "mod": {`\bmod`, false},
	"sinh": {`\sinh`, false}, "cosh": {`\cosh`, false}, "tanh": {`\tanh`, false}, "arctan": {`\arctan`, false}, "cot": {`\cot`, false},
	"max": {`\max`, true}, "min": {`\min`, true}, "lim": {`\lim`, true}, "sup": {`\sup`, true}, "inf": {`\inf`, true}, "det": {`\det`, true},
	"gcd": {`\gcd`, true}, "Pr": {`\Pr`, true}, "argmax": {`\operatorname*{argmax}`, true}, "argmin": {`\operatorname*{argmin}`, true},
}

// maxOperator is the number of letters of the longest name.
const maxOperator = 6

// OperatorAt returns the name that upright letters from glyph k of a segment on spell, with nothing written to it on
// either side, and how many glyphs it takes. n is 0 where there is none.
func OperatorAt(s *layout.Segment, k int) (op operatorName, n int) {
	first := &s.Glyphs[k]
	if first.Font == nil || first.Font.Math || k > 0 && lettersTouch(&s.Glyphs[k-1], first) {
		return op, 0
	}
	var name [maxOperator]byte
	for k+n < len(s.Glyphs) {
		g := &s.Glyphs[k+n]
		if n > 0 && !lettersTouch(&s.Glyphs[k+n-1], g) {
			break
		}
		if n == maxOperator || len(g.Text) != 1 || !pattern.IsLetter(g.Text[0]) {
			return op, 0
		}
		name[n] = g.Text[0]
		n++
	}
	op, ok := operatorNames[string(name[:n])]
	if !ok {
		return op, 0
	}
	return op, n
}

// lettersTouch reports whether two glyphs are letters of one word.
func lettersTouch(a, b *content.Glyph) bool {
	letter := func(g *content.Glyph) bool {
		r, _ := utf8.DecodeRuneInString(g.Text)
		return unicode.IsLetter(r) && (g.Font == nil || !g.Font.Math)
	}
	return letter(a) && letter(b) && math.Abs(a.Y-b.Y) < .1*a.Size && math.Abs(a.Size-b.Size) < .1*a.Size && b.X-a.EndX < .15*a.Size
}

// texAccents are TeX's commands for combining marks.
var texAccents = map[rune]string{
	0x300: `\grave`, 0x301: `\acute`, 0x302: `\hat`, 0x303: `\tilde`, 0x304: `\bar`, 0x305: `\bar`, 0x306: `\breve`, 0x307: `\dot`, 0x308: `\ddot`,
	0x30A: `\mathring`, 0x30C: `\check`, 0x20D7: `\vec`,
}

// VecAccent is an arrow over a letter. Fonts of TeX set it before the letter, as a sign of its own.
const VecAccent = "\u20d7"

// Stroke goes through the sign after it, and makes "not equal" of "equal": TeX sets the two in one place.
const Stroke = "\u0338"

// AccentTeX writes letters with marks on them as commands: a formula has ŷ and σ̂ as it has \hat{y} and \hat{σ}.
func AccentTeX(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		plain = s[i] < 0xC0
	}
	if plain {
		return s
	}
	rs := []rune(norm.NFD.String(s))
	var b strings.Builder
	for i := 0; i < len(rs); i++ {
		cmd := ""
		if i+1 < len(rs) && unicode.IsLetter(rs[i]) {
			cmd = texAccents[rs[i+1]]
		}
		if cmd == "" {
			b.WriteRune(rs[i])
			continue
		}
		b.WriteString(cmd + "{" + string(rs[i]) + "}")
		i++
	}
	return norm.NFC.String(b.String())
}

// Spaced keeps a letter from becoming part of the command that a formula ends with.
func Spaced(formula, next string) bool {
	if next == "" || !pattern.IsLetter(next[0]) {
		return false
	}
	i := len(formula)
	for i > 0 && pattern.IsLetter(formula[i-1]) {
		i--
	}
	return i > 0 && i < len(formula) && formula[i-1] == '\\'
}
