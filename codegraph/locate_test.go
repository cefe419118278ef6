package codegraph_test

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

func file(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }

// station is a repository in which each signal leads somewhere else.
func station() fstest.MapFS {
	return fstest.MapFS{
		"go.mod": file("module example.com/station\n"),
		"rx/tune.go": file(`package rx

// Tune sets the centre frequency of the carrier.
func (r *Receiver) Tune(hz float64) error {
	if hz < 0 {
		return errNegative
	}
	r.hz = hz
	return nil
}

func clampGain(db float64) float64 { return min(db, 60) }
`),
		"rx/receiver.go": file(`package rx

import "errors"

var errNegative = errors.New("rx: frequency is negative")

// A Receiver turns waves into samples.
type Receiver struct{ hz, gain float64 }

func (r *Receiver) Read(n int) []complex64 { return make([]complex64, n) }
`),
		"rx/decode/frame.go": file(`package decode

// Frame finds the preamble of a burst and cuts the payload behind it.
func Frame(samples []complex64) []byte { return nil }
`),
		"cmd/station/main.go": file(`package main

import (
	"log"

	"example.com/station/rx"
)

func main() {
	var r rx.Receiver
	if err := r.Tune(1e6); err != nil {
		log.Fatal(err)
	}
}
`),
		"rx/tune_test.go": file(`package rx

import "testing"

// TestTune sets the centre frequency of the carrier, the centre frequency.
func TestTune(t *testing.T) { new(Receiver).Tune(3) }
`),
		"vendor/other/tune.go":  file("package other\n\n// Tune sets the centre frequency of the carrier.\nfunc Tune() {}\n"),
		"examples/tune/main.go": file("package main\n\n// main sets the centre frequency of the carrier.\nfunc main() {}\n"),
		"README.md":             file("Tune sets the centre frequency of the carrier.\n"),
	}
}

func locate(t *testing.T, g *codegraph.Graph, text string, o *codegraph.LocateOptions) *codegraph.LocateResult {
	t.Helper()
	res, err := g.Locate(t.Context(), text, o)
	if err != nil {
		t.Fatalf("Locate(%q): %v", text, err)
	}
	return res
}

// signals are those of a spot with what was found.
func signals(s codegraph.Spot) map[string][]string {
	out := map[string][]string{}
	for _, r := range s.Why {
		out[r.Signal] = r.Words
	}
	return out
}

func find(t *testing.T, res *codegraph.LocateResult, id string) codegraph.Spot {
	t.Helper()
	i := slices.IndexFunc(res.Spots, func(s codegraph.Spot) bool { return s.ID == id })
	if i < 0 {
		t.Fatalf("%s is not among %d spots", id, len(res.Spots))
	}
	return res.Spots[i]
}

func TestLocate(t *testing.T) {
	g := build(t, station())
	for _, c := range []struct {
		name, text, first, entity string
		signal                    string // of the file
		words                     []string
		entitySignal              string
	}{
		{"words of a comment above a function", "The centre frequency of the carrier is wrong", "rx/tune.go", "rx/tune.go:Receiver.Tune", "best", nil, "entity_body"},
		{"a name in sentences", "Nothing comes out\n\nI call clampGain with 70.", "rx/tune.go", "rx/tune.go:clampGain", "named", []string{"clampGain"}, "entity_named"},
		{"parts of a name", "Gain: no clamp", "rx/tune.go", "rx/tune.go:clampGain", "covered", []string{"clamp", "gain"}, "entity_covered"},
		{"a name with its class", "It fails\n\n`Receiver.Read` gives zeros.", "rx/receiver.go", "rx/receiver.go:Receiver.Read", "module", []string{"Receiver.Read"}, "entity_module"},
		{"a path", "It fails, see rx/decode/frame.go.", "rx/decode/frame.go", "rx/decode/frame.go:Frame", "place", []string{"rx/decode/frame.go"}, ""},
		{"words of a path", "The decode step is slow", "rx/decode/frame.go", "rx/decode/frame.go:Frame", "path", []string{"decod"}, ""},
		{"what the title begins with", "rx/decode: nothing works", "rx/decode/frame.go", "", "scope", []string{"rx/decode"}, ""},
		{"a traceback", "It breaks\n\n```\npanic: x\n\nexample.com/station/rx.(*Receiver).Tune(0x0)\n\t/home/me/src/station/rx/tune.go:8 +0x1d\nmain.main()\n\t/home/me/src/station/cmd/station/main.go:11 +0x20\n```",
			"rx/tune.go", "rx/tune.go:Receiver.Tune", "frame", []string{"/home/me/src/station/rx/tune.go:8"}, "entity_frame"},
		{"what an error says", "It fails\n\nError: rx: frequency is negative", "rx/receiver.go", "", "file", nil, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			res := locate(t, g, c.text, nil)
			if len(res.Spots) == 0 || res.Spots[0].Path != c.first {
				t.Fatalf("first is %+v, want %s", res.Spots, c.first)
			}
			got := signals(res.Spots[0])
			words, ok := got[c.signal]
			if !ok {
				t.Errorf("signals of the file %v, want %s", got, c.signal)
			}
			for _, w := range c.words {
				if !slices.Contains(words, w) {
					t.Errorf("%s found %q, want %q", c.signal, words, w)
				}
			}
			if c.entity == "" {
				return
			}
			i := slices.IndexFunc(res.Spots, func(s codegraph.Spot) bool { return s.Kind != codegraph.KindFile })
			if i < 0 || res.Spots[i].ID != c.entity {
				t.Fatalf("spots %+v, want %s the first that is no file", res.Spots, c.entity)
			}
			if _, ok := signals(res.Spots[i])[c.entitySignal]; c.entitySignal != "" && !ok {
				t.Errorf("signals of %s: %v, want %s", c.entity, signals(res.Spots[i]), c.entitySignal)
			}
		})
	}
}

