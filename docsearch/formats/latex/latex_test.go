package latex_test

import (
	"os"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/findspot/findspot/docsearch/formats/internal/formattest"
	"github.com/findspot/findspot/docsearch/formats/latex"
)

func TestDocuments(t *testing.T) { formattest.Golden(t, latex.New(nil), ".tex") }

func FuzzLaTeX(f *testing.F) { formattest.Fuzz(f, latex.New(nil), ".tex") }

// TestBroken reads what once made the reader panic.
func TestBroken(t *testing.T) {
	for _, s := range []string{`\newtheorem{a}}\begin{a}b\end{a}`} {
		formattest.Check(t, latex.New(nil), []byte(s))
	}
}

// TestIncluded: included files are read below the root, found from the folder of the document, and never above it; loops end.
func TestIncluded(t *testing.T) {
	files := fstest.MapFS{
		"paper/chapters/one.tex": {Data: []byte(`\section{One}\label{one} Text of one. \input{chapters/two.tex}`)},
		"paper/chapters/two.tex": {Data: []byte(`Text of two. \input{../secret} \input{chapters/two}`)},
		"paper/main.bbl":         {Data: []byte(`\begin{thebibliography}{1}\bibitem{k} Knuth.\end{thebibliography}`)},
		"secret.tex":             {Data: []byte("below the root")},
	}
	src := `\documentclass{article}\begin{document}\include{chapters/one} See \ref{one}, \cite{k}. \input{../../outside}\bibliography{refs}\end{document}`
	got, err := formattest.Read(t.Context(), latex.New(nil).WithFiles(files, "paper/main.tex"), []byte(src))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"1 One", "Text of one.", "Text of two.", "below the root", "See 1, [1].", "(includes ../../outside)", "[1] Knuth."} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if n := strings.Count(got, "Text of two."); n > 20 {
		t.Errorf("a file that includes itself is read %d times", n)
	}
	dir := t.TempDir()
	if err := os.Mkdir(dir+"/in", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(dir+"/out.tex", []byte("outside"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(dir+"/out.tex", dir+"/in/link.tex"); err != nil {
		t.Fatal(err)
	}
	root, err := os.OpenRoot(dir + "/in")
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	got, err = formattest.Read(t.Context(), latex.New(&latex.Options{Files: root.FS()}), []byte(`a \input{link} b`))
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(got, "outside") || !strings.Contains(got, "(includes link)") {
		t.Errorf("a link out of the root was read:\n%s", got)
	}
}

// TestBounds: macros that grow without end, and braces without end, end soon.
func TestBounds(t *testing.T) {
	for _, src := range []string{
		`\def\a{\b\b\b\b\b\b\b\b}\def\b{\c\c\c\c\c\c\c\c}\def\c{\a\a\a\a\a\a\a\a x}\a`,
		`\def\a{\a\a}\a $\a$`,
		strings.Repeat(`\textbf{`, 100_000),
		strings.Repeat(`\footnote{`, 20_000),
		strings.Repeat(`\begin{figure}`, 20_000),
		strings.Repeat(`\iffalse `, 50_000),
		strings.Repeat(`$`, 100_001),
		strings.Repeat(`\item[`, 50_000),
		"$" + strings.Repeat(`\frac{`, 40_000) + "$",
		strings.Repeat(`\author{a}`, 20_000),
		strings.Repeat(`\def\a`, 30_000),
		strings.Repeat(`\cite[`, 30_000),
		`\documentclass{a}` + strings.Repeat(`%\begin{document}`, 10_000),
	} {
		start := time.Now()
		formattest.Check(t, latex.New(nil), []byte(src))
		t.Logf("%.20q of %d bytes: %v", src, len(src), time.Since(start).Round(time.Millisecond))
	}
}
