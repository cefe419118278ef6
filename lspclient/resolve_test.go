package lspclient

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// resolved says what a name came to: the place with the note, or the error.
func resolved(t *testing.T, c *Client, name string) string {
	t.Helper()
	r, err := c.References(t.Context(), Named(name), nil)
	var many *AmbiguousError
	var none *NotFoundError
	switch {
	case errors.As(err, &many):
		var write []string
		for _, cand := range many.Candidates {
			write = append(write, cand.Write)
		}
		return "many: " + strings.Join(write, " ")
	case errors.As(err, &none):
		var near []string
		for _, cand := range none.Near {
			near = append(near, cand.Name)
		}
		return "none, near: " + strings.Join(near, " ")
	case err != nil:
		return err.Error()
	}
	return strings.TrimSpace(fmt.Sprintf("%s:%d:%d %s", r.Target.Path, r.Target.Line, r.Target.Col, r.Note))
}

var namesRepo = map[string]string{
	"twin.fk":     "def twin\nuse x def twin\n",
	"sub/twin.fk": "def twin\n",
	"deep/one.fk": "def receiveFrame def sendFrame\n",
}

func TestResolve(t *testing.T) {
	t.Parallel()
	const ambiguousTwins = "many: sub/twin.fk:twin twin.fk:twin[0] twin[1]"
	wants := map[string]string{
		"twin":                ambiguousTwins,
		"twin[1]":             "twin.fk:2:11",
		"twin.fk:twin[0]":     "twin.fk:1:5",
		"twin.fk:/twin[1]":    "twin.fk:2:11",
		"twin.fk::twin[1]":    "twin.fk:2:11",
		"twin.fk:2:11":        "twin.fk:2:11",
		"twin.fk:twin[2]":     "none, near: twin",
		"sub/twin":            "sub/twin.fk:1:5",
		"/twin":               ambiguousTwins,
		"deep.one.sendFrame":  "deep/one.fk:1:22",
		"deep::sendFrame":     "deep/one.fk:1:22",
		"receiveframe":        `deep/one.fk:1:5 "receiveframe" was taken for receiveFrame in deep/one.fk, which differs in upper and lower case`,
		"recieveFrame":        "none, near: receiveFrame sendFrame",
		"frame_receive":       "none, near: receiveFrame",
		"other.sendFrame":     "none, near: sendFrame",
		"deep/one.fk:sendFrm": "none, near: sendFrame",
		"zzz":                 "none, near:",
	}
	for name, script := range map[string]string{
		"symbol search":                "definition says []",
		"no symbol search":             "definition says []\nnosymbols",
		"an index that has nothing":    "definition says []\nsymbol says []",
		"an index that fails":          "definition says []\nsymbol error -32603 no index",
		"a symbol search that is full": "definition says []\nsymbol full",
	} {
		t.Run(name, func(t *testing.T) {
			c, root, _ := fakeClient(t, script, nil)
			writeFiles(t, root, namesRepo)
			for in, want := range wants {
				got := resolved(t, c, in)
				if name == "an index that fails" && in != "receiveframe" && strings.HasPrefix(want, "none") && !strings.Contains(in, ":") {
					want = "" // not found, but not everyone could be asked
					if strings.Contains(got, "no index") {
						continue
					}
				}
				if strings.HasPrefix(want, "none, near:") && strings.HasPrefix(got, want) {
					continue
				}
				if diff := cmp.Diff(want, got); diff != "" {
					t.Errorf("%q (-want +got):\n%s", in, diff)
				}
			}
		})
	}
}

// TestOneSymbol: what the server says is defined at one place is one symbol.
func TestOneSymbol(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil) // defines every declaration at all of them
	writeFiles(t, root, namesRepo)
	if got := resolved(t, c, "twin"); strings.HasPrefix(got, "many") {
		t.Errorf("twin: %s", got)
	}
}

// TestCandidatesResolve: what an AmbiguousError says to write means that candidate.
func TestCandidatesResolve(t *testing.T) {
	c, root, _ := fakeClient(t, "definition says []", nil)
	writeFiles(t, root, namesRepo)
	var many *AmbiguousError
	if _, err := c.References(t.Context(), Named("twin"), nil); !errors.As(err, &many) {
		t.Fatal(err)
	}
	for _, cand := range many.Candidates {
		r, err := c.References(t.Context(), Named(cand.Write), nil)
		if err != nil || r.Target != cand.Location {
			t.Errorf("%q means %+v, %v, want %+v", cand.Write, r, err, cand.Location)
		}
	}
}

func TestLocated(t *testing.T) {
	asked := 0
	c, root, _ := fakeClient(t, "symbol says []", &Options{Locate: func(_ context.Context, name string) ([]Location, error) {
		asked++
		if name != "elsewhere" {
			return nil, ErrNotFound
		}
		return []Location{{Path: "deep/one.fk", Line: 2}, {Path: "../out.fk", Line: 1}, {Path: "gone.fk", Line: 1}}, nil
	}})
	writeFiles(t, root, map[string]string{"deep/one.fk": "def first\nuse elsewhere\n"})
	if got := resolved(t, c, "elsewhere"); !strings.HasPrefix(got, "deep/one.fk:2:5") || asked == 0 {
		t.Errorf("%s, asked %d times", got, asked)
	}
}

// TestConfirmedInTime: whether candidates are one symbol must be known before they are called ambiguous.
func TestConfirmedInTime(t *testing.T) {
	c, root, _ := fakeClient(t, "definition late 2s", nil)
	writeFiles(t, root, namesRepo)
	ctx, cancel := context.WithTimeout(t.Context(), time.Second)
	defer cancel()
	_, err := c.References(ctx, Named("twin"), nil)
	var many *AmbiguousError
	if errors.As(err, &many) || !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("References: %v, want the deadline", err)
	}
}
