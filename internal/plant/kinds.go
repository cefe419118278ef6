package plant

import (
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Step is one change.
type Step struct {
	Kind string
	// Do makes the change and returns what must hold from then on: questions that are independent of one another.
	Do func() ([]Check, error)
}

// kind is a way in which files change. What Steps are given is a number that grows from round to round.
type kind struct {
	name  string
	only  func(p *Plant) bool // nil: in every language
	steps func(p *Plant, round int) []Step
}

var kinds = []kind{
	{"file created or deleted", nil, created},
	{"file edited", nil, edited},
	{"edited, same size", nil, sameSize},
	{"edited, same size and time", nil, sameTime},
	{"edited, time set back", nil, setBack},
	{"edited twice at once", nil, twice},
	{"replaced by renaming", nil, replaced},
	{"deleted and made anew", nil, anew},
	{"file renamed", nil, fileRenamed},
	{"file of the definition renamed", nil, homeRenamed},
	{"folder renamed", nil, folderRenamed},
	{"folder of the definition renamed", nil, baseRenamed},
	{"definition moved", nil, moved},
	{"new package", nil, newPackage},
	{"package gone and back", nil, goneAndBack},
	{"link to a file retargeted", nil, linkRetargeted},
	{"link to a folder retargeted", nil, folderLinkRetargeted},
	{"configuration changed", func(p *Plant) bool { return p.server != "pylsp" }, configured},
	{"marker created or deleted", func(p *Plant) bool { return p.lang.marker != "" }, marked},
	{"branch switched", nil, switched},
	{"buffer above a change", func(p *Plant) bool { return p.buffers != nil }, buffered},
}

// Kinds are the names of the kinds of change that there are in the language. The first, "at rest", changes nothing.
func (p *Plant) Kinds() []string {
	list := []string{"at rest"}
	for _, k := range kinds {
		if k.only == nil || k.only(p) {
			list = append(list, k.name)
		}
	}
	return list
}

// Steps are the changes of one round of a kind, to be done in order. Rounds count from 0 and differ in detail. An
// unknown kind has none.
func (p *Plant) Steps(name string, round int) []Step {
	if name == "at rest" {
		return []Step{{name, func() ([]Check, error) { return p.checks("peak", "u2/b"), nil }}}
	}
	for _, k := range kinds {
		if k.name == name {
			list := k.steps(p, round)
			for i := range list {
				list[i].Kind = name
			}
			return list
		}
	}
	return nil
}

// change is the step that makes a tree of the one there is.
func (p *Plant) change(name, mod string, next func(t tree) tree) Step {
	return Step{Do: func() ([]Check, error) {
		if err := p.set(next(p.now)); err != nil {
			return nil, err
		}
		return p.checks(name, mod), nil
	}}
}

// back is the step that puts the first files back.
func (p *Plant) back(name, mod string) Step {
	return p.change(name, mod, func(tree) tree { return p.base() })
}

// quietly is a step that does something before, after which nobody asks.
func (p *Plant) quietly(next func() error, step Step) Step {
	do := step.Do
	return Step{Do: func() ([]Check, error) {
		if err := next(); err != nil {
			return nil, err
		}
		return do()
	}}
}

func created(p *Plant, round int) []Step {
	mod := []string{"u1/more", "fresh/a", "u2/deep/in/b"}[round%3]
	return []Step{
		p.change("peak", mod, func(t tree) tree { return t.with(mod, p.using("peak", "peek")) }),
		p.back("peak", "u1/a"),
	}
}

func edited(p *Plant, round int) []Step {
	return []Step{
		p.change("peak", "u2/b", func(t tree) tree {
			n := p.using("peek", "peak", "peak")
			n.pad = 1 + round%3
			return t.with("u2/b", n)
		}),
		p.back("peak", "u2/b"),
	}
}

// swapped uses another name of the same length.
func swapped(t tree) tree {
	return t.with("u1/a", node{listed: true, uses: []use{{"peek", t["u1/a"].uses[0].id}}})
}

func sameSize(p *Plant, _ int) []Step {
	return []Step{p.change("peak", "u1/a", swapped), p.back("peek", "u1/a")}
}

// sameTime writes files and gives them the time that they had.
func sameTime(p *Plant, _ int) []Step {
	by := func(next func(tree) tree) Step {
		return Step{Do: func() ([]Check, error) {
			err := p.setBy(next(p.now), func(file, text string) error {
				info, err := os.Stat(p.abs(file))
				if err != nil {
					return err
				}
				if err := p.write(file, text); err != nil {
					return err
				}
				return os.Chtimes(p.abs(file), info.ModTime(), info.ModTime())
			})
			return p.checks("peak", "u1/a"), err
		}}
	}
	return []Step{by(swapped), by(func(tree) tree { return p.base() })}
}

// setBack writes files and makes them older than they were.
func setBack(p *Plant, round int) []Step {
	old := func(file, text string) error {
		if err := p.write(file, text); err != nil {
			return err
		}
		at := time.Now().Add(-time.Duration(2+round) * time.Hour)
		return os.Chtimes(p.abs(file), at, at)
	}
	by := func(next func(tree) tree) Step {
		return Step{Do: func() ([]Check, error) {
			err := p.setBy(next(p.now), old)
			return p.checks("peak", "u1/a"), err
		}}
	}
	return []Step{
		by(func(t tree) tree { return t.with("u1/a", p.using("peak", "peak")) }),
		by(func(tree) tree { return p.base() }),
	}
}

// twice writes a file twice in a row; the question comes after both.
func twice(p *Plant, _ int) []Step {
	return []Step{
		p.quietly(func() error { return p.set(p.now.with("u1/a", p.using("peek", "peek", "peek"))) },
			p.change("peak", "u1/a", func(t tree) tree { return t.with("u1/a", p.using("peak", "peek", "peak")) })),
		p.quietly(func() error { return p.set(p.now.with("u1/a", node{listed: true})) }, p.back("peak", "u1/a")),
	}
}

// replaced writes a file under another name and renames that, as editors do.
func replaced(p *Plant, round int) []Step {
	by := func(next func(tree) tree) Step {
		return Step{Do: func() ([]Check, error) {
			err := p.setBy(next(p.now), func(file, text string) error {
				dir, name := path.Split(file)
				tmp := dir + []string{"." + name + ".swp", name + "~", "4913"}[round%3]
				if err := p.write(tmp, text); err != nil {
					return err
				}
				return os.Rename(p.abs(tmp), p.abs(file))
			})
			return p.checks("peak", "u2/b"), err
		}}
	}
	return []Step{
		by(func(t tree) tree { return t.with("u2/b", p.using("peak", "peak", "peek")) }),
		by(func(tree) tree { return p.base() }),
	}
}

// anew removes a file and makes another of its name.
func anew(p *Plant, _ int) []Step {
	gone := func() error { return os.Remove(p.abs(p.file("u1/a"))) }
	return []Step{
		p.quietly(gone, p.change("peak", "u1/a", func(t tree) tree { return t.with("u1/a", p.using("peek", "peak", "peak")) })),
		p.quietly(gone, p.back("peak", "u1/a")),
	}
}

// ren is the step that renames a file or folder on disk, and rewrites what names it.
func (p *Plant) ren(name, from, to, mod string, file bool) Step {
	return Step{Do: func() ([]Check, error) {
		a, b := p.file(from), p.file(to)
		if !file { // the folder of any module in it
			a, b = path.Dir(p.file(from+"/x")), path.Dir(p.file(to+"/x"))
		}
		if err := p.move(a, b); err != nil {
			return nil, err
		}
		if err := p.set(p.now.renamed(from, to)); err != nil {
			return nil, err
		}
		return p.checks(name, mod), nil
	}}
}

func fileRenamed(p *Plant, round int) []Step {
	to := []string{"u1/z", "u3/z"}[round%2]
	return []Step{p.ren("peak", "u1/a", to, to, true), p.ren("peak", to, "u1/a", "u1/a", true)}
}

func homeRenamed(p *Plant, _ int) []Step {
	return []Step{p.ren("peak", "base/core", "base/kernel", "u1/a", true), p.ren("peak", "base/kernel", "base/core", "base/core", true)}
}

func folderRenamed(p *Plant, round int) []Step {
	to := []string{"v2", "u3/v2"}[round%2]
	return []Step{p.ren("peak", "u2", to, to+"/b", false), p.ren("peak", to, "u2", "u2/b", false)}
}

func baseRenamed(p *Plant, _ int) []Step {
	return []Step{p.ren("peak", "base", "ground", "u2/b", false), p.ren("dial", "ground", "base", "base/core", false)}
}

// moved puts a definition into another module.
func moved(p *Plant, _ int) []Step {
	return []Step{
		p.change("peek", "base/core", func(t tree) tree {
			core, other := t["base/core"], t["base/other"]
			core.defs, other.defs = []string{"peak"}, []string{"dial", "peek"}
			return t.with("base/core", core).with("base/other", other)
		}),
		p.back("peek", "base/other"),
	}
}

func newPackage(p *Plant, round int) []Step {
	dir := fmt.Sprintf("pk%d", round%2)
	return []Step{
		p.change("crest", dir+"/core", func(t tree) tree { return t.with(dir+"/core", node{defs: []string{"crest"}, listed: true}) }),
		p.change("crest", dir+"/inner/a", func(t tree) tree { return t.with(dir+"/inner/a", p.using("crest", "peak")) }),
		p.back("crest", ""),
	}
}

// goneAndBack takes a package with all who use it away, and puts it back.
func goneAndBack(p *Plant, _ int) []Step {
	return []Step{
		p.change("dial", "", func(t tree) tree { return t.without("base/core", "base/other", "u1/a", "u2/b", "u3/c") }),
		p.back("dial", "u3/c"),
	}
}

// linked asks for the symbols of a file that is reached through a link.
func (p *Plant) linked(link, to, file, mod string) Step {
	return Step{Do: func() ([]Check, error) {
		abs := p.abs(link)
		if err := os.MkdirAll(filepath.Dir(abs), 0o755); err != nil {
			return nil, err
		}
		if err := os.Remove(abs); err != nil && !os.IsNotExist(err) {
			return nil, err
		}
		if to == "" {
			os.Remove(filepath.Dir(abs)) // which fails when there is more in it
			return p.checks("peak", "u1/a"), nil
		}
		if err := os.Symlink(to, abs); err != nil {
			return nil, err
		}
		return []Check{{Question: Question{Ask: Symbols, Path: file}, Want: p.lang.declared(p.texts()[mod])}}, nil
	}}
}

func linkRetargeted(p *Plant, _ int) []Step {
	ext := path.Ext(p.file("u1/a"))
	link := path.Join(path.Dir(path.Dir(p.file("u1/a"))), "zqlink", "l"+ext)
	return []Step{
		p.linked(link, "../u1/a"+ext, link, "u1/a"),
		p.linked(link, "../u2/b"+ext, link, "u2/b"),
		p.linked(link, "", "", ""),
	}
}

func folderLinkRetargeted(p *Plant, _ int) []Step {
	dir := path.Dir(path.Dir(p.file("u1/a")))
	ext := path.Ext(p.file("u1/a"))
	link := path.Join(dir, "zqcurrent")
	two := func() error { return p.set(p.now.with("u2/a", p.using("peek", "peak", "peek"))) }
	return []Step{
		p.quietly(two, p.linked(link, "u1", path.Join(link, "a"+ext), "u1/a")),
		p.linked(link, "u2", path.Join(link, "a"+ext), "u2/a"),
		p.quietly(func() error { return p.set(p.base()) }, p.linked(link, "", "", "")),
	}
}

// configured changes what leads from a user to a module.
func configured(p *Plant, _ int) []Step {
	home := "hidden/zqremote"
	if p.lang == &rust {
		home = "far/core"
	}
	on := func(config int) Step {
		return Step{Do: func() ([]Check, error) {
			t := p.base()
			if p.config = config; config > 0 {
				n := p.using("far", "far")
				n.alias = true
				t = t.with(home, node{defs: []string{"far"}, listed: true}).with("far/user", n)
			}
			if err := p.set(t); err != nil {
				return nil, err
			}
			if config == 0 {
				return p.checks("peak", "u1/a"), nil
			}
			list := p.checks("far", "")
			list = slices.DeleteFunc(list, func(c Check) bool { return c.Ask == WorkspaceSymbols || c.Ask == References && p.lang.onlyPlaces })
			if config == 1 { // the line that imports it, and all below, lead nowhere
				_, uses, _ := p.places("far")
				for i := range list {
					list[i].Want, list[i].Also = nil, uses
				}
			}
			return list, nil
		}}
	}
	return []Step{on(1), on(2), on(1), on(0)}
}

// marked makes a folder a part of its own.
func marked(p *Plant, _ int) []Step {
	file := path.Join(path.Dir(p.file("u2/b")), p.lang.marker)
	return []Step{
		{Do: func() ([]Check, error) {
			if err := p.write(file, p.lang.markerText); err != nil {
				return nil, err
			}
			list := p.checks("peak", "u2/b")
			if !p.lang.apart {
				return list, nil
			}
			list[0].Want = slices.DeleteFunc(list[0].Want, func(at string) bool { return strings.HasPrefix(at, path.Dir(file)+"/") })
			return slices.DeleteFunc(list, func(c Check) bool { return c.Ask == Definition && path.Dir(c.Path) == path.Dir(file) }), nil
		}},
		{Do: func() ([]Check, error) {
			err := os.Remove(p.abs(file))
			return p.checks("peak", "u2/b"), err
		}},
	}
}

// buffered gives a file a buffer, changes the disk beneath it, and takes the buffer away.
func buffered(p *Plant, round int) []Step {
	gone := round%2 == 1 // the file is deleted beneath its buffer
	text := func() []byte { return []byte(p.texts()["u1/a"]) }
	return []Step{
		{Do: func() ([]Check, error) {
			n := p.using("peak", "peek", "peak")
			n.pad = 2
			p.over["u1/a"] = n
			err := p.buffers.SetOverlay(p.file("u1/a"), text())
			return p.checks("peak", "u1/a"), err
		}},
		p.change("peak", "u1/a", func(t tree) tree {
			if gone {
				return t.without("u1/a").with("u1/keep", node{listed: true}) // so that its folder stays
			}
			return t.with("u1/a", p.using("peek")).with("u3/c", p.using("peak", "dial", "peak"))
		}),
		{Do: func() ([]Check, error) {
			delete(p.over, "u1/a")
			err := p.buffers.RemoveOverlay(p.file("u1/a"))
			return p.checks("peak", "u1/a"), err
		}},
		p.back("peak", "u1/a"),
	}
}
