package questions

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// TestAliasAt: the name at « » has the other name that is wanted, "line:col name", or none.
func TestAliasAt(t *testing.T) {
	for _, tt := range []struct{ language, text, want string }{
		{"python", "from m import «f» as g\n", "1:20 g"},
		{"python", "from .m import a, «f» as ü, b\n", "1:24 ü"},
		{"python", "import a.«b» as c\n", "1:15 c"},
		{"python", "try:\n    from m import «f»  as  g\n", "2:26 g"},
		{"python", "from m import (\n    a,  # one, two\n    «f» as g,\n)\n", "3:10 g"},
		{"python", "from m import (a,\r\n    «f» as g,\r\n)\r\n", "2:10 g"},
		{"python", "from m import a, \\\n    «f» as g\n", "2:10 g"},
		{"python", "from m import «f» \\\n    as g\n", "2:8 g"},
		{"python", "from m import «f», g\n", ""},
		{"python", "import m\nwith «f» as g:\n    pass\n", ""},
		{"python", "from m import a\nexcept «E» as e:\n", ""},
		{"python", "from m import (a, b)\nwith «f» as g:\n", ""},
		{"python", "import os\ncase «K» as k:\n", ""},
		{"python", "from m import «f»asg\n", ""},
		{"python", "«f» as g\n", ""},
		{"rust", "use a::«f» as g;\n", "1:13 g"},
		{"rust", "pub(crate) use a::{self, b::{c as d, «f» as r#g}};\n", "1:45 g"},
		{"rust", "use a::{\n    b,\n    «f»\n        as g,\n};\n", "4:12 g"},
		{"rust", "use a::«T» as _;\n", ""},
		{"rust", "use a::b;\nconst N: usize = «M» as usize;\n", ""},
		{"rust", "use a::b;\nfn f() -> usize { «M» as usize }\n", ""},
		{"rust", "pub fn reuse() { «M» as usize }\n", ""},
	} {
		b, e := strings.Index(tt.text, "«"), strings.Index(tt.text, "»")-len("«")
		text := source.NewText([]byte(strings.NewReplacer("«", "", "»", "").Replace(tt.text)))
		line := 1 + bytes.Count(text.Bytes[:b], []byte("\n"))
		start := text.Starts[line-1]
		got := ""
		if at, ok := aliasAt(text, place.Location{Path: "x", Line: line, Col: b - start + 1, EndLine: line, EndCol: e - start + 1}, tt.language); ok {
			row, _ := text.Line(at.Line)
			got = fmt.Sprintf("%d:%d %s", at.Line, at.Col, row[at.Col-1:at.EndCol-1])
		}
		if got != tt.want {
			t.Errorf("%s: %q has %q, want %q", tt.language, tt.text, got, tt.want)
		}
	}
}
