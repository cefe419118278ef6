//go:build ignore

// Officetext reads the documents whose names come on its input, a line each, and prints what is read of each as a line of JSON. The bench of
// docs/bench/office.py runs it.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats/office"
)

type result struct {
	Name     string  `json:"name"`
	Error    string  `json:"error,omitempty"`
	Pages    int     `json:"pages"`
	Headings int     `json:"headings"`
	Tables   int     `json:"tables"`
	Figures  int     `json:"figures"`
	Seconds  float64 `json:"seconds"`
	Text     string  `json:"text"`
}

func main() {
	out := json.NewEncoder(os.Stdout)
	names := bufio.NewScanner(os.Stdin)
	for names.Scan() {
		r := read(names.Text())
		if err := out.Encode(r); err != nil {
			fmt.Fprintln(os.Stderr, "officetext:", err)
			os.Exit(1)
		}
	}
}

func read(name string) (r result) {
	r.Name = name
	start := time.Now()
	defer func() { r.Seconds = time.Since(start).Seconds() }()
	x := map[string]extract.Extractor{".docx": office.Word(), ".pptx": office.PowerPoint(), ".xlsx": office.Excel()}[strings.ToLower(filepath.Ext(name))]
	f, err := os.Open(name)
	if err == nil {
		defer f.Close()
		err = pages(x, f, &r)
	}
	if err != nil {
		r.Error = err.Error()
	}
	return r
}

func pages(x extract.Extractor, f *os.File, r *result) error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	st, err := f.Stat()
	if err != nil {
		return err
	}
	d, err := x.Open(ctx, f, st.Size())
	if err != nil {
		return err
	}
	defer d.Close()
	var b strings.Builder
	for p, err := range d.Pages(ctx, 1, 0) {
		if err != nil {
			return err
		}
		r.Pages++
		r.Headings += len(p.Headings)
		r.Tables += len(p.Tables)
		r.Figures += len(p.Figures)
		b.WriteString(p.Text)
		b.WriteByte('\f')
	}
	r.Text = b.String()
	return nil
}
