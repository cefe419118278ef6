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
	FreshCame    = "came" // of markers only
)

// Concerns reports whether a file of that name is one of the entry's markers or watched files.
func (s *Spec) Concerns(name string) bool {
	return slices.Contains(s.Roots, name) || slices.Contains(s.Watch, name)
}

// Spec is an entry of the registry: one language server. The fields of this and of its rules are those of the public
// ServerSpec, where they are described.
type Spec struct {
	Name              string              `yaml:"name" json:"name"`
	Languages         map[string][]string `yaml:"languages" json:"languages"`
	Roots             []string            `yaml:"roots" json:"roots"`
	Outermost         bool                `yaml:"outermost" json:"outermost"`
	Commands          []Command           `yaml:"commands" json:"commands"`
	Env               []string            `yaml:"env" json:"env"`
	OfflineEnv        []string            `yaml:"offline_env" json:"offline_env"`
	InitOptions       map[string]any      `yaml:"init_options" json:"init_options"`
	Settings          map[string]any      `yaml:"settings" json:"settings"`
	UntrustedInit     map[string]any      `yaml:"untrusted_init" json:"untrusted_init"`
	UntrustedSettings map[string]any      `yaml:"untrusted_settings" json:"untrusted_settings"`
	Encodings         []string            `yaml:"encodings" json:"encodings"`
	Lines             string              `yaml:"lines" json:"lines"`
	Reach             ReachRule           `yaml:"reach" json:"reach"`
	Concurrency       int                 `yaml:"concurrency" json:"concurrency"`
	Ready             ReadyRule           `yaml:"ready" json:"ready"`
	Watch             []string            `yaml:"watch" json:"watch"`
	DiskOnly          bool                `yaml:"disk_only" json:"disk_only"`
	Freshness         string              `yaml:"freshness" json:"freshness"`
	MarkerFreshness   string              `yaml:"marker_freshness" json:"marker_freshness"`
	Unwatched         UnwatchedRule       `yaml:"unwatched" json:"unwatched"`
	Mentions          MentionRule         `yaml:"mentions" json:"mentions"`
	Database          DatabaseRule        `yaml:"database" json:"database"`
	Project           string              `yaml:"project" json:"project"`
	Install           string              `yaml:"install" json:"install"`
}

// Command is one way to run a server.
type Command struct {
	Program string   `yaml:"program" json:"program"`
	Args    []string `yaml:"args" json:"args"`
	Probe   []string `yaml:"probe" json:"probe"`
	Runtime Runtime  `yaml:"runtime" json:"runtime"`
	Module  string   `yaml:"module" json:"module"`
	Match   string   `yaml:"match" json:"match"`
}

// Runtime is a program of which a server needs a certain version, such as Java's. It is looked for in the folder bin below
// the folder that the variable Home names, then on PATH; the first one counts whose probe prints what matches. The server
// is started with its folder in front of PATH, and with Home set to where it is. {runtime} in InitOptions and Settings
// stands for that, and {runtime_version} for the first group of Match.
type Runtime struct {
	Program string   `yaml:"program" json:"program"`
	Home    string   `yaml:"home" json:"home"`
	Probe   []string `yaml:"probe" json:"probe"`
	Match   string   `yaml:"match" json:"match"`
}

// UnwatchedRule says what is done about changes on disk while a server has not registered for any: it then looks by itself,
// and later than the next question. Created and edited files are opened and closed again, as for the freshness "reopen", and
// if files came or went, or markers changed, the command is executed then.
type UnwatchedRule struct {
	Command   string `yaml:"command" json:"command"`
	Arguments []any  `yaml:"arguments" json:"arguments"`
}

