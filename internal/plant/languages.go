package plant

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// top is the folder of the planted files.
const top = "zqprobe"

// language is how modules are written in it.
type language struct {
	prepare func(p *Plant) error // makes the repository reach the planted files
	name    func(name string) string
	file    func(p *Plant, mod string) string
	text    func(p *Plant, t tree, mod string, n node) string
	beside  func(p *Plant, t tree, files map[string]string) error // adds the files that hold modules together, and the configuration
	value   *regexp.Regexp                                        // a line that declares a name, which is its groups
	// marker is a file that makes its folder a part of its own, and its text; empty when there is none. Apart: what is
	// outside cannot be reached from there any more.
	marker, markerText string
	apart              bool
	// onlyPlaces: what the configuration opens lies in another part of the repository, so that only places can be followed.
	onlyPlaces bool
}

var languages = map[string]*language{
	"go":         &golang,
	"python":     &python,
	"typescript": &typescript,
	"rust":       &rust,
	"cpp":        &cpp,
}

// declared lists what a text declares, "name:line", sorted.
func (l *language) declared(text string) []string {
	var list []string
	for i, line := range strings.Split(text, "\n") {
		if m := l.value.FindStringSubmatch(line); m != nil {
			list = append(list, fmt.Sprintf("%s:%d", strings.Join(m[1:], ""), i+1))
		}
	}
	slices.Sort(list)
	return list
}

func lower(name string) string { return "zq" + name }

var golang = language{
	prepare: func(p *Plant) error {
		return p.amend("go.mod", "module example.com/planted\n\ngo 1.24\n", nil)
	},
	name:  func(name string) string { return "Zq" + name },
	file:  func(_ *Plant, mod string) string { return path.Join(top, mod+".go") },
	value: regexp.MustCompile(`^(?:func|var) (\w+)`),
	text: func(p *Plant, t tree, mod string, n node) string {
		out := pad(n, "//")
		if len(n.defs) > 0 {
			out = append(out, "package base", "")
		} else {
			out = append(out, "package use", "")
		}
		for _, h := range t.homes(n) {
			from := path.Join(goModule(p), top, path.Dir(h.mod))
			if n.alias {
				from = "example.com/zqremote"
			}
			if line := fmt.Sprintf("import %s %q", goAlias(h.mod), from); !slices.Contains(out, line) { // of one package
				out = append(out, line)
			}
		}
		for _, d := range n.defs {
			out = append(out, "", fmt.Sprintf("func %s(n int) int { return n }", "Zq"+d))
		}
		for _, u := range n.uses {
			out = append(out, "", fmt.Sprintf("var %s = %s.%s(1)", value(u), goAlias(t.home(u.name)), "Zq"+u.name))
		}
		return lines(out...)
	},
	beside: func(p *Plant, t tree, files map[string]string) error {
		if p.config > 0 {
			files[top+"/hidden/go.mod"] = "module example.com/zqremote\n\ngo 1.24\n"
		}
		if p.config == 2 {
			files["go.mod"] = p.before["go.mod"] + "\nrequire example.com/zqremote v0.0.0\n\nreplace example.com/zqremote => ./" + top + "/hidden\n"
		}
		return nil
	},
	marker: "go.mod", markerText: "module example.com/zqapart\n\ngo 1.24\n", apart: true, onlyPlaces: true,
}

// goAlias is the name under which the package of a module is imported.
func goAlias(mod string) string { return strings.ReplaceAll(path.Dir(mod), "/", "") }

var moduleLine = regexp.MustCompile(`(?m)^module\s+(\S+)`)

func goModule(p *Plant) string {
	if m := moduleLine.FindStringSubmatch(p.before["go.mod"]); m != nil {
		return m[1]
	}
	return ""
}

var python = language{
	name:  lower,
	file:  func(_ *Plant, mod string) string { return path.Join(top, mod+".py") },
	value: regexp.MustCompile(`^(?:def (\w+)|(zqval\d+))`),
	text: func(p *Plant, t tree, mod string, n node) string {
		out := pad(n, "#")
		for _, h := range t.homes(n) {
			from := strings.ReplaceAll(path.Join(top, h.mod), "/", ".")
			if n.alias {
				from = path.Base(h.mod)
			}
			for _, name := range h.names {
				out = append(out, fmt.Sprintf("from %s import %s", from, lower(name)))
			}
		}
		for _, d := range n.defs {
			out = append(out, "", fmt.Sprintf("def %s(n):", lower(d)), "    return n")
		}
		for _, u := range n.uses {
			out = append(out, "", fmt.Sprintf("%s = %s(1)", value(u), lower(u.name)))
		}
		return lines(out...)
	},
	beside: func(p *Plant, t tree, files map[string]string) error {
		for _, dir := range t.folders() {
			if dir != "hidden" {
				files[path.Join(top, dir, "__init__.py")] = ""
			}
		}
		if p.config == 2 && p.server == "ty" {
			files["ty.toml"] = "[environment]\nextra-paths = [\"" + top + "/hidden\"]\n"
		} else if p.config == 2 {
			files["pyrightconfig.json"] = `{"extraPaths": ["` + top + `/hidden"]}` + "\n"
		}
		return nil
	},
	marker: "pyproject.toml", markerText: "[project]\nname = \"zqapart\"\nversion = \"1\"\n",
}

