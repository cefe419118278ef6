package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression that is compiled by the first call of a method. It is safe for concurrent use.
type Regexp struct {
	text string
	once sync.Once
	re   *regexp.Regexp
}

// New returns the expression of a text that is constant: one that is wrong panics when it is used.
func New(text string) *Regexp {
	r := &Regexp{text: text}
	if len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.Get()
	}
	return r
}

// Get returns the compiled expression.
func (r *Regexp) Get() *regexp.Regexp {
	r.once.Do(func() { r.re, r.text = regexp.MustCompile(r.text), "" })
	return r.re
}

// What follows is as in package regexp.

func (r *Regexp) String() string                       { return r.Get().String() }
func (r *Regexp) NumSubexp() int                       { return r.Get().NumSubexp() }
func (r *Regexp) SubexpIndex(name string) int          { return r.Get().SubexpIndex(name) }
func (r *Regexp) Match(b []byte) bool                  { return r.Get().Match(b) }
func (r *Regexp) MatchString(s string) bool            { return r.Get().MatchString(s) }
func (r *Regexp) Find(b []byte) []byte                 { return r.Get().Find(b) }
func (r *Regexp) FindIndex(b []byte) []int             { return r.Get().FindIndex(b) }
func (r *Regexp) FindString(s string) string           { return r.Get().FindString(s) }
func (r *Regexp) FindStringIndex(s string) []int       { return r.Get().FindStringIndex(s) }
func (r *Regexp) FindSubmatch(b []byte) [][]byte       { return r.Get().FindSubmatch(b) }
func (r *Regexp) FindSubmatchIndex(b []byte) []int     { return r.Get().FindSubmatchIndex(b) }
func (r *Regexp) FindStringSubmatch(s string) []string { return r.Get().FindStringSubmatch(s) }
func (r *Regexp) FindStringSubmatchIndex(s string) []int {
	return r.Get().FindStringSubmatchIndex(s)
}
func (r *Regexp) FindAll(b []byte, n int) [][]byte           { return r.Get().FindAll(b, n) }
func (r *Regexp) FindAllIndex(b []byte, n int) [][]int       { return r.Get().FindAllIndex(b, n) }
func (r *Regexp) FindAllString(s string, n int) []string     { return r.Get().FindAllString(s, n) }
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int { return r.Get().FindAllStringIndex(s, n) }
func (r *Regexp) FindAllSubmatch(b []byte, n int) [][][]byte { return r.Get().FindAllSubmatch(b, n) }
func (r *Regexp) FindAllSubmatchIndex(b []byte, n int) [][]int {
	return r.Get().FindAllSubmatchIndex(b, n)
}
func (r *Regexp) FindAllStringSubmatch(s string, n int) [][]string {
	return r.Get().FindAllStringSubmatch(s, n)
}
func (r *Regexp) FindAllStringSubmatchIndex(s string, n int) [][]int {
	return r.Get().FindAllStringSubmatchIndex(s, n)
}
func (r *Regexp) ReplaceAll(src, repl []byte) []byte { return r.Get().ReplaceAll(src, repl) }
func (r *Regexp) ReplaceAllString(src, repl string) string {
	return r.Get().ReplaceAllString(src, repl)
}
func (r *Regexp) ReplaceAllLiteralString(s, repl string) string {
	return r.Get().ReplaceAllLiteralString(s, repl)
}
func (r *Regexp) ReplaceAllStringFunc(s string, repl func(string) string) string {
	return r.Get().ReplaceAllStringFunc(s, repl)
}
func (r *Regexp) ReplaceAllFunc(b []byte, repl func([]byte) []byte) []byte {
	return r.Get().ReplaceAllFunc(b, repl)
}
func (r *Regexp) Split(s string, n int) []string { return r.Get().Split(s, n) }
