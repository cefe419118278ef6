package registry

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
	"github.com/goccy/go-yaml"
)

//go:embed servers/*.yaml
var shipped embed.FS

// probeTimeout bounds a probe. The first start of a program on Node can take seconds on a busy machine.
const probeTimeout = 20 * time.Second

// maxCandidates bounds the programs of one name on PATH that are probed.
const maxCandidates = 8

// Parse reads entries from YAML, a list in the form of the shipped files. A field that is not known is an error, and so is an
// entry that lacks what it needs; all of them are reported.
func Parse(data []byte) ([]serverspec.Spec, error) {
	const maxSize = 1 << 20
	if len(data) > maxSize {
		return nil, fmt.Errorf("servers file: %w: %d bytes, the limit is %d", errs.TooLarge, len(data), maxSize)
	}
	var specs []serverspec.Spec
	if err := unmarshal(data, &specs); err != nil {
		return nil, fmt.Errorf("servers file: %w: %v", errs.Format, err)
	}
	var bad []error
	for i := range specs {
		if err := check(&specs[i]); err != nil {
			bad = append(bad, fmt.Errorf("servers file: entry %d: %w", i+1, err))
		}
	}
	if len(bad) > 0 {
		return nil, errors.Join(bad...)
	}
	return specs, nil
}

// unmarshal reads the YAML. The decoder panics on some broken files, such as a tag with no list behind it.
func unmarshal(data []byte, specs any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not readable: %v", p)
		}
	}()
	return yaml.UnmarshalWithOptions(data, specs, yaml.Strict())
}

// Registry is the list of entries in order of preference, and what is known of their programs.
type Registry struct {
	Specs []*Spec
	root  string          // no program below it is run
	life  context.Context // the client's: ends what is still searched for

	mu      sync.Mutex
	found   map[string]*Install // by entry name
	printed map[string]string   // what probes printed that went well, by program, its build and arguments
	workers sync.WaitGroup      // searches under way, each of them bounded in time
}

// Install is what the search for an entry's program came to.
type Install struct {
	done    chan struct{}      // closed when the rest is set
	Path    string             // absolute; empty when not installed
	Spec    *Spec              // the entry as it is for the version
	Args    []string           // for the server, those of its version among them
	Module  string             // absolute path of Command.Module
	Rule    serverspec.Runtime // of the command
	Runtime *RuntimeFound      // nil when the command needs none
	Version string
	Why     string // what was wrong, when not installed
}

// Build tells one build of the program from another, as far as its file and its version tell.
func (in *Install) Build() string { return buildOf(in.Path) + " " + in.Version }

// buildOf tells one build of a program from another by its file.
func buildOf(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return path
	}
	return fmt.Sprint(path, " ", info.Size(), " ", info.ModTime().UnixNano())
}

// New returns a registry of the extra entries and the shipped ones; an extra one takes the place of a shipped one of its
// name. No program inside the root is run. Searches for programs end with life.
func New(life context.Context, root string, extra []serverspec.Spec) (*Registry, error) {
	shipped, err := Shipped()
	if err != nil {
		return nil, err
	}
	r := &Registry{root: root, life: life, found: map[string]*Install{}, printed: map[string]string{}}
	for _, list := range [][]serverspec.Spec{extra, shipped} {
		for _, s := range list {
			if err := check(&s); err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(r.Specs, func(have *Spec) bool { return have.Name == s.Name }) {
				r.Specs = append(r.Specs, &Spec{Spec: s})
			}
		}
	}
	return r, nil
}

