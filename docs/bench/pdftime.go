//go:build ignore

// Pdftime reads the PDFs whose names come on its input, a line each, and prints how many pages each has, the processor time
// it took in seconds (user and system, of all threads) and the time on the clock. Its argument is the number of workers.
// Only text is read. The bench of docs/bench/pdf.sh builds and runs it.
package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"strconv"
	"syscall"
	"time"

	"github.com/findspot/findspot/docsearch/pdf"
)

func main() {
	workers, err := strconv.Atoi(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, "pdftime:", err)
		os.Exit(2)
	}
	x := pdf.New(&pdf.Options{Plain: true, Workers: workers})
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		began, cpu := time.Now(), used()
		pages, size := 0, 0
		err := func() error {
			f, err := os.Open(in.Text())
			if err != nil {
				return err
			}
			defer f.Close()
			info, err := f.Stat()
			if err != nil {
				return err
			}
			doc, err := x.Open(context.Background(), f, info.Size())
			if err != nil {
				return err
			}
			for page := range doc.Pages(context.Background(), 1, 0) {
				if page != nil {
					pages++
					size += len(page.Text)
				}
			}
			return doc.Close()
		}()
		if err != nil {
			fmt.Fprintln(os.Stderr, "pdftime:", in.Text(), err)
		}
		fmt.Println(pages, size, used()-cpu, time.Since(began).Seconds())
	}
}

func used() float64 {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return float64(u.Utime.Nano()+u.Stime.Nano()) / 1e9
}
