package gosyntax

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

const checked = `
-- go.mod --
module example.com/m
-- a.go --
package m

import (
	"strings"

	"example.com/m/lib"
	"example.com/missing"
)

type T struct{ lib.Base }

type R interface{ Read() }

func (t *T) run(r R) {
	t.Go()
	r.Read()
	missing.F(t.run)
	strings.ToUpper("")
	use(lib.New[T]().First())
	f := use
	f(t)
	T(*t).Go()
}

func use(t *T) {}

var broken undefined = t.x(
-- a_windows.go --
package m

func other() { use(nil) }
-- a_test.go --
package m

func helper() { use(nil) }
-- x_test.go --
package m_test

import "example.com/m"

func test(t m.T) { t.Go() }
-- lib/lib.go --
package lib

type Base struct{}

func (Base) Go() {}

type List[E any] struct{}

func New[E any]() *List[E] { return nil }

func (*List[E]) First() *E { return nil }
-- std/strings/s.go --
package strings

func ToUpper(s string) string { return s }
`

func TestCheck(t *testing.T) {
	fsys, std := fstest.MapFS{}, fstest.MapFS{}
	var paths []string
	for _, f := range txtar.Parse([]byte(checked)).Files {
		if rest, ok := strings.CutPrefix(f.Name, "std/"); ok {
			std[rest] = &fstest.MapFile{Data: f.Data}
			continue
		}
		fsys[f.Name] = &fstest.MapFile{Data: f.Data}
		paths = append(paths, f.Name)
	}
	list, err := Check(t.Context(), fsys, paths, &CheckOptions{Std: std, GOOS: "linux", GOARCH: "amd64"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, x := range list {
		if x.Hash != sha256.Sum256(fsys[x.At.Path].Data) {
			t.Errorf("%+v: hash of other content", x)
		}
		what := "use"
		if x.Call {
			what = "call"
		}
		to := "outside"
		if x.To.Path != "" {
			to = fmt.Sprintf("%s:%d", x.To.Path, x.To.Line)
		}
		got = append(got, fmt.Sprintf("%s:%d:%d %s %s %s", x.At.Path, x.At.Line, x.At.Col, what, x.Name, to))
	}
	want := []string{
		"a.go:14:19 use R a.go:12",
		"a.go:15:4 call Go lib/lib.go:5",
		"a.go:16:4 call Read a.go:12",
		"a.go:17:14 use run a.go:14",
		"a.go:18:10 call ToUpper outside",
		"a.go:19:2 call use a.go:25",
		"a.go:19:10 call New lib/lib.go:9",
		"a.go:19:14 use T a.go:10",
		"a.go:19:19 call First lib/lib.go:11",
		"a.go:20:7 use use a.go:25",
		"a.go:22:2 use T a.go:10",
		"a.go:22:8 call Go lib/lib.go:5",
		"a.go:25:13 use T a.go:10",
		"a_test.go:3:17 call use a.go:25",
		"lib/lib.go:9:20 use List lib/lib.go:7",
		"x_test.go:5:15 use T a.go:10",
		"x_test.go:5:22 call Go lib/lib.go:5",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("Check (-want +got):\n%s", d)
	}
}

func TestCheckEnds(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	fsys := fstest.MapFS{"a.go": {Data: []byte("package a\n")}}
	if _, err := Check(ctx, fsys, []string{"a.go"}, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("Check: %v, want %v", err, context.Canceled)
	}
	if list, err := Check(t.Context(), fsys, []string{"a.go", "b.go", "../c.go", "x.txt"}, nil); err != nil || len(list) > 0 {
		t.Errorf("Check: %v, %v, want nothing", list, err)
	}
}