// Shipped reads the embedded entries: the files in order of their names, which each hold the servers of a language
// in order of preference.
func Shipped() ([]serverspec.Spec, error) {
	files, err := fs.Glob(shipped, "servers/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []serverspec.Spec
	for _, name := range files {
		data, err := shipped.ReadFile(name)
		if err != nil {
			return nil, err
		}
		specs, err := Parse(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, specs...)
	}
	return all, nil
}

// Prefer moves the entries of these names to the front, in their order. A name that no entry has is an error.
func (r *Registry) Prefer(names []string) error {
	rank := map[string]int{}
	for i, n := range names {
		if !slices.ContainsFunc(r.Specs, func(s *Spec) bool { return s.Name == n }) {
			return fmt.Errorf("preferred server %q: %w; there are: %s", n, errs.NotFound, strings.Join(r.Names(), ", "))
		}
		rank[n] = i - len(names)
	}
	slices.SortStableFunc(r.Specs, func(a, b *Spec) int { return cmp.Compare(rank[a.Name], rank[b.Name]) })
	return nil
}

// Wait returns when the searches under way have ended.
func (r *Registry) Wait() { r.workers.Wait() }

// Names lists the names of the entries in order of preference.
func (r *Registry) Names() []string {
	var list []string
	for _, s := range r.Specs {
		list = append(list, s.Name)
	}
	return list
}

// Choose returns the first installed entry that serves the file, as it is for the version that is installed, with its program. The error is a NotInstalledError,
// wraps errs.Unsupported when no entry serves it, or is that of ctx.
func (r *Registry) Choose(ctx context.Context, path string) (*Spec, *Install, error) {
	var missing *NotInstalledError
	for _, s := range r.Specs {
		lang := s.LanguageOf(path)
		if lang == "" {
			continue
		}
		in, err := r.Install(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		if in.Path != "" {
			return in.Spec, in, nil
		}
		if missing == nil {
			missing = &NotInstalledError{Language: lang, Server: s.Name, Install: s.Install, Why: in.Why}
		}
	}
	if missing != nil {
		return nil, nil, missing
	}
	return nil, nil, fmt.Errorf("%s: %w: no language server for files with the extension %q", path, errs.Unsupported, filepath.Ext(path))
}

// Install looks for the entry's program; once it was found, for good. A program that is missing is looked for again by
// every call, since a person may just have installed it. The only error is that of ctx; the search goes on without it.
func (r *Registry) Install(ctx context.Context, s *Spec) (*Install, error) {
	r.mu.Lock()
	in := r.found[s.Name]
	if in == nil {
		in = &Install{done: make(chan struct{})}
		r.found[s.Name] = in
		r.workers.Go(func() {
			r.look(s, in)
			if in.Path == "" {
				r.mu.Lock()
				delete(r.found, s.Name)
				r.mu.Unlock()
			}
			close(in.done)
		})
	}
	r.mu.Unlock()
	select { // what was found counts, also when the time is up
	case <-in.done:
		return in, nil
	default:
	}
	select {
	case <-in.done:
		return in, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("looking for %s: %w", s.Name, ctx.Err())
	}
}

func (r *Registry) look(s *Spec, in *Install) {
	for _, c := range s.Commands {
		paths, err := r.lookPaths(c.Program)
		if err != nil && (in.Why == "" || !errors.Is(err, errs.NotFound)) { // of several names that are missing the first is told
			in.Why = err.Error()
		}
		// Further down PATH there may be another version.
		for _, path := range paths[:min(len(paths), maxCandidates)] {
			if err := r.try(s, c, path, in); err != nil {
				in.Why = err.Error()
				continue
			}
			var more []string
			in.Spec, more = s.at(in.Version)
			in.Path, in.Args = path, slices.Concat(c.Args, more)
			return
		}
	}
}

// try runs the probe of a command's program and looks for what else the command needs.
func (r *Registry) try(s *Spec, c serverspec.Command, path string, in *Install) error {
	if len(c.Probe) > 0 {
		out, err := r.probe(s, path, c.Probe)
		if err != nil {
			return err
		}
		in.Version = versionIn(out, c.Version)
		if !regexp.MustCompile(c.Match).MatchString(out) {
			return fmt.Errorf("%s is of another version: %s", path, excerpt.Clip(excerpt.LastLines(out, 1), 100))
		}
	}
	var err error
	if in.Runtime, err = r.LookRuntime(s, c.Runtime); err != nil {
		return err
	}
	in.Rule = c.Runtime
	if c.Module != "" {
		if in.Module, err = r.nodeModule(path, c.Module); err != nil {
			return err
		}
	}
	return nil
}

// nodeModule finds a file of a package as Node does for a program: in the folders node_modules at and above it.
func (r *Registry) nodeModule(program, module string) (string, error) {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", err
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "node_modules", filepath.FromSlash(module))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			if r.Inside(path) {
				return "", fmt.Errorf("%s is inside the repository and is not run", path)
			}
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not installed beside %s", module, real)
		}
	}
}

