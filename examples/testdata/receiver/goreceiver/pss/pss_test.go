package pss

import (
	"math/rand/v2"
	"testing"
)

func TestSequenceCorrelation(t *testing.T) {
	d, err := Sequence(1)
	if err != nil {
		t.Fatal(err)
	}
	for shift := range Length {
		sum := 0
		for n := range d {
			sum += d[n] * d[(n+shift)%Length]
		}
		want := -1
		if shift == 0 {
			want = Length
		}
		if sum != want {
			t.Errorf("correlation at shift %d = %d, want %d", shift, sum, want)
		}
	}
}

func TestDetectPSS(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for nID2 := range 3 {
		samples := make([]complex128, 1024)
		for i := range samples {
			samples[i] = complex(rng.NormFloat64(), rng.NormFloat64()) * 0.5
		}
		w, err := Waveform(nID2)
		if err != nil {
			t.Fatal(err)
		}
		for i, s := range w {
			samples[300+i] += s
		}
		got, ok := DetectPSS(samples)
		if !ok || got.NID2 != nID2 || got.Offset != 300 {
			t.Errorf("DetectPSS = %+v, %v, want N_ID2 %d at 300", got, ok, nID2)
		}
	}
}

func TestDetectNothing(t *testing.T) {
	if got, ok := DetectPSS(make([]complex128, 600)); ok {
		t.Errorf("DetectPSS of silence = %+v, want nothing", got)
	}
	if _, ok := DetectPSS(nil); ok {
		t.Error("DetectPSS of no samples found something")
	}
}
