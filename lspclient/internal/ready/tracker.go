package ready

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// Tracker follows what a server says about its work. It is safe for concurrent use.
type Tracker struct {
	rule     serverspec.ReadyRule
	worked   *regexp.Regexp // rule.Progress, nil for none
	logged   *regexp.Regexp // rule.Log
	problems *regexp.Regexp // rule.Problem
	ignored  *regexp.Regexp // rule.Ignore
	breaks   *regexp.Regexp // rule.Broken
	notifies *regexp.Regexp // rule.Notify.Match, nil for none
	undoes   *regexp.Regexp // rule.Notify.Undo
	laments  *regexp.Regexp // rule.Notify.Problem
	reloads  *regexp.Regexp // rule.Reload, nil for any work
	Since    time.Time

	mu       sync.Mutex
	moved    int64             // counts the changes
	changed  chan struct{}     // closed and replaced at every change
	active   map[string]*work  // by progress token
	broken   map[string]string // what a file's diagnostics complain about, by URI
	missing  string            // what the server lacks for good, "" for nothing
	workDone bool
	settled  bool // it has been ready once; from then on work of the ignored kind is
	logDone  bool
	told     bool            // the last notification of the rule's method matched
	lament   string          // what the last notification of the rule's method complained about
	agreed   map[string]bool // methods of which two answers have agreed
	doubt    bool            // an expected sign did not come: answers must agree, whatever the rule
	overflow int             // pieces of work beyond maxWork that have begun and not ended

	// generation counts what makes an answer one of the past: a changed configuration, work that reads the folder.
	generation int
	changes    int // counts how often files came or went
	// expected is when a reload became due because a configuration file changed; zero: none is.
	expected time.Time
	// disturbed is when files last came or went.
	disturbed time.Time
	taken     bool // the notification was taken back since
	lister    lister
	counted   int // the number in the last line of rule.Log, see MentionRule.Counted
}

// work is one piece of reported work.
type work struct {
	title, message string
	percent        float64
	began          time.Time
	ignored        bool
}

const (
	// maxWork bounds the pieces of work that are followed; a server that reports more counts as working until all that
	// it began has ended.
	maxWork = 1000
	// reloadGrace is how long a server may take to say that it reads a changed configuration. gopls and rust-analyzer
	// begin within 30 ms. One that says nothing for so long may have had nothing to do; its answers must then agree.
	reloadGrace = time.Second
)

func New(spec *registry.Spec) *Tracker {
	compile := func(expr string) *regexp.Regexp {
		if expr == "" {
			return nil
		}
		return regexp.MustCompile(expr) // the registry has checked it
	}
	r := &Tracker{
		rule: spec.Ready, Since: time.Now(),
		worked: compile(spec.Ready.Progress), logged: compile(spec.Ready.Log), problems: compile(spec.Ready.Problem),
		ignored: compile(spec.Ready.Ignore), breaks: compile(spec.Ready.Broken), broken: map[string]string{},
		changed: make(chan struct{}), active: map[string]*work{}, agreed: map[string]bool{},
	}
	r.reloads = compile(spec.Ready.Reload)
	if spec.Ready.Notify.Method != "" {
		r.notifies = regexp.MustCompile(spec.Ready.Notify.Match)
		r.undoes, r.laments = compile(spec.Ready.Notify.Undo), compile(spec.Ready.Notify.Problem)
	}
	r.workDone, r.logDone, r.told = r.worked == nil, r.logged == nil, r.notifies == nil
	return r
}

