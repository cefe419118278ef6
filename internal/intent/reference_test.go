package intent_test

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/intent"
)

// TestReferenceQuestions reads the labelled wordings; what goes wrong and the precision and recall are golden.
func TestReferenceQuestions(t *testing.T) {
	var out strings.Builder
	for _, name := range []string{"questions.txt", "heldout.txt", "later.txt", "last.txt"} {
		f, err := os.Open(filepath.Join("testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		var right, wrong, missed, falsely, negatives, named int
		sc := bufio.NewScanner(f)
		for sc.Scan() {
			label, q, ok := strings.Cut(sc.Text(), " | ")
			if !ok || strings.HasPrefix(label, "#") {
				continue
			}
			got, ok := intent.References(q)
			want, positive := strings.CutPrefix(label, "+ ")
			switch {
			case positive && !ok:
				missed++
				fmt.Fprintf(&out, "%s: missed: %s\n", name, q)
			case positive && strings.Join(got, ", ") != want:
				right++
				wrong++
				fmt.Fprintf(&out, "%s: took %q for the object: %s\n", name, got, q)
			case positive:
				right++
				named++
			case ok:
				falsely++
				negatives++
				fmt.Fprintf(&out, "%s: taken though it does not ask (%q): %s\n", name, got, q)
			default:
				negatives++
			}
		}
		if err := sc.Err(); err != nil {
			t.Fatal(err)
		}
		f.Close()
		fmt.Fprintf(&out, "%s: %d wordings, %d of them ask for callers or uses; precision %.3f, recall %.3f, object right %.3f\n", name, right+missed+negatives, right+missed,
			float64(right)/float64(right+falsely), float64(right)/float64(right+missed), float64(named)/float64(right))
	}
	golden.Compare(t, "testdata/golden.txt", []byte(out.String()))
}

func FuzzReferenceQuestion(f *testing.F) {
	for _, s := range []string{"who calls `a` and where is b used", "where is f(a, b) used in x/y.py", "X's callers", "is \"a b\" used", "by what is a::b<c> called?", "usages: x_y"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		objects, ok := intent.References(s)
		if ok != (len(objects) > 0) || len(objects) > 8 {
			t.Fatalf("ReferenceQuestion(%q) = %q, %v", s, objects, ok)
		}
		for _, o := range objects {
			if strings.TrimSpace(o) == "" {
				t.Fatalf("ReferenceQuestion(%q) has an empty object", s)
			}
		}
	})
}
