package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
)

const (
	maxArchive = 16 << 20 // bytes: its list of entries is held in memory
	maxTotal   = 64 << 20 // bytes of all files
	maxFile    = 4 << 20
	maxEntries = 2000
	maxPath    = 200 // bytes
	maxRatio   = 200
	freeRatio  = 1 << 20 // bytes that may come of any archive
)

// A Content is a pack that was read and not installed.
type Content struct {
	Name   string         // from the source's name, without version or extension as far as they are no name
	Source string         // as it was given
	Skills []*skill.Skill // by name
	files  map[string]map[string][]byte
}

var (
	goodName = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)
	noName   = lazyregexp.New(`[^a-z0-9]+`)
)

// Read reads a pack from a folder or an archive. An error names the source and the entry.
func Read(source string) (*Content, error) {
	info, err := os.Stat(source)
	if err != nil {
		return nil, err
	}
	g := &gatherer{files: map[string][]byte{}, folded: map[string]string{}}
	name := strings.ToLower(filepath.Base(filepath.Clean(source)))
	if info.IsDir() {
		err = g.folder(source)
	} else {
		var data []byte
		if data, err = rootfs.ReadFile(source, maxArchive); err == nil {
			err = g.archive(name, data)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", source, err)
	}
	c, err := g.content()
	if err != nil {
		return nil, fmt.Errorf("pack %s: %w", source, err)
	}
	for _, ext := range []string{".zip", ".tgz", ".gz", ".tar"} {
		name = strings.TrimSuffix(name, ext)
	}
	c.Source, c.Name = source, strings.Trim(noName.ReplaceAllString(name, "-"), "-")
	return c, nil
}

// gatherer takes in the files of a pack.
type gatherer struct {
	files  map[string][]byte
	folded map[string]string // names that some systems take for one, by their folded form
	total  int
	seen   int   // entries
	limit  int64 // bytes in all; 0: maxTotal
}

func (g *gatherer) refuse(name, format string, args ...any) error {
	return fmt.Errorf("entry %.200q: %s", name, fmt.Sprintf(format, args...))
}

// add takes in an entry. Folders are looked at and left out, since files imply them.
func (g *gatherer) add(name string, mode fs.FileMode, r io.Reader) error {
	if g.seen++; g.seen > maxEntries {
		return fmt.Errorf("more than %d entries: %w", maxEntries, errs.TooLarge)
	}
	clean := strings.TrimSuffix(strings.TrimPrefix(name, "./"), "/")
	if clean == "" || clean == "." {
		return nil
	}
	switch {
	case !fs.ValidPath(clean) || strings.ContainsAny(clean, `\:*?"<>|`) || strings.ContainsFunc(clean, func(r rune) bool { return r < ' ' || r == 0x7f }) || !filepath.IsLocal(filepath.FromSlash(clean)):
		return g.refuse(name, "the path leaves the pack, or means something else on another system")
	case len(clean) > maxPath:
		return g.refuse(name, "the path has more than %d bytes", maxPath)
	case !mode.IsDir() && !mode.IsRegular():
		return g.refuse(name, "neither a file nor a folder: a pack has no links")
	}
	for part := range strings.SplitSeq(clean, "/") {
		if strings.HasPrefix(part, ".") || part == "__MACOSX" {
			return nil
		}
		if strings.HasSuffix(part, ".") || strings.HasSuffix(part, " ") {
			return g.refuse(name, "a name ends with a dot or space, which another system drops")
		}
	}
	if mode.IsDir() {
		return nil
	}
	if other, twice := g.folded[strings.ToLower(clean)]; twice {
		return g.refuse(name, "the same file as %q on some systems", other)
	}
	g.folded[strings.ToLower(clean)] = clean
	limit := g.limit
	if limit == 0 {
		limit = maxTotal
	}
	data, err := io.ReadAll(io.LimitReader(r, min(maxFile, limit-int64(g.total))+1))
	if err != nil {
		return g.refuse(name, "%v", err)
	}
	if g.total += len(data); len(data) > maxFile || int64(g.total) > limit {
		return g.refuse(name, "the file has more than %d bytes, or all together more than %d: %v", maxFile, limit, errs.TooLarge)
	}
	g.files[clean] = data
	return nil
}

func (g *gatherer) folder(dir string) error {
	fsys, err := skill.Dir(dir)
	if err != nil {
		return err
	}
	return fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case p != "." && strings.HasPrefix(d.Name(), "."):
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return g.add(p, d.Type(), nil)
		}
		f, err := fsys.Open(p)
		if err != nil {
			return err
		}
		defer f.Close()
		return g.add(p, 0, f)
	})
}

