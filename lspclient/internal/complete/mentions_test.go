package complete

import (
	"testing"
)

func TestModulePattern(t *testing.T) {
	for _, tt := range []struct {
		file, text string
		want       bool
	}{
		{"/r/lib/express.js", `require('./lib/express')`, true},
		{"/r/lib/express.js", `import x from "../lib/express.js"`, true},
		{"/r/lib/express.js", "import(`express`)", true},
		{"/r/lib/express.js", `require('./lib/expressive')`, false},
		{"/r/lib/express.js", `require('..')`, false},
		{"/r/lib/index.ts", `from '..'`, true},
		{"/r/lib/index.ts", `from "./"`, true},
		{"/r/lib/index.ts", `from "../lib/index.js"`, true},
		{"/r/lib/index.ts", `from "../lib"`, true},
		{"/r/lib/index.ts", `from "../library"`, false},
		{"/r/types/a.d.ts", `from "./a"`, true},
	} {
		if got := modulePattern(moduleWord(tt.file)).MatchString(tt.text); got != tt.want {
			t.Errorf("%s is named by %s: %v, want %v", tt.file, tt.text, got, tt.want)
		}
	}
}