func (r *Tracker) Progress(params json.RawMessage) {
	var p struct {
		Token json.RawMessage `json:"token"`
		Value struct {
			Kind       string  `json:"kind"`
			Title      string  `json:"title"`
			Message    string  `json:"message"`
			Percentage float64 `json:"percentage"`
		} `json:"value"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	token := string(p.Token)
	w := r.active[token]
	switch p.Value.Kind {
	case "begin":
		if w == nil && len(r.active) >= maxWork {
			r.overflow++
			break
		}
		w = &work{title: excerpt.Clip(p.Value.Title, 200), message: excerpt.Clip(p.Value.Message, 500), percent: p.Value.Percentage, began: time.Now()}
		w.ignored = r.settled && r.expected.IsZero() && r.ignored != nil && r.ignored.MatchString(w.title)
		r.active[token] = w
		if !w.ignored && r.reads(w) {
			r.generation++
		}
	case "report":
		if w != nil {
			if p.Value.Message != "" {
				w.message = excerpt.Clip(p.Value.Message, 500)
			}
			w.percent = max(w.percent, p.Value.Percentage)
		}
	case "end":
		if w == nil {
			r.overflow = max(r.overflow-1, 0)
			break
		}
		delete(r.active, token)
		if r.worked != nil && r.worked.MatchString(w.title) {
			r.workDone = true
		}
		if !r.expected.IsZero() && w.began.After(r.expected) && !r.complains(w) && (r.reloads == nil || r.reloads.MatchString(w.title)) {
			r.expected = time.Time{}
		}
	}
	r.wake()
}

func (r *Tracker) Log(message string) {
	if r.logged == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.SplitSeq(message, "\n") {
		if m := r.logged.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			r.counted = 0
			if len(m) > 1 {
				r.counted, _ = strconv.Atoi(m[1]) // what is no number counts for nothing
			}
			if r.logDone = r.relisted(); r.logDone {
				r.expected = time.Time{}
			}
			r.wake()
		}
	}
}

// Diagnostics looks for complaints that mean that the server does not see everything.
func (r *Tracker) Diagnostics(params json.RawMessage) {
	if r.breaks == nil {
		return
	}
	var p struct {
		URI         string `json:"uri"`
		Diagnostics []struct {
			Code    any    `json:"code"`
			Message string `json:"message"`
		} `json:"diagnostics"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.broken, p.URI)
	for _, d := range p.Diagnostics {
		if r.breaks.MatchString(fmt.Sprint(d.Code)) && len(r.broken) < maxWork {
			r.broken[p.URI] = excerpt.Clip(d.Message, 300)
			return
		}
	}
}

// Notified takes a notification of the server; it reports false when it is not the rule's.
func (r *Tracker) Notified(method string, params json.RawMessage) bool {
	if r.notifies == nil || method != r.rule.Notify.Method {
		return false
	}
	var compact bytes.Buffer
	if json.Compact(&compact, params) != nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	text := compact.Bytes()
	switch {
	case r.notifies.Match(text):
		if !r.told && r.taken {
			r.expected, r.taken = time.Time{}, false // it read the folder again
		}
		r.told = true
	case r.undoes == nil || r.undoes.Match(text):
		if r.told {
			r.generation++
		}
		r.told, r.taken = false, true
	}
	if r.laments != nil {
		if r.laments.Match(text) {
			r.lament = r.complaint(text)
		} else if !r.rule.Notify.Lasting {
			r.lament = ""
		}
	}
	r.wake()
	return true
}

// complaint returns what the params of a notification complain about, on one line.
func (r *Tracker) complaint(params []byte) string {
	var p struct {
		Message string `json:"message"`
	}
	if json.Unmarshal(params, &p) != nil || p.Message == "" {
		p.Message = string(params)
	}
	return excerpt.Clip(strings.Join(strings.Fields(p.Message), " "), 500)
}

// reads reports whether a piece of work is one that reads the folder. Others may be the work on a question itself:
// pyright reports each search for references.
func (r *Tracker) reads(w *work) bool {
	return r.worked != nil && r.worked.MatchString(w.title) || r.reloads != nil && r.reloads.MatchString(w.title)
}

// complains reports whether a piece of work is none but a complaint.
func (r *Tracker) complains(w *work) bool {
	return r.problems != nil && r.problems.MatchString(w.title)
}

// Lack notes that the server lacks something for good, and so will not report that it has read its folder.
func (r *Tracker) Lack(what string) {
	if what == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.missing, r.workDone = what, true
	r.wake()
}

// wake tells the waiting ones; the lock is held.
func (r *Tracker) wake() {
	r.moved++
	close(r.changed)
	r.changed = make(chan struct{})
}

// Changes counts what the server has said about its work.
func (r *Tracker) Changes() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.moved
}

// disturbance is what takes back what was known.
type disturbance int

const (
	// OverlaysChanged: overlays came, changed or went. What a server announces then is about texts, not about a list of files.
	OverlaysChanged disturbance = iota
	// FilesMoved: files came or went.
	FilesMoved
	// ConfigChanged: a configuration file changed, and the server is expected to read the folder again: until it says that it has
	// done so, or has said nothing at all for reloadGrace, it is not ready.
	ConfigChanged
)

// Invalidate takes back what was known.
func (r *Tracker) Invalidate(why disturbance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if why != OverlaysChanged {
		r.listMoved()
	}
	clear(r.agreed)
	r.changes++
	r.disturbed = time.Now()
	if why == ConfigChanged {
		r.generation++
		r.expected, r.settled, r.taken = time.Now(), false, !r.told
	}
	r.wake()
}

// RequireAgreement makes answers count only when two agree, until the generation ends.
func (r *Tracker) RequireAgreement() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.doubt = true
	clear(r.agreed)
}

// Agreed notes that two answers to one question of the method have agreed, of which the first was given after the status.
func (r *Tracker) Agreed(method string, first Status) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.generation == first.Generation && r.changes == first.changes {
		r.agreed[method] = true
	}
}

