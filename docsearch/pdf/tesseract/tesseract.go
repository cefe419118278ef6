package tesseract

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"os/exec"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

const (
	maxOutput = 64 << 20 // bytes of the program's answer
	maxStderr = 4 << 10
	maxImage  = 256 << 20 // bytes of a picture
	waitDelay = 2 * time.Second
)

// Options says how pictures are read. The zero value, and nil, are fine.
type Options struct {
	Languages string        // of the text, such as "eng" or "deu+eng", the likelier first; "" means eng
	Timeout   time.Duration // for one picture; 0 means two minutes
	Workers   int           // most pictures read at once; 0 means the number of CPUs
}

// An Engine reads text from pictures. It is safe for concurrent use.
type Engine struct {
	path, name string
	languages  string
	timeout    time.Duration
	slots      chan struct{}
}

var _ extract.OCR = (*Engine)(nil)

// A language is the name of a file of training data: no path, no option.
var languages = sync.OnceValue(func() *regexp.Regexp { // large, and not for programs that only link this package
	return regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_]{0,40}(\+[A-Za-z][A-Za-z0-9_]{0,40}){0,9}$`)
})

// Open finds the program and asks it for its version and languages. When it is not installed, or lacks a language, the error wraps
// [docsearch.ErrUnsupported] and says what to install.
func Open(ctx context.Context, o *Options) (*Engine, error) {
	var opt Options
	if o != nil {
		opt = *o
	}
	if opt.Languages == "" {
		opt.Languages = "eng"
	}
	var bad []string
	if !languages().MatchString(opt.Languages) {
		bad = append(bad, fmt.Sprintf("Languages %q is no list such as eng or deu+eng", opt.Languages))
	}
	if opt.Timeout < 0 {
		bad = append(bad, fmt.Sprintf("Timeout %v is negative", opt.Timeout))
	}
	if opt.Workers < 0 {
		bad = append(bad, fmt.Sprintf("Workers %d is negative", opt.Workers))
	}
	if len(bad) > 0 {
		return nil, fmt.Errorf("tesseract options: %w: %s", errs.Unsupported, strings.Join(bad, ", "))
	}
	if opt.Timeout == 0 {
		opt.Timeout = 2 * time.Minute
	}
	if opt.Workers == 0 {
		opt.Workers = runtime.GOMAXPROCS(0)
	}
	path, err := exec.LookPath("tesseract") // an error for what is only in the current folder
	if err != nil {
		return nil, fmt.Errorf("%w: tesseract is not installed (%v): install it, such as with apt-get install tesseract-ocr", errs.Unsupported, err)
	}
	e := &Engine{path: path, languages: opt.Languages, timeout: opt.Timeout, slots: make(chan struct{}, opt.Workers)}
	out, err := e.run(ctx, nil, "--version")
	if err != nil {
		return nil, err
	}
	version := strings.TrimPrefix(firstLine(out), "tesseract ")
	e.name = "tesseract-" + strings.Join(strings.Fields(version), "-") + "-" + opt.Languages
	if out, err = e.run(ctx, nil, "--list-langs"); err != nil {
		return nil, err
	}
	have := strings.Fields(strings.TrimPrefix(string(out), firstLine(out)))
	for lang := range strings.SplitSeq(opt.Languages, "+") {
		if !slices.Contains(have, lang) {
			return nil, fmt.Errorf("%w: tesseract has no language %q; it has %s; install it, such as with apt-get install tesseract-ocr-%s",
				errs.Unsupported, lang, strings.Join(have, ", "), strings.ReplaceAll(lang, "_", "-"))
		}
	}
	return e, nil
}

// Name is the program with its version and the languages, such as "tesseract-5.3.0-deu+eng".
func (e *Engine) Name() string { return e.name }

// Read returns the words of a picture with their boxes in pixels. A picture the program cannot read is an error with what the
// program said of it. It waits while as many pictures are being read as Options.Workers allows.
func (e *Engine) Read(ctx context.Context, img *extract.Image) (*extract.OCRText, error) {
	if len(img.Data) > maxImage {
		return nil, fmt.Errorf("tesseract: %w: a picture of %d bytes", errs.TooLarge, len(img.Data))
	}
	args := []string{"stdin", "stdout", "-l", e.languages, "--psm", "3"}
	if d := density(img); d > 0 {
		args = append(args, "--dpi", strconv.Itoa(d))
	}
	out, err := e.run(ctx, img.Data, append(args, "tsv")...)
	if err != nil {
		return nil, err
	}
	return parse(out)
}

// density is how many pixels of a picture go on an inch of its page; 0 when that is not known or cannot be.
func density(img *extract.Image) int {
	w := img.BBox.X1 - img.BBox.X0
	if img.Width < 1 || w <= 0 {
		return 0
	}
	d := math.Round(float64(img.Width) / w * 72)
	if d < 70 || d > 2400 {
		return 0
	}
	return int(d)
}

// run runs the program with a picture as its standard input and returns its standard output.
func (e *Engine) run(ctx context.Context, in []byte, args ...string) ([]byte, error) {
	select {
	case e.slots <- struct{}{}:
		defer func() { <-e.slots }()
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	run, cancel := context.WithTimeout(ctx, e.timeout)
	defer cancel()
	cmd := exec.CommandContext(run, e.path, args...)
	ownGroup(cmd)
	cmd.Cancel = func() error { return killGroup(cmd.Process) }
	cmd.WaitDelay = waitDelay
	cmd.Env = append(cmd.Environ(), "OMP_THREAD_LIMIT=1") // its threads cost more than they bring, and pages run side by side
	stdout, stderr := &limited{most: maxOutput, stop: cancel}, &limited{most: maxStderr}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(in), stdout, stderr
	err := cmd.Run()
	switch {
	case ctx.Err() != nil:
		return nil, ctx.Err()
	case stdout.over:
		return nil, fmt.Errorf("tesseract: %w: over %d bytes of output", errs.TooLarge, maxOutput)
	case errors.Is(run.Err(), context.DeadlineExceeded):
		return nil, fmt.Errorf("tesseract: stopped after %v", e.timeout)
	case err != nil:
		said := strings.Join(strings.Fields(stderr.b.String()), " ")
		return nil, fmt.Errorf("tesseract %s: %w: %s", args[0], err, said)
	}
	return stdout.b.Bytes(), nil
}

// limited keeps the first bytes of what is written to it; stop, when not nil, is called when there are more.
type limited struct {
	b    bytes.Buffer
	most int
	over bool
	stop func()
}

func (l *limited) Write(p []byte) (int, error) {
	if n := l.most - l.b.Len(); len(p) > n {
		l.b.Write(p[:n])
		l.over = true
		if l.stop != nil {
			l.stop()
		}
		return len(p), nil
	}
	return l.b.Write(p)
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}

// The columns of the program's table, of which the fifth level is words.
const (
	colLevel, colBlock, colPar, colLine  = 0, 2, 3, 4
	colLeft, colTop, colWidth, colHeight = 6, 7, 8, 9
	colText, columns                     = 11, 12
	levelWord                            = "5"
)

// parse reads the table of words.
func parse(out []byte) (*extract.OCRText, error) {
	t := &extract.OCRText{}
	head := false
	var line, par string
	for row := range strings.Lines(string(out)) {
		cells := strings.SplitN(strings.TrimRight(row, "\r\n"), "\t", columns)
		if !head {
			if len(cells) < columns || cells[colLevel] != "level" {
				return nil, fmt.Errorf("tesseract: %w: its answer is not a table", errs.Format)
			}
			head = true
			continue
		}
		if len(cells) < columns || cells[colLevel] != levelWord || strings.TrimSpace(cells[colText]) == "" {
			continue
		}
		var n [4]float64
		for i, c := range []int{colLeft, colTop, colWidth, colHeight} {
			v, err := strconv.Atoi(cells[c])
			if err != nil {
				return nil, fmt.Errorf("tesseract: %w: %q in column %d", errs.Format, cells[c], c+1)
			}
			n[i] = float64(v)
		}
		p := cells[colBlock] + "." + cells[colPar]
		if l := p + "." + cells[colLine]; l != line {
			t.Lines = append(t.Lines, extract.OCRLine{Begin: p != par})
			line, par = l, p
		}
		last := &t.Lines[len(t.Lines)-1]
		last.Words = append(last.Words, extract.OCRWord{Text: cells[colText], Box: extract.Box{X0: n[0], Y0: n[1], X1: n[0] + n[2], Y1: n[1] + n[3]}})
	}
	if !head {
		return nil, fmt.Errorf("tesseract: %w: it answered nothing", errs.Format)
	}
	return t, nil
}
