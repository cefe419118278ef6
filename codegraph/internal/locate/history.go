package locate

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// A change is one past change of a repository: what was said of it, and the files that it changed.
type change struct {
	message string
	paths   []string
}

// A History is what is known of past changes. It is immutable and safe for concurrent use.
type History struct {
	ix      *bm25.Index // of the messages, titles counted twice
	changes [][]string  // paths of each
	titles  []string
}

// newHistory indexes changes, newest first. It leaves out those over 20,000, and a change of more than 30 files, which says little of each.
func newHistory(changes []change) *History {
	h := &History{ix: bm25.New()}
	for _, c := range changes[:min(len(changes), maxPast)] {
		if len(c.paths) == 0 || len(c.paths) > maxChangePaths {
			continue
		}
		message := c.message[:min(len(c.message), maxMessage)]
		title, _, _ := strings.Cut(message, "\n")
		h.ix.Add(append(text.Terms(message), text.Terms(title)...))
		h.changes = append(h.changes, slices.Clone(c.paths))
		h.titles = append(h.titles, strings.ToValidUTF8(strings.TrimSpace(title[:min(len(title), maxTitle)]), ""))
	}
	return h
}

// Len gives the number of changes that are known.
func (h *History) Len() int { return len(h.changes) }

// The bounds of a history.
const (
	maxPast        = 20_000
	maxPastBytes   = 64 << 20
	maxChangePaths = 30
	maxMessage     = 2000 // bytes
	maxTitle       = 120
)

// historyFormat is the format of git log that [ReadHistory] reads.
const historyFormat = "%x00%B%x00"

// ReadHistory reads the changes that git lists, see codegraph.HistoryFormat, newest first; it reads 64 MB at most. What is no such list is an error
// wrapping [errs.Format].
func ReadHistory(r io.Reader) (*History, error) {
	in := bufio.NewReader(io.LimitReader(r, maxPastBytes))
	next := func() (s string, ok bool, err error) {
		s, err = in.ReadString(0)
		if err != nil && err != io.EOF {
			return "", false, fmt.Errorf("codegraph: history: %w", err)
		}
		return strings.TrimSuffix(s, "\x00"), err == nil || s != "", nil
	}
	head, _, err := next()
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(head) != "" {
		return nil, fmt.Errorf("codegraph: history: %w: begins with %.40q: ask git for --format=%s", errs.Format, head, historyFormat)
	}
	var out []change
	for len(out) < maxPast {
		message, ok, err := next()
		if err != nil {
			return nil, err
		} else if !ok {
			break
		}
		paths, _, err := next()
		if err != nil {
			return nil, err
		}
		c := change{message: strings.TrimSpace(message)}
		for p := range strings.Lines(paths) {
			p = strings.TrimSpace(p)
			if name, err := strconv.Unquote(p); err == nil && p[0] == '"' {
				p = name // git writes names that are not ASCII as C does
			}
			if p != "" {
				c.paths = append(c.paths, p)
			}
		}
		out = append(out, c)
	}
	return newHistory(out), nil
}

// A past is a history in terms of the files of a graph.
type past struct {
	*History
	slots [][]uint32       // of each change
	of    map[uint32][]int // changes of each file
}

func newPast(g *snapshot.Graph, h *History) *past {
	p := &past{History: h, slots: make([][]uint32, len(h.changes)), of: map[uint32][]int{}}
	known := map[string]uint32{}
	for i, paths := range h.changes {
		for _, path := range paths {
			s, ok := known[path]
			if !ok {
				if s, ok = g.SlotAt(path); !ok || g.Slots[s].Block.Flag(block.FlagDir) {
					s = noSlot
				}
				known[path] = s
			}
			if s != noSlot {
				p.slots[i] = append(p.slots[i], s)
				p.of[s] = append(p.of[s], i)
			}
		}
	}
	return p
}

const noSlot = math.MaxUint32

// The bounds of what is asked of a history.
const (
	pastTerms   = 60
	pastChanges = 30
)

// history scores files by the changes whose messages hold the words of the report: the better a change fits, and the fewer files it has, the more.
func (r *ranking) history() {
	var terms []string
	for _, t := range r.q.Terms[:min(len(r.q.Terms), pastTerms)] {
		terms = append(terms, t.Term)
		if t.Title {
			terms = append(terms, t.Term)
		}
	}
	for i, h := range r.past.ix.Search(terms, pastChanges, func(int) bool { return true }) {
		slots := r.past.slots[h.Doc]
		for _, s := range slots {
			r.sig[wHistory][s] += h.Score / float64(3+i) / math.Sqrt(float64(len(slots)))
			r.addReason(wHistory, r.g.NodeAt[s], r.past.titles[h.Doc])
		}
	}
}

// together scores files by how often they changed together with the best ones.
func (r *ranking) together(best []ranked) {
	for _, f := range best {
		s, _ := r.g.Place(f.node)
		count := map[uint32]int{}
		for _, c := range r.past.of[s] {
			for _, t := range r.past.slots[c] {
				count[t]++
			}
		}
		for t, n := range count {
			if t != s && n > 1 {
				r.sig[wTogether][t] += f.score * float64(n) / float64(len(r.past.of[s])+3)
				r.addReason(wTogether, r.g.NodeAt[t], r.g.Path(f.node))
			}
		}
	}
}
