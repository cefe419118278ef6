package wordpiece

import (
	"fmt"
	"regexp"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// A Tokenizer is safe for concurrent use.
type Tokenizer struct {
	Before, After []int32 // ids around every text, such as that of [CLS] and that of [SEP]
	Size          int     // one more than the largest id

	normalizer
	begin, inside map[string]int32 // pieces at the beginning of a word, and after it (without "##")
	longest       int              // bytes of the longest piece
	unknown       int32
	wordRunes     int            // longer words are unknown
	added         *regexp.Regexp // tokens that stand for themselves anywhere in the text; nil without
	addedIDs      map[string]int32
}

// normalizer says what becomes of characters.
type normalizer struct {
	clean, chinese, strip, lower bool
}

// Encode returns the ids of a text, without Before and After. Bytes that are not UTF-8 are left out.
func (t *Tokenizer) Encode(text string) []int32 {
	ids := make([]int32, 0, len(text)/4)
	for t.added != nil {
		at := t.added.FindStringIndex(text)
		if at == nil {
			break
		}
		ids = append(t.words(ids, text[:at[0]]), t.addedIDs[text[at[0]:at[1]]])
		text = text[at[1]:]
	}
	return t.words(ids, text)
}

// words appends the ids of the words of a text.
func (t *Tokenizer) words(ids []int32, text string) []int32 {
	text = t.normalize(text)
	from := 0 // of the word
	for i, r := range text {
		space, alone := unicode.IsSpace(r), isPunctuation(r)
		if !space && !alone {
			continue
		}
		end := i + utf8.RuneLen(r)
		ids = t.word(ids, text[from:i])
		if alone {
			ids = t.word(ids, text[i:end])
		}
		from = end
	}
	return t.word(ids, text[from:])
}

// word appends the ids of the pieces of a word, or that of an unknown one.
func (t *Tokenizer) word(ids []int32, w string) []int32 {
	if w == "" {
		return ids
	}
	if utf8.RuneCountInString(w) > t.wordRunes {
		return append(ids, t.unknown)
	}
	known, pieces := len(ids), t.begin
	for w != "" {
		end := min(len(w), t.longest)
		for ; end > 0; end-- {
			if end < len(w) && !utf8.RuneStart(w[end]) {
				continue
			}
			if id, ok := pieces[w[:end]]; ok {
				ids = append(ids, id)
				break
			}
		}
		if end == 0 {
			return append(ids[:known], t.unknown)
		}
		w, pieces = w[end:], t.inside
	}
	return ids
}

// normalize returns a text as BertNormalizer does; what is not UTF-8 is removed.
func (n normalizer) normalize(s string) string {
	out := make([]byte, 0, len(s)+16)
	ascii := true
	for i, r := range s {
		if r == utf8.RuneError { // also U+FFFD itself, but only clean removes that
			if _, size := utf8.DecodeRuneInString(s[i:]); n.clean || size == 1 {
				continue
			}
		}
		ascii = ascii && r < utf8.RuneSelf
		switch {
		case n.clean && (r == '\t' || r == '\n' || r == '\r' || unicode.IsSpace(r) && !unicode.IsControl(r)):
			out = append(out, ' ')
		case n.clean && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co):
		case n.chinese && isChinese(r):
			out = append(utf8.AppendRune(append(out, ' '), r), ' ')
		case n.lower && 'A' <= r && r <= 'Z':
			out = append(out, byte(r)+'a'-'A')
		default:
			out = utf8.AppendRune(out, r)
		}
	}
	if ascii || !n.strip && !n.lower {
		return string(out)
	}
	if n.strip {
		out = norm.NFD.Bytes(out)
	}
	kept := make([]byte, 0, len(out))
	for _, r := range string(out) {
		switch {
		case n.strip && unicode.Is(unicode.Mn, r):
		case n.lower && r == 'İ': // the one letter whose small form is two characters
			kept = append(kept, "i\u0307"...)
		case n.lower:
			kept = utf8.AppendRune(kept, unicode.ToLower(r))
		default:
			kept = utf8.AppendRune(kept, r)
		}
	}
	return string(kept)
}

// isPunctuation says whether a character stands alone: all that ASCII has beside letters and digits, and what Unicode calls punctuation.
func isPunctuation(r rune) bool {
	if r < utf8.RuneSelf {
		return '!' <= r && r <= '/' || ':' <= r && r <= '@' || '[' <= r && r <= '`' || '{' <= r && r <= '~'
	}
	return unicode.IsPunct(r)
}

// isChinese says whether a character is one of the blocks that BERT took for Chinese words, with the one range that it wrote wrongly.
func isChinese(r rune) bool {
	return 0x4E00 <= r && r <= 0x9FFF || 0x3400 <= r && r <= 0x4DBF || 0x20000 <= r && r <= 0x2A6DF || 0x2A700 <= r && r <= 0x2B73F ||
		0x2B740 <= r && r <= 0x2B81F || 0x2B920 <= r && r <= 0x2CEAF || 0xF900 <= r && r <= 0xFAFF || 0x2F800 <= r && r <= 0x2FA1F
}

// vocabulary sets the pieces, of which those inside of words begin with prefix.
func (t *Tokenizer) vocabulary(ids map[string]int32, prefix, unknown string) error {
	t.begin, t.inside = make(map[string]int32, len(ids)), make(map[string]int32, len(ids)/4)
	for piece, id := range ids {
		if id < 0 || id >= maxID {
			return fmt.Errorf("token %q has id %d", piece, id)
		}
		t.Size = max(t.Size, int(id)+1)
		t.begin[piece] = id
		if rest := piece[min(len(prefix), len(piece)):]; prefix+rest == piece && rest != "" {
			t.inside[rest] = id
		}
		t.longest = max(t.longest, len(piece))
	}
	id, ok := ids[unknown]
	if !ok {
		return fmt.Errorf("the vocabulary lacks its token for unknown words, %q", unknown)
	}
	t.unknown = id
	return nil
}
