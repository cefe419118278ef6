package treesitter

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/c"
	"github.com/findspot/findspot/codegraph/treesitter/java"
	"github.com/findspot/findspot/codegraph/treesitter/javascript"
	"github.com/findspot/findspot/codegraph/treesitter/python"
	"github.com/findspot/findspot/codegraph/treesitter/rust"
)

// Frontends gives the languages of this package, by name. A grammar that does not fit the parser shows as the error of
// every file in its language.
func Frontends() []lang.Frontend {
	all := slices.Concat(
		c.Frontends(),
		java.Frontends(),
		javascript.Frontends(),
		python.Frontends(),
		rust.Frontends(),
	)
	slices.SortFunc(all, func(a, b lang.Frontend) int { return strings.Compare(a.Name(), b.Name()) })
	return all
}

// Frontend gives the language with this name, such as "python". The error of an unknown name lists those there are.
func Frontend(name string) (lang.Frontend, error) {
	var names []string
	for _, f := range Frontends() {
		if f.Name() == name {
			return f, nil
		}
		names = append(names, f.Name())
	}
	return nil, fmt.Errorf("treesitter: unknown language %q; there are %s", name, strings.Join(names, ", "))
}
