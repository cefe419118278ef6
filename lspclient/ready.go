package lspclient

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"
)

// readiness follows what a server says about its work. It is safe for concurrent use.
type readiness struct {
	rule     ReadyRule
	worked   *regexp.Regexp // rule.Progress, nil for none
	logged   *regexp.Regexp // rule.Log
	problems *regexp.Regexp // rule.Problem
	ignored  *regexp.Regexp // rule.Ignore
	breaks   *regexp.Regexp // rule.Broken
	notifies *regexp.Regexp // rule.Notify.Match, nil for none
	since    time.Time

	mu       sync.Mutex
	moved    int64             // counts the changes
	changed  chan struct{}     // closed and replaced at every change
	active   map[string]*work  // by progress token
	broken   map[string]string // what a file's diagnostics complain about, by URI
	workDone bool
	settled  bool // it has been ready once; from then on work of the ignored kind is
	logDone  bool
	told     bool            // the last notification of the rule's method matched
	agreed   map[string]bool // methods of which two answers have agreed
}

// work is one piece of reported work.
type work struct {
	title, message string
	percent        float64
}

// maxWork bounds the pieces of work that are followed; a server that reports more is counted as working.
const maxWork = 1000

func newReadiness(spec *ServerSpec) *readiness {
	compile := func(expr string) *regexp.Regexp {
		if expr == "" {
			return nil
		}
		return regexp.MustCompile(expr) // the registry has checked it
	}
	r := &readiness{
		rule: spec.Ready, since: time.Now(),
		worked: compile(spec.Ready.Progress), logged: compile(spec.Ready.Log), problems: compile(spec.Ready.Problem),
		ignored: compile(spec.Ready.Ignore), breaks: compile(spec.Ready.Broken), broken: map[string]string{},
		changed: make(chan struct{}), active: map[string]*work{}, agreed: map[string]bool{},
	}
	if spec.Ready.Notify.Method != "" {
		r.notifies = regexp.MustCompile(spec.Ready.Notify.Match)
	}
	r.workDone, r.logDone, r.told = r.worked == nil, r.logged == nil, r.notifies == nil
	return r
}

func (r *readiness) progress(params json.RawMessage) {
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
			return
		}
		r.active[token] = &work{title: clip(p.Value.Title, 200), message: clip(p.Value.Message, 500), percent: p.Value.Percentage}
	case "report":
		if w != nil {
			if p.Value.Message != "" {
				w.message = clip(p.Value.Message, 500)
			}
			w.percent = max(w.percent, p.Value.Percentage)
		}
	case "end":
		delete(r.active, token)
		if w != nil && r.worked != nil && r.worked.MatchString(w.title) {
			r.workDone = true
		}
	}
	r.wake()
}

func (r *readiness) log(message string) {
	if r.logged == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for line := range strings.SplitSeq(message, "\n") {
		if r.logged.MatchString(strings.TrimSpace(line)) {
			r.logDone = true
			r.wake()
		}
	}
}

// diagnostics looks for complaints that mean that the server does not see everything.
func (r *readiness) diagnostics(params json.RawMessage) {
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
			r.broken[p.URI] = clip(d.Message, 300)
			return
		}
	}
}

// notified takes a notification of the server; it reports false when it is not the rule's.
func (r *readiness) notified(method string, params json.RawMessage) bool {
	if r.notifies == nil || method != r.rule.Notify.Method {
		return false
	}
	var compact bytes.Buffer
	if json.Compact(&compact, params) != nil {
		return true
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.told = r.notifies.Match(compact.Bytes())
	r.wake()
	return true
}

// wake tells the waiting ones; the lock is held.
func (r *readiness) wake() {
	r.moved++
	close(r.changed)
	r.changed = make(chan struct{})
}

// moves counts what the server has said about its work.
func (r *readiness) moves() int64 {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.moved
}

// disturb takes agreement back: files came or went, and the server may read the folder anew.
func (r *readiness) disturb() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.agreed)
	r.moved++
}

// agree notes that two answers to one question of the method have agreed.
func (r *readiness) agree(method string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.agreed[method] = true
}

// mustAgree reports whether an answer of the method counts only once it has been given twice.
func (r *readiness) mustAgree(method string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.rule.Agree && !r.agreed[method]
}

// status is what readiness says at one moment.
type status struct {
	signalled bool   // the rule's signals came, or the time for them is over
	overdue   bool   // the time for the signals was over before they came
	busy      string // the work under way, "" for none
	percent   int    // of the least advanced work that tells, 0 when none does
	problem   string // a complaint that stands, "" for none
}

func (r *readiness) status() (status, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	st := status{signalled: r.workDone && r.logDone && r.told}
	var busy []string
	for _, w := range r.active {
		if r.problems != nil && r.problems.MatchString(w.title) {
			st.problem = strings.TrimSpace(w.title + ": " + w.message)
			continue
		}
		if r.settled && r.ignored != nil && r.ignored.MatchString(w.title) {
			continue
		}
		text := w.title
		if w.percent > 0 {
			text += fmt.Sprintf(" %.0f%%", w.percent)
			if p := int(min(w.percent, 100)); st.percent == 0 || p < st.percent {
				st.percent = p
			}
		}
		busy = append(busy, text)
	}
	if len(r.broken) > 0 && st.problem == "" {
		first := slices.Sorted(maps.Keys(r.broken))[0]
		st.problem = fmt.Sprintf("imports cannot be followed in %s: %s", path.Base(first), r.broken[first])
		if n := len(r.broken) - 1; n > 0 {
			st.problem += fmt.Sprintf(" (and in %d more)", n)
		}
	}
	slices.Sort(busy)
	st.busy = clip(strings.Join(busy, ", "), 300)
	r.settled = r.settled || st.signalled && st.busy == ""
	if !st.signalled && st.busy == "" && time.Since(r.since) > r.within() {
		st.signalled, st.overdue = true, true
	}
	return st, r.changed
}

func (r *readiness) within() time.Duration {
	if r.rule.Within > 0 {
		return time.Duration(r.rule.Within) * time.Second
	}
	return 15 * time.Second
}

// wait returns when the signals have come and no work is under way, or when the time is over.
func (r *readiness) wait(ctx context.Context, until time.Time) status {
	timer := time.NewTimer(time.Until(until))
	defer timer.Stop()
	for {
		st, changed := r.status()
		if st.signalled && st.busy == "" {
			return st
		}
		overdue := time.NewTimer(max(time.Until(r.since.Add(r.within())), 10*time.Millisecond))
		select {
		case <-changed:
		case <-overdue.C:
			if st.signalled || st.busy != "" { // only more words of the server can change that
				select {
				case <-changed:
				case <-timer.C:
					return st
				case <-ctx.Done():
					return st
				}
			}
		case <-timer.C:
			overdue.Stop()
			return st
		case <-ctx.Done():
			overdue.Stop()
			return st
		}
		overdue.Stop()
	}
}
