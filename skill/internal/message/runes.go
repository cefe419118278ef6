package message

import "unicode/utf8"

// CutRunes cuts s to limit runes, 0 being no limit, and returns how many are gone.
func CutRunes(s string, limit int) (kept string, gone int) {
	if limit <= 0 || len(s) <= limit {
		return s, 0
	}
	n := 0
	for i := range s {
		if n == limit {
			return s[:i], utf8.RuneCountInString(s[i:])
		}
		n++
	}
	return s, 0
}
