package pss

import (
	"math"
	"slices"
)

// DefaultThreshold is the power of a peak over the noise floor from which it counts; see FS 12.401 clause 5.2.3.
const DefaultThreshold = 14

// Detection says which sequence was found and where.
type Detection struct {
	NID2   int
	Offset int     // index of the first sample of the symbol
	Ratio  float64 // power of the peak over the noise floor
}

// Detector finds primary synchronization signals. Its zero value is not ready; use NewDetector.
type Detector struct {
	references [3][]complex128
	threshold  float64
}

// NewDetector returns a detector that reports peaks from threshold times the noise floor; 0 means DefaultThreshold.
func NewDetector(threshold float64) *Detector {
	if threshold == 0 {
		threshold = DefaultThreshold
	}
	d := &Detector{threshold: threshold}
	for nID2 := range d.references {
		w, err := Waveform(nID2)
		if err != nil {
			panic(err) // 0, 1 and 2 are valid
		}
		d.references[nID2] = w
	}
	return d
}

// DetectPSS returns the strongest signal in samples, and whether its peak stands out.
func DetectPSS(samples []complex128) (Detection, bool) {
	return NewDetector(0).Detect(samples)
}

// Detect returns the strongest signal in samples, and whether its peak stands out.
func (d *Detector) Detect(samples []complex128) (Detection, bool) {
	var best Detection
	for nID2, reference := range d.references {
		powers := correlate(samples, reference)
		if len(powers) == 0 {
			return Detection{}, false
		}
		peak := 0
		for i, p := range powers {
			if p > powers[peak] {
				peak = i
			}
		}
		if ratio := powers[peak] / noiseFloor(powers); ratio > best.Ratio {
			best = Detection{NID2: nID2, Offset: peak, Ratio: ratio}
		}
	}
	return best, best.Ratio >= d.threshold
}

// correlate returns the power of the correlation for each place at which the reference fits into samples.
func correlate(samples, reference []complex128) []float64 {
	var powers []float64
	for start := 0; start+len(reference) <= len(samples); start++ {
		var sum complex128
		for i, r := range reference {
			s := samples[start+i]
			sum += complex(real(s)*real(r)+imag(s)*imag(r), imag(s)*real(r)-real(s)*imag(r))
		}
		powers = append(powers, real(sum)*real(sum)+imag(sum)*imag(sum))
	}
	return powers
}

// noiseFloor estimates the mean power of noise from the median; see FS 12.401 clause 5.2.3.
func noiseFloor(powers []float64) float64 {
	ordered := slices.Sorted(slices.Values(powers))
	return max(ordered[len(ordered)/2]/math.Ln2, math.SmallestNonzeroFloat64)
}
