package secrets

import (
	"bytes"
	"math"
	"slices"
	"strings"
)

// Mask masks the secrets of a text in place, and returns how many there were.
func Mask(text []byte) int {
	if len(text) < 8 {
		return 0
	}
	at := candidates(text)
	n := 0
	for i := range kinds {
		k := &kinds[i]
		var places []int
		if at != nil {
			places = at[i]
		}
		for _, m := range k.find(text, places) {
			n += k.mask(text, m[0], m[1])
		}
	}
	return n
}

// mask covers what a kind's pattern has found, unless it is no secret. It returns how many it covered.
func (k *kind) mask(text []byte, from, to int) int {
	secret := text[from:to]
	if from == to || covered(secret) || k.ok != nil && !k.ok(secret) || k.alone && !alone(text, from, to) {
		return 0
	}
	cover(secret, k.name)
	return 1
}

// MaskString is Mask for a string; it returns s itself when there is nothing.
func MaskString(s string) (string, int) {
	b := []byte(s)
	if n := Mask(b); n > 0 {
		return string(b), n
	}
	return s, 0
}

// alone reports whether a part of a text stands between white space, quotes and ends.
func alone(text []byte, from, to int) bool {
	edge := func(c byte) bool { return c <= ' ' || c == '"' || c == '\'' || c == '\\' }
	return (from == 0 || edge(text[from-1])) && (to == len(text) || edge(text[to]))
}

// cover writes the mask over a secret, its kind at the beginning of the first line that has room. Line ends stay.
func cover(b []byte, name string) {
	label := "[masked: " + name + "]"
	for len(b) > 0 {
		end := bytes.IndexAny(b, "\r\n")
		if end < 0 {
			end = len(b)
		}
		for i := range b[:end] {
			b[i] = '*'
		}
		if end >= len(label) {
			copy(b, label)
			label = strings.Repeat("*", len(label))
		}
		b = b[min(end+1, len(b)):]
	}
}

// covered reports whether a text is a mask already.
func covered(b []byte) bool {
	return bytes.HasPrefix(b, []byte("[masked:")) || len(bytes.Trim(b, "*\r\n\t ")) == 0 || bytes.Contains(b, []byte("****"))
}

// keyTail reports whether what stands before the end of a private key is the rest of one.
func keyTail(b []byte) bool {
	return !bytes.Contains(b, []byte("PRIVATE KEY")) && len(bytes.TrimSpace(b)) > 0 && len(b) < 16<<10 && keyLike(b)
}

// keyLike reports whether a text is lines of base64.
func keyLike(b []byte) bool {
	for _, l := range bytes.Fields(b) {
		for _, c := range l {
			if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '+' || c == '/' || c == '=') {
				return false
			}
		}
	}
	return true
}

// keyLine reports whether a run of base64 is so random that it is a key.
func keyLine(b []byte) bool { return len(b) <= 200 && classes(b) == 3 && entropy(b) > 4.3 }

func classes(b []byte) int {
	return b2i(bytes.ContainsAny(b, "abcdefghijklmnopqrstuvwxyz")) + b2i(bytes.ContainsAny(b, "ABCDEFGHIJKLMNOPQRSTUVWXYZ")) + b2i(bytes.ContainsAny(b, "0123456789"))
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// entropy is that of the bytes, in bits for each.
func entropy(b []byte) float64 {
	var count [256]int
	for _, c := range b {
		count[c]++
	}
	sum := 0.0
	for _, n := range count {
		if n > 0 {
			p := float64(n) / float64(len(b))
			sum -= p * math.Log2(p)
		}
	}
	return sum
}

// mixed reports whether a value has letters and digits and is no placeholder.
func mixed(b []byte) bool { return classes(b) >= 2 && noPlaceholder(b) }

// placeholders stand for a value; dummies are words of values that are none, or are padded with words.
var (
	placeholders = []string{"xxxx", "****", "...", "${", "{{", "<"}
	dummies      = strings.NewReplacer("example", "", "changeme", "", "change_me", "", "change-me", "", "placeholder", "", "your", "", "password", "", "passwd", "", "secret", "", "dummy", "",
		"redacted", "", "none", "", "null", "", "token_", "", "test123", "")
)

// noPlaceholder reports whether a value does not stand for another. What has letters and digits beside a word such as "example" is a value.
func noPlaceholder(b []byte) bool {
	low := strings.ToLower(string(b))
	if slices.ContainsFunc(placeholders, func(p string) bool { return strings.Contains(low, p) }) {
		return false
	}
	rest := dummies.Replace(low)
	return rest == low || len(rest) >= 6 && strings.ContainsAny(rest, "0123456789") && strings.ContainsAny(rest, "abcdefghijklmnopqrstuvwxyz")
}

// password reports whether a text in quotes that is given to the name of a password is one: it need not be random, but no word alone.
func password(b []byte) bool {
	return noPlaceholder(b) && bytes.ContainsAny(b, "0123456789") && classes(b) >= 2
}

// random reports whether a value that is given to a name looks like no word, number, path or name of a program.
func random(b []byte) bool {
	s := strings.TrimRight(string(b), ".")
	if !noPlaceholder(b) || classes(b) < 2 || !bytes.ContainsAny(b, "0123456789") {
		return false
	}
	if strings.Contains(s, ".") && !strings.ContainsAny(s, "0123456789+/=") || strings.Count(s, "/") > 2 || strings.Contains(s, "==") && !strings.HasSuffix(s, "==") {
		return false
	}
	digits := 0
	for _, c := range s {
		digits += b2i(c >= '0' && c <= '9')
	}
	if digits == len(s) || digits < 2 {
		return false
	}
	return len(s) >= 12 && entropy(b) > 3.0 || len(s) >= 8 && classes(b) == 3 && entropy(b) >= 2.7
}
