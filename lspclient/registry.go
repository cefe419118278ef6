package lspclient

import (
	"cmp"
	"context"
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/goccy/go-yaml"
)

//go:embed servers/*.yaml
var shippedServers embed.FS

// probeTimeout bounds a probe. The first start of a program on Node can take seconds on a busy machine.
const probeTimeout = 20 * time.Second

// maxCandidates bounds the programs of one name on PATH that are probed.
const maxCandidates = 8

// maxMentions bounds MentionRule.Most.
const maxMentions = 10_000

// maxUnlistedFiles bounds ReachRule.Unlisted.
const maxUnlistedFiles = 1000

// ParseServers reads registry entries from YAML: a list in the form of the shipped files in servers/, see [ServerSpec]. A
// field that is not known is an error, and so is an entry that lacks what it needs; all of them are reported.
func ParseServers(data []byte) ([]ServerSpec, error) {
	const maxSize = 1 << 20
	if len(data) > maxSize {
		return nil, fmt.Errorf("servers file: %w: %d bytes, the limit is %d", ErrTooLarge, len(data), maxSize)
	}
	specs, err := decodeServers(data)
	if err != nil {
		return nil, fmt.Errorf("servers file: %w: %v", ErrFormat, err)
	}
	var bad []error
	for i := range specs {
		if err := specs[i].check(); err != nil {
			bad = append(bad, fmt.Errorf("servers file: entry %d: %w", i+1, err))
		}
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	return specs, nil
}

// decodeServers reads the YAML. The decoder panics on some broken files, such as a tag with no list behind it.
func decodeServers(data []byte) (specs []ServerSpec, err error) {
	defer func() {
		if p := recover(); p != nil {
			specs, err = nil, fmt.Errorf("not readable: %v", p)
		}
	}()
	err = yaml.UnmarshalWithOptions(data, &specs, yaml.Strict())
	return specs, err
}

// check reports everything that is wrong with an entry.
func (s *ServerSpec) check() error {
	var bad []error
	wrong := func(format string, args ...any) {
		bad = append(bad, fmt.Errorf("%w: server %q: "+format, append([]any{ErrFormat, s.Name}, args...)...))
	}
	if s.Name == "" {
		wrong("no name")
	}
	if len(s.Languages) == 0 {
		wrong("no languages")
	}
	for lang, exts := range s.Languages {
		for _, e := range exts {
			if !strings.HasPrefix(e, ".") || e != strings.ToLower(e) {
				wrong("language %s: extension %q must begin with a dot and be in lower case", lang, e)
			}
		}
	}
	if len(s.Commands) == 0 {
		wrong("no commands")
	}
	for _, c := range s.Commands {
		names := []string{c.Program}
		if c.Runtime.Program != "" {
			names = append(names, c.Runtime.Program)
		}
		if len(c.Probe) > 0 {
			names = append(names, c.Probe[0])
		}
		for _, n := range names {
			if n == "" || strings.ContainsAny(n, `/\:`) || n == "." || n == ".." {
				wrong("program %q must be a bare name, which is looked up on PATH", n)
			}
		}
	}
	if !slices.Contains([]string{"", freshWatch, freshAsk, freshReopen, freshRestart}, s.Freshness) {
		wrong("freshness %q is none of watch, ask, reopen and restart", s.Freshness)
	}
	if !slices.Contains([]string{"", freshWatch, freshRestart, freshCame}, s.MarkerFreshness) {
		wrong("marker_freshness %q is none of watch, restart and came", s.MarkerFreshness)
	}
	for _, r := range slices.Concat(s.Roots, s.Watch) {
		if r == "" || strings.ContainsAny(r, `/\`) {
			wrong("root marker or watched file %q must be a bare name", r)
		}
	}
	for _, e := range slices.Concat(s.Env, s.OfflineEnv) {
		if !strings.Contains(e, "=") {
			wrong("environment %q must be NAME=value", e)
		}
	}
	if s.Ready.Settle < 0 || s.Ready.Within < 0 {
		wrong("a wait of less than nothing")
	}
	if s.Concurrency < 0 {
		wrong("a concurrency of %d", s.Concurrency)
	}
	if !slices.Contains(source.LineRules(), source.LineRule(s.Lines)) {
		wrong("lines %q is none of %q", s.Lines, source.LineRules())
	}
	for _, e := range s.Encodings {
		if !slices.Contains(source.Encodings(), source.Encoding(e)) {
			wrong("encoding %q is none of %v", e, source.Encodings())
		}
	}
	if s.Mentions.Most < 0 || s.Mentions.Most > maxMentions {
		wrong("mentions of %d files: at most %d", s.Mentions.Most, maxMentions)
	}
	if re, err := regexp.Compile(s.Ready.Log); s.Mentions.Counted && (err != nil || re.NumSubexp() < 1) {
		wrong("the files are said to be counted, and log %q has no group for their number", s.Ready.Log)
	}
	if s.Reach.Unlisted < 0 || s.Reach.Unlisted > maxUnlistedFiles {
		wrong("%d unlisted files: at most %d", s.Reach.Unlisted, maxUnlistedFiles)
	}
	for _, g := range s.Database.Files {
		if !fs.ValidPath(g) {
			wrong("database %q must be a glob relative to the workspace folder", g)
		}
	}
	for _, c := range s.Commands {
		if c.Module != "" && !fs.ValidPath(c.Module) {
			wrong("module %q must be a path relative to node_modules", c.Module)
		}
	}
	var matches []string
	for _, c := range s.Commands {
		matches = append(matches, c.Match, c.Runtime.Match)
		if s.Project != "" && !needsData(c.Args) {
			wrong("a project needs %s in the arguments", dataArg)
		}
	}
	if !slices.Contains([]string{"", projectEclipse}, s.Project) {
		wrong("project %q is not eclipse", s.Project)
	}
	for _, re := range append(matches, s.Ready.Progress, s.Ready.Log, s.Ready.Notify.Match, s.Ready.Notify.Undo, s.Ready.Notify.Problem, s.Ready.Reload, s.Ready.Problem, s.Ready.Ignore, s.Ready.Broken, s.Reach.Unseen, s.Reach.Suspect) {
		if _, err := regexp.Compile(re); err != nil {
			wrong("%v", err)
		}
	}
	return errors.Join(bad...)
}

// languageOf returns the protocol's language identifier of a file, "" when the entry does not serve it.
func (s *ServerSpec) languageOf(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	for _, lang := range slices.Sorted(maps.Keys(s.Languages)) {
		if ext != "" && slices.Contains(s.Languages[lang], ext) {
			return lang
		}
	}
	return ""
}

// registry is the list of entries in order of preference, and what is known of their programs.
type registry struct {
	specs []*ServerSpec
	root  string          // no program below it is run
	life  context.Context // the client's: ends what is still searched for

	mu      sync.Mutex
	found   map[string]*install // by entry name
	workers sync.WaitGroup      // searches under way, each of them bounded in time
}

// install is what the search for an entry's program came to.
type install struct {
	done    chan struct{} // closed when the rest is set
	path    string        // absolute; empty when not installed
	args    []string      // for the server
	module  string        // absolute path of Command.Module
	rule    Runtime       // of the command
	runtime *runtimeFound // nil when the command needs none
	version string
	why     string // what was wrong, when not installed
}

// build tells one build of the program from another, as far as its file and its version tell.
func (in *install) build() string {
	info, err := os.Stat(in.path)
	if err != nil {
		return in.path + " " + in.version
	}
	return fmt.Sprint(in.path, " ", in.version, " ", info.Size(), " ", info.ModTime().UnixNano())
}

func newRegistry(life context.Context, root string, extra []ServerSpec) (*registry, error) {
	shipped, err := shippedSpecs()
	if err != nil {
		return nil, err
	}
	r := &registry{root: root, life: life, found: map[string]*install{}}
	for _, list := range [][]ServerSpec{extra, shipped} {
		for _, s := range list {
			if err := s.check(); err != nil {
				return nil, err
			}
			if !slices.ContainsFunc(r.specs, func(have *ServerSpec) bool { return have.Name == s.Name }) {
				r.specs = append(r.specs, &s)
			}
		}
	}
	return r, nil
}

// shippedSpecs reads the embedded entries: the files in order of their names, which each hold the servers of a language
// in order of preference.
func shippedSpecs() ([]ServerSpec, error) {
	files, err := fs.Glob(shippedServers, "servers/*.yaml")
	if err != nil {
		return nil, err
	}
	var all []ServerSpec
	for _, name := range files {
		data, err := shippedServers.ReadFile(name)
		if err != nil {
			return nil, err
		}
		specs, err := ParseServers(data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, specs...)
	}
	return all, nil
}

// prefer moves the entries of these names to the front, in their order. A name that no entry has is an error.
func (r *registry) prefer(names []string) error {
	rank := map[string]int{}
	for i, n := range names {
		if !slices.ContainsFunc(r.specs, func(s *ServerSpec) bool { return s.Name == n }) {
			return fmt.Errorf("preferred server %q: %w; there are: %s", n, ErrNotFound, strings.Join(r.names(), ", "))
		}
		rank[n] = i - len(names)
	}
	slices.SortStableFunc(r.specs, func(a, b *ServerSpec) int { return cmp.Compare(rank[a.Name], rank[b.Name]) })
	return nil
}

func (r *registry) names() []string {
	var list []string
	for _, s := range r.specs {
		list = append(list, s.Name)
	}
	return list
}

// choose returns the first installed entry that serves the file, with its program. The error is a NotInstalledError,
// wraps ErrUnsupported when no entry serves it, or is that of ctx.
func (r *registry) choose(ctx context.Context, path string) (*ServerSpec, *install, error) {
	var missing *NotInstalledError
	for _, s := range r.specs {
		lang := s.languageOf(path)
		if lang == "" {
			continue
		}
		in, err := r.install(ctx, s)
		if err != nil {
			return nil, nil, err
		}
		if in.path != "" {
			return s, in, nil
		}
		if missing == nil {
			missing = &NotInstalledError{Language: lang, Server: s.Name, Install: s.Install, Why: in.why}
		}
	}
	if missing != nil {
		return nil, nil, missing
	}
	return nil, nil, fmt.Errorf("%s: %w: no language server for files with the extension %q", path, ErrUnsupported, filepath.Ext(path))
}

// install looks for the entry's program; once it was found, for good. A program that is missing is looked for again by
// every call, since a person may just have installed it. The only error is that of ctx; the search goes on without it.
func (r *registry) install(ctx context.Context, s *ServerSpec) (*install, error) {
	r.mu.Lock()
	in := r.found[s.Name]
	if in == nil {
		in = &install{done: make(chan struct{})}
		r.found[s.Name] = in
		r.workers.Go(func() {
			r.look(s, in)
			if in.path == "" {
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

func (r *registry) look(s *ServerSpec, in *install) {
	for _, c := range s.Commands {
		paths, err := r.lookPaths(c.Program)
		if err != nil {
			in.why = err.Error()
		}
		// Further down PATH there may be another version.
		for _, path := range paths[:min(len(paths), maxCandidates)] {
			if err := r.try(s, c, path, in); err != nil {
				in.why = err.Error()
				continue
			}
			in.path, in.args = path, c.Args
			return
		}
	}
}

// try runs the probe of a command's program and looks for what else the command needs.
func (r *registry) try(s *ServerSpec, c Command, path string, in *install) error {
	if len(c.Probe) > 0 {
		out, err := r.probe(s, path, c.Probe)
		if err != nil {
			return err
		}
		in.version = versionIn(out)
		if !regexp.MustCompile(c.Match).MatchString(out) {
			return fmt.Errorf("%s is of another version: %s", path, excerpt.Clip(excerpt.LastLines(out, 1), 100))
		}
	}
	var err error
	if in.runtime, err = r.lookRuntime(s, c.Runtime); err != nil {
		return err
	}
	in.rule = c.Runtime
	if c.Module != "" {
		if in.module, err = r.nodeModule(path, c.Module); err != nil {
			return err
		}
	}
	return nil
}

// nodeModule finds a file of a package as Node does for a program: in the folders node_modules at and above it.
func (r *registry) nodeModule(program, module string) (string, error) {
	real, err := filepath.EvalSymlinks(program)
	if err != nil {
		return "", err
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		path := filepath.Join(dir, "node_modules", filepath.FromSlash(module))
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			if r.inside(path) {
				return "", fmt.Errorf("%s lies inside the repository and is not run", path)
			}
			return path, nil
		}
		if dir == filepath.Dir(dir) {
			return "", fmt.Errorf("%s is not installed beside %s", module, real)
		}
	}
}

// probe runs a program that lies beside path, or else on PATH.
func (r *registry) probe(s *ServerSpec, path string, probe []string) (string, error) {
	prog, err := exec.LookPath(filepath.Join(filepath.Dir(path), probe[0]))
	if err != nil || r.inside(prog) {
		if prog, err = r.lookPath(probe[0]); err != nil {
			return "", err
		}
	}
	out, err := process.Run(r.life, prog, probe[1:], r.environ(s, true), os.TempDir(), probeTimeout, 4<<10)
	if err != nil {
		return "", fmt.Errorf("%s %s: %v: %s", prog, strings.Join(probe[1:], " "), err, excerpt.Clip(excerpt.LastLines(out, 2), 300))
	}
	return out, nil
}

// lookPath finds a program on PATH, see lookPaths.
func (r *registry) lookPath(name string) (string, error) {
	paths, err := r.lookPaths(name)
	if err != nil {
		return "", err
	}
	return paths[0], nil
}

// lookPaths finds the programs of a name on PATH: only in absolute folders, and nowhere below the client's root, not
// even through a link. There is at least one without an error.
func (r *registry) lookPaths(name string) ([]string, error) {
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
		if r.inside(path) {
			refused = path
			continue
		}
		paths = append(paths, path)
	}
	switch {
	case len(paths) > 0:
		return paths, nil
	case refused != "":
		return nil, fmt.Errorf("%s lies inside the repository and is not run", refused)
	}
	return nil, fmt.Errorf("%s is not on PATH", name)
}

// inside reports whether a path, or what it links to, is at or below the root.
func (r *registry) inside(path string) bool {
	if source.Below(r.root, path) {
		return true
	}
	real, err := filepath.EvalSymlinks(path)
	return err == nil && source.Below(r.root, real)
}

// environ returns the environment for a server or a probe: this program's own, without PATH entries that are relative
// or inside the root, and without a -mod=mod that would let the go command rewrite go.mod. With offline set, programs
// that honour the usual variables get no network.
func (r *registry) environ(s *ServerSpec, offline bool) []string {
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
		return !filepath.IsAbs(dir) || r.inside(dir)
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

var versionPattern = regexp.MustCompile(`v?\d+(\.\d+)+[-+.\w]*`)

// versionIn returns what looks like a version in a probe's output, "" if nothing does.
func versionIn(out string) string { return versionPattern.FindString(out) }

// folderOf returns the workspace folder of a file: absolute, at or below the root. See ServerSpec.Roots and Outermost.
func (r *registry) folderOf(s *ServerSpec, abs string) string {
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