func TestLocateOrder(t *testing.T) {
	g := build(t, station())
	res := locate(t, g, "The centre frequency of the carrier is wrong", &codegraph.LocateOptions{Limit: 100})
	at, seen := map[string]float64{}, 2.
	for _, s := range res.Spots {
		if s.Score > seen || s.Score <= 0 || s.Score > 1 {
			t.Errorf("%s has %v after %v", s.ID, s.Score, seen)
		}
		seen = s.Score
		sum := 0.
		for _, r := range s.Why {
			if r.Score <= 0 || r.Words == nil {
				t.Errorf("%s: reason %+v", s.ID, r)
			}
			sum += r.Score
		}
		if sum > s.Score*1.000001 || s.Kind == codegraph.KindFile && sum < s.Score*.999999 {
			t.Errorf("%s: reasons add up to %v of %v", s.ID, sum, s.Score)
		}
		if s.Kind == codegraph.KindFile {
			at[s.Path] = s.Score
		} else if s.Score >= at[s.Path] {
			t.Errorf("%s has %v, its file %v", s.ID, s.Score, at[s.Path])
		}
	}
	// What holds all words too, but is ranked lower, is still there.
	for _, p := range []string{"rx/tune_test.go", "vendor/other/tune.go", "examples/tune/main.go", "README.md"} {
		if at[p] == 0 || at[p] >= at["rx/tune.go"]*.6 {
			t.Errorf("%s has %v, rx/tune.go %v", p, at[p], at["rx/tune.go"])
		}
	}
	lines := find(t, res, "rx/tune.go:Receiver.Tune").Lines
	if !slices.Contains(lines, 3) {
		t.Errorf("lines %v, want the comment on line 3", lines)
	}
	if again := locate(t, build(t, station()), "The centre frequency of the carrier is wrong", &codegraph.LocateOptions{Limit: 100}); !cmp.Equal(res, again) {
		t.Errorf("another time (-first +second):\n%s", cmp.Diff(res, again))
	}
	groups := res.ByFile()
	n := 0
	for i, f := range groups {
		if n += len(f.Spots); f.Spots[0].Kind != codegraph.KindFile || f.Score != f.Spots[0].Score || i > 0 && f.Score > groups[i-1].Score {
			t.Errorf("group %d: %+v", i, f)
		}
	}
	if n != len(res.Spots) {
		t.Errorf("%d spots in groups, %d in all", n, len(res.Spots))
	}
}

