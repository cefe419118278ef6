// Package detector finds preambles in samples.
package detector

// Threshold is the multiple of the noise floor that counts as a preamble.
const Threshold = 14.0

// Correlate returns the correlation of samples with the preamble at each offset.
func Correlate(samples, preamble []float64) []float64 {
	var out []float64
	for i := 0; i+len(preamble) <= len(samples); i++ {
		sum := 0.0
		for k, p := range preamble {
			sum += samples[i+k] * p
		}
		out = append(out, sum)
	}
	return out
}

// NoiseFloor returns the median of correlation values.
func NoiseFloor(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	return values[len(values)/2]
}

// FindPreamble returns the offset of the first preamble, or -1.
func FindPreamble(samples, preamble []float64) int {
	values := Correlate(samples, preamble)
	floor := NoiseFloor(values)
	for i, v := range values {
		if v > Threshold*floor {
			return i
		}
	}
	return -1
}
