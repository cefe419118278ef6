package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/docs/bench/internal/rawlsp"
)

// clangd cuts long lists of references off unless told not to.
const clangd = "clangd --background-index --limit-references=0 --limit-results=0"

// servers are the commands without -server.
var servers = map[string]string{
	"go": "gopls serve", "python": "pyright-langserver --stdio", "javascript": "typescript-language-server --stdio",
	"typescript": "typescript-language-server --stdio", "c": clangd, "cpp": clangd,
	"rust": "rust-analyzer", "java": "jdtls",
}

type options struct {
	langs    map[string]bool
	repo     string
	command  []string
	init     any
	settings map[string]any
	n        int
	seed     uint64
	level    codegraph.Level
	only     *regexp.Regexp
	skip     *regexp.Regexp
	readyLog *regexp.Regexp
	wait     time.Duration
	timeout  time.Duration
	tests    bool
	classes  bool
	verbose  bool
	misses   bool
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "callrefs:", err)
		os.Exit(1)
	}
}

func flags() (*options, error) {
	o := &options{langs: map[string]bool{}}
	var bad []error
	langs := flag.String("lang", "", "language of the functions; several with commas, such as javascript,typescript")
	command := flag.String("server", "", "command of the server and its arguments; empty: the usual one of the language")
	init := flag.String("init", "", "initialization options, as JSON")
	settings := flag.String("settings", "", "settings, as JSON, for servers that ask for them by section")
	level := flag.String("level", "", "weakest level of the graph's edges that count; empty: all")
	only := flag.String("only", "", "regular expression: only functions in files whose path it matches")
	skip := flag.String("skip", "", "regular expression: paths that count neither as places of functions nor of calls")
	ready := flag.String("ready", "", "regular expression: the server is ready only after it has logged a line that it matches")
	flag.StringVar(&o.repo, "repo", "", "folder of the repository")
	flag.IntVar(&o.n, "n", 200, "number of functions; 0: all")
	flag.Uint64Var(&o.seed, "seed", 1, "seed of the sample")
	flag.DurationVar(&o.wait, "wait", 10*time.Minute, "longest wait for the server to be ready")
	flag.DurationVar(&o.timeout, "timeout", 2*time.Minute, "longest wait for one answer")
	flag.BoolVar(&o.tests, "tests", false, "calls in test code count too")
	flag.BoolVar(&o.classes, "classes", false, "classes are in the sample too, where a call of one makes an instance")
	flag.BoolVar(&o.misses, "v", false, "print every miss and phantom")
	flag.BoolVar(&o.verbose, "server-log", false, "print what the server logs")
	flag.Parse()
	for l := range strings.SplitSeq(*langs, ",") {
		o.langs[l] = true
		if *command == "" {
			*command = servers[l]
		}
	}
	if o.repo == "" || *langs == "" {
		bad = append(bad, errors.New("-lang and -repo are needed"))
	}
	if o.command = strings.Fields(*command); len(o.command) == 0 {
		bad = append(bad, errors.New("-server is needed for this language"))
	}
	parse := func(name, text string, into any) {
		if text != "" {
			if err := json.Unmarshal([]byte(text), into); err != nil {
				bad = append(bad, fmt.Errorf("-%s: %w", name, err))
			}
		}
	}
	parse("init", *init, &o.init)
	parse("settings", *settings, &o.settings)
	for _, r := range []struct {
		name, text string
		into       **regexp.Regexp
	}{{"only", *only, &o.only}, {"skip", *skip, &o.skip}, {"ready", *ready, &o.readyLog}} {
		if r.text == "" {
			continue
		}
		re, err := regexp.Compile(r.text)
		if err != nil {
			bad = append(bad, fmt.Errorf("-%s: %w", r.name, err))
		}
		*r.into = re
	}
	o.level = codegraph.Level(*level)
	abs, err := filepath.Abs(o.repo)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	o.repo = abs
	return o, errors.Join(append(bad, err)...)
}

func run() error {
	o, err := flags()
	if err != nil {
		return err
	}
	langs := findspot.Languages()
	g, err := codegraph.Build(context.Background(), os.DirFS(o.repo), langs, nil)
	if err != nil {
		return err
	}
	rules := map[string]lang.Rules{}
	for _, l := range langs {
		rules[l.Name()] = l.Rules()
	}
	m := newMeasure(o, g, rules)
	picked := m.sample()
	if len(picked) == 0 {
		return errors.New("the graph has no function of that language")
	}
	s, err := rawlsp.Start(o.command, o.repo, &rawlsp.Options{Init: o.init, Settings: o.settings, ReadyLog: o.readyLog, Timeout: o.timeout, Verbose: o.verbose})
	if err != nil {
		return fmt.Errorf("%s: %w", o.command[0], err)
	}
	defer s.Stop()
	m.server = s
	if err := m.ready(); err != nil {
		return err
	}
	for _, e := range picked {
		if err := m.measure(e); err != nil {
			return err
		}
	}
	if err := m.again(picked); err != nil {
		return err
	}
	m.report(os.Stdout)
	return nil
}
