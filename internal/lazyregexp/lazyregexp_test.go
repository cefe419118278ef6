package lazyregexp

import (
	"os"
	"regexp"
	"sync"
	"testing"
)

func TestRegexp(t *testing.T) {
	const text = `^(\w+)-(?P<n>\d+)$`
	r, want := &Regexp{text: text}, regexp.MustCompile(text)
	if r.re != nil {
		t.Error("compiled before it was used")
	}
	var g sync.WaitGroup
	for range 8 {
		g.Go(func() {
			if !r.MatchString("ab-12") || r.MatchString("ab") {
				t.Error("another match than that of package regexp")
			}
		})
	}
	g.Wait()
	if r.String() != want.String() || r.SubexpIndex("n") != 2 || r.ReplaceAllString("ab-12", "$2") != "12" {
		t.Errorf("%v is not %v", r, want)
	}
}

// TestNew: in a test what is wrong panics at once, elsewhere when it is used.
func TestNew(t *testing.T) {
	panics := func(f func()) (did bool) {
		defer func() { did = recover() != nil }()
		f()
		return false
	}
	if !panics(func() { New(`(`) }) {
		t.Error("a wrong expression is not found by a test")
	}
	name := os.Args[0]
	defer func() { os.Args[0] = name }()
	os.Args[0] = "findspot"
	var r *Regexp
	if panics(func() { r = New(`(`) }) {
		t.Error("compiled when it was made")
	}
	if !panics(func() { r.MatchString("x") }) {
		t.Error("a wrong expression is used")
	}
}