// MustAgree reports whether an answer of the method counts only once it has been given twice. One agreement holds for
// the method until the generation ends.
func (r *Tracker) MustAgree(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return (r.rule.Agree || r.doubt) && !r.agreed[method]
}

// FileCount returns how many files the server says that it reads, 0 before it has said so.
func (r *Tracker) FileCount() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counted
}

// Status is what readiness says at one moment.
type Status struct {
	Signalled  bool   // the rule's signals came, or the time for them is over
	Overdue    bool   // the time for the signals was over before they came
	Busy       string // the work under way, "" for none
	Percent    int    // of the least advanced work that tells, 0 when none does
	Problem    string // a complaint that stands, "" for none
	Generation int    // two statuses of different generations belong to different states of the server
	changes    int    // how often files came or went: what was asked before may still be true of its time
}

// Calm reports whether nothing is under way that could change an answer.
func (st Status) Calm() bool { return st.Signalled && st.Busy == "" }

// Reading says what a server that is not calm is at.
func (st Status) Reading() string {
	if st.Busy != "" {
		return "the server was still reading the workspace: " + st.Busy
	}
	return "the server was still reading the workspace"
}

func (r *Tracker) Status() (Status, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.listed()
	now := time.Now()
	st := Status{Signalled: r.workDone && r.logDone && r.told, Problem: r.lament}
	var busy []string
	for _, w := range r.active {
		if r.complains(w) {
			if st.Problem == "" {
				st.Problem = strings.TrimSpace(w.title + ": " + w.message)
			}
			continue
		}
		if w.ignored {
			continue
		}
		text := w.title
		if w.percent > 0 {
			text += fmt.Sprintf(" %.0f%%", w.percent)
			if p := int(min(w.percent, 100)); st.Percent == 0 || p < st.Percent {
				st.Percent = p
			}
		}
		busy = append(busy, text)
	}
	if r.overflow > 0 {
		busy = append(busy, fmt.Sprintf("%d more", r.overflow))
	}
	if len(r.broken) > 0 && st.Problem == "" {
		first := slices.Sorted(maps.Keys(r.broken))[0]
		st.Problem = fmt.Sprintf("imports cannot be followed in %s: %s", path.Base(first), r.broken[first])
		if n := len(r.broken) - 1; n > 0 {
			st.Problem += fmt.Sprintf(" (and in %d more)", n)
		}
	}
	if st.Problem == "" {
		st.Problem = r.missing
	}
	slices.Sort(busy)
	st.Busy = excerpt.Clip(strings.Join(busy, ", "), 300)
	if !r.expected.IsZero() && st.Signalled {
		if st.Busy == "" && now.Sub(r.expected) > reloadGrace {
			r.expected, r.doubt = time.Time{}, true
		} else {
			st.Signalled = false
		}
	}
	if now.Sub(r.disturbed) < r.settle() {
		st.Signalled = false
	}
	r.settled = r.settled || st.Calm()
	if !st.Signalled && st.Busy == "" && now.Sub(r.begun()) > r.within() && now.Sub(r.expected) > r.within() {
		st.Signalled, st.Overdue, r.doubt = true, true, true
	}
	st.Generation, st.changes = r.generation, r.changes
	return st, r.changed
}

// due returns the moment from which silence of the server counts as readiness.
func (r *Tracker) due() time.Time {
	r.mu.Lock()
	defer r.mu.Unlock()
	if settled := r.disturbed.Add(r.settle()); time.Now().Before(settled) {
		return settled
	}
	if !r.expected.IsZero() && r.workDone && r.logDone && r.told {
		return r.expected.Add(reloadGrace)
	}
	if r.expected.After(r.Since) {
		return r.expected.Add(r.within())
	}
	return r.Since.Add(r.within())
}

func (r *Tracker) settle() time.Duration {
	return time.Duration(r.rule.Settle) * time.Millisecond
}

func (r *Tracker) within() time.Duration {
	if r.rule.Within > 0 {
		return time.Duration(r.rule.Within) * time.Second
	}
	return 15 * time.Second
}

// Wait returns when the signals have come and no work is under way, or when the time is over.
func (r *Tracker) Wait(ctx context.Context, until time.Time) Status {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		st, changed := r.Status()
		if st.Calm() {
			return st
		}
		var due <-chan time.Time
		var overdue *time.Timer
		if !st.Signalled && st.Busy == "" { // else only more words of the server can change anything
			overdue = time.NewTimer(max(time.Until(r.due()), 10*time.Millisecond))
			due = overdue.C
		}
		over := false
		select {
		case <-changed:
		case <-due:
		case <-timer.C:
			over = true
		case <-ctx.Done():
			over = true
		}
		if overdue != nil {
			overdue.Stop()
		}
		if over {
			return st
		}
	}
}
