package mathtext_test

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/internal/mathtext"
)

func TestText(t *testing.T) {
	for in, want := range map[string]string{
		`\frac{a}{b} + \frac{a+b}{c_i}`:                 "a/b + (a+b)/c_i",
		`x^2 + y_{ij}^{n+1}`:                            "x^2 + y_ij^(n+1)",
		`\alpha \le \sqrt{2x} \in \mathbb{R}`:           "α ≤ √2x ∈ ℝ",
		`\begin{pmatrix} a & b \\ c & d \end{pmatrix}`:  "[a, b; c, d]",
		`f(x) = \begin{cases} 1 & x>0 \\ 0 \end{cases}`: "f(x) = { 1, x>0; 0 }",
		`\left( \hat{x} \right) \text{if $y$ holds}`:    "(x\u0302) if y holds",
		`a \over b`:                              "a/b",
		`\int_0^\infty e^{-x}\,dx`:               "∫_0^∞ e^(-x) dx",
		`a &= b \\ c &= d`:                       "a = b\nc = d",
		`\operatorname{rank} A \neq \unknown{z}`: "rank A ≠ unknown z",
	} {
		if got := mathtext.Text(in); got != want {
			t.Errorf("Text(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestHostile(t *testing.T) {
	for _, s := range []string{"{", "}", `\frac`, `\frac{`, "^", "_{", `\begin{matrix}`, `\end{a}`, `\sqrt[`, `\text{`, `\over`, "&", `\left`} {
		mathtext.Text(strings.Repeat(s, (256<<10)/len(s)))
	}
}

func FuzzText(f *testing.F) {
	f.Add(`\frac{a}{\sqrt[3]{b}} \begin{cases} x & y \\ z \end{cases} \text{$a$} a \over b`)
	f.Fuzz(func(t *testing.T, s string) { mathtext.Text(s) })
}
