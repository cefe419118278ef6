package lspclient

import (
	"context"
	"encoding/xml"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// maxSourceFolders bounds the source folders of a project.
const maxSourceFolders = 2000

// eclipseProject stands for a workspace folder of Java sources: a project in the data folder whose source folders link into
// the repository. So no build tool runs, nothing is downloaded, and nothing is written into the repository, and files of
// all its modules know each other. What it lacks are the dependencies: where sources import what they do not hold, the
// server knows less than a build would.
type eclipseProject struct {
	data    *dataFolder
	roots   []string        // source folders, absolute and sorted
	misfits map[string]bool // files whose package does not fit their folder; no source folder holds them
	over    string          // what was left out, "" for nothing

	meanings meanings

	reading ctxlock.Mutex // held while the sources are read
	facts   *javaFacts
}

// javaFacts are what the heads of the sources say, for one snapshot and generation of overlays. They do not change.
// They are safe for concurrent use.
type javaFacts struct {
	of    *filetree.Snapshot
	gen   int64
	files map[string]javaSource
	types map[string]bool // "a.b.C" of every file a/b/C.java of package a.b
	pkgs  map[string]bool

	once sync.Once
	need string // see lack
}

// sourceFolder returns the folder that holds the package of a file, "" when the file does not lie where its package says.
func sourceFolder(path, pkg string) string {
	dir := filepath.Dir(path)
	if pkg == "" {
		return dir
	}
	rel := filepath.FromSlash(strings.ReplaceAll(pkg, ".", "/"))
	root, ok := strings.CutSuffix(dir, string(filepath.Separator)+rel)
	if !ok || root == "" {
		return ""
	}
	return root
}

// newEclipseProject lays a project over the Java files of a server's folder.
func newEclipseProject(ctx context.Context, srv *server, data *dataFolder) (*eclipseProject, error) {
	p := &eclipseProject{data: data, misfits: map[string]bool{}, reading: ctxlock.New()}
	facts, err := p.read(ctx, srv)
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{}
	for path, src := range facts.files {
		if root := sourceFolder(path, src.pkg); root != "" && source.Below(srv.folder, root) {
			folders[root] = true
		} else {
			p.misfits[path] = true
		}
	}
	p.roots = slices.Sorted(maps.Keys(folders))
	if extra := len(p.roots) - maxSourceFolders; extra > 0 {
		p.over = fmt.Sprintf("%d of %d source folders were left out", extra, len(p.roots))
		p.roots = p.roots[:maxSourceFolders]
	}
	return p, p.write(srv)
}

// read returns what is known of the sources now.
func (p *eclipseProject) read(ctx context.Context, srv *server) (*javaFacts, error) {
	snap, err := srv.client.tree.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.reading.Lock(ctx); err != nil {
		return nil, err
	}
	defer p.reading.Unlock()
	overlaid, gen := srv.client.tree.Overlays.All()
	old := p.facts
	if old != nil && old.of == snap && old.gen == gen {
		return old, nil
	}
	f := &javaFacts{of: snap, gen: gen, files: map[string]javaSource{}, types: map[string]bool{}, pkgs: map[string]bool{}}
	add := func(path string) {
		var src javaSource
		known := false
		if old != nil && old.gen == gen && overlaid[path] == nil {
			src, known = old.files[path]
			known = known && old.of.Files[path] == snap.Files[path]
		}
		if !known {
			text, _, err := srv.client.tree.Read(path)
			if err != nil {
				return // the server cannot read it either
			}
			src = parseJava(text.Bytes)
		}
		f.files[path] = src
		f.pkgs[src.pkg] = true
		f.types[strings.TrimPrefix(src.pkg+"."+strings.TrimSuffix(filepath.Base(path), ".java"), ".")] = true
	}
	for path := range snap.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if overlaid[path] == nil && !snap.Linked[path] && srv.owns(path) {
			add(path)
		}
	}
	for path := range overlaid {
		if srv.owns(path) {
			add(path)
		}
	}
	p.facts = f
	return f, nil
}

// owns reports whether a file is one of the server's language in its folder, and not of another folder of the same entry
// below it.
func (v *server) owns(path string) bool {
	return source.Below(v.folder, path) && v.spec.LanguageOf(path) != "" && v.client.registry.FolderOf(v.spec, path) == v.folder
}

// foreign returns the imports of a file that neither the sources nor the platform explain.
func (f *javaFacts) foreign(src javaSource) []javaImport {
	return slices.DeleteFunc(slices.Clone(src.imports), func(i javaImport) bool {
		if platform.MatchString(i.name+".") || i.all && !i.stat && f.pkgs[i.name] {
			return true
		}
		for name := i.name; name != ""; {
			if f.types[name] {
				return true
			}
			dot := strings.LastIndexByte(name, '.')
			if dot < 0 {
				break
			}
			name = name[:dot]
		}
		return false
	})
}

// lacks says which dependencies the sources need that the project does not have, "" when they need none.
func (p *eclipseProject) lacks(facts *javaFacts) string {
	if p.over != "" {
		return p.over
	}
	facts.once.Do(func() { facts.need = facts.lack() })
	return facts.need
}

