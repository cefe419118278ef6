package pss

import (
	"fmt"
	"math"
	"math/cmplx"
)

const (
	// Length is the number of values of the sequence.
	Length = 127
	// SymbolSamples is the number of samples of a symbol, without its cyclic prefix.
	SymbolSamples = 256

	shift           = 43
	firstSubcarrier = 56 - 120 // relative to the carrier
)

// Sequence returns d(n) = 1 - 2 x(m), m = (n + 43 N_ID2) mod 127; see FS 12.401 clause 4.2.
func Sequence(nID2 int) ([]int, error) {
	if nID2 < 0 || nID2 > 2 {
		return nil, fmt.Errorf("N_ID2 is 0, 1 or 2, not %d", nID2)
	}
	x := make([]int, Length)
	copy(x, []int{0, 1, 1, 0, 1, 1, 1})
	for i := 0; i+7 < Length; i++ {
		x[i+7] = (x[i+4] + x[i]) % 2
	}
	d := make([]int, Length)
	for n := range d {
		d[n] = 1 - 2*x[(n+shift*nID2)%Length]
	}
	return d, nil
}

// Waveform returns the samples of a symbol that carries the sequence, with unit mean power.
func Waveform(nID2 int) ([]complex128, error) {
	d, err := Sequence(nID2)
	if err != nil {
		return nil, err
	}
	out := make([]complex128, SymbolSamples)
	scale := complex(1/math.Sqrt(Length), 0)
	for t := range out {
		for n, v := range d {
			angle := 2 * math.Pi * float64((firstSubcarrier+n)*t) / SymbolSamples
			out[t] += complex(float64(v), 0) * cmplx.Exp(complex(0, angle)) * scale
		}
	}
	return out, nil
}
