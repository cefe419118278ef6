package bayes

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// A Linear tells classes apart by weights that were learned before. It is read-only; methods may be called at the same time.
type Linear struct {
	Classes []string // sorted
	bias    []float64
	unit    float64 // of the weights
	index   map[string]int
	weights []int8 // of each term, one for each class
}

// How logistic regression learns: in so many rounds over the examples, by steps that shrink from rate to nothing.
const (
	rounds = 8
	rate   = 0.1
)

// LearnLinear learns the mean of naive Bayes (of whose evidence the part independent counts, as in [Model.Of]) and of logistic regression, which has the part share: the one is sure too often, the other
// makes too much of few examples (Wang and Manning, Baselines and Bigrams, 2012, mix both as well). Terms of one example alone are left out.
func LearnLinear(examples []Example, pseudo, independent, share float64) *Linear {
	m := Learn(examples, pseudo)
	regression, bias := m.regression(examples)
	count := map[string]int{}
	for _, ex := range examples {
		for _, t := range ex.Terms {
			count[t]++
		}
	}
	l := &Linear{Classes: m.Classes, bias: make([]float64, len(m.Classes)), index: map[string]int{}}
	for c := range l.bias {
		l.bias[c] = (1-share)*independent*math.Log(m.Prior[c]) + share*bias[c]
	}
	kept := slices.DeleteFunc(slices.Sorted(maps.Keys(m.terms)), func(t string) bool { return count[t] < 2 })
	exact := make([][]float64, len(kept))
	for i, t := range kept {
		w, mean := make([]float64, len(l.bias)), 0.0
		for c := range w {
			w[c] = (1-share)*independent*m.terms[t][c] + share*regression[t][c]
			mean += w[c] / float64(len(w))
		}
		for c := range w {
			w[c] -= mean // what all classes have tells nothing
			l.unit = max(l.unit, math.Abs(w[c])/math.MaxInt8)
		}
		exact[i] = w
	}
	for i, t := range kept {
		l.index[t] = len(l.weights)
		for _, x := range exact[i] {
			l.weights = append(l.weights, int8(math.Round(x/max(l.unit, math.SmallestNonzeroFloat64))))
		}
	}
	return l
}

// regression learns weights of the terms, and of the classes, by stochastic gradient descent.
func (m *Model) regression(examples []Example) (weights map[string][]float64, bias []float64) {
	weights = make(map[string][]float64, len(m.terms))
	for t := range m.terms {
		weights[t] = make([]float64, len(m.Classes))
	}
	classes, terms := make([]int, len(examples)), make([][][]float64, len(examples))
	for i, ex := range examples {
		classes[i], _ = slices.BinarySearch(m.Classes, ex.Class)
		for _, t := range ex.Terms {
			terms[i] = append(terms[i], weights[t])
		}
	}
	stride := 7919 // prime: examples that follow one another are of one author
	for len(examples) > 0 && len(examples)%stride == 0 {
		stride++
	}
	bias = make([]float64, len(m.Classes))
	p := make([]float64, len(m.Classes))
	for at, n, all := 0, 0, rounds*len(examples); n < all; n++ {
		at = (at + stride) % len(examples)
		copy(p, bias)
		for _, w := range terms[at] {
			for c, x := range w {
				p[c] += x
			}
		}
		softmax(p)
		p[classes[at]]--
		step := rate * float64(all-n) / float64(all)
		for c := range p {
			p[c] *= step
			bias[c] -= p[c]
		}
		for _, w := range terms[at] {
			for c := range w {
				w[c] -= p[c]
			}
		}
	}
	return weights, bias
}

// Of gives how probable each class is for a text with these terms.
func (l *Linear) Of(terms []string) []float64 {
	z := slices.Clone(l.bias)
	for _, t := range terms {
		if at, ok := l.index[t]; ok {
			for c := range z {
				z[c] += l.unit * float64(l.weights[at+c])
			}
		}
	}
	softmax(z)
	return z
}