var typescript = language{
	name:  lower,
	file:  func(_ *Plant, mod string) string { return path.Join(top, mod+".ts") },
	value: regexp.MustCompile(`^export (?:function|const) (\w+)`),
	text: func(p *Plant, t tree, mod string, n node) string {
		out := pad(n, "//")
		for _, h := range t.homes(n) {
			from := up(mod) + h.mod + ".js"
			if n.alias {
				from = "zqremote"
			}
			for _, name := range h.names {
				out = append(out, fmt.Sprintf("import { %s } from %q;", lower(name), from))
			}
		}
		for _, d := range n.defs {
			out = append(out, "", fmt.Sprintf("export function %s(n: number): number { return n; }", lower(d)))
		}
		for _, u := range n.uses {
			out = append(out, "", fmt.Sprintf("export const %s = %s(1);", value(u), lower(u.name)))
		}
		return lines(out...)
	},
	beside: func(p *Plant, t tree, files map[string]string) error {
		paths := ""
		if p.config == 2 {
			paths = `, "paths": {"zqremote": ["./hidden/zqremote.ts"]}`
		}
		files[top+"/tsconfig.json"] = `{"compilerOptions": {"strict": true, "target": "es2022", "module": "esnext", "moduleResolution": "bundler", "types": []` + paths + `}, "include": ["**/*"]}` + "\n"
		return nil
	},
}

var rust = language{
	prepare: func(p *Plant) error {
		if _, err := os.Stat(p.abs("Cargo.toml")); errors.Is(err, fs.ErrNotExist) {
			if err := p.write("Cargo.toml", "[package]\nname = \"planted\"\nversion = \"0.1.0\"\nedition = \"2021\"\n"); err != nil {
				return err
			}
		}
		dir, err := p.crate()
		if err != nil {
			return err
		}
		if err := p.amend(path.Join(dir, "Cargo.toml"), "", nil); err != nil {
			return err
		}
		return p.amend(path.Join(dir, "src/lib.rs"), "", func(text string) string { return text + "\npub mod " + top + ";\n" })
	},
	name: lower,
	file: func(p *Plant, mod string) string {
		dir, _ := p.crate() // prepare has found it
		if mod == "far/user" {
			return path.Join(dir, "zqbin/tool.rs")
		}
		return path.Join(dir, "src", top, mod+".rs")
	},
	value: regexp.MustCompile(`^(?:pub )?fn (zq\w+)`),
	text: func(p *Plant, t tree, mod string, n node) string {
		out := pad(n, "//")
		from := "crate::" + top
		if n.alias {
			dir, _ := p.crate()
			from = crateName(p.before[path.Join(dir, "Cargo.toml")]) + "::" + top
		}
		for _, h := range t.homes(n) {
			for _, name := range h.names {
				out = append(out, fmt.Sprintf("use %s::%s::%s;", from, strings.ReplaceAll(h.mod, "/", "::"), lower(name)))
			}
		}
		for _, d := range n.defs {
			out = append(out, "", fmt.Sprintf("pub fn %s(n: usize) -> usize { n }", lower(d)))
		}
		for _, u := range n.uses {
			out = append(out, "", fmt.Sprintf("pub fn %s() -> usize { %s(1) }", value(u), lower(u.name)))
		}
		if n.alias {
			out = append(out, "", "fn main() {}")
		}
		return lines(out...)
	},
	beside: func(p *Plant, t tree, files map[string]string) error {
		dir, _ := p.crate()
		inside := t.without("far/user")
		for _, folder := range inside.folders() {
			set := map[string]bool{}
			for mod := range inside {
				rest := mod
				if folder != "" {
					var ok bool
					if rest, ok = strings.CutPrefix(mod, folder+"/"); !ok {
						continue
					}
				}
				child, _, _ := strings.Cut(rest, "/")
				set[child] = true
			}
			var out []string
			for child := range set {
				out = append(out, "pub mod "+child+";")
			}
			slices.Sort(out)
			files[path.Join(dir, "src", top, folder, "mod.rs")] = lines(out...)
		}
		if p.config == 2 {
			file := path.Join(dir, "Cargo.toml")
			files[file] = p.before[file] + "\n[[bin]]\nname = \"zqbin\"\npath = \"zqbin/tool.rs\"\n"
		}
		return nil
	},
}

