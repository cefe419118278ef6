package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"log/slog"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
)

// The ways to locate: what is done to the order of Locate.
const (
	howNone   = "none"
	howRerank = "rerank"
	howLoop   = "loop"
)

// locateOptions bound what a model does with a report. Every number is above 0, but for Tokens.
type locateOptions struct {
	How     string
	Samples int // of the loop
	Turns   int // of a sample
	Calls   int // of a sample
	Tokens  int // of a sample in the loop, in and out; 0: no bound
	Show    int // tokens of the places that rerank shows, by estimate
	Timeout time.Duration
	Record  io.Writer
}

// A place is one entry of the answer.
type place struct {
	Path   string  `json:"path"`
	Entity string  `json:"entity"` // id; "" for the file as a whole
	Line   int     `json:"line_start"`
	End    int     `json:"line_end"`
	Score  float64 `json:"score"`            // what the list is sorted by: over 1 when the model put it there
	Reason string  `json:"reason,omitempty"` // in the model's words

	id string
}

func newPlace(e codegraph.Entity, score float64) place {
	p := place{Path: e.Path, Entity: e.ID, Line: e.Line, End: e.EndLine, Score: score, id: e.ID}
	if repo, _, ok := strings.Cut(e.ID, "//"); ok {
		p.Path = repo + "//" + e.Path
	}
	if e.Kind == codegraph.KindFile {
		p.Entity = ""
	}
	return p
}

// located is the answer.
type located struct {
	Places  []place // best first: those of the model, then the others in the order of Locate
	Named   int     // places that the model put first
	Dropped int     // ids of the model's that stand for nothing, or for nothing that it was shown
	Notes   []string
}

// The bounds of the list that a model works on.
const (
	maxFiles  = 100
	maxPlaces = 500
	maxReport = 1 << 20 // bytes that are read
	maxShown  = 24_000  // bytes of the report that a model is shown
)

// A locator has what all ways need.
type locator struct {
	ws    *findspot.Workspace
	model skill.Model
	opt   locateOptions
	text  string
	log   *record.Writer
	spots *codegraph.LocateResult
	out   *located
}

// locate ranks the places that a text is about. When the model fails, runs out of time or answers nothing that can be used, the
// order of Locate stands and Notes say so; an error is one of Locate, of the record, or that the caller ended it.
func locate(ctx context.Context, ws *findspot.Workspace, m skill.Model, text string, o *locateOptions) (*located, error) {
	if !slices.Contains([]string{howRerank, howLoop, howNone}, o.How) {
		return nil, fmt.Errorf("--how %q: there are rerank, loop and none", o.How)
	}
	if o.How != howNone && m == nil {
		return nil, fmt.Errorf("--how %s needs a model: give --provider and --model, or --how none", o.How)
	}
	spots, err := ws.Locate(ctx, text, &codegraph.LocateOptions{Files: maxFiles, Limit: maxPlaces})
	if err != nil {
		return nil, err
	}
	l := &locator{ws: ws, model: m, opt: *o, text: text, log: record.NewWriter(o.Record, nil), spots: spots, out: &located{}}
	var named []ranked
	timed, cancel := context.WithTimeout(ctx, o.Timeout)
	defer cancel()
	switch o.How {
	case howRerank:
		named, err = l.rerank(timed)
	case howLoop:
		named = l.loop(timed)
	default:
		err = l.begin(nil)
	}
	if err != nil {
		return nil, err
	}
	l.merge(named)
	status, reason := skill.StatusDone, fmt.Sprintf("%d places by the model", len(named))
	if o.How != howNone && len(named) == 0 {
		status, reason = skill.StatusStopped, "no place by the model: this is the order of Locate"
		l.note("%s", reason)
	}
	if errors.Is(ctx.Err(), context.Canceled) {
		status, reason = skill.StatusStopped, "the caller ended it"
	}
	err = l.log.Write(&record.Outcome{At: "locate", Status: status, Reason: reason, Items: []string{},
		Telemetry: map[string]any{"how": o.How, "places": l.out.Places, "named": l.out.Named, "dropped": l.out.Dropped, "notes": l.out.Notes}})
	if errors.Is(ctx.Err(), context.Canceled) {
		err = context.Cause(ctx)
	}
	return l.out, err
}

// begin writes the first event of the record, for a way that has no loop of its own.
func (l *locator) begin(tools []record.ToolOffer) error {
	return l.log.Write(&record.Run{Agent: "locate", Inputs: l.inputs(map[string]any{"question": l.text}), Tools: tools, Model: l.model != nil})
}

func (l *locator) inputs(in map[string]any) map[string]any {
	in["how"] = l.opt.How
	return in
}

func (l *locator) note(format string, args ...any) {
	l.out.Notes = append(l.out.Notes, fmt.Sprintf(format, args...))
}

// A ranked place is one that the model named.
type ranked struct {
	place
	confidence float64 // over 0, at most 1
}

// merge puts what the model named before the rest, of which nothing is lost.
func (l *locator) merge(named []ranked) {
	seen := map[string]bool{}
	l.out.Places = []place{}
	for _, r := range named {
		if !seen[r.id] {
			seen[r.id] = true
			r.Score = 1 + r.confidence
			l.out.Places = append(l.out.Places, r.place)
		}
	}
	l.out.Named = len(l.out.Places)
	for _, s := range l.spots.Spots {
		if !seen[s.ID] {
			l.out.Places = append(l.out.Places, newPlace(s.Entity, s.Score))
		}
	}
}

