//go:build unix

package main

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"slices"
	"syscall"
	"time"

	"github.com/findspot/findspot/docsearch/localembed"
)

func main() {
	log.SetFlags(0)
	windows := flag.Bool("windows", false, "average the windows of long texts, as is the default of the package; the reference truncates")
	flag.Parse()
	if flag.NArg() < 2 {
		log.Fatal("usage: embed [-windows] MODEL TEXTS [REFERENCE]")
	}
	if err := run(flag.Arg(0), flag.Arg(1), flag.Arg(2), !*windows); err != nil {
		log.Fatal(err)
	}
}

func run(model, texts, reference string, truncate bool) error {
	list, err := read(texts)
	if err != nil {
		return err
	}
	from, cpu := time.Now(), used()
	m, err := localembed.Open(model, &localembed.Options{Threads: 1, Truncate: truncate})
	if err != nil {
		return err
	}
	fmt.Printf("%s, kernel %s: opened in %v, %.2f CPU-s\n", m.Name(), m.Info().Kernel, time.Since(from).Round(time.Millisecond), (used() - cpu).Seconds())
	ctx := context.Background()
	if _, err := m.Embed(ctx, list[len(list)-8:]); err != nil {
		return err
	}
	cpu = used()
	got, err := m.Embed(ctx, list)
	if err != nil {
		return err
	}
	spent := (used() - cpu).Seconds()
	fmt.Printf("localembed: %d texts in %.2f CPU-s, %.1f/CPU-s, peak %d MB\n", len(list), spent, float64(len(list))/spent, peak())
	if reference == "" {
		return nil
	}
	return compare(got, reference)
}

func read(name string) (out []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		var text string
		if err := json.Unmarshal(s.Bytes(), &text); err != nil {
			return nil, err
		}
		out = append(out, text)
	}
	if len(out) < 8 {
		return nil, errors.New("give a file of at least 8 texts")
	}
	return out, s.Err()
}

// compare prints how near the vectors are to those of a file.
func compare(got [][]float32, reference string) error {
	data, err := os.ReadFile(reference)
	if err != nil {
		return err
	}
	n := len(got[0])
	if len(data) != 4*n*len(got) {
		return fmt.Errorf("%s: %d bytes, and not %d vectors of %d", reference, len(data), len(got), n)
	}
	var far float64
	cosines := make([]float64, len(got))
	for i, v := range got {
		for j, x := range v {
			y := math.Float32frombits(binary.LittleEndian.Uint32(data[4*(i*n+j):]))
			cosines[i] += float64(x) * float64(y)
			far = max(far, math.Abs(float64(x-y)))
		}
	}
	least := slices.Min(cosines)
	fmt.Printf("cosines with %s: least %.7f (text %d), numbers at most %.1e apart\n", reference, least, slices.Index(cosines, least), far)
	return nil
}

// used is the processor time of this process.
func used() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// peak is the most memory that this process had, in MB.
func peak() int64 {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return int64(u.Maxrss) / 1024
}
