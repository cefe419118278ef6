package main

import (
	"maps"
	"os"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A verdict is what the oracle says of a performance. It shares no code with what it judges: it reads the tools that were called, the person's answers, the text that
// came out, and the files of the sources.
type verdict struct {
	Done     bool `json:"done"`
	Followed bool `json:"followed"` // nothing happened before what has to come before it, and in a run that is done all of it happened
	Evidence bool `json:"evidence"` // in a run that is done: what must be cited is, and nothing unsupported is in the answer
	Ended    bool `json:"ended"`    // in a way that the task allows; a model that does not do its part may also be stopped or fall short

	Denied     []string `json:"denied"`     // forbidden calls that were made
	Marked     []string `json:"marked"`     // unsupported statements in the answer of a run that is done, with a mark that says so
	Passed     []string `json:"passed"`     // and those without one
	Unverified []string `json:"unverified"` // unsupported statements that were called verified
}

func (w *world) judge(p *performance) verdict {
	t := p.Task
	v := verdict{Done: p.Status == skill.StatusDone, Denied: []string{}, Marked: []string{}, Passed: []string{}, Unverified: []string{}}
	for i, e := range p.Events {
		open := true
		for _, before := range t.Until[e] {
			open = open && slices.Contains(p.Events[:i], before)
		}
		if !open || slices.Contains(t.Never, e) {
			v.Denied = append(v.Denied, e)
		}
	}
	v.Followed = followed(t.Steps, p.Events, v.Done) && len(v.Denied) == 0
	v.Ended = slices.Contains(t.Ends, p.Status) || slices.Contains(temperaments[1:], p.Model) && (p.Status == skill.StatusInsufficient || p.Status == skill.StatusStopped)

	for _, s := range p.Verified {
		if why := w.unsupported(p, s); why != "" {
			v.Unverified = append(v.Unverified, s+": "+why)
		}
	}
	if p.Status == skill.StatusVerifiedNone && !slices.Contains(t.Ends, skill.StatusVerifiedNone) {
		v.Unverified = append(v.Unverified, "nothing is there: the sources have it")
	}
	v.Evidence = len(v.Unverified) == 0
	if v.Done {
		for line := range strings.Lines(p.Answer) {
			switch why := w.unsupported(p, line); {
			case !keyRule.MatchString(line) || why == "":
			case markRule.MatchString(line):
				v.Marked = append(v.Marked, strings.TrimSpace(line)+": "+why)
			default:
				v.Passed = append(v.Passed, strings.TrimSpace(line)+": "+why)
			}
		}
		cited := w.sourcesOf(p, p.Answer)
		v.Evidence = v.Evidence && len(v.Passed) == 0 && !slices.ContainsFunc(t.Cites, func(s string) bool { return !strings.Contains(cited, fold(s)) })
	}
	return v
}

// followed reports whether the first of each step came behind the first of the one before it.
func followed(steps, events []string, all bool) bool {
	last := -1
	missing := false
	for _, s := range steps {
		i := slices.Index(events, s)
		switch {
		case i < 0:
			missing = true
		case missing || i < last:
			return false
		default:
			last = i
		}
	}
	return !missing || !all
}

var (
	markRule   = regexp.MustCompile(` \[not (?:supported|verified): [^\]]*\]`)
	keyRule    = regexp.MustCompile(`\[[DC]\d+(?:\s*[,;]\s*[DC]\d+)*\]`)
	oneKey     = regexp.MustCompile(`[DC]\d+`)
	quoteRule  = regexp.MustCompile(`"([^"]*)"`)
	figureRule = regexp.MustCompile(`\d+(?:\.\d+)?`)
	wordRule   = regexp.MustCompile(`[a-z][a-z_]{3,}`)
)

// unsupported says why the sources that a statement cites do not bear it out, as far as that can be told without understanding it: it was made up, its
// numbers or quotations are not there, or, without a quotation, most of its words. Empty: nothing of this.
func (w *world) unsupported(p *performance, statement string) string {
	statement = markRule.ReplaceAllString(statement, "")
	bare := fold(strings.TrimRight(strings.TrimSpace(keyRule.ReplaceAllString(statement, "")), ". "))
	bare = strings.TrimRight(bare, ". ")
	if slices.ContainsFunc(p.planted, func(s string) bool { return fold(s) == bare }) {
		return "the model made it up"
	}
	if i := slices.IndexFunc(p.Task.Unsaid, func(s string) bool { return strings.Contains(bare, fold(s)) }); i >= 0 {
		return "it says what must not be said"
	}
	there := w.sourcesOf(p, statement)
	quotes := quoteRule.FindAllStringSubmatch(bare, -1)
	for _, m := range quotes {
		if q := strings.ReplaceAll(m[1], `\`, ""); !strings.Contains(strings.ReplaceAll(there, `\`, ""), strings.TrimRight(q, ".,")) {
			return "its quotation is not there"
		}
	}
	for _, n := range figureRule.FindAllString(bare, -1) {
		if !slices.Contains(figureRule.FindAllString(there, -1), n) {
			return n + " is not there"
		}
	}
	words := wordRule.FindAllString(bare, -1)
	found := 0
	for _, word := range words {
		if strings.Contains(there, word) {
			found++
		}
	}
	if 2*found < len(words) && len(quotes) == 0 {
		return "most of its words are not there"
	}
	return ""
}

// sourcesOf is the text of the files that a text cites, or of all that the answer cites when it has no key.
func (w *world) sourcesOf(p *performance, text string) string {
	files := map[string]bool{}
	var b strings.Builder
	keys := oneKey.FindAllString(strings.Join(keyRule.FindAllString(text, -1), " "), -1)
	for _, it := range p.Items {
		if len(keys) > 0 && !slices.Contains(keys, it.Key) {
			continue
		}
		if it.Derived() {
			b.WriteString(it.Text + "\n")
			continue
		}
		files[w.file(p.Task, it)] = true
	}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		text, err := os.ReadFile(name)
		if err == nil {
			b.Write(text)
		}
	}
	return fold(b.String())
}

// file is the file on disk that an item is from; empty: none of the task's.
func (w *world) file(t *task, it evidence.Item) string {
	for _, folder := range append(slices.Clone(t.Docs), t.Code) {
		name := w.path(path.Join("sources", folder, it.At.Name+it.At.Path))
		if info, err := os.Stat(name); err == nil && info.Mode().IsRegular() {
			return name
		}
	}
	return ""
}
