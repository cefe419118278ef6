package codegraph_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
)

// fileScores are those of the files of a result.
func fileScores(res *codegraph.LocateResult) map[string]float64 {
	out := map[string]float64{}
	for _, f := range res.ByFile() {
		out[f.Path] = f.Score
	}
	return out
}

// What the first file of a graph is worth does not hang on its being the first.
func TestLocateFirstFile(t *testing.T) {
	g := build(t, fstest.MapFS{"a.go": file("package a\n\n// squelch mutes\nfunc x() {}\n"), "b.go": file("package a\n\n// squelch mutes\nfunc y() {}\n")})
	res := locate(t, g, "squelch mutes", nil)
	a, b := signals(find(t, res, "a.go")), signals(find(t, res, "b.go"))
	if _, ok := a["lead"]; !ok {
		t.Errorf("signals of the first file %v, of the second %v", a, b)
	}
	if s := fileScores(res); s["a.go"] != s["b.go"] {
		t.Errorf("files that say the same have %v", s)
	}
}

// A folder that is named as the report says is not ranked, and takes nothing from files.
func TestLocateFolderNames(t *testing.T) {
	text := "squelch"
	plain := fstest.MapFS{"notes.txt": file("the squelch mutes what is below a level, and some more words\n"), "z/other.txt": file("x\n")}
	folder := fstest.MapFS{"notes.txt": plain["notes.txt"], "squelch/other.txt": file("x\n")}
	reason := func(fs fstest.MapFS) float64 {
		for _, r := range find(t, locate(t, build(t, fs), text, nil), "notes.txt").Why {
			if r.Signal == "file" {
				return r.Score
			}
		}
		return 0
	}
	if a, b := reason(plain), reason(folder); a != b || a == 0 {
		t.Errorf("the words of notes.txt are worth %v, beside a folder of that name %v", a, b)
	}
}

// Whatever the weights, scores are numbers that JSON can hold, and stay between 0 and 1.
func TestLocateOddWeights(t *testing.T) {
	g := build(t, station())
	for _, v := range []float64{0, 1e-300, 1, 1e6} {
		w := codegraph.LocateWeights()
		for name := range w {
			w[name] = v
			if name == "b" || name == "file_b" {
				w[name] = min(v, 1)
			}
		}
		res := locate(t, g, "Tune sets the centre frequency of the carrier in rx/tune.go", &codegraph.LocateOptions{Weights: w})
		for _, s := range res.Spots {
			if !(s.Score >= 0 && s.Score <= 1) {
				t.Errorf("with %v: %s has %v", v, s.ID, s.Score)
			}
		}
		if _, err := json.Marshal(res); err != nil {
			t.Errorf("with %v: %v", v, err)
		}
	}
	for _, name := range []string{"b", "file_b"} {
		if _, err := g.Locate(t.Context(), "x", &codegraph.LocateOptions{Weights: map[string]float64{name: 1.5}}); err == nil || !strings.Contains(err.Error(), "from 0 to 1") {
			t.Errorf("weight %s of 1.5: %v", name, err)
		}
	}
}

// Paths are written in other cases where file systems do not tell them apart.
func TestLocatePathCase(t *testing.T) {
	g := build(t, fstest.MapFS{
		"rx/Tune.go": file("package rx\n"), "rx/gain.go": file("package rx\n"), "rx/GAIN.go": file("package rx\n"),
		"a/init.go": file("package a\n"), "b/init.go": file("package b\n"), "lib/abc.go": file("package lib\n"),
	})
	for text, want := range map[string]string{
		"It fails\n\n" + `see C:\src\RX\tune.go`: "rx/Tune.go",
		"It fails\n\nsee rx/GAIN.go":             "rx/GAIN.go",
		"It fails\n\nsee rx/gain.go":             "rx/gain.go",
		"It fails\n\nsee rx/Gain.go":             "", // either
		"It fails\n\nsee src/init.go":            "", // either
		"It fails\n\nsee b/init.go":              "b/init.go",
		"It fails\n\nsee /usr/lib/go/abc.go":     "", // of another package
	} {
		res := locate(t, g, text, nil)
		var got []string
		for _, s := range res.Spots {
			if _, ok := signals(s)["place"]; ok {
				got = append(got, s.ID)
			}
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q leads to %q, want %q", text, got, want)
		}
	}
}

