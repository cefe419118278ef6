package query

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// Bounds of a glossary.
const (
	maxGlossaryBytes = 8 << 20
	maxGlossaryLine  = 4 << 10
	maxGlossarySets  = 100_000
	maxSynonyms      = 16 // terms of one line
	maxTermWords     = 12
)

// A Glossary is sets of terms that mean the same; see docsearch.Glossary.
type Glossary struct {
	sets  [][]glossaryTerm
	terms map[string][]termAt // by the first part of the term
	Hash  string              // of the text it was read from
}

// glossaryTerm is one term of a set.
type glossaryTerm struct {
	written string
	words   []querytext.Word
	key     []string // folded and stemmed parts, stop words included
	common  bool     // of stop words alone
}

// termAt is a term's place in a glossary.
type termAt struct{ set, term int }

// ParseGlossary reads a glossary. Errors name the file and the line; they wrap errs.Format, or errs.TooLarge for more than 8 MB, a line of more than
// 4096 bytes, or more than 100,000 lines.
func ParseGlossary(file string, r io.Reader) (*Glossary, error) {
	g := &Glossary{terms: map[string][]termAt{}}
	sum := sha256.New()
	limited := &io.LimitedReader{R: r, N: maxGlossaryBytes + 1}
	sc := bufio.NewScanner(io.TeeReader(limited, sum))
	sc.Buffer(make([]byte, 0, 1024), maxGlossaryLine)
	n := 0
	for sc.Scan() {
		n++
		line := sc.Text()
		if n == 1 {
			line = strings.TrimPrefix(line, "\ufeff")
		}
		if line = strings.TrimSpace(line); line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		if len(g.sets) == maxGlossarySets {
			return nil, fmt.Errorf("glossary %s:%d: %w: over %d terms", file, n, errs.TooLarge, maxGlossarySets)
		}
		if err := g.add(line); err != nil {
			return nil, fmt.Errorf("glossary %s:%d: %w", file, n, err)
		}
	}
	switch err := sc.Err(); {
	case errors.Is(err, bufio.ErrTooLong):
		return nil, fmt.Errorf("glossary %s:%d: %w: a line of more than %d bytes", file, n+1, errs.TooLarge, maxGlossaryLine)
	case err != nil:
		return nil, fmt.Errorf("glossary %s:%d: %w", file, n+1, err)
	case limited.N == 0:
		return nil, fmt.Errorf("glossary %s:%d: %w: over %d bytes", file, n, errs.TooLarge, maxGlossaryBytes)
	}
	g.Hash = hex.EncodeToString(sum.Sum(nil))
	return g, nil
}

// add takes one line.
func (g *Glossary) add(line string) error {
	if !utf8.ValidString(line) {
		return fmt.Errorf("%w: not UTF-8", errs.Format)
	}
	var set []glossaryTerm
	for written := range strings.SplitSeq(line, "=") {
		written = strings.Join(strings.Fields(written), " ")
		t := glossaryTerm{written: written, words: querytext.Words(written, false), common: true}
		for _, w := range t.words {
			t.common = t.common && w.Stop
			for _, p := range w.Parts {
				t.key = append(t.key, p.Term)
			}
		}
		switch {
		case written == "":
			return fmt.Errorf("%w: an empty term: a line is term = term", errs.Format)
		case len(t.words) == 0:
			return fmt.Errorf("%w: no word in the term %q", errs.Format, written)
		case len(t.words) > maxTermWords:
			return fmt.Errorf("%w: the term %q has more than %d words", errs.TooLarge, written, maxTermWords)
		}
		if !slices.ContainsFunc(set, func(u glossaryTerm) bool { return slices.Equal(u.key, t.key) && u.common == t.common }) {
			set = append(set, t)
		}
	}
	if len(set) > maxSynonyms {
		return fmt.Errorf("%w: %d terms in a line, the limit is %d", errs.TooLarge, len(set), maxSynonyms)
	}
	if len(set) < 2 {
		return fmt.Errorf("%w: one term alone has no synonym: a line is term = term", errs.Format)
	}
	for i, t := range set {
		g.terms[t.key[0]] = append(g.terms[t.key[0]], termAt{len(g.sets), i})
	}
	g.sets = append(g.sets, set)
	return nil
}

// Len returns the number of sets.
func (g *Glossary) Len() int { return len(g.sets) }

// at returns the terms that mean the same as the longest term that the words begin with, and how many words that takes; 0 for none. A
// term of several sets has the terms of all.
func (g *Glossary) at(ws []querytext.Word) (term string, others []glossaryTerm, n int) {
	if len(ws) == 0 {
		return "", nil, 0
	}
	var found []termAt
	for _, at := range g.terms[ws[0].Parts[0].Term] {
		t := &g.sets[at.set][at.term]
		k := t.begins(ws)
		if k == 0 || k < n {
			continue
		}
		if k > n {
			found, n = nil, k
		}
		found = append(found, at)
	}
	seen := map[string]bool{}
	for _, at := range found {
		for i, t := range g.sets[at.set] {
			if key := text.Fold(t.written); i != at.term && !seen[key] && !t.common && len(others) < maxSynonyms {
				seen[key] = true
				others = append(others, t)
			}
		}
	}
	if n == 0 || len(others) == 0 {
		return "", nil, 0
	}
	var written []string
	for _, w := range ws[:n] {
		written = append(written, w.Written)
	}
	return strings.Join(written, " "), others, n
}

// begins returns how many words the term takes at the beginning of ws, 0 when they do not begin with it.
func (t *glossaryTerm) begins(ws []querytext.Word) int {
	at := 0
	for n, w := range ws {
		if w.Quoted {
			return 0
		}
		for _, p := range w.Parts {
			if at == len(t.key) || t.key[at] != p.Term {
				return 0
			}
			at++
		}
		if t.common && (n >= len(t.words) || w.Written != t.words[n].Written) {
			return 0
		}
		if at == len(t.key) {
			return n + 1
		}
	}
	return 0
}