// lack counts what the sources import and do not hold.
func (f *javaFacts) lack() string {
	files, names := 0, map[string]int{}
	for _, src := range f.files {
		list := f.foreign(src)
		if len(list) > 0 {
			files++
		}
		for _, i := range list {
			names[i.name]++
		}
	}
	if files == 0 {
		return ""
	}
	list := slices.SortedFunc(maps.Keys(names), func(a, b string) int {
		if names[a] != names[b] {
			return names[b] - names[a]
		}
		return strings.Compare(a, b)
	})
	return fmt.Sprintf("dependencies are not read, and %d of %d files import them: %s", files, len(f.files), excerpt.List(list, 3))
}

// holds reports whether one of the source folders is the one that a file's package asks for.
func (p *eclipseProject) holds(path, pkg string) bool {
	root := sourceFolder(path, pkg)
	_, ok := slices.BinarySearch(p.roots, root)
	return ok
}

// outdated says why the project must be made anew after a change of the file, "" when it need not be.
func (p *eclipseProject) outdated(srv *server, path string) string {
	if p == nil || srv.spec.LanguageOf(path) == "" {
		return ""
	}
	text, _, err := srv.client.tree.Read(path)
	if err != nil {
		if p.misfits[path] {
			return filepath.Base(path) + " is gone"
		}
		return ""
	}
	src := parseJava(text.Bytes)
	root := sourceFolder(path, src.pkg)
	switch {
	case root == "" || !source.Below(srv.folder, root):
		if !p.misfits[path] && !slices.ContainsFunc(p.roots, func(r string) bool { return source.Below(r, path) }) {
			return filepath.Base(path) + " lies in no source folder"
		}
	case !p.holds(path, src.pkg):
		return srv.client.tree.Relative(root) + " became a source folder"
	case p.misfits[path]:
		return filepath.Base(path) + " came into a source folder"
	}
	return ""
}

// What is written of the two files that make an Eclipse project.
type (
	eclipseLink struct {
		Name     string `xml:"name"`
		Type     int    `xml:"type"` // 2: a folder
		Location string `xml:"locationURI"`
	}
	eclipseDescription struct {
		XMLName   xml.Name      `xml:"projectDescription"`
		Name      string        `xml:"name"`
		Comment   string        `xml:"comment"`
		Projects  string        `xml:"projects"`
		Builder   string        `xml:"buildSpec>buildCommand>name"`
		Arguments string        `xml:"buildSpec>buildCommand>arguments"`
		Natures   []string      `xml:"natures>nature"`
		Links     []eclipseLink `xml:"linkedResources>link"`
	}
	eclipseEntry struct {
		Kind      string `xml:"kind,attr"`
		Path      string `xml:"path,attr"`
		Excluding string `xml:"excluding,attr,omitempty"`
	}
	eclipseClasspath struct {
		XMLName xml.Name       `xml:"classpath"`
		Entries []eclipseEntry `xml:"classpathentry"`
	}
)

// write makes the project's files.
func (p *eclipseProject) write(srv *server) error {
	name := "sources-" + shortHash(srv.folder)
	desc := eclipseDescription{Name: name, Builder: "org.eclipse.jdt.core.javabuilder", Natures: []string{"org.eclipse.jdt.core.javanature"}}
	var path eclipseClasspath
	for i, root := range p.roots {
		link := "s" + strconv.Itoa(i)
		desc.Links = append(desc.Links, eclipseLink{Name: link, Type: 2, Location: source.FileURI(root)})
		// Modules would hide from each other what no module of theirs exports, and one project has room for one.
		excluding := []string{"module-info.java"}
		for _, other := range p.roots {
			if other != root && source.Below(root, other) {
				rel, err := filepath.Rel(root, other)
				if err != nil {
					return err
				}
				excluding = append(excluding, filepath.ToSlash(rel)+"/")
			}
		}
		path.Entries = append(path.Entries, eclipseEntry{"src", link, strings.Join(excluding, "|")})
	}
	path.Entries = append(path.Entries, eclipseEntry{Kind: "src", Path: marksFolder}, eclipseEntry{Kind: "con", Path: "org.eclipse.jdt.launching.JRE_CONTAINER"}, eclipseEntry{Kind: "output", Path: "bin"})
	prefs := "eclipse.preferences.version=1\norg.eclipse.jdt.core.circularClasspath=warning\n"
	if run := srv.install.Runtime; run != nil && run.Version != "" {
		for _, key := range []string{"compliance", "source", "codegen.targetPlatform"} {
			prefs += "org.eclipse.jdt.core.compiler." + key + "=" + run.Version + "\n"
		}
	}
	return errors.Join(
		writeXML(filepath.Join(p.data.root, ".project"), desc),
		writeXML(filepath.Join(p.data.root, ".classpath"), path),
		os.MkdirAll(filepath.Join(p.data.root, ".settings"), 0o700),
		os.MkdirAll(filepath.Join(p.data.root, marksFolder), 0o700),
		os.WriteFile(filepath.Join(p.data.root, ".settings", "org.eclipse.jdt.core.prefs"), []byte(prefs), 0o600),
	)
}

func writeXML(path string, v any) error {
	data, err := xml.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(xml.Header), data...), 0o600)
}
