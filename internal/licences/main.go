package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "licences: usage: licences [flags of go list] PACKAGE...")
		os.Exit(2)
	}
	modules, err := linked(os.Args[1:])
	if err == nil {
		err = report(os.Stdout, modules)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "licences:", err)
		os.Exit(1)
	}
}

// module is a module of which at least one package is linked.
type module struct {
	path, version, dir string
	packages           []string // folders of the linked packages
}

// linked returns the modules that the packages link (arguments of go list), without the main one and the standard library, sorted by path.
func linked(patterns []string) ([]*module, error) {
	cmd := exec.Command("go", append([]string{"list", "-deps", "-json=Dir,Module"}, patterns...)...)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	byPath := map[string]*module{}
	for dec := json.NewDecoder(strings.NewReader(string(out))); ; {
		var pkg struct {
			Dir    string
			Module *struct {
				Path, Version, Dir string
				Main               bool
				Replace            *struct{ Path, Version, Dir string }
			}
		}
		if err := dec.Decode(&pkg); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		if pkg.Module == nil || pkg.Module.Main {
			continue
		}
		m := byPath[pkg.Module.Path]
		if m == nil {
			m = &module{path: pkg.Module.Path, version: pkg.Module.Version, dir: pkg.Module.Dir}
			if r := pkg.Module.Replace; r != nil {
				m.version, m.dir = r.Version, r.Dir
			}
			byPath[m.path] = m
		}
		m.packages = append(m.packages, pkg.Dir)
	}
	var modules []*module
	for _, m := range byPath {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b *module) int { return strings.Compare(a.path, b.path) })
	return modules, nil
}

// report prints a line for each module. Its error joins what is wrong with each.
func report(w io.Writer, modules []*module) error {
	var errs []error
	for _, m := range modules {
		files, err := m.files()
		if err != nil {
			errs = append(errs, fmt.Errorf("%s %s: %w", m.path, m.version, err))
			continue
		}
		var names []string
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err != nil {
				errs = append(errs, fmt.Errorf("%s %s: %w", m.path, m.version, err))
				continue
			}
			found, err := classify(string(text))
			if err != nil {
				errs = append(errs, fmt.Errorf("%s %s: %s: %w", m.path, m.version, file, err))
			}
			for _, name := range found {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
		fmt.Fprintf(w, "%-60s %s\n", m.path, strings.Join(names, ", "))
	}
	return errors.Join(errs...)
}

// files returns the licence files that apply to the linked packages, the one at the module's root first.
func (m *module) files() ([]string, error) {
	files, err := licenceFiles(m.dir)
	if err != nil {
		return nil, err
	}
	if len(files) == 0 {
		return nil, errors.New("no licence file at the root of the module")
	}
	seen := map[string]bool{m.dir: true}
	for _, dir := range m.packages {
		for ; !seen[dir] && strings.HasPrefix(dir, m.dir+string(filepath.Separator)); dir = filepath.Dir(dir) {
			seen[dir] = true
			more, err := licenceFiles(dir)
			if err != nil {
				return nil, err
			}
			files = append(files, more...)
		}
	}
	return files, nil
}

// licenceFiles returns the licence files in a folder, sorted by name.
func licenceFiles(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var files []string
	for _, e := range entries {
		name := strings.ToLower(e.Name())
		switch filepath.Ext(name) {
		case ".go", ".c", ".h", ".py", ".json":
			continue
		}
		if e.Type().IsRegular() && (strings.HasPrefix(name, "licen") || strings.HasPrefix(name, "copying") || name == "unlicense") {
			files = append(files, filepath.Join(dir, e.Name()))
		}
	}
	return files, nil
}
