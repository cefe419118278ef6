//go:build ignore

// Codegraphtime measures the life of a stored code graph: codegraphtime build|open|update FOLDER INDEX
//
// Each call is one process, so that its memory and processor time are its own. It prints "name value" lines: seconds of
// processor time (user and system, of all threads), milliseconds on the clock, megabytes (2^20 bytes). "update" edits and
// restores files of FOLDER: give it a copy. With FACTS set, "build" shares facts in that folder. The bench of docs/bench/codegraph.sh builds and runs it.
package main

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"runtime/pprof"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

func main() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(40) // as the program does
	}
	if len(os.Args) != 4 {
		fmt.Fprintln(os.Stderr, "usage: codegraphtime build|open|update FOLDER INDEX")
		os.Exit(2)
	}
	modes := map[string]func(context.Context, string, string) error{"build": build, "open": open, "update": update}
	mode := modes[os.Args[1]]
	if mode == nil {
		fmt.Fprintln(os.Stderr, "codegraphtime: unknown mode", os.Args[1])
		os.Exit(2)
	}
	if p := os.Getenv("CPUPROFILE"); p != "" {
		f, err := os.Create(p)
		if err != nil {
			fmt.Fprintln(os.Stderr, "codegraphtime:", err)
			os.Exit(1)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			fmt.Fprintln(os.Stderr, "codegraphtime:", err)
			os.Exit(1)
		}
		defer pprof.StopCPUProfile()
	}
	if err := mode(context.Background(), os.Args[2], os.Args[3]); err != nil {
		fmt.Fprintln(os.Stderr, "codegraphtime:", err)
		os.Exit(1)
	}
	if p := os.Getenv("MEMPROFILE"); p != "" {
		f, err := os.Create(p)
		if err == nil {
			runtime.GC()
			err = pprof.WriteHeapProfile(f)
			f.Close()
		}
		if err != nil {
			fmt.Fprintln(os.Stderr, "codegraphtime:", err)
		}
	}
}

func build(ctx context.Context, root, dir string) error {
	if err := os.RemoveAll(dir); err != nil {
		return err
	}
	began, cpu := time.Now(), used()
	ix, err := codegraph.Open(ctx, dir, root, findspot.Languages(), &codegraph.Options{Facts: os.Getenv("FACTS")})
	if err != nil {
		return err
	}
	fmt.Printf("build_cpu_s %.2f\nbuild_wall_s %.2f\n", used()-cpu, time.Since(began).Seconds())
	fmt.Printf("build_peak_mb %.0f\n", memory("VmHWM"))
	n, m := ix.Graph().Len()
	fmt.Printf("parsed %d\nreused %d\n", ix.Changes().Parsed, ix.Changes().Reused)
	fmt.Printf("files %d\nentities %d\nedges %d\n", ix.Changes().Added, n, m)
	if err := ix.Close(); err != nil {
		return err
	}
	var size int64
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err == nil && d.Type().IsRegular() {
			info, err := d.Info()
			if err != nil {
				return err
			}
			size += info.Size()
		}
		return err
	})
	fmt.Printf("disk_mb %.1f\n", float64(size)/(1<<20))
	debug.FreeOSMemory()
	fmt.Printf("build_resident_mb %.0f\n", memory("VmRSS"))
	runtime.KeepAlive(ix)
	return err
}

func open(ctx context.Context, root, dir string) error {
	began, cpu := time.Now(), used()
	ix, err := codegraph.Open(ctx, dir, root, findspot.Languages(), nil)
	if err != nil {
		return err
	}
	fmt.Printf("open_ms %.1f\nopen_cpu_ms %.1f\n", ms(began), 1000*(used()-cpu))
	g := ix.Graph()
	began = time.Now()
	if _, err := g.Search(ctx, "how are migrations with circular dependencies ordered", nil); err != nil {
		return err
	}
	fmt.Printf("first_search_ms %.1f\n", ms(began))
	began = time.Now()
	if _, err := g.Search(ctx, "get_queryset", nil); err != nil {
		return err
	}
	fmt.Printf("second_search_ms %.1f\n", ms(began))
	degree := map[string]int{}
	for e := range g.Edges() {
		if e.Kind == codegraph.Invoke {
			degree[e.Dst]++
			degree[e.Src]++
		}
	}
	most, n := "", 0
	for id, d := range degree {
		if e, _ := g.Entity(id); e.Kind == codegraph.KindFunction && (d > n || d == n && id < most) {
			most, n = id, d
		}
	}
	if most != "" {
		for _, d := range []codegraph.Direction{codegraph.Callers, codegraph.Callees, codegraph.Both} {
			var times []float64
			var w *codegraph.Walk
			for range 9 {
				began = time.Now()
				if w, err = g.Traverse(ctx, []string{most}, &codegraph.TraverseOptions{Direction: d, Hops: 3}); err != nil {
					return err
				}
				times = append(times, ms(began))
			}
			first := times[0]
			slices.Sort(times)
			fmt.Printf("traverse_%s_3_ms %.2f first %.2f (%s, %d entities, %d edges, %d cut)\n", d, times[len(times)/2], first, most, len(w.IDs), len(w.Edges), w.Cut)
		}
	}
	debug.FreeOSMemory()
	fmt.Printf("resident_mb %.0f\n", memory("VmRSS"))
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	fmt.Printf("heap_mb %.0f\n", float64(m.HeapAlloc)/(1<<20))
	return ix.Close()
}

