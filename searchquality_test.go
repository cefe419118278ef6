package findspot_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/golden"
)

// codeQueries are questions to the simulation of a receiver, with the entity that answers them, by what they are.
var codeQueries = []struct{ form, query, want string }{
	{"name", "detect_pss", "receiver/pss.py:detect_pss"},
	{"name", "CellSearcher", "receiver/cell_search.py:CellSearcher"},
	{"name", "Detector", "goreceiver/pss/detect.go:Detector"},
	{"name", "noise_floor", "receiver/pss.py:noise_floor"},
	{"name", "Sequence", "goreceiver/pss/sequence.go:Sequence"},
	{"name", "cell_search.py", "receiver/cell_search.py"},
	{"name", "false_alarm_rate()", "receiver/metrics.py:false_alarm_rate"},
	{"qualified", "CellSearcher.search", "receiver/cell_search.py:CellSearcher.search"},
	{"qualified", "receiver.pss.detect_pss", "receiver/pss.py:detect_pss"},
	{"qualified", "pss.detect_pss", "receiver/pss.py:detect_pss"},
	{"qualified", "pss.correlate", "receiver/pss.py:correlate"},
	{"qualified", "pss.py:correlate", "receiver/pss.py:correlate"},
	{"qualified", "detect.go:correlate", "goreceiver/pss/detect.go:correlate"},
	{"qualified", "(*Detector).Detect", "goreceiver/pss/detect.go:Detector.Detect"},
	{"qualified", "receiver/channel.py::Channel::apply", "receiver/channel.py:Channel.apply"},
	{"qualified", "TrackingSearcher.identify", "receiver/cell_search.py:CellSearcher.identify"},
	{"qualified", "def build_grid(cell_id):", "receiver/ssb.py:build_grid"},
	{"place", "receiver/pss.py:70", "receiver/pss.py:detect_pss"},
	{"place", `File "/srv/receiver/pss.py", line 70, in detect_pss`, "receiver/pss.py:detect_pss"},
	{"words", "detect pss", "receiver/pss.py:detect_pss"},
	{"words", "cell searcher search", "receiver/cell_search.py:CellSearcher.search"},
	{"words", "channel noise", "receiver/channel.py:Channel.add_noise"},
	{"words", "false alarm", "receiver/metrics.py:false_alarm_rate"},
	{"words", "generate secondary", "receiver/sss.py:generate_sss"},
	{"words", "buildWaveform", "receiver/ssb.py:build_waveform"},
	{"words", "m sequence", "receiver/sequences.py:m_sequence"},
	{"words", "split cell id", "receiver/ssb.py:split_cell_id"},
	{"misspelt", "detct_pss", "receiver/pss.py:detect_pss"},
	{"misspelt", "CellSeacrher", "receiver/cell_search.py:CellSearcher"},
	{"misspelt", "demodulat", "receiver/ofdm.py:demodulate"},
	{"misspelt", "false_alram_rate", "receiver/metrics.py:false_alarm_rate"},
	{"sentence", "where is CellSearcher.equalize defined?", "receiver/cell_search.py:CellSearcher.equalize"},
	{"sentence", "what does with_prefix do with the samples", "receiver/ofdm.py:with_prefix"},
	{"body", "complex white noise of a given power", "receiver/channel.py:Channel.add_noise"},
	{"body", "median of the correlation magnitudes", "receiver/pss.py:noise_floor"},
	{"body", "parse the arguments of the command line", "receiver/cli.py:build_parser"},
	{"body", "shift the samples in frequency", "receiver/ofdm.py:rotate"},
	{"body", "scramble with a Zadoff-Chu root", ""},
}

// TestCodeSearchQuality keeps the ranks of known questions, so that a change of ranking shows in review.
func TestCodeSearchQuality(t *testing.T) {
	g, err := codegraph.Build(t.Context(), os.DirFS(receiver), findspot.Languages(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	fmt.Fprintln(&out, "# rank of the right entity among ten (0: not there, -: there is none), form, query, first hit and its match")
	type sum struct {
		n, first, ten int
		mrr           float64
	}
	sums := map[string]*sum{}
	var order []string
	for _, q := range codeQueries {
		res, err := g.Search(t.Context(), q.query, nil)
		if err != nil {
			t.Fatal(err)
		}
		first := "nothing"
		if len(res.Hits) > 0 {
			first = res.Hits[0].ID + " " + res.Hits[0].Match
		}
		if q.want == "" {
			fmt.Fprintf(&out, "-  %-9s  %s  =>  %s\n", q.form, q.query, first)
			continue
		}
		if _, ok := g.Entity(q.want); !ok {
			t.Fatalf("%s is no entity", q.want)
		}
		rank := 1 + slices.IndexFunc(res.Hits, func(h codegraph.EntityHit) bool { return h.ID == q.want })
		fmt.Fprintf(&out, "%-2d %-9s  %s  =>  %s\n", rank, q.form, q.query, first)
		if sums[q.form] == nil {
			sums[q.form] = &sum{}
			order = append(order, q.form)
		}
		s := sums[q.form]
		s.n++
		if rank > 0 {
			s.mrr += 1 / float64(rank)
			s.ten++
		}
		if rank == 1 {
			s.first++
		}
	}
	fmt.Fprintln(&out, "\n# form: questions, mean reciprocal rank, share first, share among ten")
	for _, f := range order {
		s := sums[f]
		n := float64(s.n)
		fmt.Fprintf(&out, "%-9s  %2d  %.3f  %.3f  %.3f\n", f, s.n, s.mrr/n, float64(s.first)/n, float64(s.ten)/n)
	}
	golden.Compare(t, filepath.Join("testdata", "code_search.txt"), out.Bytes())
}
