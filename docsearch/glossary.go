package docsearch

import (
	"fmt"
	"io"

	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/rootfs"
)

// A Glossary is sets of terms that mean the same: abbreviations with what they stand for, spellings, synonyms. It is never changed and safe
// for concurrent use.
//
// It is read from text: a line is one set, its terms stand between "=" signs. Empty lines, and lines that begin with "#", are skipped.
//
//	# radio
//	PSS = primary synchronization signal = primary synchronisation signal
//	UE = user equipment
//
// A search for any term of a set finds the others as well, case aside. A term that is a common word when it is written small ("IT") is
// recognised only as the glossary writes it.
type Glossary struct{ sets *query.Glossary }

// OpenGlossary reads a glossary from a file.
func OpenGlossary(file string) (*Glossary, error) {
	f, err := rootfs.Open(file)
	if err != nil {
		return nil, fmt.Errorf("glossary: %w", err)
	}
	defer f.Close() // read only
	return ParseGlossary(file, f)
}

// ParseGlossary reads a glossary. Errors name the file and the line; they wrap [ErrFormat], or [ErrTooLarge] for more than 8 MB, a line of more than
// 4096 bytes, or more than 100,000 lines.
func ParseGlossary(file string, r io.Reader) (*Glossary, error) {
	g, err := query.ParseGlossary(file, r)
	if err != nil {
		return nil, err
	}
	return &Glossary{g}, nil
}

// Len returns the number of sets.
func (g *Glossary) Len() int { return g.sets.Len() }

// known is what a search takes; g may be nil.
func (g *Glossary) known() *query.Glossary {
	if g == nil {
		return nil
	}
	return g.sets
}
