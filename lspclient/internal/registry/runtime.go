package registry

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/process"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// RuntimeFound is the program that a server is run by.
type RuntimeFound struct {
	bin     string // the folder of the program
	Home    string // the folder above, with links followed
	Version string // the first group of Runtime.Match
}

// LookRuntime finds the runtime of a command: below the folder that its variable names, then on PATH. The first one whose
// probe matches counts. Nil without an error: the command needs none.
func (r *Registry) LookRuntime(s *Spec, rule serverspec.Runtime) (*RuntimeFound, error) {
	if rule.Program == "" {
		return nil, nil
	}
	var paths []string
	if home := os.Getenv(rule.Home); rule.Home != "" && filepath.IsAbs(home) {
		if path := filepath.Join(home, "bin", rule.Program); !r.Inside(path) {
			paths = append(paths, path)
		}
	}
	onPath, err := r.lookPaths(rule.Program)
	paths = append(paths, onPath[:min(len(onPath), maxCandidates)]...)
	match := regexp.MustCompile(rule.Match)
	for _, path := range paths {
		out, err2 := process.Run(r.life, path, rule.Probe, r.Environ(s, true), os.TempDir(), probeTimeout, 4<<10)
		if err2 != nil {
			err = fmt.Errorf("%s: %v: %s", path, err2, excerpt.Clip(excerpt.LastLines(out, 2), 300))
			continue
		}
		m := match.FindStringSubmatch(out)
		if m == nil {
			err = fmt.Errorf("%s is of another version: %s", path, excerpt.Clip(excerpt.LastLines(out, 3), 200))
			continue
		}
		found := &RuntimeFound{bin: filepath.Dir(path)}
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		found.Home = filepath.Dir(filepath.Dir(path))
		if len(m) > 1 {
			found.Version = m[1]
		}
		return found, nil
	}
	where := ""
	if rule.Home != "" {
		where = ", and " + rule.Home + " names no folder that holds it"
	}
	return nil, fmt.Errorf("it is run by %s of a version that is not there: %w%s", rule.Program, err, where)
}

// Environ is what a server is told of the runtime that was found.
func (f *RuntimeFound) Environ(rule serverspec.Runtime, env []string) []string {
	if f == nil {
		return env
	}
	out := make([]string, 0, len(env)+1)
	for _, kv := range env {
		if rest, ok := cutVariable(kv, "PATH"); ok {
			kv = "PATH=" + f.bin + string(os.PathListSeparator) + rest
		} else if _, ok := cutVariable(kv, rule.Home); ok && rule.Home != "" {
			continue
		}
		out = append(out, kv)
	}
	if rule.Home != "" {
		out = append(out, rule.Home+"="+f.Home)
	}
	return out
}

// cutVariable returns the value of "name=value".
func cutVariable(kv, name string) (string, bool) {
	if len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name {
		return kv[len(name)+1:], true
	}
	return "", false
}