// crate is the folder of the first crate with a library, relative to the root.
func (p *Plant) crate() (string, error) {
	for _, pattern := range []string{"src/lib.rs", "*/src/lib.rs", "crates/*/src/lib.rs"} {
		if list, err := filepath.Glob(p.abs(pattern)); err == nil && len(list) > 0 {
			rel, err := filepath.Rel(p.root, filepath.Dir(filepath.Dir(list[len(list)-1])))
			return filepath.ToSlash(rel), err
		}
	}
	return "", errors.New("plant: no src/lib.rs at the root, nor one or two folders below")
}

var packageName = regexp.MustCompile(`(?m)^name\s*=\s*"([^"]+)"`)

func crateName(manifest string) string {
	if m := packageName.FindStringSubmatch(manifest); m != nil {
		return strings.ReplaceAll(m[1], "-", "_")
	}
	return ""
}

var cpp = language{
	prepare: func(p *Plant) error { return p.compiled() },
	name:    lower,
	file: func(p *Plant, mod string) string {
		if dir, name := path.Split(mod); dir == "base/" || dir == "hidden/" || name == "core" || dir == "ground/" {
			return path.Join(top, mod+".h")
		}
		return path.Join(top, mod+".cpp")
	},
	value: regexp.MustCompile(`^(?:inline )?int (zq\w+)`),
	text: func(p *Plant, t tree, mod string, n node) string {
		out := pad(n, "//")
		if len(n.defs) > 0 {
			out = append(out, "#pragma once")
		}
		for _, h := range t.homes(n) {
			from := up(mod) + strings.TrimPrefix(p.file(h.mod), top+"/")
			if n.alias {
				from = "zqremote.h"
			}
			out = append(out, fmt.Sprintf("#include %q", from))
		}
		for _, d := range n.defs {
			out = append(out, "", fmt.Sprintf("inline int %s(int n) { return n; }", lower(d)))
		}
		for _, u := range n.uses {
			out = append(out, "", fmt.Sprintf("int %s = %s(1);", value(u), lower(u.name)))
		}
		return lines(out...)
	},
	beside: func(p *Plant, t tree, files map[string]string) error {
		var list []command
		if err := json.Unmarshal([]byte(p.before[database]), &list); err != nil {
			return fmt.Errorf("plant: %s: %w", database, err)
		}
		for mod, n := range t {
			if file := p.file(mod); n.listed && strings.HasSuffix(file, ".cpp") {
				args := []string{"c++", "-std=c++17", "-c", file}
				if n.alias && p.config == 2 {
					args = slices.Insert(args, 2, "-I"+top+"/hidden")
				}
				list = append(list, command{p.root, file, args})
			}
		}
		slices.SortFunc(list, func(a, b command) int { return strings.Compare(a.File, b.File) })
		text, err := marshal(list)
		files[database] = text
		return err
	},
}

const database = "compile_commands.json"

type command struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Arguments []string `json:"arguments"`
}

func marshal(list []command) (string, error) {
	data, err := json.MarshalIndent(list, "", " ")
	return string(data) + "\n", err
}

// compiled writes a compilation database of all sources of the repository.
func (p *Plant) compiled() error {
	list := []command{}
	err := filepath.WalkDir(p.root, func(abs string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && strings.HasPrefix(d.Name(), ".") && abs != p.root {
			return fs.SkipDir
		}
		compiler := map[string]string{".c": "cc", ".cc": "c++", ".cpp": "c++"}[filepath.Ext(abs)]
		if compiler == "" || !d.Type().IsRegular() {
			return nil
		}
		rel, err := filepath.Rel(p.root, abs)
		if err == nil {
			list = append(list, command{p.root, filepath.ToSlash(rel), []string{compiler, "-Iinclude", "-Isrc", "-I.", "-c", filepath.ToSlash(rel)}})
		}
		return err
	})
	if err != nil {
		return err
	}
	if p.before[database], err = marshal(list); err != nil {
		return err
	}
	return p.write(database, p.before[database])
}

// amend remembers a file of the repository that changes will be made to; one that is not there is made. With change that
// is done at once, for good.
func (p *Plant) amend(file, text string, change func(string) string) error {
	data, err := os.ReadFile(p.abs(file))
	switch {
	case err == nil:
		text = string(data)
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if change != nil {
		text = change(text)
	}
	p.before[file] = text
	return p.write(file, text)
}