func TestLocateOptions(t *testing.T) {
	g := build(t, station())
	const text = "Tune sets the centre frequency of the carrier"
	all := locate(t, g, text, &codegraph.LocateOptions{Limit: 1000})
	if all.Truncated {
		t.Error("all of it is truncated")
	}
	for _, c := range []struct {
		name string
		o    codegraph.LocateOptions
		ok   func(*codegraph.LocateResult) bool
	}{
		{"limit", codegraph.LocateOptions{Limit: 2}, func(r *codegraph.LocateResult) bool { return len(r.Spots) == 2 && r.Truncated && r.Total == all.Total }},
		{"files", codegraph.LocateOptions{Files: 1}, func(r *codegraph.LocateResult) bool { return len(r.ByFile()) == 1 && r.Truncated }},
		{"per file", codegraph.LocateOptions{PerFile: 1, Limit: 1000}, func(r *codegraph.LocateResult) bool {
			return !slices.ContainsFunc(r.ByFile(), func(f codegraph.FileSpots) bool { return len(f.Spots) > 2 }) && r.Truncated
		}},
		{"kinds", codegraph.LocateOptions{Kinds: []codegraph.Kind{codegraph.KindClass}}, func(r *codegraph.LocateResult) bool {
			return len(r.Spots) == 1 && r.Spots[0].ID == "rx/receiver.go:Receiver"
		}},
		{"paths", codegraph.LocateOptions{Paths: []string{"cmd/"}, Limit: 1000}, func(r *codegraph.LocateResult) bool {
			return len(r.Spots) > 0 && !slices.ContainsFunc(r.Spots, func(s codegraph.Spot) bool { return !strings.HasPrefix(s.Path, "cmd/") })
		}},
		{"pattern", codegraph.LocateOptions{Paths: []string{"rx/*_test.go"}}, func(r *codegraph.LocateResult) bool { return r.Spots[0].Path == "rx/tune_test.go" && r.Total == 1 }},
		{"no lines", codegraph.LocateOptions{Lines: -1}, func(r *codegraph.LocateResult) bool {
			return !slices.ContainsFunc(r.Spots, func(s codegraph.Spot) bool { return len(s.Lines) > 0 })
		}},
		{"one line", codegraph.LocateOptions{Lines: 1}, func(r *codegraph.LocateResult) bool { return len(r.Spots[0].Lines) == 1 }},
		{"weights", codegraph.LocateOptions{Weights: map[string]float64{"test": 1, "generated": 0}, Limit: 1000}, func(r *codegraph.LocateResult) bool {
			return slices.IndexFunc(r.Spots, func(s codegraph.Spot) bool { return s.Path == "rx/tune_test.go" }) < 4 &&
				slices.ContainsFunc(r.Spots, func(s codegraph.Spot) bool { return s.Path == "vendor/other/tune.go" })
		}},
	} {
		if res := locate(t, g, text, &c.o); !c.ok(res) {
			t.Errorf("%s: %+v", c.name, res)
		}
	}
	for _, c := range []struct {
		o    codegraph.LocateOptions
		want string
	}{
		{codegraph.LocateOptions{Limit: -1, Files: -1, PerFile: -1}, "Limit is negative"},
		{codegraph.LocateOptions{Kinds: []codegraph.Kind{codegraph.KindDirectory}}, `entity kind "directory"`},
		{codegraph.LocateOptions{Paths: []string{"[a"}}, `path pattern "[a"`},
		{codegraph.LocateOptions{Weights: map[string]float64{"colour": 1}}, `unknown weight "colour"`},
		{codegraph.LocateOptions{Weights: map[string]float64{"test": -1}}, `weight "test" is -1`},
	} {
		if _, err := g.Locate(t.Context(), text, &c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: error %v, want %s", c.o, err, c.want)
		}
	}
	for _, text := range []string{"", " \n\t", "zzyzx", "the of and", "\x00\xff"} {
		if res := locate(t, g, text, nil); len(res.Spots) != 0 || res.Spots == nil || res.Total != 0 {
			t.Errorf("Locate(%q) = %+v, want nothing", text, res)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := g.Locate(ctx, text, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	weights := codegraph.LocateWeights()
	if same := locate(t, g, text, &codegraph.LocateOptions{Weights: weights}); !cmp.Equal(same, locate(t, g, text, nil)) {
		t.Error("the weights given are not those it ranks by")
	}
	clear(weights)
	if len(codegraph.LocateWeights()) == 0 {
		t.Error("LocateWeights gives the same map twice")
	}
}

func TestLocateSet(t *testing.T) {
	other := fstest.MapFS{"tx/send.go": file("package tx\n\n// Send keys the transmitter at the centre frequency.\nfunc Send() {}\n")}
	s, err := codegraph.NewSet(codegraph.Member{Name: "station", Graph: build(t, station())}, codegraph.Member{Name: "tower", Graph: build(t, other)})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{"Send keys the transmitter twice": "tower//tx/send.go", "clampGain is wrong": "station//rx/tune.go"} {
		res, err := s.Locate(t.Context(), text, nil)
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Spots) == 0 || res.Spots[0].ID != want || !strings.HasPrefix(want, res.Spots[0].Repo+"//") {
			t.Errorf("Locate(%q) = %+v, want %s", text, res.Spots, want)
		}
		if f := res.ByFile()[0]; f.Repo != res.Spots[0].Repo || f.Path != res.Spots[0].Path {
			t.Errorf("Locate(%q): first file %+v", text, f)
		}
	}
}

func TestLocateIndex(t *testing.T) {
	root := t.TempDir()
	if err := os.CopyFS(root, station()); err != nil {
		t.Fatal(err)
	}
	ix, err := codegraph.Open(t.Context(), t.TempDir(), root, langs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer ix.Close()
	const text = "The squelch level is wrong"
	if res, err := ix.Graph().Locate(t.Context(), text, nil); err != nil || len(res.Spots) > 0 && res.Spots[0].Path == "rx/squelch.go" {
		t.Errorf("Locate = %+v, %v", res, err)
	}
	if err := os.WriteFile(filepath.Join(root, "rx", "squelch.go"), []byte("package rx\n\n// squelch mutes what is below a level.\nfunc squelch() {}\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := ix.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	res, err := ix.Graph().Locate(t.Context(), text, nil)
	if err != nil || len(res.Spots) == 0 || res.Spots[0].Path != "rx/squelch.go" {
		t.Fatalf("after an update: %+v, %v", res, err)
	}
	// A source that changed since still ranks; its lines are not known.
	if err := os.WriteFile(filepath.Join(root, "rx", "squelch.go"), []byte("package rx\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if res, err = ix.Graph().Locate(t.Context(), text, nil); err != nil || res.Spots[0].Path != "rx/squelch.go" || len(res.Spots[0].Lines) > 0 {
		t.Errorf("of a source that changed: %+v, %v", res, err)
	}
}

func TestLocateHistory(t *testing.T) {
	g := build(t, station())
	log := "\x00Keep the squelch from opening on noise\n\nIt was too eager.\n\x00\n\nrx/decode/frame.go\ngone.go\n\x00rx: follow drift\n\x00\n\nrx/tune.go\nrx/receiver.go\n" +
		"\x00rx: follow more drift\n\x00\n\nrx/tune.go\nrx/receiver.go\n\x00Nothing\n\x00\n"
	h, err := codegraph.ReadHistory(strings.NewReader(log))
	if err != nil {
		t.Fatal(err)
	}
	if h.Len() != 3 {
		t.Errorf("%d changes, want 3: one has no file", h.Len())
	}
	const text = "squelch opens at night"
	if res := locate(t, g, text, nil); len(res.Spots) > 0 {
		t.Errorf("without a history: %+v", res.Spots)
	}
	res := locate(t, g, text, &codegraph.LocateOptions{History: h})
	if len(res.Spots) == 0 || res.Spots[0].ID != "rx/decode/frame.go" {
		t.Fatalf("with a history: %+v", res.Spots)
	}
	if _, ok := signals(res.Spots[0])["history"]; !ok {
		t.Errorf("signals %v, want history", signals(res.Spots[0]))
	}
	res = locate(t, g, "clampGain is wrong", &codegraph.LocateOptions{History: h})
	if _, ok := signals(find(t, res, "rx/receiver.go"))["together"]; !ok {
		t.Errorf("signals of what changed together: %v", signals(find(t, res, "rx/receiver.go")))
	}
	for _, in := range []string{"commit 123\nAuthor: a\n", "a"} {
		if _, err := codegraph.ReadHistory(strings.NewReader(in)); !errors.Is(err, codegraph.ErrFormat) {
			t.Errorf("ReadHistory(%q): %v, want ErrFormat", in, err)
		}
	}
	for _, in := range []string{"", "\x00", "\x00m", "\x00m\x00", "\n\x00m\x00"} {
		if h, err := codegraph.ReadHistory(strings.NewReader(in)); err != nil || h.Len() != 0 {
			t.Errorf("ReadHistory(%q) = %d changes, %v, want none", in, h.Len(), err)
		}
	}
	var many strings.Builder
	for i := range 40 {
		many.WriteString("\x00m\x00\n\n" + strings.Repeat("a.go\n", i))
	}
	if h, err := codegraph.ReadHistory(strings.NewReader(many.String())); err != nil || h.Len() != 30 {
		t.Errorf("%d changes of 1 to 39 files, %v, want those of up to 30", h.Len(), err)
	}
}

// FuzzReadHistory reads any bytes.
func FuzzReadHistory(f *testing.F) {
	f.Add([]byte("\x00m\x00\n\na.go\n\x00"))
	f.Add([]byte("\x00\x00\x00"))
	g := build(f, station())
	f.Fuzz(func(t *testing.T, b []byte) {
		h, err := codegraph.ReadHistory(strings.NewReader(string(b)))
		if err != nil {
			return
		}
		if _, err := g.Locate(t.Context(), "Tune is wrong", &codegraph.LocateOptions{History: h}); err != nil {
			t.Error(err)
		}
	})
}

func TestLocateWeightNames(t *testing.T) {
	for _, n := range slices.Sorted(maps.Keys(codegraph.LocateWeights())) {
		if n == "" || strings.ToLower(n) != n {
			t.Errorf("weight %q", n)
		}
	}
}
