package tesseract

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
)

const tsvHead = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"

func TestParse(t *testing.T) {
	word := func(s string, x0, y0, x1, y1 float64) extract.OCRWord {
		return extract.OCRWord{Text: s, Box: extract.Box{X0: x0, Y0: y0, X1: x1, Y1: y1}}
	}
	for _, tt := range []struct {
		name, in string
		want     []extract.OCRLine
		err      string
	}{
		{"words, lines and paragraphs", tsvHead + "1\t1\t0\t0\t0\t0\t0\t0\t700\t544\t-1\t\n" +
			"5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96.5\tA\n5\t1\t1\t1\t1\t2\t50\t20\t30\t40\t91\tword\n" +
			"5\t1\t1\t1\t2\t1\t10\t70\t5\t5\t80\tnext\n5\t1\t1\t2\t1\t1\t10\t90\t5\t5\t80\tpar\n5\t1\t2\t1\t1\t1\t10\t120\t5\t5\t95\t \n",
			[]extract.OCRLine{
				{Begin: true, Words: []extract.OCRWord{word("A", 10, 20, 40, 60), word("word", 50, 20, 80, 60)}},
				{Words: []extract.OCRWord{word("next", 10, 70, 15, 75)}},
				{Begin: true, Words: []extract.OCRWord{word("par", 10, 90, 15, 95)}},
			}, ""},
		{"no words", tsvHead, nil, ""},
		{"nothing", "", nil, "answered nothing"},
		{"no table", "usage: tesseract\n", nil, "not a table"},
		{"no number", tsvHead + "5\t1\t1\t1\t1\t1\tx\t20\t30\t40\t96.5\tA\n", nil, "column 7"},
	} {
		got, err := parse([]byte(tt.in))
		if (err != nil) != (tt.err != "") || err != nil && (!errors.Is(err, docsearch.ErrFormat) || !strings.Contains(err.Error(), tt.err)) {
			t.Errorf("%s: parse: %v, want %q", tt.name, err, tt.err)
			continue
		}
		if err == nil {
			if diff := cmp.Diff(tt.want, got.Lines); diff != "" {
				t.Errorf("%s: parse (-want +got):\n%s", tt.name, diff)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(tsvHead + "5\t1\t1\t1\t1\t1\t10\t20\t30\t40\t96.5\tA\n"))
	f.Fuzz(func(t *testing.T, in []byte) {
		got, err := parse(in)
		if err != nil {
			return
		}
		for _, l := range got.Lines {
			if len(l.Words) == 0 {
				t.Error("a line without words")
			}
		}
	})
}

// fake puts a program on PATH that answers --version and --list-langs as tesseract does, and runs body for a picture.
func fake(t *testing.T, body string) string {
	t.Helper()
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("no /bin/sh")
	}
	dir := t.TempDir()
	script := "#!/bin/sh\ncase \"$1\" in\n--version) echo 'tesseract 9.9'; exit 0;;\n--list-langs) printf 'List of available languages (2):\\neng\\ndeu\\n'; exit 0;;\nesac\n" + body
	if err := os.WriteFile(filepath.Join(dir, "tesseract"), []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return dir
}

func TestOpen(t *testing.T) {
	fake(t, "")
	e, err := Open(t.Context(), &Options{Languages: "deu+eng"})
	if err != nil {
		t.Fatal(err)
	}
	if got := e.Name(); got != "tesseract-9.9-deu+eng" {
		t.Errorf("Name = %q", got)
	}
	for _, lang := range []string{"fra", "eng+fra", "../eng", "-l", "eng deu", "eng+", "+"} {
		if _, err := Open(t.Context(), &Options{Languages: lang}); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("Open with %q: %v, want %v", lang, err, docsearch.ErrUnsupported)
		}
	}
	_, err = Open(t.Context(), &Options{Languages: "?", Timeout: -1, Workers: -1})
	for _, want := range []string{"Languages", "Timeout", "Workers"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("Open with bad options: %v, want a word on %s", err, want)
		}
	}
	if _, err = Open(t.Context(), &Options{Languages: "fra"}); !strings.Contains(err.Error(), "it has eng, deu") {
		t.Errorf("a missing language: %v, want those that are there", err)
	}
}

func TestNotInstalled(t *testing.T) {
	dir := fake(t, "")
	t.Setenv("PATH", t.TempDir())
	t.Chdir(dir) // a program beside the documents is not run
	if _, err := Open(t.Context(), nil); !errors.Is(err, docsearch.ErrUnsupported) || !strings.Contains(err.Error(), "install it") {
		t.Errorf("Open = %v, want an error that says what to install", err)
	}
	t.Setenv("PATH", ".")
	if _, err := Open(t.Context(), nil); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Open with the current folder on PATH = %v, want %v", err, docsearch.ErrUnsupported)
	}
}

func TestRead(t *testing.T) {
	dir := fake(t, `cat >"$(dirname "$0")/in"; echo "$@" >"$(dirname "$0")/args"
printf '`+strings.NewReplacer("\t", `\t`, "\n", `\n`).Replace(tsvHead)+`5\t1\t1\t1\t1\t1\t1\t2\t3\t4\t90\tword\n'`)
	e, err := Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	got, err := e.Read(t.Context(), &extract.Image{Data: []byte("picture"), Width: 300, BBox: extract.Box{X1: 72}})
	if err != nil || got.Text() != "word\n" {
		t.Fatalf("Read = %v, %v", got, err)
	}
	in, _ := os.ReadFile(filepath.Join(dir, "in"))
	args, _ := os.ReadFile(filepath.Join(dir, "args"))
	if string(in) != "picture" || string(args) != "stdin stdout -l eng --psm 3 --dpi 300 tsv\n" {
		t.Errorf("standard input %q, arguments %q", in, args)
	}
}

func TestReadFails(t *testing.T) {
	fake(t, "echo 'Error in pixReadMem: no pix' >&2; exit 1")
	e, err := Open(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := e.Read(t.Context(), &extract.Image{}); err == nil || !strings.Contains(err.Error(), "no pix") {
		t.Errorf("Read = %v, want what the program said", err)
	}
}

// TestReadStops makes sure that a program that hangs is killed with what it started.
func TestReadStops(t *testing.T) {
	dir := fake(t, `sleep 1000 & echo $! >"$(dirname "$0")/child"; wait`)
	e, err := Open(t.Context(), &Options{Timeout: time.Hour})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	child := filepath.Join(dir, "child")
	go func() {
		defer cancel()
		for {
			if b, err := os.ReadFile(child); err == nil && strings.HasSuffix(string(b), "\n") || t.Context().Err() != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}()
	if _, err := e.Read(ctx, &extract.Image{}); !errors.Is(err, context.Canceled) {
		t.Errorf("Read = %v, want %v", err, context.Canceled)
	}
	b, err := os.ReadFile(child)
	if err != nil {
		t.Fatal(err)
	}
	pid, err := strconv.Atoi(strings.TrimSpace(string(b)))
	if err != nil {
		t.Fatal(err)
	}
	for range 5000 { // until it is gone; a zombie that init has not reaped is dead too
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		time.Sleep(time.Millisecond)
	}
	t.Errorf("process %d still runs", pid)
}

func TestTimeout(t *testing.T) {
	fake(t, "exec sleep 1000")
	e, err := Open(t.Context(), &Options{})
	if err != nil {
		t.Fatal(err)
	}
	e.timeout = time.Millisecond
	if _, err := e.Read(t.Context(), &extract.Image{}); err == nil || !strings.Contains(err.Error(), "stopped after") {
		t.Errorf("Read = %v, want a word on the time", err)
	}
}
