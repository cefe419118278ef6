package hostile

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/findspot/findspot"
)

// patience is how long anything may take before it hangs: an answer to a good client, an end, a connection that a hostile client holds.
const patience = 2 * time.Minute

// collection is how long the last part takes at least: a Go program that rests collects its garbage every two minutes, and what is pooled goes with the second time.
const collection = 250 * time.Second

// soakToken is what one of the servers asks of its clients.
const soakToken = "t0ken-t0ken-t0ken-t0ken"

// The parts of a soak: good clients alone, then hostile ones among them for two thirds of the time, then good ones alone again.
const (
	before = iota
	during
	after
)

// A soak is a load on servers, and what came of it.
type soak struct {
	t     *testing.T
	w     *world
	temp  string // for the servers' temporary files
	brief bool   // it is too short for some of what is compared
	began time.Time
	part  atomic.Int32
	lines atomic.Int64 // that repo/live.py was last written with
	all   []*server    // plain, guarded and stdio

	mu     sync.Mutex
	took   map[string]*[3][]time.Duration // by the kind of good request, in the parts
	counts map[string]int                 // what hostile clients did, and what good ones met with
	faults map[string]int
}

// TestSoak puts good and hostile clients on the real servers for as long as FINDSPOT_SOAK says, prints what it measured as Markdown, and fails when a
// good client is not answered right, something is given away, or a server holds on to what it was given:
//
//	FINDSPOT_SOAK=30m go test -v -count=1 -timeout 0 -run '^TestSoak$' ./internal/hostile
func TestSoak(t *testing.T) {
	long := os.Getenv("FINDSPOT_SOAK")
	if long == "" {
		t.Skip("a soak runs on demand: set FINDSPOT_SOAK to a time such as 30m")
	}
	d, err := time.ParseDuration(long)
	if err != nil || d <= 0 {
		t.Fatalf("FINDSPOT_SOAK=%s: give a time such as 30m", long)
	}
	runSoak(t, d, false)
}

// TestSoakBriefly is the same for a quarter of a minute: what a server holds is not compared, since that takes longer to settle.
func TestSoakBriefly(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute of load")
	}
	runSoak(t, 15*time.Second, true)
}

func runSoak(t *testing.T, d time.Duration, brief bool) {
	if runtime.GOOS != "linux" {
		t.Skip("what processes hold is read from /proc")
	}
	s := &soak{t: t, w: newWorld(t), brief: brief, took: map[string]*[3][]time.Duration{}, counts: map[string]int{}, faults: map[string]int{}}
	s.temp = filepath.Join(s.w.base, "tmp")
	if err := os.Mkdir(s.temp, 0o700); err != nil {
		t.Fatal(err)
	}
	token := s.w.file(t, "token", soakToken)
	if err := os.Chmod(token, 0o600); err != nil {
		t.Fatal(err)
	}
	s.writeLive()
	var stdio *session
	for _, p := range []struct {
		name, program string
		args          []string
	}{
		{"HTTP", "httpserver", []string{"-addr", "127.0.0.1:0"}},
		{"HTTP with a token", "httpserver", []string{"-addr", "127.0.0.1:0", "-token-file", token}},
		{"MCP", "mcpserver", []string{"-profile", findspot.ProfileFull, "-index-root", s.w.docs}},
	} {
		sv, in, out, err := s.launch(p.name, p.program, append(p.args, "-dir", filepath.Join(s.w.base, p.name), "-docs", s.w.docs, "-repo", s.w.repo)...)
		if err != nil {
			t.Fatal(err)
		}
		defer sv.cmd.Process.Kill() // if it did not end by itself
		if p.name == "HTTP with a token" {
			sv.token = soakToken
		}
		s.all = append(s.all, sv)
		if p.program == "mcpserver" {
			stdio = s.greet(in, out)
		}
	}

	for _, sv := range s.all[:2] {
		if err := isReady(t.Context(), sv.addr, patience); err != nil {
			t.Fatal(err)
		}
	}
	s.began = time.Now()
	var sampling, good, hostile sync.WaitGroup
	measured, measure := context.WithCancel(t.Context())
	defer measure()
	s.every(&sampling, measured, 1, time.Second, s.measure)
	asking, ask := context.WithCancel(t.Context())
	defer ask()
	s.good(&good, asking, stdio)
	s.goodDoors(&good, asking)
	time.Sleep(d / 6)
	s.part.Store(during)
	attacking, attack := context.WithTimeout(t.Context(), d*2/3)
	defer attack()
	s.overHTTP(&hostile, attacking)
	s.overMCP(&hostile, attacking, stdio)
	s.onDisk(&hostile, attacking)
	s.overDoors(&hostile, attacking)
	s.kills(&hostile, attacking)
	hostile.Wait()
	t.Logf("the hostile clients have gone after %s", time.Since(s.began).Round(time.Second))
	s.part.Store(after)
	if brief {
		time.Sleep(3 * time.Second)
	} else {
		time.Sleep(max(d/6, collection))
	}
	ask()
	good.Wait()
	s.drained()
	t.Logf("all connections are closed after %s", time.Since(s.began).Round(time.Second))
	measure()
	sampling.Wait()
	ends := s.endAll(stdio)
	s.report(d, ends)
}

