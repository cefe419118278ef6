package tabular

import "testing"

func TestNumeric(t *testing.T) {
	for s, want := range map[string]bool{
		"12": true, "-3.5": true, "−7.9": true, "1,234.5": true, "12 345": true, "$ 1.20": true, "€3": true, "47 %": true, "(12.5)": true,
		"0.91 ± 0.02": true, "10–20": true, "3/4": true, "12.3*": true, "n/a": true, "–": true, "...": true, "Yes": true, "1.5e-3": true,
		"2010-11": true, "***5.1": true, "": false, "x": false, "H2O": false, "Table 3": false, "12 apples": false, "3GPP": false, "a 5": false,
		"1. Introduction": false,
	} {
		if got := Numeric(s); got != want {
			t.Errorf("Numeric(%q) = %v, want %v", s, got, want)
		}
	}
}
