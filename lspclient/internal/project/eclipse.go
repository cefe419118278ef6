package project

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
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// maxSourceFolders bounds the source folders of a project.
const maxSourceFolders = 2000

// Eclipse stands for a workspace folder of Java sources: a project in the data folder whose source folders link into
// the repository. So no build tool runs, nothing is downloaded, and nothing is written into the repository, and files of
// all its modules know each other. What it lacks are the dependencies: where sources import what they do not hold, the
// server knows less than a build would.
type Eclipse struct {
	tree   *filetree.Tree
	folder string                 // the workspace folder
	owns   func(path string) bool // whether a file is a source of the folder

	Data    *DataFolder
	Roots   []string        // source folders, absolute and sorted
	Misfits map[string]bool // files whose package does not fit their folder; no source folder holds them
	over    string          // what was left out, "" for nothing

	reading ctxlock.Mutex // held while the sources are read
	facts   *JavaFacts
}

// JavaFacts are what the heads of the sources say, for one snapshot and generation of overlays. They do not change.
// They are safe for concurrent use.
type JavaFacts struct {
	Snapshot *filetree.Snapshot
	gen      int64
	Files    map[string]javaSource
	types    map[string]bool // "a.b.C" of every file a/b/C.java of package a.b
	pkgs     map[string]bool

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

// NewEclipse lays a project over the Java sources of a folder, which are those that it owns, for a Java of the
// version; "" means that of the server.
func NewEclipse(ctx context.Context, tree *filetree.Tree, folder string, owns func(path string) bool, version string, data *DataFolder) (*Eclipse, error) {
	p := &Eclipse{tree: tree, folder: folder, owns: owns, Data: data, Misfits: map[string]bool{}, reading: ctxlock.New()}
	facts, err := p.Read(ctx)
	if err != nil {
		return nil, err
	}
	folders := map[string]bool{}
	for path, src := range facts.Files {
		if root := sourceFolder(path, src.Package); root != "" && source.Below(p.folder, root) {
			folders[root] = true
		} else {
			p.Misfits[path] = true
		}
	}
	p.Roots = slices.Sorted(maps.Keys(folders))
	if extra := len(p.Roots) - maxSourceFolders; extra > 0 {
		p.over = fmt.Sprintf("%d of %d source folders were left out", extra, len(p.Roots))
		p.Roots = p.Roots[:maxSourceFolders]
	}
	return p, p.write(version)
}

// Read returns what is known of the sources now.
func (p *Eclipse) Read(ctx context.Context) (*JavaFacts, error) {
	snap, err := p.tree.Scan(ctx)
	if err != nil {
		return nil, err
	}
	if err := p.reading.Lock(ctx); err != nil {
		return nil, err
	}
	defer p.reading.Unlock()
	overlaid, gen := p.tree.Overlays.All()
	old := p.facts
	if old != nil && old.Snapshot == snap && old.gen == gen {
		return old, nil
	}
	f := &JavaFacts{Snapshot: snap, gen: gen, Files: map[string]javaSource{}, types: map[string]bool{}, pkgs: map[string]bool{}}
	add := func(path string) {
		var src javaSource
		known := false
		if old != nil && old.gen == gen && overlaid[path] == nil {
			src, known = old.Files[path]
			known = known && old.Snapshot.Files[path] == snap.Files[path]
		}
		if !known {
			text, _, err := p.tree.Read(path)
			if err != nil {
				return // the server cannot read it either
			}
			src = parseJava(text.Bytes)
		}
		f.Files[path] = src
		f.pkgs[src.Package] = true
		f.types[strings.TrimPrefix(src.Package+"."+strings.TrimSuffix(filepath.Base(path), ".java"), ".")] = true
	}
	for path := range snap.Files {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if overlaid[path] == nil && !snap.Linked[path] && p.owns(path) {
			add(path)
		}
	}
	for path := range overlaid {
		if p.owns(path) {
			add(path)
		}
	}
	p.facts = f
	return f, nil
}

// Foreign returns the imports of a file that neither the sources nor the platform explain.
func (f *JavaFacts) Foreign(src javaSource) []JavaImport {
	return slices.DeleteFunc(slices.Clone(src.Imports), func(i JavaImport) bool {
		if platform.MatchString(i.Name+".") || i.All && !i.stat && f.pkgs[i.Name] {
			return true
		}
		for name := i.Name; name != ""; {
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

// Lacks says which dependencies the sources need that the project does not have, "" when they need none.
func (p *Eclipse) Lacks(facts *JavaFacts) string {
	if p.over != "" {
		return p.over
	}
	facts.once.Do(func() { facts.need = facts.lack() })
	return facts.need
}

// lack counts what the sources import and do not hold.
func (f *JavaFacts) lack() string {
	files, names := 0, map[string]int{}
	for _, src := range f.Files {
		list := f.Foreign(src)
		if len(list) > 0 {
			files++
		}
		for _, i := range list {
			names[i.Name]++
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
	return fmt.Sprintf("dependencies are not read, and %d of %d files import them: %s", files, len(f.Files), excerpt.List(list, 3))
}

// holds reports whether one of the source folders is the one that a file's package asks for.
func (p *Eclipse) holds(path, pkg string) bool {
	root := sourceFolder(path, pkg)
	_, ok := slices.BinarySearch(p.Roots, root)
	return ok
}

// Outdated says why the project must be made anew after a change of the file, "" when it need not be.
func (p *Eclipse) Outdated(path string) string {
	if p == nil || strings.ToLower(filepath.Ext(path)) != ".java" {
		return ""
	}
	text, _, err := p.tree.Read(path)
	if err != nil {
		if p.Misfits[path] {
			return filepath.Base(path) + " is gone"
		}
		return ""
	}
	src := parseJava(text.Bytes)
	root := sourceFolder(path, src.Package)
	switch {
	case root == "" || !source.Below(p.folder, root):
		if !p.Misfits[path] && !slices.ContainsFunc(p.Roots, func(r string) bool { return source.Below(r, path) }) {
			return filepath.Base(path) + " lies in no source folder"
		}
	case !p.holds(path, src.Package):
		return p.tree.Relative(root) + " became a source folder"
	case p.Misfits[path]:
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
func (p *Eclipse) write(version string) error {
	name := "sources-" + shortHash(p.folder)
	desc := eclipseDescription{Name: name, Builder: "org.eclipse.jdt.core.javabuilder", Natures: []string{"org.eclipse.jdt.core.javanature"}}
	var path eclipseClasspath
	for i, root := range p.Roots {
		link := "s" + strconv.Itoa(i)
		desc.Links = append(desc.Links, eclipseLink{Name: link, Type: 2, Location: source.FileURI(root)})
		// Modules would hide from each other what no module of theirs exports, and one project has room for one.
		excluding := []string{"module-info.java"}
		for _, other := range p.Roots {
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
	path.Entries = append(path.Entries, eclipseEntry{Kind: "src", Path: MarkerFolder}, eclipseEntry{Kind: "con", Path: "org.eclipse.jdt.launching.JRE_CONTAINER"}, eclipseEntry{Kind: "output", Path: "bin"})
	prefs := "eclipse.preferences.version=1\norg.eclipse.jdt.core.circularClasspath=warning\n"
	if version != "" {
		for _, key := range []string{"compliance", "source", "codegen.targetPlatform"} {
			prefs += "org.eclipse.jdt.core.compiler." + key + "=" + version + "\n"
		}
	}
	return errors.Join(
		writeXML(filepath.Join(p.Data.Project, ".project"), desc),
		writeXML(filepath.Join(p.Data.Project, ".classpath"), path),
		os.MkdirAll(filepath.Join(p.Data.Project, ".settings"), 0o700),
		os.MkdirAll(filepath.Join(p.Data.Project, MarkerFolder), 0o700),
		os.WriteFile(filepath.Join(p.Data.Project, ".settings", "org.eclipse.jdt.core.prefs"), []byte(prefs), 0o600),
	)
}

func writeXML(path string, v any) error {
	data, err := xml.Marshal(v)
	if err != nil {
		return err
	}
	return os.WriteFile(path, append([]byte(xml.Header), data...), 0o600)
}

const (
	// MarkerFolder is the source folder of these classes, in the project.
	MarkerFolder = "marks"
)

// blinded are the questions that cannot be checked against the text: without the dependencies their answers may be smaller.
var blinded = map[string]bool{
	protocol.MethodTextDocumentImplementation: true, protocol.MethodTextDocumentRename: true,
	protocol.MethodCallHierarchyIncomingCalls: true, protocol.MethodCallHierarchyOutgoingCalls: true,
	protocol.MethodTextDocumentDiagnostic: true,
}

// Blind says why the server may not see what the question is about, "" when it does.
func (p *Eclipse) Blind(ctx context.Context, method string) (string, error) {
	if p == nil || !blinded[method] {
		return "", nil
	}
	facts, err := p.Read(ctx)
	if err != nil {
		return "", err
	}
	return p.Lacks(facts), nil
}
