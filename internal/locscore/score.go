package locscore

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

// A Level is what is counted: whole files, modules (classes and functions at the top of a file) or functions.
type Level string

const (
	File     Level = "file"
	Module   Level = "module"
	Function Level = "function"
)

// Levels returns all levels, widest first.
func Levels() []Level { return []Level{File, Module, Function} }

// Depths gives the k of a level that LocAgent's paper reports.
func Depths(l Level) []int {
	if l == File {
		return []int{1, 3, 5}
	}
	return []int{5, 10}
}

// Places are entities of a repository by level, best first: paths with slashes, and "path:Class", "path:Class.method" or
// "path:function" below them.
type Places map[Level][]string

// Of sorts entity ids, best first, by level: a function counts as its module and its file too. What stands twice counts
// once, at its first place. A constructor counts as its class's function "path:Class", as in the published evaluator.
func Of(ids []string) Places {
	p := Places{}
	for _, id := range ids {
		path, name, inside := strings.Cut(id, ":")
		p.Add(File, path)
		if !inside {
			continue
		}
		name = strings.TrimSuffix(name, ".__init__")
		first, _, _ := strings.Cut(name, ".")
		p.Add(Module, path+":"+first)
		p.Add(Function, path+":"+name)
	}
	return p
}

// Add puts an id behind those of a level, unless it is there.
func (p Places) Add(l Level, id string) {
	if !slices.Contains(p[l], id) {
		p[l] = append(p[l], id)
	}
}

// A Score is the mean over issues of one level and depth.
type Score struct {
	Level  Level   `json:"level"`
	K      int     `json:"k"`
	Issues int     `json:"issues"` // that have something to find at the level
	Acc    float64 `json:"acc"`    // share of issues of which all of it is among the first k; of more than k, all k are of it
	Any    float64 `json:"any"`    // share of issues of which some of it is
	NDCG   float64 `json:"ndcg"`   // normalised discounted cumulative gain, gains 0 and 1
}

func (s Score) String() string {
	return fmt.Sprintf("%s@%d: acc %.4f any %.4f ndcg %.4f (%d issues)", s.Level, s.K, s.Acc, s.Any, s.NDCG, s.Issues)
}

// Measure compares what was found with what is right, issue by issue; issues of found that gold lacks do not count, and those
// that found lacks have found nothing. An empty depths means those of [Depths]. The scores come by level and k.
func Measure(gold, found map[string]Places, depths ...int) ([]Score, error) {
	var out []Score
	for _, l := range Levels() {
		ks := depths
		if len(ks) == 0 {
			ks = Depths(l)
		}
		for _, k := range ks {
			if k < 1 {
				return nil, fmt.Errorf("%w: depth %d: from 1", errs.Unsupported, k)
			}
			s := Score{Level: l, K: k}
			for _, id := range slices.Sorted(maps.Keys(gold)) {
				right := gold[id]
				if len(right[l]) == 0 {
					continue
				}
				s.Issues++
				hits, gain := hits(right[l], found[id][l], k)
				ideal := 0.0
				for i := range min(k, len(right[l])) {
					ideal += discount(i)
				}
				if hits == min(k, len(right[l])) {
					s.Acc++
				}
				if hits > 0 {
					s.Any++
				}
				s.NDCG += gain / ideal
			}
			if n := float64(s.Issues); n > 0 {
				s.Acc, s.Any, s.NDCG = s.Acc/n, s.Any/n, s.NDCG/n
			}
			out = append(out, s)
		}
	}
	return out, nil
}

// hits counts what is right among the first k, and adds up its gains.
func hits(right, found []string, k int) (n int, gain float64) {
	for i, id := range found[:min(k, len(found))] {
		if slices.Contains(right, id) && !slices.Contains(found[:i], id) {
			n++
			gain += discount(i)
		}
	}
	return n, gain
}

// discount is the weight of a place, from 0.
func discount(i int) float64 { return 1 / math.Log2(float64(i)+2) }