func softmax(z []float64) {
	if len(z) == 0 {
		return
	}
	top, sum := slices.Max(z), 0.0
	for c := range z {
		z[c] = math.Exp(z[c] - top)
		sum += z[c]
	}
	for c := range z {
		z[c] /= sum
	}
}

// Append writes a model behind b: the number of classes, their names, biases, the unit, the number of terms, and each of these in order, as what it shares with the one before, the rest of it, and its weights.
func (l *Linear) Append(b []byte) []byte {
	text := func(s string) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	b = binary.AppendUvarint(b, uint64(len(l.Classes)))
	for c, name := range l.Classes {
		text(name)
		b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(l.bias[c])))
	}
	b = binary.LittleEndian.AppendUint32(b, math.Float32bits(float32(l.unit)))
	b = binary.AppendUvarint(b, uint64(len(l.index)))
	last := ""
	for _, t := range slices.Sorted(maps.Keys(l.index)) {
		n := 0
		for n < len(last) && n < len(t) && last[n] == t[n] {
			n++
		}
		b = binary.AppendUvarint(b, uint64(n))
		text(t[n:])
		for _, w := range l.weights[l.index[t]:][:len(l.Classes)] {
			b = append(b, byte(w))
		}
		last = t
	}
	return b
}

// ParseLinear reads a model that [Linear.Append] wrote, and gives what stands behind it.
func ParseLinear(b []byte) (l *Linear, rest []byte, err error) {
	r := reader{b: b}
	l = &Linear{index: map[string]int{}}
	for range r.number() {
		l.Classes = append(l.Classes, string(r.bytes(r.number())))
		l.bias = append(l.bias, r.float())
	}
	l.unit = r.float()
	last := ""
	for range r.number() {
		shared := r.number()
		if shared > len(last) {
			return nil, nil, fmt.Errorf("term %d shares %d bytes with %q", len(l.index), shared, last)
		}
		last = last[:shared] + string(r.bytes(r.number()))
		l.index[last] = len(l.weights)
		for _, w := range r.bytes(len(l.Classes)) {
			l.weights = append(l.weights, int8(w))
		}
	}
	if r.short {
		return nil, nil, errors.New("the model ends early")
	}
	return l, r.b, nil
}

// A reader takes values off bytes; what is not there is 0.
type reader struct {
	b     []byte
	short bool
}

// number reads one that counts bytes or what takes at least one byte each: none is greater than what is left.
func (r *reader) number() int {
	n, size := binary.Uvarint(r.b)
	if size <= 0 || n > uint64(len(r.b)-size) {
		r.b, r.short = nil, true
		return 0
	}
	r.b = r.b[size:]
	return int(n)
}

func (r *reader) bytes(n int) []byte {
	if n > len(r.b) {
		r.b, r.short = nil, true
		return make([]byte, n)
	}
	out := r.b[:n]
	r.b = r.b[n:]
	return out
}

func (r *reader) float() float64 {
	return float64(math.Float32frombits(binary.LittleEndian.Uint32(r.bytes(4))))
}

// Differs gives the term whose weights are the farthest from those of another model, and by how many units; the whole range where only one of them has it.
func (l *Linear) Differs(other *Linear) (term string, units int) {
	at := func(of *Linear, t string, c int) int {
		if i, ok := of.index[t]; ok {
			return int(of.weights[i+c])
		}
		return 2 * math.MaxInt8
	}
	if !slices.Equal(l.Classes, other.Classes) {
		return "", 2 * math.MaxInt8
	}
	for _, terms := range []map[string]int{l.index, other.index} {
		for _, t := range slices.Sorted(maps.Keys(terms)) {
			for c := range l.Classes {
				a, b := at(l, t, c), at(other, t, c)
				if d := max(a-b, b-a); d > units {
					term, units = t, d
				}
			}
		}
	}
	return term, units
}
