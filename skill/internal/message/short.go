package message

import (
	"fmt"
	"unicode/utf8"
)

const maxLogText = 120 // bytes of a text that a log line shows

// Short is a text for a log line.
func Short(s string) string {
	if len(s) <= maxLogText {
		return s
	}
	cut := maxLogText
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return fmt.Sprintf("%s... (%d bytes)", s[:cut], len(s))
}
