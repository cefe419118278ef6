package registry

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// DataArg stands in the arguments of a command for the data folder.
const DataArg = "{data}"

// NeedsData reports whether a command wants a data folder.
func NeedsData(args []string) bool {
	return slices.ContainsFunc(args, func(a string) bool { return strings.Contains(a, DataArg) })
}

// Eclipse is the value of ServerSpec.Project for servers that read Eclipse projects of Java sources.
const Eclipse = "eclipse"

// The values of ServerSpec.Freshness.
const (
	freshWatch   = "watch"
	FreshAsk     = "ask"
	FreshReopen  = "reopen"
	FreshRestart = "restart"
	FreshCame    = "came"
)

// Spec is an entry with what the registry tells about it.
type Spec struct {
	serverspec.Spec
	Lacks []serverspec.Lack // what the version that is installed cannot do
}

// Concerns reports whether a file of that name is one of the entry's markers or watched files.
func (s *Spec) Concerns(name string) bool {
	return slices.Contains(s.Roots, name) || slices.Contains(s.Watch, name)
}

// maxMentions bounds MentionRule.Most.
const maxMentions = 10_000

// maxUnlistedFiles bounds ReachRule.Unlisted.
const maxUnlistedFiles = 1000

// check reports everything that is wrong with an entry.
func check(s *serverspec.Spec) error {
	var bad []error
	wrong := func(format string, args ...any) {
		bad = append(bad, fmt.Errorf("%w: server %q: "+format, append([]any{errs.Format, s.Name}, args...)...))
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
		matches = append(matches, c.Match, c.Runtime.Match, c.Version)
		if re, err := regexp.Compile(c.Version); c.Version != "" && err == nil && re.NumSubexp() < 1 {
			wrong("version %q has no group for the version", c.Version)
		}
		if s.Project != "" && !NeedsData(c.Args) {
			wrong("a project needs %s in the arguments", DataArg)
		}
	}
	if !slices.Contains([]string{"", Eclipse}, s.Project) {
		wrong("project %q is not eclipse", s.Project)
	}
	checkExpressions(wrong, append(matches, s.Reach.Unseen, s.Reach.Suspect)...)
	checkBehaviour(s, wrong)
	checkVersions(s, wrong)
	return errors.Join(bad...)
}

// checkBehaviour reports what is wrong with the fields that may be others for some versions.
func checkBehaviour(s *serverspec.Spec, wrong func(format string, args ...any)) {
	if !slices.Contains([]string{"", freshWatch, FreshAsk, FreshReopen, FreshCame, FreshRestart}, s.Freshness) {
		wrong("freshness %q is none of watch, ask, reopen, came and restart", s.Freshness)
	}
	if !slices.Contains([]string{"", freshWatch, FreshRestart, FreshCame}, s.MarkerFreshness) {
		wrong("marker_freshness %q is none of watch, restart and came", s.MarkerFreshness)
	}
	if s.Ready.Settle < 0 || s.Ready.Within < 0 {
		wrong("a wait of less than nothing")
	}
	if re, err := regexp.Compile(s.Ready.Log); s.Mentions.Counted && (err != nil || re.NumSubexp() < 1) {
		wrong("the files are said to be counted, and log %q has no group for their number", s.Ready.Log)
	}
	r := s.Ready
	checkExpressions(wrong, r.Progress, r.Log, r.Notify.Match, r.Notify.Undo, r.Notify.Problem, r.Reload, r.Problem, r.Ignore, r.Broken)
}

func checkExpressions(wrong func(format string, args ...any), list ...string) {
	for _, re := range list {
		if _, err := regexp.Compile(re); err != nil {
			wrong("%v", err)
		}
	}
}

// LanguageOf returns the protocol's language identifier of a file, "" when the entry does not serve it.
func (s *Spec) LanguageOf(path string) string {
	ext := strings.ToLower(filepath.Ext(path))
	for _, lang := range slices.Sorted(maps.Keys(s.Languages)) {
		if ext != "" && slices.Contains(s.Languages[lang], ext) {
			return lang
		}
	}
	return ""
}
