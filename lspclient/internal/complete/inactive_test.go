package complete

import (
	"bytes"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/source"
	gocmp "github.com/google/go-cmp/cmp"
)

func TestInConditions(t *testing.T) {
	for _, tt := range []struct {
		text string // the name is "it"
		want []int  // the lines of it that lie in conditional code
	}{
		{"it();\n", nil},
		{"#if X\nit();\n#else\nit();\n#endif\nit();\n", []int{2, 4}},
		{"/* ... */\n#ifndef A_H\n#define A_H\nit();\n#ifdef X\nit();\n#endif\n#endif\n", []int{6}},
		{"#ifndef A\nit();\n#define A\n#endif\n", []int{2}},
		{"#ifndef A\n#define A\nit();\n#endif\n#ifndef B\n#define B\nit();\n#endif\n", []int{7}},
		{"#ifdef X\n#define M it() + \\\n  it()\n#endif\nit();\n", nil},
		{"#endif\n#endif\nit();\n  #  if X\nit();\n", []int{5}},
		{"#if X\n#if Y\n#endif\nit();\n#endif\nit();\n", []int{4}},
	} {
		c := source.NewText([]byte(tt.text))
		var got []int
		for _, at := range inConditions(c, wordsInCode("a.c", c.Bytes, "it", 100)) {
			got = append(got, 1+bytes.Count(c.Bytes[:at], []byte("\n")))
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}
