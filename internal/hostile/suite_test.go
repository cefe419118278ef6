package hostile

import (
	"os"
	"slices"
	"strings"
	"testing"
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "findspot-hostile")
	if err != nil {
		panic(err)
	}
	os.Setenv("XDG_CONFIG_HOME", dir) // keys and descriptions of servers of nobody
	os.Setenv("FINDSPOT_TEST_ENVIRON", outsideMark)
	code := m.Run()
	os.RemoveAll(dir)
	os.Exit(code)
}

// TestAttacks runs the table.
func TestAttacks(t *testing.T) {
	all := slices.Concat(toolAttacks(t), libraryAttacks(t), cliAttacks(t), mcpAttacks(t), httpAttacks(t), rawAttacks(t), skillAttacks(t), documentAttacks(t), formatAttacks(t), indexAttacks(t))
	if len(all) < 120 {
		t.Errorf("%d attacks, want at least 120", len(all))
	}
	seen, doors := map[string]bool{}, map[string]int{}
	for _, a := range all {
		key := a.Door + ": " + a.Name
		if seen[key] || a.Must == "" {
			t.Errorf("%s: there twice, or without what must happen", key)
		}
		seen[key] = true
		doors[a.Door]++
		t.Run(strings.ReplaceAll(key, "/", "|"), a.Run)
	}
	for _, d := range Doors() {
		if doors[d] == 0 {
			t.Errorf("no attack comes through %s", d)
		}
	}
	t.Logf("%d attacks by door: %v", len(all), doors)
}
