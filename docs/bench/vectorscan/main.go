package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/findspot/findspot/docs/bench/internal/cpu"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/leak"
	"github.com/findspot/findspot/internal/vector"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	sizes := flag.String("n", "200000", "numbers of vectors, with commas between")
	dims := flag.Int("dims", 384, "numbers of a vector")
	per := flag.Int("passages", 1, "passages of a document")
	asked := flag.Int("asked", 200, "queries")
	file := flag.String("vectors", "", "a file of vectors, instead of drawn ones")
	queries := flag.String("queries", "", "a file of vectors to ask with")
	save := flag.String("save", "", "write the vectors to this file, and the queries to one whose name has .queries behind it, and measure nothing")
	hybrid := flag.Bool("hybrid", false, "search by words and vectors through a library")
	flag.Parse()
	err := func() error {
		if (*file == "") != (*queries == "") {
			return errors.New("-vectors and -queries go together")
		}
		if *file != "" {
			v, err := readVectors(*file, *dims)
			if err != nil {
				return err
			}
			q, err := readVectors(*queries, *dims)
			if err != nil {
				return err
			}
			return measure(ctx, v, q, *per)
		}
		for s := range strings.SplitSeq(*sizes, ",") {
			n, err := strconv.Atoi(s)
			if err != nil {
				return err
			}
			w := newWorld(n, *dims)
			v, q := w.draw(n), w.draw(*asked)
			switch {
			case *save != "":
				err = errors.Join(os.WriteFile(*save, vector.Append(nil, v.all), 0o644), os.WriteFile(*save+".queries", vector.Append(nil, q.all), 0o644))
			case *hybrid:
				err = measureHybrid(ctx, v, q)
			default:
				err = measure(ctx, v, q, *per)
			}
			if err != nil {
				return err
			}
		}
		return nil
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "vectorscan:", err)
		os.Exit(1)
	}
}

// times are those of calls, by the clock and of processors.
type times struct{ wall, cpu []time.Duration }

func (t *times) call(f func() error) error {
	w, c := time.Now(), cpu.Used()
	err := f()
	t.wall, t.cpu = append(t.wall, time.Since(w)), append(t.cpu, cpu.Used()-c)
	return err
}

// at returns a percentile of a list in milliseconds.
func at(list []time.Duration, percent int) float64 {
	s := slices.Sorted(slices.Values(list))
	return float64(s[(len(s)-1)*percent/100].Microseconds()) / 1000
}

func (t *times) String() string {
	return fmt.Sprintf("p50 %.1f p95 %.1f ms of a processor, %.1f and %.1f by the clock", at(t.cpu, 50), at(t.cpu, 95), at(t.wall, 50), at(t.wall, 95))
}

// measure puts the vectors into a store and asks it and all floats.
func measure(ctx context.Context, v, asked *vectors, per int) (err error) {
	dir, err := os.MkdirTemp("", "bench-vectorscan-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fmt.Printf("%d vectors of %d numbers, %d a document, %d queries\n", v.len(), v.dims, per, asked.len())
	began, used := time.Now(), cpu.Used()
	if err := build(ctx, dir, v, per); err != nil {
		return err
	}
	fmt.Printf("  built in %.0f s by the clock, %.0f of processors\n", time.Since(began).Seconds(), (cpu.Used() - used).Seconds())

	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	var inverse []float32
	for i := range v.len() {
		inverse = append(inverse, vector.Inverse(v.at(i)))
	}
	var floats times
	exact := make([][]int, asked.len())
	for i := range exact {
		direction, ok := vector.Unit(asked.at(i))
		if !ok {
			return fmt.Errorf("query %d has no direction", i)
		}
		if err := floats.call(func() error { exact[i] = v.nearest(direction, inverse, 200); return ctx.Err() }); err != nil {
			return err
		}
	}
	fmt.Printf("  all floats in memory: %v\n", &floats)

	store, err := blevestore.New(ctx, dir, true)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for _, limit := range []int{10, 200} {
		var codes times
		found, wanted := 0, 0
		for i := range asked.len() {
			q := &driver.VectorQuery{Kind: driver.KindChunk, Vector: asked.at(i), Limit: limit, PerDoc: 3}
			var hits *driver.Hits
			ask := func() (err error) { hits, err = store.(driver.VectorStore).SearchVectors(ctx, q); return err }
			if i == 0 { // the first one reads the list of documents
				if err := ask(); err != nil {
					return err
				}
				if limit == 10 {
					if err := memory(dir, v, "one query"); err != nil {
						return err
					}
				}
			}
			if err := codes.call(ask); err != nil {
				return err
			}
			got := map[string]bool{}
			for _, h := range hits.Hits {
				got[h.Doc] = true
			}
			for _, n := range exact[i][:min(limit, len(exact[i]))] {
				wanted++
				if got[id(n/per)] {
					found++
				}
			}
		}
		fmt.Printf("  the nearest %d: %v; recall %.4f; floats took %.1f times as long\n", limit, &codes, float64(found)/float64(wanted), at(floats.cpu, 50)/at(codes.cpu, 50))
	}
	return memory(dir, v, "all queries")
}

func id(n int) string { return fmt.Sprintf("%08d", n) }

// build puts vectors into a new store.
func build(ctx context.Context, dir string, v *vectors, per int) (err error) {
	store, err := blevestore.New(ctx, dir, false)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, store.Close()) }()
	for i := 0; i < v.len(); {
		var docs []*driver.Document
		for n := 0; n < 10_000 && i < v.len(); n += per {
			d := &driver.Document{ID: id(i / per)}
			for k := 0; k < per && i < v.len(); k++ {
				d.Records = append(d.Records, driver.Record{Kind: driver.KindChunk, N: k, Text: "passage " + strconv.Itoa(i), Vector: v.at(i)})
				i++
			}
			docs = append(docs, d)
		}
		if err := store.Replace(ctx, docs); err != nil {
			return err
		}
	}
	return nil
}

// memory prints what the files take, on disk and in memory.
func memory(dir string, v *vectors, when string) error {
	var disk int64
	err := filepath.WalkDir(dir, func(_ string, e os.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		info, err := e.Info()
		disk += info.Size()
		return err
	})
	const mb = 1 << 20
	fmt.Printf("  %d MB on disk, %d MB of floats, %d MB of codes; %d MB of the files in memory after %s\n", disk/mb, 4*len(v.all)/mb, v.len()*(8+vector.CodeSize(v.dims))/mb, leak.MappedMemory(dir)/mb, when)
	return err
}
