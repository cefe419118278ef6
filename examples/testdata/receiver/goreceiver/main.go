// Goreceiver sends one primary synchronization signal through noise and finds it again.
package main

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"

	"example.com/goreceiver/pss"
)

func main() {
	snr := flag.Float64("snr", 0, "signal-to-noise ratio in dB")
	nID2 := flag.Int("nid2", 1, "which of the three sequences is sent")
	seed := flag.Uint64("seed", 1, "seed of the noise")
	flag.Parse()

	samples, err := receive(*nID2, *snr, 400, *seed)
	if err != nil {
		fmt.Fprintln(os.Stderr, "goreceiver:", err)
		os.Exit(2)
	}
	found, ok := pss.DetectPSS(samples)
	if !ok {
		fmt.Println("no signal found")
		os.Exit(1)
	}
	fmt.Printf("N_ID2 %d at sample %d, %.1f times the noise floor\n", found.NID2, found.Offset, found.Ratio)
}

// receive returns 1500 samples of noise with one signal that starts at the sample offset.
func receive(nID2 int, snrDB float64, offset int, seed uint64) ([]complex128, error) {
	waveform, err := pss.Waveform(nID2)
	if err != nil {
		return nil, err
	}
	rng := rand.New(rand.NewPCG(seed, seed))
	sigma := math.Sqrt(math.Pow(10, -snrDB/10) / 2)
	samples := make([]complex128, 1500)
	for i := range samples {
		samples[i] = complex(rng.NormFloat64()*sigma, rng.NormFloat64()*sigma)
	}
	for i, s := range waveform {
		samples[offset+i] += s
	}
	return samples, nil
}
