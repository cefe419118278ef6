//go:build ignore

// Markuptext writes the text of documents that package docsearch/formats reads, for markup.py:
//
//	go run docs/bench/markuptext.go OUT FILE...
//
// Each becomes OUT/N.txt, where N is its number from 0; with -md its Markdown. A document that cannot be read leaves a line on standard error.
package main

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats"
)

func main() {
	md := flag.Bool("md", false, "write Markdown")
	as := flag.String("as", "", "read every file as one of this extension, such as .rst")
	flag.Parse()
	out := flag.Arg(0)
	for i, name := range flag.Args()[1:] {
		start := time.Now()
		if err := one(name, filepath.Join(out, fmt.Sprint(i)+".txt"), *as, *md); err != nil {
			fmt.Fprintf(os.Stderr, "%s: %v\n", name, err)
		}
		if d := time.Since(start); d > time.Second {
			fmt.Fprintf(os.Stderr, "%s: took %v\n", name, d)
		}
	}
}

func one(name, out, as string, md bool) error {
	data, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	if as == "" {
		as = strings.ToLower(filepath.Ext(name))
	}
	x := formats.All()[as]
	if x == nil {
		return fmt.Errorf("no reader of %q", as)
	}
	if in, ok := x.(extract.Includer); ok {
		dir, err := os.OpenRoot(filepath.Dir(name))
		if err != nil {
			return err
		}
		defer dir.Close()
		x = in.WithFiles(dir.FS(), filepath.Base(name))
	}
	ctx := context.Background()
	d, err := x.Open(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return err
	}
	defer d.Close()
	var b strings.Builder
	for p, err := range d.Pages(ctx, 1, 0) {
		if err != nil {
			return err
		}
		if md {
			b.WriteString(p.Markdown)
		} else {
			b.WriteString(p.Text)
		}
		b.WriteByte('\n')
	}
	return os.WriteFile(out, []byte(b.String()), 0o644)
}
