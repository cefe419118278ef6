package questions

import (
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
	gocmp "github.com/google/go-cmp/cmp"
)

func TestMacroArguments(t *testing.T) {
	const text = `fn main() {
    one(two!(three(1), [four()]), five());
    if !six() && a != seven() { eight![nine()]; } // two!(ten())
    "two!(eleven())"; twelve!{ { thirteen() } } fourteen(); a! (fifteen())
}
`
	c := source.NewText([]byte(text))
	inside := macroArguments(c, place.Location{Path: "a.rs", Line: 1, Col: 1, EndLine: 5, EndCol: 2})
	var got []string
	for _, name := range []string{"one", "three", "four", "five", "six", "seven", "nine", "ten", "eleven", "thirteen", "fourteen", "fifteen"} {
		if inside[strings.Index(text, name+"(")] {
			got = append(got, name)
		}
	}
	// What is in a comment or a string is no call, wherever it stands; who asks leaves it out.
	got = slices.DeleteFunc(got, func(s string) bool { return s == "ten" || s == "eleven" })
	if diff := gocmp.Diff([]string{"three", "four", "nine", "thirteen", "fifteen"}, got); diff != "" {
		t.Errorf("within macros (-want +got):\n%s", diff)
	}
}
