package pack

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

const (
	folder      = ".agents/skills"
	lockFile    = folder + "/packs.lock"
	lockVersion = 1
	maxLock     = 8 << 20 // bytes
)

// A Pack is an installed pack, as the lock pins it.
type Pack struct {
	Name   string   `json:"name"`
	Source string   `json:"source"` // folder or archive that it was read from
	Digest string   `json:"digest"` // hex SHA-256 over the digests of its skills
	Skills []Pinned `json:"skills"` // by name
}

// A Pinned is an installed skill.
type Pinned struct {
	Name   string            `json:"name"`
	Digest string            `json:"digest"` // hex SHA-256 over the names and digests of its files
	Files  map[string]string `json:"files"`  // hex SHA-256 by slash path in the skill's folder
}

// A lock is the file that pins packs.
type lock struct {
	Version int    `json:"version"`
	Packs   []Pack `json:"packs"` // by name
}

func digestOf(data []byte) string {
	sum := sha256.Sum256(data)
	return hex.EncodeToString(sum[:])
}

// digestOver is the digest of digests by name.
func digestOver(digests map[string]string) string {
	var b strings.Builder
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		fmt.Fprintf(&b, "%d %s %s\n", len(name), name, digests[name])
	}
	return digestOf([]byte(b.String()))
}

// Pin is how a pack that was read would be pinned.
func (c *Content) Pin() Pack {
	p := Pack{Name: c.Name, Source: c.Source}
	all := map[string]string{}
	for _, s := range c.Skills {
		pinned := Pinned{Name: s.Name, Files: map[string]string{}}
		for name, data := range c.files[s.Name] {
			pinned.Files[name] = digestOf(data)
		}
		pinned.Digest = digestOver(pinned.Files)
		all[s.Name] = pinned.Digest
		p.Skills = append(p.Skills, pinned)
	}
	p.Digest = digestOver(all)
	return p
}

// An Installation is the packs of a project.
type Installation struct{ dir string }

// Dir is the installation of the project in a folder. Nothing is read yet.
func Dir(project string) *Installation { return &Installation{project} }

// open opens the project. No path below it leads out of it, whatever links there are.
func (in *Installation) open() (*os.Root, *lock, error) {
	root, err := os.OpenRoot(in.dir)
	if err != nil {
		return nil, nil, err
	}
	l, err := readLock(root)
	if err != nil {
		return nil, nil, errors.Join(err, root.Close())
	}
	return root, l, nil
}

func readLock(root *os.Root) (*lock, error) {
	wrong := func(why string) error {
		return fmt.Errorf("%s: %s: %w: restore it from version control, or delete it and add the packs again", lockFile, why, errs.Format)
	}
	data, err := readFile(root, lockFile, maxLock)
	if errors.Is(err, fs.ErrNotExist) {
		return &lock{Version: lockVersion}, nil
	}
	if err != nil {
		return nil, err
	}
	l := &lock{}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, wrong(err.Error())
	}
	if l.Version != lockVersion {
		return nil, wrong(fmt.Sprintf("version %d, this program knows %d", l.Version, lockVersion))
	}
	for _, p := range l.Packs {
		for _, s := range p.Skills {
			if !goodName.MatchString(s.Name) || !goodName.MatchString(p.Name) {
				return nil, wrong(fmt.Sprintf("the name %.80q", s.Name))
			}
		}
	}
	return l, nil
}

// readFile reads a regular file; a link in its place is refused.
func readFile(root *os.Root, name string, limit int64) ([]byte, error) {
	info, err := root.Lstat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file", name)
	case info.Size() > limit:
		return nil, fmt.Errorf("%s has more than %d bytes: %w", name, limit, errs.TooLarge)
	}
	return root.ReadFile(name)
}

func (l *lock) write(root *os.Root) error {
	slices.SortFunc(l.Packs, func(a, b Pack) int { return strings.Compare(a.Name, b.Name) })
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(l); err != nil {
		return err
	}
	if err := root.WriteFile(lockFile+".new", b.Bytes(), 0o644); err != nil {
		return err
	}
	return root.Rename(lockFile+".new", lockFile)
}

func (l *lock) find(name string) (*Pack, error) {
	var names []string
	for i, p := range l.Packs {
		if p.Name == name {
			return &l.Packs[i], nil
		}
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("pack %q: %w: there are %s", name, errs.NotFound, strings.Join(append(names, "no others"), ", "))
}

// List returns the installed packs, by name.
func (in *Installation) List() ([]Pack, error) {
	root, l, err := in.open()
	if err != nil {
		return nil, err
	}
	return l.Packs, root.Close()
}

// A Difference is a file that is not as it was pinned.
type Difference struct {
	Pack  string `json:"pack"`
	Skill string `json:"skill"`
	File  string `json:"file"`  // slash path in the skill's folder
	State string `json:"state"` // changed, missing, added or unreadable
}

// Verify compares the installed skills with the lock: what differs, by pack, skill and file. Hidden files and the folder tests of a skill, where records are made, may be added.
func (in *Installation) Verify() ([]Difference, error) {
	root, l, err := in.open()
	if err != nil {
		return nil, err
	}
	out := []Difference{}
	for _, p := range l.Packs {
		out = append(out, differences(root, &p)...)
	}
	return out, root.Close()
}

func differences(root *os.Root, p *Pack) (out []Difference) {
	for _, s := range p.Skills {
		say := func(file, state string) {
			out = append(out, Difference{p.Name, s.Name, file, state})
		}
		dir := path.Join(folder, s.Name)
		for _, name := range slices.Sorted(maps.Keys(s.Files)) {
			data, err := readFile(root, path.Join(dir, name), maxFile)
			switch {
			case errors.Is(err, fs.ErrNotExist):
				say(name, "missing")
			case err != nil:
				say(name, "unreadable")
			case digestOf(data) != s.Files[name]:
				say(name, "changed")
			}
		}
		looked := 0
		_ = fs.WalkDir(root.FS(), dir, func(file string, d fs.DirEntry, err error) error { // what cannot be read was said above
			name := strings.TrimPrefix(strings.TrimPrefix(file, dir), "/")
			if looked++; err != nil || looked > maxEntries {
				return fs.SkipAll
			}
			if d.IsDir() && name == "tests" || strings.HasPrefix(d.Name(), ".") {
				if d.IsDir() {
					return fs.SkipDir
				}
				return nil
			}
			if _, ok := s.Files[name]; !ok && !d.IsDir() {
				say(name, "added")
			}
			return nil
		})
	}
	return out
}