// update changes a file in one way after another (a comment, a new function, a new call) and back, and saves each; then it
// takes files away and renames them. EACH=1 prints each of these, and why everything was linked anew.
func update(ctx context.Context, root, dir string) error {
	o := &codegraph.Options{}
	if os.Getenv("EACH") != "" {
		o.Logger = slog.New(slog.NewTextHandler(os.Stdout, &slog.HandlerOptions{Level: slog.LevelDebug}))
	}
	ix, err := codegraph.Open(ctx, dir, root, findspot.Languages(), o)
	if err != nil {
		return err
	}
	var paths []string
	for e := range ix.Graph().Entities() {
		if e.Kind == codegraph.KindFile && strings.HasSuffix(e.Path, ".py") && e.EndLine > 20 {
			paths = append(paths, e.Path)
		}
	}
	rounds, err := strconv.Atoi(os.Getenv("ROUNDS"))
	if err != nil {
		rounds = 60
	}
	for _, named := range []bool{false, true} {
		if err := updates(ctx, ix, root, paths, rounds, named); err != nil {
			return err
		}
	}
	if err := moves(ctx, ix, root, paths, rounds); err != nil {
		return err
	}
	debug.FreeOSMemory()
	fmt.Printf("update_resident_mb %.0f\nupdate_peak_mb %.0f\n", memory("VmRSS"), memory("VmHWM"))
	return ix.Close()
}

// moves times files that go, come back, and get another name and their old one again. Each is found by a look at all files.
func moves(ctx context.Context, ix *codegraph.Index, root string, paths []string, rounds int) error {
	times, cpu := map[string][]float64{}, map[string][]float64{}
	step := func(kind string, do func() error) error {
		if err := do(); err != nil {
			return err
		}
		began, before := time.Now(), used()
		if _, err := ix.Update(ctx); err != nil {
			return err
		}
		times[kind], cpu[kind] = append(times[kind], ms(began)), append(cpu[kind], 1000*(used()-before))
		return nil
	}
	for i := range rounds {
		p := filepath.Join(root, filepath.FromSlash(paths[(i*7919)%len(paths)]))
		old, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		other := strings.TrimSuffix(p, ".py") + "_renamed.py"
		for _, s := range []struct {
			kind string
			do   func() error
		}{
			{"delete", func() error { return os.Remove(p) }},
			{"add", func() error { return os.WriteFile(p, old, 0o666) }},
			{"rename", func() error { return os.Rename(p, other) }},
			{"rename", func() error { return os.Rename(other, p) }},
		} {
			if err := step(s.kind, s.do); err != nil {
				return err
			}
			if os.Getenv("EACH") != "" {
				t := times[s.kind]
				fmt.Printf("each %s %.1f %s\n", s.kind, t[len(t)-1], paths[(i*7919)%len(paths)])
			}
		}
	}
	for _, kind := range []string{"add", "delete", "rename"} {
		report("update_"+kind, times[kind])
		report("update_"+kind+"_cpu", cpu[kind])
	}
	return nil
}

// report prints the number of times, their median, the 99th in a hundred and the longest.
func report(name string, times []float64) {
	slices.Sort(times)
	fmt.Printf("%[1]s_count %[2]d\n%[1]s_median_ms %.1[3]f\n%[1]s_p99_ms %.1[4]f\n%[1]s_most_ms %.1[5]f\n", name, len(times),
		times[len(times)/2], times[len(times)*99/100], times[len(times)-1])
}

// updates times rounds of edits: with a look at all files, or at the named file alone.
func updates(ctx context.Context, ix *codegraph.Index, root string, paths []string, rounds int, named bool) error {
	name := "update"
	if named {
		name = "update_named"
	}
	var times []float64
	cpu := used()
	for i := range rounds {
		rel := paths[(i*7919)%len(paths)]
		p := filepath.Join(root, filepath.FromSlash(rel))
		old, err := os.ReadFile(p)
		if err != nil {
			return err
		}
		tail := []string{"\n# a comment\n", "\ndef added_function():\n    return len('x')\n", "\ndef added_caller():\n    added_function_2()\n\ndef added_function_2():\n    pass\n"}[i%3]
		for _, b := range [][]byte{append(slices.Clone(old), tail...), old} {
			if err := os.WriteFile(p, b, 0o666); err != nil {
				return err
			}
			began := time.Now()
			if named {
				_, err = ix.UpdateFiles(ctx, rel)
			} else {
				_, err = ix.Update(ctx)
			}
			if err != nil {
				return err
			}
			times = append(times, ms(began))
		}
	}
	report(name, times)
	fmt.Printf("%s_cpu_ms %.1f\n", name, 1000*(used()-cpu)/float64(len(times)))
	return nil
}

func ms(began time.Time) float64 { return float64(time.Since(began).Microseconds()) / 1000 }

func used() float64 {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		return 0
	}
	return float64(r.Utime.Nano()+r.Stime.Nano()) / 1e9
}

// memory reads a line of the kernel's account of this process, in megabytes; 0 where there is none.
func memory(name string) float64 {
	b, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(b)) {
		if rest, ok := strings.CutPrefix(line, name+":"); ok {
			kb, _ := strconv.ParseFloat(strings.Fields(rest)[0], 64)
			return kb / 1024
		}
	}
	return 0
}
