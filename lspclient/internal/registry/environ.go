package registry

import (
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// secretName matches variables that hold what opens something, by the words that people name them with.
var secretName = lazyregexp.New(`(?i)TOKEN|SECRET|PASSW(OR)?D|PASSPHRASE|API_?KEY|ACCESS_?KEY|PRIVATE_?KEY|CREDENTIAL|^SSH_AUTH_SOCK$|^SSH_AGENT_PID$|^GPG_AGENT_INFO$`)

var (
	// pathLists are lists of folders or files that runtimes and loaders take code from.
	pathLists = []string{
		"PYTHONPATH", "NODE_PATH", "LD_LIBRARY_PATH", "LD_PRELOAD", "LD_AUDIT", "DYLD_LIBRARY_PATH", "DYLD_INSERT_LIBRARIES",
		"PERL5LIB", "RUBYLIB", "CLASSPATH", "GOPATH",
	}
	// programPaths name one program or one installation that servers and build tools run.
	programPaths = []string{
		"CARGO", "RUSTC", "RUSTC_WRAPPER", "RUSTC_WORKSPACE_WRAPPER", "RUSTDOC", "CC", "CXX", "AR", "LD", "GOROOT", "JAVA_HOME",
		"JDK_HOME", "VIRTUAL_ENV", "CONDA_PREFIX", "PYTHONHOME", "PYTHONSTARTUP", "CARGO_HOME", "RUSTUP_HOME",
	}
	// optionLists are options for a runtime; one that loads code names it behind "=", ":" or in the next word.
	optionLists = []string{"NODE_OPTIONS", "JAVA_TOOL_OPTIONS", "_JAVA_OPTIONS", "JDK_JAVA_OPTIONS", "GOFLAGS", "RUSTFLAGS"}
	loadsCode   = lazyregexp.New(`^(-r|--require|--import|--loader|--experimental-loader|-javaagent|-agentpath|-toolexec|--toolexec|-overlay|--overlay|-modfile|--modfile|-C)($|[=:])`)
)

// untrusted removes from an environment what would make a server run code of the repository, its working folder (a
// relative or empty entry of a search path, a relative program, anything inside the root), and variables named like
// secrets. What else is there is the user's own and stays.
func (r *Registry) untrusted(env map[string]string) {
	for name := range env {
		if secretName.MatchString(name) {
			delete(env, name)
		}
	}
	for _, name := range pathLists {
		value, ok := env[name]
		if !ok {
			continue
		}
		list := slices.DeleteFunc(strings.FieldsFunc(value, func(c rune) bool {
			return c == os.PathListSeparator || c == ' ' && name == "LD_PRELOAD"
		}), func(dir string) bool { return !filepath.IsAbs(dir) || r.Inside(dir) })
		if len(list) == 0 {
			delete(env, name)
			continue
		}
		env[name] = strings.Join(list, string(os.PathListSeparator))
	}
	for _, name := range programPaths {
		// A compiler may come with options; a bare name is looked up on PATH.
		program, _, _ := strings.Cut(strings.TrimSpace(env[name]), " ")
		if r.ofRepository(program) {
			delete(env, name)
		}
	}
	for _, name := range optionLists {
		words := strings.Fields(env[name])
		for i, w := range words {
			m := loadsCode.FindString(w)
			if m == "" {
				continue
			}
			value := w[len(m):]
			if value == "" && i+1 < len(words) {
				value = words[i+1]
			}
			if r.ofRepository(value) || name == "NODE_OPTIONS" && !filepath.IsAbs(value) {
				delete(env, name) // the rest of such a list means nothing without its parts
				break
			}
		}
	}
}

// ofRepository reports whether a path leads into the repository: inside the root, or relative with a separator.
func (r *Registry) ofRepository(path string) bool {
	if filepath.IsAbs(path) {
		return r.Inside(path)
	}
	return strings.ContainsAny(path, `/\`)
}
