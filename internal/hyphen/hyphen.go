package hyphen

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Vocabulary is the words of a document, in lower case and those with a hyphen too: they tell where a word that is divided at
// the end of a line keeps its hyphen.
type Vocabulary struct {
	words map[string]bool
	page  func() map[string]bool // words of the page at hand; nil: none
}

// NewVocabulary returns a vocabulary without words.
func NewVocabulary() *Vocabulary { return &Vocabulary{words: map[string]bool{}} }

// maxWords bounds the words that are kept.
const maxWords = 50_000

// Learn adds the words of a text.
func (v *Vocabulary) Learn(s string) { learnWords(v.words, s) }

func learnWords(words map[string]bool, s string) {
	for w := range strings.FieldsFuncSeq(s, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != 0x2010 && r != '\'' }) {
		if len(words) >= maxWords {
			return
		}
		if w = strings.ToLower(strings.ReplaceAll(w, "\u2010", "-")); len(w) > 3 && len(w) < 60 && !strings.HasSuffix(w, "-") {
			words[strings.TrimLeft(w, "-")] = true
		}
	}
}

// With is the vocabulary with the words of a page beside those learned. It is not for several goroutines.
func (v *Vocabulary) With(text string) *Vocabulary {
	return &Vocabulary{v.words, sync.OnceValue(func() map[string]bool {
		words := make(map[string]bool, min(len(text)/10, 4096))
		learnWords(words, text)
		return words
	})}
}

// known reports whether a word, in lower case, is in the vocabulary.
func (v *Vocabulary) known(word string) bool {
	return v.words[word] || v.page != nil && v.page()[word]
}

// Has reports whether the document has a word, in whatever case.
func (v *Vocabulary) Has(word string) bool { return v.known(strings.ToLower(word)) }

// Divided reports what to do where a line ends in a hyphen: drop it, as the two parts are one word, or keep it ("signal-to-" and
// "noise"). The document decides where it writes the word elsewhere, either way.
func (v *Vocabulary) Divided(before, after string) (drop bool) {
	head := before[strings.LastIndexAny(before, " (\u201c\"/")+1:]
	tail := after
	if i := strings.IndexFunc(after, func(r rune) bool { return !unicode.IsLetter(r) && r != '-' && r != '\'' }); i >= 0 {
		tail = after[:i]
	}
	first, _ := utf8.DecodeRuneInString(tail)
	last, _ := utf8.DecodeLastRuneInString(head)
	if !unicode.IsLetter(first) || !unicode.IsLetter(last) {
		return false
	}
	joined, kept := strings.ToLower(head+tail), strings.ToLower(head+"-"+tail)
	if unicode.IsUpper(first) {
		return v.known(joined) && !v.known(kept)
	}
	switch {
	case v.known(joined):
		return true
	case v.known(kept):
		return false
	case strings.Contains(head, "-"):
		return false // "signal-to-": a compound of several words goes on
	}
	if len(head) > 3 && len(tail) > 3 && v.known(strings.ToLower(head)) && v.known(strings.ToLower(tail)) {
		return false // two words
	}
	switch strings.ToLower(head) {
	case "self", "non", "well", "all", "ex", "quasi", "semi", "half", "cross", "high", "low", "real", "large", "small", "long", "short", "two", "three",
		"four", "five", "six", "one", "state", "end", "peer", "user", "so", "first", "second", "third", "multi", "single", "double", "hand", "time", "data":
		return v.known(strings.ToLower(head)) && !v.known(strings.ToLower(tail))
	}
	return true
}

// JoinLines appends a line to running text in a table or a caption. A word divided at the end of the first is put
// together; a hyphen that belongs to the word stays, without a space after it. A nil vocabulary knows no words.
func (v *Vocabulary) JoinLines(a, b string) string {
	if v == nil || a == "" || b == "" {
		return JoinLines(a, b)
	}
	r, size := utf8.DecodeLastRuneInString(a)
	if strings.ContainsRune(Signs, r) {
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-size])
		after, _ := utf8.DecodeRuneInString(b)
		switch {
		case !unicode.IsLetter(before) || !unicode.IsLetter(after):
		case r == '\u00ad' || v.Divided(a[:len(a)-size], b):
			return a[:len(a)-size] + b
		default:
			return a + b
		}
	}
	if EndsCJK(a) && StartsCJK(b) {
		return a + b
	}
	return a + " " + b
}

// Signs are the characters that divide a word at the end of a line.
const Signs = "-\u2010\u00ad"

// IsCJK reports whether a character is Chinese or Japanese, which have no blanks between words.
func IsCJK(r rune) bool {
	return r >= 0x3000 && r <= 0x30FF || r >= 0x3400 && r <= 0x9FFF || r >= 0xFF00 && r <= 0xFFEF || r >= 0x20000 && r <= 0x3FFFF
}

func EndsCJK(s string) bool   { r, _ := utf8.DecodeLastRuneInString(s); return IsCJK(r) }
func StartsCJK(s string) bool { r, _ := utf8.DecodeRuneInString(s); return IsCJK(r) }

// JoinLines appends a line to running text; a word divided at the end of the first is put together.
func JoinLines(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	hyphen, size := utf8.DecodeLastRuneInString(a)
	if hyphen == '-' || hyphen == 0x2010 || hyphen == 0xAD {
		before, _ := utf8.DecodeLastRuneInString(a[:len(a)-size])
		after, _ := utf8.DecodeRuneInString(b)
		if unicode.IsLetter(before) && unicode.IsLower(after) {
			return a[:len(a)-size] + b
		}
	}
	return a + " " + b
}