// probe runs a program that lies beside path, or else on PATH.
func (r *Registry) probe(s *Spec, path string, probe []string) (string, error) {
	prog, err := exec.LookPath(filepath.Join(filepath.Dir(path), probe[0]))
	if err != nil || r.Inside(prog) {
		if prog, err = r.LookPath(probe[0]); err != nil {
			return "", err
		}
	}
	// A probe that failed is run again: what a shim stands for may have been installed since, and the shim is the same.
	key := strings.Join(append([]string{buildOf(prog)}, probe[1:]...), "\x00")
	r.mu.Lock()
	out, ok := r.printed[key]
	r.mu.Unlock()
	if ok {
		return out, nil
	}
	if out, err = process.Run(r.life, prog, probe[1:], r.Environ(s, true), os.TempDir(), probeTimeout, 4<<10); err != nil {
		return "", fmt.Errorf("%s %s: %v: %s", prog, strings.Join(probe[1:], " "), err, excerpt.Clip(excerpt.LastLines(out, 2), 300))
	}
	r.mu.Lock()
	r.printed[key] = out
	r.mu.Unlock()
	return out, nil
}

// notOnPath says that there is no program of that name.
type notOnPath struct{ name string }

func (e *notOnPath) Error() string { return e.name + " is not on PATH" }
func (e *notOnPath) Unwrap() error { return errs.NotFound }

// LookPath finds a program on PATH, see lookPaths.
func (r *Registry) LookPath(name string) (string, error) {
	paths, err := r.lookPaths(name)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// lookPaths finds the programs of a name on PATH: only in absolute folders, and nowhere below the client's root, not
// even through a link. There is at least one without an error.
func (r *Registry) lookPaths(name string) ([]string, error) {
	refused := ""
	var paths []string
	for _, dir := range filepath.SplitList(os.Getenv("PATH")) {
		if !filepath.IsAbs(dir) {
			continue
		}
		path, err := exec.LookPath(filepath.Join(dir, name))
		if err != nil || slices.Contains(paths, path) {
			continue
		}
		if r.Inside(path) {
			refused = path
			continue
		}
		paths = append(paths, path)
	}
	switch {
	case len(paths) > 0:
		return paths, nil
	case refused != "":
		return nil, fmt.Errorf("%s is inside the repository and is not run", refused)
	}
	return nil, &notOnPath{name}
}

// Inside reports whether a path, or what it links to, is at or below the root.
func (r *Registry) Inside(path string) bool {
	if source.Below(r.root, path) {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && source.Below(r.root, real)
}

// Environ returns the environment for a server or a probe: this program's own, without PATH entries that are relative
// or inside the root, and without a -mod=mod that would let the go command rewrite go.mod. With offline set, programs
// that honour the usual variables get no network.
func (r *Registry) Environ(s *Spec, offline bool) []string {
	env := map[string]string{}
	fold := func(name string) string {
		if runtime.GOOS == "windows" {
			return strings.ToUpper(name)
		}
		return name
	}
	put := func(list []string) {
		for _, kv := range list {
			if name, value, ok := strings.Cut(kv, "="); ok && name != "" {
				env[fold(name)] = value
			}
		}
	}
	put(os.Environ())
	if offline {
		r.untrusted(env)
	}
	env["PATH"] = strings.Join(slices.DeleteFunc(filepath.SplitList(env["PATH"]), func(dir string) bool {
		return !filepath.IsAbs(dir) || r.Inside(dir)
	}), string(os.PathListSeparator))
	if s != nil {
		put(s.Env)
	}
	if offline {
		if flags, ok := env["GOFLAGS"]; ok {
			env["GOFLAGS"] = strings.Join(slices.DeleteFunc(strings.Fields(flags), func(f string) bool {
				return f == "-mod=mod" || f == "--mod=mod"
			}), " ")
		}
		if name := rustupToolchain(env); env["RUSTUP_TOOLCHAIN"] == "" && name != "" {
			env["RUSTUP_TOOLCHAIN"] = name
		}
		// A port where nobody listens: a proxy that every request fails at.
		for _, name := range []string{"http_proxy", "https_proxy", "all_proxy"} {
			put([]string{name + "=http://127.0.0.1:9", strings.ToUpper(name) + "=http://127.0.0.1:9"})
		}
		put([]string{"no_proxy=", "NO_PROXY=", "npm_config_offline=true", "PIP_NO_INDEX=1"})
		if s != nil {
			put(s.OfflineEnv)
		}
	}
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

// FolderOf returns the workspace folder of a file: absolute, at or below the root. See ServerSpec.Roots and Outermost.
func (r *Registry) FolderOf(s *Spec, abs string) string {
	for _, marker := range s.Roots {
		found := ""
		for dir := filepath.Dir(abs); source.Below(r.root, dir); dir = filepath.Dir(dir) {
			if _, err := os.Lstat(filepath.Join(dir, marker)); err == nil {
				if found = dir; !s.Outermost {
					break
				}
			}
			if dir == r.root {
				break
			}
		}
		if found != "" {
			return found
		}
	}
	return r.root
}
