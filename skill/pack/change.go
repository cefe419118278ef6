package pack

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill"
)

// errChanged says what stands in the way of taking away what somebody has changed.
func errChanged(d []Difference) error {
	return fmt.Errorf("pack %s was changed here: %s of skill %s is %s: keep a copy, and give --force to lose the changes: %w", d[0].Pack, d[0].File, d[0].Skill, d[0].State, errs.Refused)
}

// Add installs a pack that is not installed. taken are names of skills that the pack must not have, such as those of shipped skills; a folder that is there
// is not written over either.
func (in *Installation) Add(c *Content, taken []string) (err error) {
	root, l, err := in.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	if !goodName.MatchString(c.Name) {
		return fmt.Errorf("pack %q: a name is lower-case letters, digits and single hyphens: give one with --name", c.Name)
	}
	if _, err := l.find(c.Name); err == nil {
		return fmt.Errorf("pack %s is already installed: update it, or give another name with --name", c.Name)
	}
	if err := vacant(root, c, nil, taken); err != nil {
		return err
	}
	return install(root, l, c, nil)
}

// vacant makes sure that no skill of a pack takes another's place.
func vacant(root *os.Root, c *Content, own []Pinned, taken []string) error {
	for _, s := range c.Skills {
		if slices.ContainsFunc(own, func(p Pinned) bool { return p.Name == s.Name }) {
			continue
		}
		_, err := root.Lstat(path.Join(folder, s.Name))
		if err == nil || slices.Contains(taken, s.Name) {
			return fmt.Errorf("pack %s has a skill %s, and there is one of that name: rename one of them (folder and name in SKILL.md), or remove the other", c.Name, s.Name)
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	return nil
}

// install writes the skills of a pack beside their places, then puts them there, and then writes the lock. own are the skills that give way.
func install(root *os.Root, l *lock, c *Content, own []Pinned) (err error) {
	const made = folder + "/.pack.new"
	if err := errors.Join(root.MkdirAll(folder, 0o777), root.RemoveAll(made)); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.RemoveAll(made)) }()
	for _, s := range c.Skills {
		for name, data := range c.files[s.Name] {
			file := path.Join(made, s.Name, name)
			if err := root.MkdirAll(path.Dir(file), 0o777); err != nil {
				return err
			}
			if err := root.WriteFile(file, data, 0o666); err != nil {
				return err
			}
		}
	}
	for _, p := range own {
		if err := root.RemoveAll(path.Join(folder, p.Name)); err != nil {
			return err
		}
	}
	for _, s := range c.Skills {
		if err := root.Rename(path.Join(made, s.Name), path.Join(folder, s.Name)); err != nil {
			return err
		}
	}
	l.Packs = append(slices.DeleteFunc(l.Packs, func(p Pack) bool { return p.Name == c.Name }), c.Pin())
	return l.write(root)
}

// An Update is what a newer pack would change.
type Update struct {
	Pack     string   `json:"pack"`
	Source   string   `json:"source"`
	From     string   `json:"from"` // digests of the pack
	To       string   `json:"to"`
	Added    []string `json:"added"` // skills
	Removed  []string `json:"removed"`
	Changed  []Change `json:"changed"`
	Weakened []string `json:"weakened"` // what guards deny or ask for no more, one a line

	content *Content
	changed []Difference
}

// A Change is a skill whose files differ.
type Change struct {
	Skill string   `json:"skill"`
	From  string   `json:"from"` // digests
	To    string   `json:"to"`
	Files []string `json:"files"` // that differ, come or go, sorted
}

// Empty reports whether nothing would change.
func (u *Update) Empty() bool { return u.From == u.To }

// PlanUpdate says what the content would change in the pack of its name. taken is that of [Installation.Add].
func (in *Installation) PlanUpdate(c *Content, taken []string) (u *Update, err error) {
	root, l, err := in.open()
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	old, err := l.find(c.Name)
	if err != nil {
		return nil, err
	}
	if err := vacant(root, c, old.Skills, taken); err != nil {
		return nil, err
	}
	now := c.Pin()
	u = &Update{Pack: c.Name, Source: c.Source, From: old.Digest, To: now.Digest, Added: []string{}, Removed: []string{}, Changed: []Change{}, Weakened: []string{}, content: c, changed: differences(root, old)}
	installed, _ := skill.Dir(path.Join(in.dir, folder))
	var before []*skill.Skill
	if installed != nil {
		before, _ = skill.Load(installed) // what cannot be loaded cannot be compared, and says so below
	}
	for _, s := range now.Skills {
		i := slices.IndexFunc(old.Skills, func(p Pinned) bool { return p.Name == s.Name })
		if i < 0 {
			u.Added = append(u.Added, s.Name)
			continue
		}
		if old.Skills[i].Digest == s.Digest {
			continue
		}
		u.Changed = append(u.Changed, Change{s.Name, old.Skills[i].Digest, s.Digest, differing(old.Skills[i].Files, s.Files)})
		after := c.Skills[slices.IndexFunc(c.Skills, func(k *skill.Skill) bool { return k.Name == s.Name })]
		if j := slices.IndexFunc(before, func(k *skill.Skill) bool { return k.Name == s.Name }); j >= 0 {
			u.Weakened = append(u.Weakened, Weakened(before[j], after)...)
		} else {
			u.Weakened = append(u.Weakened, fmt.Sprintf("%s: the installed skill cannot be read: its guards cannot be compared", s.Name))
		}
	}
	for _, p := range old.Skills {
		if !slices.ContainsFunc(now.Skills, func(s Pinned) bool { return s.Name == p.Name }) {
			u.Removed = append(u.Removed, p.Name)
		}
	}
	return u, nil
}

// differing are the names whose digests differ, sorted.
func differing(a, b map[string]string) []string {
	out := []string{}
	for name, digest := range a {
		if b[name] != digest {
			out = append(out, name)
		}
	}
	for name := range b {
		if _, ok := a[name]; !ok {
			out = append(out, name)
		}
	}
	slices.SortFunc(out, strings.Compare)
	return out
}

// Update makes a planned update. Files that were changed here are lost with force alone.
func (in *Installation) Update(u *Update, force bool) (err error) {
	root, l, err := in.open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	old, err := l.find(u.Pack)
	if err != nil {
		return err
	}
	if old.Digest != u.From {
		return fmt.Errorf("pack %s was updated meanwhile: run the command again", u.Pack)
	}
	if d := differences(root, old); len(d) > 0 && !force {
		return errChanged(d)
	}
	return install(root, l, u.content, slices.Clone(old.Skills))
}

// Remove takes a pack away with its skills. Files that were changed here are lost with force alone.
func (in *Installation) Remove(name string, force bool) (p Pack, err error) {
	root, l, err := in.open()
	if err != nil {
		return p, err
	}
	defer func() { err = errors.Join(err, root.Close()) }()
	found, err := l.find(name)
	if err != nil {
		return p, err
	}
	p = *found
	if d := differences(root, found); len(d) > 0 && !force {
		return p, errChanged(d)
	}
	for _, s := range p.Skills {
		if err := root.RemoveAll(path.Join(folder, s.Name)); err != nil {
			return p, err
		}
	}
	l.Packs = slices.DeleteFunc(l.Packs, func(p Pack) bool { return p.Name == name })
	return p, l.write(root)
}
