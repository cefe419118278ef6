package structure

import "testing"

func TestPlausibleName(t *testing.T) {
	for s, want := range map[string]bool{
		"Ada Brennan": true, "J. R. R. Tolkien": true, "Pieter van der Zee": true, "LUC MARANGET": true, "陈晓岚": true, "T. V. Lakshman": true,
		"Department of Tides": false, "New York": false, "ada brennan": false, "Abstract": false, "3 May 2024": false, "ada@x.org": false, "Technical Report": false,
	} {
		if got := plausibleName(s); got != want {
			t.Errorf("plausibleName(%q) = %v, want %v", s, got, want)
		}
	}
}
