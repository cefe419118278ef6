package questions

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

func TestCheckName(t *testing.T) {
	for _, tt := range []struct {
		language, name string
		ok             bool
	}{
		{"go", "crest", true}, {"go", "func", false}, {"go", "", false}, {"go", "1a", false}, {"go", "a b", false}, {"go", "a.b", false},
		{"go", "a$", false}, {"typescript", "a$", true}, {"python", "lambda", false}, {"python", "match", true}, {"rust", "fn", false},
		{"java", "goto", false}, {"cpp", "co_await", false}, {"c", "class", true}, {"go", "größe", true}, {"go", "_", false}, {"", "x", true},
		{"go", "a\x00", false}, {"go", strings.Repeat("x", 2000), false},
	} {
		if err := checkName(tt.language, tt.name); (err == nil) != tt.ok || err != nil && !errors.Is(err, errs.Unsupported) {
			t.Errorf("checkName(%q, %q) = %v", tt.language, excerpt.Clip(tt.name, 20), err)
		}
	}
}
