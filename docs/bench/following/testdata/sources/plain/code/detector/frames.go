package detector

// Frames returns the offsets of all preambles.
func Frames(samples, preamble []float64) []int {
	var out []int
	for at := 0; at < len(samples); {
		i := FindPreamble(samples[at:], preamble)
		if i < 0 {
			break
		}
		out = append(out, at+i)
		at += i + len(preamble)
	}
	return out
}

// unusedScale is called by nobody.
func unusedScale(x float64) float64 { return x * 2 }
