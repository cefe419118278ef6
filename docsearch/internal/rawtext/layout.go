package rawtext

import (
	"encoding/json"
	"errors"
	"fmt"
	"sort"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
)

// Layout says where the raw text of a document is kept and where its pages begin. The raw text is the pages' texts in a
// row, each ending in "\n". It is stored once: as the texts of the chunk records, and here for what no chunk covers.
type Layout struct {
	Size   int     `json:"size"`          // bytes of the raw text
	Pages  []int   `json:"pages"`         // byte offset of each page
	Pieces []Piece `json:"pieces"`        // in order, covering the raw text
	Sum    uint32  `json:"sum,omitempty"` // checksum of the raw text ([textSum]); 0: taken in before there was one

	Markdown []int             `json:"markdown,omitempty"` // byte of the kept Markdown at which each page begins; nil: none is kept
	Sections []extract.Section `json:"sections,omitempty"` // in order of the text; none in an index of before feature version 3
	// Joints are half-open byte ranges of what stands between the running texts of two pages, in order; none in an index of before pdf-5.
	Joints [][2]int `json:"joints,omitempty"`
}

// Piece is a stretch of raw text that goes up to the next piece.
type Piece struct {
	Start int    `json:"s"`
	Line  int    `json:"l"` // line that holds the byte at Start, from 1
	Chunk int    `json:"n"` // number of the chunk record that holds the text; -1: Text
	Text  string `json:"t,omitempty"`
}

// Page returns the number of the page that holds the byte at off.
func (lay *Layout) Page(off int) int {
	return max(1, sort.Search(len(lay.Pages), func(i int) bool { return lay.Pages[i] > off }))
}

// PieceAt returns the index of the piece that holds the byte at off.
func (lay *Layout) PieceAt(off int) int {
	return max(0, sort.Search(len(lay.Pieces), func(i int) bool { return lay.Pieces[i].Start > off })-1)
}

func (lay *Layout) pieceEnd(i int) int {
	if i+1 < len(lay.Pieces) {
		return lay.Pieces[i+1].Start
	}
	return lay.Size
}

// check makes sure that the layout can be followed.
func (lay *Layout) check() error {
	if lay.Size < 0 || len(lay.Pages) == 0 || lay.Pages[0] != 0 {
		return fmt.Errorf("%d pages of %d bytes", len(lay.Pages), lay.Size)
	}
	for i, p := range lay.Pages {
		if p > lay.Size || i > 0 && p < lay.Pages[i-1] {
			return fmt.Errorf("page %d begins at byte %d of %d", i+1, p, lay.Size)
		}
	}
	if (len(lay.Pieces) == 0) != (lay.Size == 0) || len(lay.Pieces) > 0 && lay.Pieces[0].Start != 0 {
		return errors.New("its pieces do not cover the text")
	}
	for i, p := range lay.Pieces {
		end := lay.pieceEnd(i)
		if end < p.Start || end > lay.Size || p.Chunk < 0 && len(p.Text) != end-p.Start {
			return fmt.Errorf("piece %d goes from byte %d to %d of %d", i, p.Start, end, lay.Size)
		}
	}
	for i, j := range lay.Joints {
		if j[0] < 0 || j[1] < j[0] || j[1] > lay.Size || i > 0 && j[0] < lay.Joints[i-1][1] {
			return fmt.Errorf("bytes %d to %d of %d are not between pages", j[0], j[1], lay.Size)
		}
	}
	return nil
}

// ChunkEnds returns the offsets in the raw text at which the passages of a document end, by number. Their records go on for a while, so that
// words across a cut are found; a vector is of the passage alone.
func ChunkEnds(d *driver.Document) (map[int]int, error) {
	lay := &Layout{}
	if err := json.Unmarshal(d.Layout, lay); err != nil {
		return nil, fmt.Errorf("document %s: layout: %w: %v", d.ID, errs.Format, err)
	}
	ends := make(map[int]int, len(lay.Pieces))
	for i, p := range lay.Pieces {
		if p.Chunk >= 0 {
			ends[p.Chunk] = lay.pieceEnd(i)
		}
	}
	return ends, nil
}
