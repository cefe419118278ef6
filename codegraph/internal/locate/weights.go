package locate

import (
	"fmt"
	"maps"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/report"
)

// A factor is one number that [Locate] ranks by.
type factor int

// The weights.
const (
	wTitle factor = iota // of words by where they stand, in the order of report.Part
	wProse
	wLater
	wInline
	wMessage
	wCode
	wOutput
	wSaturation // how soon a word that is repeated says nothing more
	wK1         // BM25 over entities
	wB
	wFileK1 // BM25 over files
	wFileB
	wRare // how much less a name says that is defined in several places

	wFile // signals of a file, up to wTogether
	wBest
	wThree
	wPath
	wNamed
	wPlace
	wModule
	wFrame
	wScope
	wCovered
	wNear
	wLead
	wMeaning
	wHistory
	wTogether

	wTest // what is left of the score of such files
	wGenerated
	wPlain
	wAside // examples, benchmarks, documentation, scripts

	eBody // signals of a class or function, up to eMeaning
	eShare
	eNamed
	eWord
	eModule
	eFrame
	eCovered
	eMeaning
	eBase
	eClass
	numWeights
)

// Weights are the values of all factors.
type Weights [numWeights]float64

var weightTable = [numWeights]struct {
	name  string
	value float64
}{
	wTitle: {"title", 1.6}, wProse: {"prose", 1}, wLater: {"later", .9}, wInline: {"inline", 1.4}, wMessage: {"message", 1}, wCode: {"code", .3}, wOutput: {"output", .2},
	wSaturation: {"saturation", 1.3}, wK1: {"k1", 1.2}, wB: {"b", .2}, wFileK1: {"file_k1", .6}, wFileB: {"file_b", .4}, wRare: {"rare", 1},
	wFile: {"file", 1.8}, wBest: {"best", 1.3}, wThree: {"three", 1.1}, wPath: {"path", 1.1}, wNamed: {"named", .7}, wPlace: {"place", 1},
	wModule: {"module", .6}, wFrame: {"frame", 1.4}, wScope: {"scope", 1.15}, wCovered: {"covered", .55}, wNear: {"near", .35}, wLead: {"lead", .5}, wMeaning: {"meaning", 1}, wHistory: {"history", .8}, wTogether: {"together", .2},
	wTest: {"test", .2}, wGenerated: {"generated", .3}, wPlain: {"plain", .15}, wAside: {"aside", .4},
	eBody: {"entity_body", .35}, eShare: {"entity_share", .65}, eNamed: {"entity_named", .65}, eWord: {"entity_word", .3}, eModule: {"entity_module", .5}, eFrame: {"entity_frame", 1}, eCovered: {"entity_covered", .4}, eMeaning: {"entity_meaning", .3},
	eBase: {"entity_base", .6}, eClass: {"entity_class", .4},
}

// ofWords are the weights of a report's words.
func (w *Weights) ofWords() report.Weights {
	v := report.Weights{Saturation: w[wSaturation]}
	copy(v.Parts[:], w[wTitle:])
	return v
}

// DefaultWeights gives the weights, by name.
func DefaultWeights() map[string]float64 {
	out := map[string]float64{}
	for _, w := range weightTable {
		out[w.name] = w.value
	}
	return out
}

// NewWeights are the weights with some of them set by name.
func NewWeights(set map[string]float64) (w Weights, err error) {
	for i := range weightTable {
		w[i] = weightTable[i].value
	}
	for _, name := range slices.Sorted(maps.Keys(set)) {
		i := slices.IndexFunc(weightTable[:], func(t struct {
			name  string
			value float64
		}) bool {
			return t.name == name
		})
		if i < 0 {
			return w, fmt.Errorf("codegraph: unknown weight %q: see LocateWeights", name)
		}
		most := 1e6
		if f := factor(i); f == wB || f == wFileB {
			most = 1 // a share: with more of it BM25 divides by 0 and less
		}
		if v := set[name]; !(v >= 0 && v <= most) {
			return w, fmt.Errorf("codegraph: weight %q is %v: from 0 to %g", name, v, most)
		} else {
			w[i] = v
		}
	}
	return w, nil
}
