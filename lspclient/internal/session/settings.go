package session

import (
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/registry"
)

// Settings are the options of a server's entry, with the placeholders in them filled in.
type Settings struct {
	Spec     *registry.Spec
	Install  *registry.Install
	lookPath func(program string) (string, error)
	trust    bool
}

// initOptions and configuration are those of the entry, with what an untrusted repository adds.
func (s Settings) initOptions() map[string]any {
	init := registry.Merged(s.Spec.InitOptions, nil)
	if !s.trust {
		init = registry.Merged(init, s.Spec.UntrustedInit)
	}
	return s.filled(init)
}

func (s Settings) configuration() map[string]any {
	if s.trust {
		return s.withPrograms(s.filled(registry.Merged(s.Spec.Settings, nil)))
	}
	return s.withPrograms(s.filled(registry.Merged(s.Spec.Settings, s.Spec.UntrustedSettings)))
}

// filled returns the options with the placeholders in their texts replaced.
func (s Settings) filled(options map[string]any) map[string]any {
	in := s.Install
	values := []string{"{module}", in.Module}
	if run := in.Runtime; run != nil {
		values = append(values, "{runtime}", run.Home, "{runtime_version}", run.Version)
	}
	return replaceStrings(options, strings.NewReplacer(values...).Replace).(map[string]any)
}

// programMark stands before the name of a program in a string of the settings.
const programMark = "$PATH:"

// withPrograms puts absolute paths in place of the programs that settings name. The settings are not changed.
func (s Settings) withPrograms(values map[string]any) map[string]any {
	return replaceStrings(values, func(text string) string {
		name, ok := strings.CutPrefix(text, programMark)
		if !ok {
			return text
		}
		if path, err := s.lookPath(name); err == nil {
			return path
		}
		// A path that is outside the root for certain; a bare name might be looked for in the repository.
		return filepath.Join(filepath.Dir(s.Install.Path), filepath.Base(name))
	}).(map[string]any)
}

// replaceStrings returns a copy of a value of settings with each string replaced.
func replaceStrings(v any, f func(string) string) any {
	switch v := v.(type) {
	case string:
		return f(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for k, e := range v {
			out[k] = replaceStrings(e, f)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = replaceStrings(e, f)
		}
		return out
	}
	return v
}

// section looks a dotted name up in nested settings; nil when there is nothing.
func section(values map[string]any, name string) any {
	if name == "" {
		return values
	}
	var at any = values
	for part := range strings.SplitSeq(name, ".") {
		m, ok := at.(map[string]any)
		if !ok {
			return nil
		}
		at = m[part]
	}
	return at
}
