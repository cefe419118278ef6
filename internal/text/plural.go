package text

import (
	"fmt"
	"strings"
)

// Plural writes a number with an English noun, in the plural but for one: "1 file", "2 entities".
func Plural(n int, what string) string {
	if y, ok := strings.CutSuffix(what, "y"); n != 1 && ok {
		what = y + "ies"
	} else if n != 1 && !strings.HasSuffix(what, "them") {
		what += "s"
	}
	return fmt.Sprintf("%d %s", n, what)
}
