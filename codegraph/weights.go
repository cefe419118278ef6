package codegraph

import (
	"fmt"
	"maps"
	"slices"
)

// A factor is one number that [Graph.Locate] ranks by.
type factor int

// The weights.
const (
	wTitle factor = iota // of words by where they stand, in the order of reportPart
	wProse
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

	wFile // signals of a file, in the order of sigFile
	wBest
	wThree
	wPath
	wStem
	wNamed
	wWord
	wPlace
	wModule
	wFrame

	wTest // what is left of the score of such files
	wMade
	wPlain
	wAside // examples, benchmarks, documentation, scripts

	eBody // signals of a class or function, in the order of entBody
	eShare
	eNamed
	eWord
	eModule
	eFrame
	ePower // how much the score of the file counts
	eBase
	eClass
	numWeights
)

// A weights are the values of all.
type weights [numWeights]float64

var weightTable = [numWeights]struct {
	name  string
	value float64
}{
	wTitle: {"title", 4}, wProse: {"prose", 1}, wInline: {"inline", 2}, wMessage: {"message", 1}, wCode: {"code", .3}, wOutput: {"output", .2},
	wSaturation: {"saturation", 1}, wK1: {"k1", 1.2}, wB: {"b", .6}, wFileK1: {"file_k1", 1.6}, wFileB: {"file_b", .6}, wRare: {"rare", .7},
	wFile: {"file", 1}, wBest: {"best", .8}, wThree: {"three", .8}, wPath: {"path", .7}, wStem: {"stem", .3}, wNamed: {"named", .8}, wWord: {"word", .3}, wPlace: {"place", 1.5},
	wModule: {"module", .8}, wFrame: {"frame", 1.2},
	wTest: {"test", .3}, wMade: {"generated", .3}, wPlain: {"plain", .15}, wAside: {"aside", .5},
	eBody: {"entity_body", 1}, eShare: {"entity_share", .3}, eNamed: {"entity_named", 1}, eWord: {"entity_word", .3}, eModule: {"entity_module", 1}, eFrame: {"entity_frame", 1},
	ePower: {"entity_power", .01}, eBase: {"entity_base", .05}, eClass: {"entity_class", .5},
}

// LocateWeights gives the weights that [Graph.Locate] ranks by, by name.
func LocateWeights() map[string]float64 {
	out := map[string]float64{}
	for _, w := range weightTable {
		out[w.name] = w.value
	}
	return out
}

// newWeights are the weights with some of them set.
func newWeights(set map[string]float64) (w weights, err error) {
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
		if v := set[name]; !(v >= 0 && v <= 1e6) {
			return w, fmt.Errorf("codegraph: weight %q is %v: from 0 to 1e6", name, v)
		} else {
			w[i] = v
		}
	}
	return w, nil
}