// runLocate is "agent locate".
func runLocate(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	fs := flag.NewFlagSet("agent locate", flag.ContinueOnError)
	fs.SetOutput(stderr)
	var repos list
	var o locateOptions
	fs.Var(&repos, "repo", "repository (repeatable)")
	dir := fs.String("dir", ".findspot", "folder of the index; without --repo, all of its repositories are ranked")
	trustIndex := fs.Bool("trust-index", false, "use an index that somebody else made: owned by another user, writable by everybody, or part of a repository")
	provider := fs.String("provider", "none", "anthropic, openai or none")
	model := fs.String("model", "", "name of the model")
	fs.StringVar(&o.How, "how", "", "rerank (the default with a model), loop, or none (the default without one)")
	file := fs.String("query-file", "", "file with the report; - is standard input")
	recorded := fs.String("record", "", "file for the record: one JSON object per line")
	asJSON := fs.Bool("json", false, "print a JSON list of places, best first")
	limit := fs.Int("limit", 50, "maximum number of places to print")
	fs.IntVar(&o.Samples, "samples", 1, "loop: number of samples; the lists are merged by agreement")
	fs.IntVar(&o.Turns, "turns", 20, "loop: maximum number of model turns per sample")
	fs.IntVar(&o.Calls, "calls", 60, "loop: maximum number of tool calls per sample")
	fs.IntVar(&o.Tokens, "tokens", 0, "loop: maximum number of tokens in and out per sample; 0 means no limit")
	fs.IntVar(&o.Show, "show", 16_000, "rerank: maximum number of tokens of the places shown to the model (estimated)")
	fs.DurationVar(&o.Timeout, "timeout", 10*time.Minute, "maximum time for the model; after it, the order of Locate is kept")
	if err := fs.Parse(args); err != nil {
		return err
	}
	if min(*limit, o.Samples, o.Turns, o.Calls, o.Show) < 1 || o.Tokens < 0 || o.Timeout <= 0 {
		return errors.New("--limit, --samples, --turns, --calls, --show and --timeout are above 0, and --tokens is not below")
	}
	m, err := newModel(*provider, *model)
	if err != nil {
		return err
	}
	o.How = cmp.Or(o.How, map[bool]string{true: howRerank, false: howNone}[m != nil])
	text, err := report(*file, fs.Args())
	if err != nil {
		return err
	}
	// Whose repository this is is not known, and it is only read: no program is started for it.
	ws, err := findspot.Open(ctx, *dir, &findspot.Options{NoServers: true, TrustIndex: *trustIndex, OnlyRepos: repos, Logger: slog.New(slog.NewTextHandler(stderr, &slog.HandlerOptions{Level: slog.LevelWarn}))})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, ws.Close()) }()
	if known, err := add(ctx, ws, nil, repos, stderr); err != nil {
		return err
	} else if known == "" {
		return fmt.Errorf("locate: the index %s holds no repository: give one with --repo", *dir)
	}
	if *recorded != "" {
		f, err := rootfs.Create(*recorded)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, f.Close()) }()
		o.Record = f
	}
	out, err := locate(ctx, ws, m, text, &o)
	if err != nil {
		return err
	}
	for _, n := range out.Notes {
		fmt.Fprintln(stderr, "agent:", clean(n))
	}
	return printPlaces(stdout, out.Places[:min(*limit, len(out.Places))], *asJSON)
}

// report is the text of the arguments or of a file.
func report(file string, args []string) (string, error) {
	text := strings.Join(args, " ")
	if file != "" {
		if len(args) > 0 {
			return "", errors.New("locate: give the report as text or with --query-file, not both")
		}
		in := os.Stdin
		if file != "-" {
			f, err := os.Open(file)
			if err != nil {
				return "", fmt.Errorf("--query-file: %w", err)
			}
			defer f.Close()
			in = f
		}
		data, err := io.ReadAll(io.LimitReader(in, maxReport+1))
		switch {
		case err != nil:
			return "", fmt.Errorf("--query-file %s: %w", file, err)
		case len(data) > maxReport:
			return "", fmt.Errorf("--query-file %s: over %d bytes; cut it to the part that matters", file, maxReport)
		}
		text = string(data)
	}
	if text = strings.ToValidUTF8(text, "\ufffd"); strings.TrimSpace(text) == "" {
		return "", errors.New("locate: the report is empty: give it as text, or with --query-file")
	}
	return text, nil
}

func printPlaces(stdout io.Writer, places []place, asJSON bool) error {
	if asJSON {
		enc := json.NewEncoder(stdout)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		return enc.Encode(places)
	}
	for i, p := range places {
		fmt.Fprintf(stdout, "%2d  %s", i+1, clean(p.id))
		if p.Line > 0 {
			fmt.Fprintf(stdout, "  %s:%d-%d", clean(p.Path), p.Line, p.End)
		}
		fmt.Fprintf(stdout, "  %.3f\n", p.Score)
		if p.Reason != "" {
			fmt.Fprintf(stdout, "    %s\n", clean(p.Reason))
		}
	}
	return nil
}
