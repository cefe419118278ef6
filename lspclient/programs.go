package lspclient

import (
	"path/filepath"
	"strings"
)

// programMark stands before the name of a program in a string of the settings.
const programMark = "$PATH:"

// withPrograms puts absolute paths in place of the programs that settings name. The settings are not changed.
func (s *session) withPrograms(settings map[string]any) map[string]any {
	return replaceStrings(settings, func(text string) string {
		name, ok := strings.CutPrefix(text, programMark)
		if !ok {
			return text
		}
		if path, err := s.srv.client.registry.LookPath(name); err == nil {
			return path
		}
		// A path that is outside the root for certain; a bare name might be looked for in the repository.
		return filepath.Join(filepath.Dir(s.srv.install.Path), filepath.Base(name))
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