// every calls do in goroutines until ctx ends, with a pause between calls.
func (s *soak) every(wg *sync.WaitGroup, ctx context.Context, workers int, pause time.Duration, do func()) {
	for range workers {
		wg.Go(func() {
			for ctx.Err() == nil {
				do()
				select {
				case <-ctx.Done():
				case <-time.After(pause):
				}
			}
		})
	}
}

// fault is what fails the soak. The first of a kind are told in full.
func (s *soak) fault(kind, format string, args ...any) {
	s.mu.Lock()
	s.faults[kind]++
	n := s.faults[kind]
	s.mu.Unlock()
	if n <= 5 {
		text := fmt.Sprintf(format, args...)
		s.t.Errorf("after %s: %s: %s", time.Since(s.began).Round(time.Second), kind, text[:min(len(text), 2000)])
	}
}

func (s *soak) count(what string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts[what]++
}

// answered keeps how long a good request took.
func (s *soak) answered(kind string, d time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.took[kind] == nil {
		s.took[kind] = &[3][]time.Duration{}
	}
	part := &s.took[kind][s.part.Load()]
	*part = append(*part, d)
}

// look looks for what must not be given away in all that a server says.
func (s *soak) look(where, text string) {
	if m := leaks(text); m != "" {
		i := strings.Index(text, m)
		s.fault("something is given away", "%s: %q: %s", where, m, text[max(0, i-300):min(len(text), i+300)])
	}
}

func (s *soak) measure() {
	for _, sv := range s.all {
		if _, err := sv.measure(time.Since(s.began)); err != nil {
			s.fault("a server that has ended", "%s: %v", sv.name, err)
		}
	}
}

// drained waits until no client's connection is open any more.
func (s *soak) drained() {
	for until := time.Now().Add(patience); ; time.Sleep(time.Second) {
		open := 0
		for _, sv := range s.all {
			now, err := sv.measure(time.Since(s.began))
			if err != nil {
				s.fault("a server that has ended", "%s: %v", sv.name, err)
				return
			}
			if sv.addr != "" {
				open += now.sockets - 1 // the one that listens
			}
		}
		if open == 0 {
			return
		}
		if time.Now().After(until) {
			s.fault("something is held", "%d connections are open %s after their clients have gone", open, patience)
			return
		}
	}
}

// endAll ends the servers, and returns how long that took.
func (s *soak) endAll(stdio *session) []time.Duration {
	var out []time.Duration
	for _, sv := range s.all {
		if sv.addr != "" {
			out = append(out, sv.end(s, "SIGTERM", sv.terminate))
		} else {
			out = append(out, sv.end(s, "end of input", stdio.in.Close))
		}
	}
	left, err := os.ReadDir(s.temp)
	if err != nil {
		s.t.Error(err)
	}
	for _, e := range left {
		s.fault("a temporary file is left", "%s", e.Name())
	}
	return out
}