func (g *gatherer) archive(name string, data []byte) error {
	g.limit = min(maxTotal, max(freeRatio, maxRatio*int64(len(data))))
	switch {
	case strings.HasSuffix(name, ".zip"):
		return g.zip(data)
	case strings.HasSuffix(name, ".tar"):
		return g.tar(bytes.NewReader(data))
	case strings.HasSuffix(name, ".tar.gz"), strings.HasSuffix(name, ".tgz"):
		z, err := gzip.NewReader(bytes.NewReader(data))
		if err != nil {
			return err
		}
		return g.tar(io.LimitReader(z, g.limit+maxEntries*2048)) // what stands between the files, too
	}
	return errors.New("give a folder, or a .zip, .tar, .tar.gz or .tgz")
}

func (g *gatherer) zip(data []byte) error {
	z, err := zip.NewReader(bytes.NewReader(data), int64(len(data)))
	if err != nil && !errors.Is(err, zip.ErrInsecurePath) {
		return err
	}
	for _, f := range z.File {
		if err := g.zipped(f); err != nil {
			return err
		}
	}
	return nil
}

func (g *gatherer) zipped(f *zip.File) error {
	if f.Flags&1 != 0 {
		return g.refuse(f.Name, "it is encrypted")
	}
	r, err := f.Open()
	if err != nil {
		return g.refuse(f.Name, "%v", err)
	}
	defer r.Close()
	return g.add(f.Name, f.Mode(), r)
}

func (g *gatherer) tar(r io.Reader) error {
	t := tar.NewReader(r)
	for {
		h, err := t.Next()
		switch {
		case err == io.EOF:
			return nil
		case err != nil && !errors.Is(err, tar.ErrInsecurePath):
			return err
		case h.Typeflag == tar.TypeXGlobalHeader: // git archive writes one
			continue
		}
		mode := fs.ModeIrregular
		switch h.Typeflag {
		case tar.TypeReg:
			mode = 0
		case tar.TypeDir:
			mode = fs.ModeDir
		}
		if err := g.add(h.Name, mode, t); err != nil {
			return err
		}
	}
}

// content loads the skills of what was gathered.
func (g *gatherer) content() (*Content, error) {
	fsys, err := memory(g.files)
	if err != nil {
		return nil, err
	}
	skills, err := skill.Load(fsys)
	if err != nil {
		return nil, err
	}
	c := &Content{files: map[string]map[string][]byte{}}
	for _, s := range skills {
		if path.Base(s.File) != "SKILL.md" {
			continue // a workflow without a folder
		}
		if !goodName.MatchString(s.Name) {
			return nil, fmt.Errorf("skill %q: a name is lower-case letters, digits and single hyphens", s.Name)
		}
		folder := map[string][]byte{}
		for name, data := range g.files {
			if rel, ok := strings.CutPrefix(name, path.Dir(s.File)+"/"); ok || path.Dir(s.File) == "." {
				folder[rel] = data
			}
		}
		c.Skills, c.files[s.Name] = append(c.Skills, s), folder
	}
	if len(c.Skills) == 0 {
		return nil, fmt.Errorf("no folder of it has a SKILL.md: %w", errs.NotFound)
	}
	return c, nil
}

// memory is a file system of files in memory: an archive that nothing is compressed in.
func memory(files map[string][]byte) (fs.FS, error) {
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := w.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store})
		if err != nil {
			return nil, err
		}
		if _, err := f.Write(files[name]); err != nil {
			return nil, err
		}
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
}