// ReadyRule says how a server tells that it has read its workspace. All the rules given must hold.
type ReadyRule struct {
	Progress string     `yaml:"progress" json:"progress"`
	Log      string     `yaml:"log" json:"log"`
	Notify   NotifyRule `yaml:"notify" json:"notify"`
	Open     bool       `yaml:"open" json:"open"`
	Local    bool       `yaml:"local" json:"local"`
	Problem  string     `yaml:"problem" json:"problem"`
	Ignore   string     `yaml:"ignore" json:"ignore"`
	Broken   string     `yaml:"broken" json:"broken"`
	Reload   string     `yaml:"reload" json:"reload"`
	Seen     string     `yaml:"seen" json:"seen"`
	Settle   int        `yaml:"settle" json:"settle"`
	Relist   string     `yaml:"relist" json:"relist"`
	Checked  bool       `yaml:"checked" json:"checked"`
	Agree    bool       `yaml:"agree" json:"agree"`
	Within   int        `yaml:"within" json:"within"`
}

// ReachRule is how far a server looks for references. A field that is 0 or empty sets no bound.
type ReachRule struct {
	Files       int      `yaml:"files" json:"files"`
	Holding     int      `yaml:"holding" json:"holding"`
	Shortest    int      `yaml:"shortest" json:"shortest"`
	Skip        []string `yaml:"skip" json:"skip"`
	Nested      bool     `yaml:"nested" json:"nested"`
	Unlisted    int      `yaml:"unlisted" json:"unlisted"`
	Suspect     string   `yaml:"suspect" json:"suspect"`
	Member      string   `yaml:"member" json:"member"`
	Way         string   `yaml:"way" json:"way"`
	Projects    []string `yaml:"projects" json:"projects"`
	Conditional bool     `yaml:"conditional" json:"conditional"`
	Unseen      string   `yaml:"unseen" json:"unseen"`
	Macros      bool     `yaml:"macros" json:"macros"`
}

// NotifyRule matches a notification of a server.
type NotifyRule struct {
	Method  string `yaml:"method" json:"method"`
	Match   string `yaml:"match" json:"match"`
	Undo    string `yaml:"undo" json:"undo"`
	Problem string `yaml:"problem" json:"problem"`
	Lasting bool   `yaml:"lasting" json:"lasting"`
}

// MentionRule makes a client show a server the files that hold a name before it asks who uses the name.
type MentionRule struct {
	Most    int  `yaml:"most" json:"most"`
	Settle  bool `yaml:"settle" json:"settle"`
	Counted bool `yaml:"counted" json:"counted"`
}

// DatabaseRule says where a repository keeps its compilation database.
type DatabaseRule struct {
	Files   []string `yaml:"files" json:"files"`
	Arg     string   `yaml:"arg" json:"arg"`
	Missing string   `yaml:"missing" json:"missing"`
}

// maxMentions bounds MentionRule.Most.
const maxMentions = 10_000

// maxUnlistedFiles bounds ReachRule.Unlisted.
const maxUnlistedFiles = 1000

// check reports everything that is wrong with an entry.
func (s *Spec) check() error {
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
	if !slices.Contains([]string{"", freshWatch, FreshAsk, FreshReopen, FreshRestart}, s.Freshness) {
		wrong("freshness %q is none of watch, ask, reopen and restart", s.Freshness)
	}
	if !slices.Contains([]string{"", freshWatch, FreshRestart, FreshCame}, s.MarkerFreshness) {
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
		if s.Project != "" && !NeedsData(c.Args) {
			wrong("a project needs %s in the arguments", DataArg)
		}
	}
	if !slices.Contains([]string{"", Eclipse}, s.Project) {
		wrong("project %q is not eclipse", s.Project)
	}
	for _, re := range append(matches, s.Ready.Progress, s.Ready.Log, s.Ready.Notify.Match, s.Ready.Notify.Undo, s.Ready.Notify.Problem, s.Ready.Reload, s.Ready.Problem, s.Ready.Ignore, s.Ready.Broken, s.Reach.Unseen, s.Reach.Suspect) {
		if _, err := regexp.Compile(re); err != nil {
			wrong("%v", err)
		}
	}
	return errors.Join(bad...)
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
