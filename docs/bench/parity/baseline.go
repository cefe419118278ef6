package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// A result is a number that may not get worse. Names begin with the part that measured them.
type result struct {
	Name  string
	Value float64
	Less  bool // less is better
}

// allowed is how much worse a number may be than the baseline, as a share of it.
const allowed = .05

func read(file string) (map[string]float64, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var base map[string]float64
	if err := json.Unmarshal(data, &base); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return base, nil
}

// compare fails when a number is worse than in the file by more than is allowed, and names all that are. A number that the file has
// not, of a repository that was not measured before, is an error too: nothing may be left unwatched.
func compare(file string, results []result) error {
	base, err := read(file)
	if err != nil {
		return err
	}
	var bad []error
	for _, r := range results {
		b, ok := base[r.Name]
		switch {
		case !ok:
			bad = append(bad, fmt.Errorf("%s is %.4g, and %s does not have it: -update adds it", r.Name, r.Value, file))
		case !r.Less && r.Value < b*(1-allowed):
			bad = append(bad, fmt.Errorf("%s fell from %.4g to %.4g", r.Name, b, r.Value))
		case r.Less && r.Value > b*(1+allowed):
			bad = append(bad, fmt.Errorf("%s grew from %.4g to %.4g", r.Name, b, r.Value))
		}
	}
	if len(bad) == 0 {
		fmt.Printf("\n%d numbers, none worse than the baseline by more than %.0f %%\n", len(results), 100*allowed)
	}
	return errors.Join(bad...)
}

// write puts the results in place of those that the file has of the same parts and repositories.
func write(file, part string, results []result) error {
	base, err := read(file)
	if errors.Is(err, fs.ErrNotExist) {
		base, err = map[string]float64{}, nil
	}
	if err != nil {
		return err
	}
	group := func(name string) string { // part and repository
		words := strings.SplitN(name, "/", 3)
		return strings.Join(words[:min(2, len(words))], "/")
	}
	measured := map[string]bool{}
	for _, r := range results {
		measured[group(r.Name)] = true
	}
	maps.DeleteFunc(base, func(name string, _ float64) bool { return measured[group(name)] })
	for _, r := range results {
		base[r.Name] = r.Value
	}
	data, err := json.MarshalIndent(base, "", "  ")
	if err != nil {
		return err
	}
	fmt.Printf("\n%s: %d numbers of %s\n", file, len(results), part)
	return os.WriteFile(file, append(data, '\n'), 0o644)
}

// inOrder gives results by name.
func inOrder(m map[string]result) []result {
	var out []result
	for _, name := range slices.Sorted(maps.Keys(m)) {
		out = append(out, m[name])
	}
	return out
}