// report prints what was measured, and compares what the servers held at the end with what they held before the attacks.
func (s *soak) report(d time.Duration, ends []time.Duration) {
	var b strings.Builder
	fmt.Fprintf(&b, "\n%s, %d cores, %s of memory, %s/%s\n\n| good requests | part | answers | median | p95 | p99 | most | median and p95, times those alone |\n|---|---|---|---|---|---|---|---|\n", d, runtime.NumCPU(), memory(), runtime.GOOS, runtime.GOARCH)
	for _, kind := range slices.Sorted(maps.Keys(s.took)) {
		var median, p95 time.Duration // of the good clients alone
		for part, name := range []string{"alone", "among hostile ones", "alone again"} {
			took := s.took[kind][part]
			if len(took) == 0 && s.brief {
				continue
			}
			if len(took) == 0 && kind != "search after a kill" {
				s.fault("no answer", "%s, %s", kind, name)
			}
			if len(took) == 0 {
				continue
			}
			slices.Sort(took)
			at := func(p int) time.Duration { return took[(len(took)-1)*p/100].Round(100 * time.Microsecond) }
			slower := ""
			if part == before {
				median, p95 = at(50), at(95)
			} else {
				slower = fmt.Sprintf("%.1f, %.1f", float64(at(50))/float64(median), float64(at(95))/float64(p95))
			}
			fmt.Fprintf(&b, "| %s | %s | %d | %s | %s | %s | %s | %s |\n", kind, name, len(took), at(50), at(95), at(99), at(100), slower)
		}
	}
	b.WriteString("\n| server | | start | peak | end | growth an hour |\n|---|---|---|---|---|---|\n")
	for i, sv := range s.all {
		within := func(from, to time.Duration) []sample {
			return slices.DeleteFunc(slices.Clone(sv.samples), func(p sample) bool { return p.at < from || p.at > to })
		}
		kept := within(d/12, 1<<62) // what is before is its start
		calm, busy, end := within(d/12, d/6), within(d/2, d*5/6), kept[len(kept)-1]
		if len(calm) == 0 {
			calm = kept[:1]
		}
		row := func(what, unit string, allowed float64, of func(sample) float64) {
			compare := func(a, b sample) int { return int(of(a) - of(b)) }
			start, peak := of(slices.MaxFunc(calm, compare)), of(slices.MaxFunc(kept, compare))
			fmt.Fprintf(&b, "| %s | %s | %.0f%s | %.0f%s | %.0f%s | %+.0f%s |\n", sv.name, what, start, unit, peak, unit, of(end), unit, slope(busy, of), unit)
			if of(end) > start+allowed && !(s.brief && unit != "") {
				s.fault("something is held", "%s: %s: %.0f%s at the start, %.0f%s at the end", sv.name, what, start, unit, of(end), unit)
			}
		}
		row("resident memory", " MB", 128, func(p sample) float64 { return p.resident })
		row("live heap", " MB", 32, func(p sample) float64 { return p.live })
		row("stacks of goroutines", " MB", 4, func(p sample) float64 { return p.stacks })
		row("threads", "", 64, func(p sample) float64 { return float64(p.threads) })
		row("sockets", "", 8, func(p sample) float64 { return float64(p.sockets) })
		row("other open files", "", 32, func(p sample) float64 { return float64(p.files) })
		fmt.Fprintf(&b, "| %s | end of the process | | | %s | |\n", sv.name, ends[i].Round(time.Millisecond))
	}
	s.overTime(&b)
	b.WriteString("\n| what hostile clients did, and what good ones met with | times |\n|---|---|\n")
	for _, what := range slices.Sorted(maps.Keys(s.counts)) {
		fmt.Fprintf(&b, "| %s | %d |\n", what, s.counts[what])
	}
	for _, what := range slices.Sorted(maps.Keys(s.faults)) {
		fmt.Fprintf(&b, "| **fault**: %s | %d |\n", what, s.faults[what])
	}
	fmt.Println(b.String())
}

// overTime prints what the servers held at twelve times.
func (s *soak) overTime(b *strings.Builder) {
	b.WriteString("\n| resident memory and live heap after |")
	for _, sv := range s.all {
		fmt.Fprintf(b, " %s |", sv.name)
	}
	b.WriteString("\n|---|" + strings.Repeat("---|", len(s.all)) + "\n")
	for i := range 13 {
		at := time.Duration(0)
		var row strings.Builder
		for _, sv := range s.all {
			p := sv.samples[(len(sv.samples)-1)*i/12]
			at = p.at
			fmt.Fprintf(&row, " %.0f, %.0f MB |", p.resident, p.live)
		}
		fmt.Fprintf(b, "| %s |%s\n", at.Round(time.Second), row.String())
	}
}

// memory is how much the machine has.
func memory() string {
	data, err := os.ReadFile("/proc/meminfo")
	first, _, _ := strings.Cut(string(data), "\n")
	kb, err2 := strconv.Atoi(strings.TrimSuffix(strings.TrimSpace(strings.TrimPrefix(first, "MemTotal:")), " kB"))
	if err != nil || err2 != nil {
		return "an unknown amount"
	}
	return strconv.Itoa(kb>>20) + " GB"
}