// FuzzLocate ranks by any text: scores are above 0 and up to 1, best first, a file before what is in it, and the same twice.
func FuzzLocate(f *testing.F) {
	for _, s := range []string{"Tune is wrong", "a.b.c()", "  File \"rx/tune.go\", line 3, in Tune", "rx: `Receiver.Read`", "#\n```\nrx/tune.go:3", "\u202eTune\u202c", "T\x00u\x00n\x00e\x00", "_ $ :: -> É", "see C:\\rx\\TUNE.GO:3", "from . import rx"} {
		f.Add(s)
	}
	g, again := build(f, station()), build(f, station())
	f.Fuzz(func(t *testing.T, s string) {
		res := locate(t, g, s, &codegraph.LocateOptions{Limit: 1000})
		last, files := 1., map[string]bool{}
		for _, x := range res.Spots {
			if !(x.Score > 0 && x.Score <= last) {
				t.Errorf("%s has %v after %v", x.ID, x.Score, last)
			}
			last = x.Score
			if x.Kind == codegraph.KindFile {
				files[x.Path] = true
			} else if !files[x.Path] {
				t.Errorf("%s comes before its file", x.ID)
			}
		}
		if d := cmp.Diff(res, locate(t, again, s, &codegraph.LocateOptions{Limit: 1000})); d != "" {
			t.Errorf("of another graph of the same files (-first +second):\n%s", d)
		}
	})
}

// scoresOf are the parts of a spot's score.
func scoresOf(s codegraph.Spot) map[string]float64 {
	out := map[string]float64{}
	for _, r := range s.Why {
		out[r.Signal] = r.Score
	}
	return out
}

func TestLocateReasons(t *testing.T) {
	g := build(t, station())
	if got := signals(find(t, locate(t, g, "Receiver.Tune is wrong", nil), "cmd/station/main.go"))["near"]; !slices.Contains(got, "rx/tune.go") {
		t.Errorf("near %q, want rx/tune.go", got)
	}
	// A place without a name of a function leads to the one around its line.
	if s := find(t, locate(t, g, "It fails\n\nsee rx/tune.go:8", nil), "rx/tune.go:Receiver.Tune"); !slices.Contains(signals(s)["entity_frame"], "rx/tune.go:8") {
		t.Errorf("reasons of what is around a line: %+v", s.Why)
	}
	// Each of two tracebacks begins anew, and what is further out counts less.
	res := locate(t, g, "It fails\n\n"+"\t/src/rx/tune.go:4 +0x1\n\t/src/rx/receiver.go:10 +0x1\n"+strings.Repeat("again\n", 14)+"\t/src/rx/decode/frame.go:4 +0x1\n", nil)
	first, outer, second := scoresOf(find(t, res, "rx/tune.go"))["frame"], scoresOf(find(t, res, "rx/receiver.go"))["frame"], scoresOf(find(t, res, "rx/decode/frame.go"))["frame"]
	if first == 0 || first != second || outer == 0 || outer >= first {
		t.Errorf("frames %v and below it %v, of the second traceback %v", first, outer, second)
	}
	for _, s := range locate(t, g, "Tune sets the centre frequency of the carrier, negative gain, samples, waves, receiver, errors, min", nil).Spots {
		for _, r := range s.Why {
			if len(r.Words) > 5 {
				t.Errorf("%s: %s found %q", s.ID, r.Signal, r.Words)
			}
		}
	}
	// The more of a name the report has, the better.
	res = locate(t, build(t, fstest.MapFS{"a.go": file("package a\n\nfunc clampGain() {}\n\nfunc clampGainOfTheOtherSide() {}\n")}), "Gain: no clamp", nil)
	if a, b := scoresOf(find(t, res, "a.go:clampGain"))["entity_covered"], scoresOf(find(t, res, "a.go:clampGainOfTheOtherSide"))["entity_covered"]; a <= b || b == 0 {
		t.Errorf("a whole name has %v, a part of one %v", a, b)
	}
	// A name that everybody has says nothing.
	for n, want := range map[int]bool{3: true, 61: false} {
		fs := fstest.MapFS{}
		for i := range n {
			fs[fmt.Sprintf("p%d/a.go", i)] = file(fmt.Sprintf("package p%d\n\nfunc Squelch() {}\n", i))
		}
		if _, ok := signals(locate(t, build(t, fs), "It fails\n\n`Squelch` does", nil).Spots[0])["named"]; ok != want {
			t.Errorf("a name of %d functions says something: %v", n, ok)
		}
	}
}

// Git quotes names that are not ASCII.
func TestReadHistoryQuoted(t *testing.T) {
	h, err := codegraph.ReadHistory(strings.NewReader("\x00Mute the squelch\n\x00\n\n\"caf\\303\\251.go\"\n"))
	if err != nil {
		t.Fatal(err)
	}
	res := locate(t, build(t, fstest.MapFS{"café.go": file("package a\n")}), "squelch", &codegraph.LocateOptions{History: h})
	if len(res.Spots) != 1 || res.Spots[0].Path != "café.go" {
		t.Errorf("spots %+v, want café.go", res.Spots)
	}
}
