package place

import "testing"

func TestSplitName(t *testing.T) {
	for _, tt := range [][4]string{
		{"x/y/radio.Detector.Detect", "x/y/radio", "Detect", "x/y/radio.Detector"},
		{"run", "Server", "run", "Server"},
		{"Server.run", "", "run", "Server"},
		{"Server.run", "pkg", "run", "pkg.Server"},
		{"Server.run", "pkg.Server", "run", "pkg.Server"},
		{".hidden", "", ".hidden", ""},
	} {
		s := Symbol{Name: tt[0], Container: tt[1]}
		if s.SplitName(); s.Name != tt[2] || s.Container != tt[3] {
			t.Errorf("%q in %q is %q in %q, want %q in %q", tt[0], tt[1], s.Name, s.Container, tt[2], tt[3])
		}
	}
}
