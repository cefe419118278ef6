package listwise

import "math"

// An Example is what each signal says of each item of one list, and which items are right, at least one.
type Example struct {
	Signals [][]float64 // by item, then by signal
	Right   []int
}

// Options of [Fit].
type Options struct {
	Start []float64 // weights to begin with, one for each signal
	Pull  float64   // how strongly weights are held near 0
	Rate  float64   // of one step
	Steps int
	// Any asks that one of the right items is likely. Otherwise all are to be, each as much as another.
	Any bool
	// Least is the least weight.
	Least float64
}

// Fit finds the weights under which the right items are likeliest, where an item is as likely as the exponential of its score (Cao et al., Learning to Rank: From
// Pairwise Approach to Listwise Approach, ICML 2007), by Adam (Kingma and Ba, ICLR 2015).
func Fit(list []Example, o Options) []float64 {
	n := len(o.Start)
	w := append([]float64{}, o.Start...)
	first, second := make([]float64, n), make([]float64, n)
	for step := 1; step <= o.Steps; step++ {
		grad := make([]float64, n)
		for _, x := range list {
			x.add(grad, w, o.Any)
		}
		for j := range w {
			g := grad[j]/float64(len(list)) - o.Pull*w[j]
			first[j] = .9*first[j] + .1*g
			second[j] = .999*second[j] + .001*g*g
			a, b := first[j]/(1-math.Pow(.9, float64(step))), second[j]/(1-math.Pow(.999, float64(step)))
			w[j] = max(o.Least, w[j]+o.Rate*a/(math.Sqrt(b)+1e-8))
		}
	}
	return w
}

// add adds the gradient of the likelihood of one list.
func (x *Example) add(grad, w []float64, anyOne bool) {
	likely := make([]float64, len(x.Signals))
	most := math.Inf(-1)
	for i, row := range x.Signals {
		for j, v := range row {
			likely[i] += w[j] * v
		}
		most = max(most, likely[i])
	}
	sum, right := 0., 0.
	for i := range likely {
		likely[i] = math.Exp(likely[i] - most)
		sum += likely[i]
	}
	for _, i := range x.Right {
		right += likely[i]
	}
	for i, row := range x.Signals {
		for j, v := range row {
			grad[j] -= likely[i] / sum * v
		}
	}
	for _, i := range x.Right {
		share := 1 / float64(len(x.Right))
		if anyOne {
			share = likely[i] / right
		}
		for j, v := range x.Signals[i] {
			grad[j] += share * v
		}
	}
}
