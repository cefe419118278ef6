package core

import "strings"

// Words gives the set of the words of a text.
func Words(words string) map[string]bool { return Kinds(map[bool]string{true: words}) }

// Kinds gives each word of some texts the key of its text.
func Kinds[K comparable](texts map[K]string) map[string]K {
	m := map[string]K{}
	for k, text := range texts {
		for _, w := range strings.Fields(text) {
			m[w] = k
		}
	}
	return m
}

// IsWord tells a byte of a name; those beyond ASCII count.
func IsWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= 0x80
}

// Capital tells whether a name begins as those of types mostly do.
func Capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }
