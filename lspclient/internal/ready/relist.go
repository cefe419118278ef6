package ready

import "time"

// lister follows a server that lists its files anew when some came or went, by ReadyRule.Relist. The lock of the
// readiness guards it.
//
// Pyright announces at once that earlier answers are void, in the same breath in which it takes the news, and lists its
// files some time later: on a busy machine that took 6 s for 2,760 files, in which it answered from the old list. About
// files that its configuration excludes it says nothing.
type lister struct {
	told   int       // how often files came or went
	moved  bool      // they did, and it is not known yet whether the server lists anew
	owed   time.Time // when the server announced that it will; zero: it owes nothing
	behind bool      // more came or went while it owed a list: the next one may be too old
	// settles: from then on the list counts that may have been too old, since no other followed; zero: there is none.
	settles time.Time
}

// relistGrace is how long a server may take to begin another list after one that may be too old.
const relistGrace = 2 * time.Second

// listMoved notes that the server is about to be told of files that came or went; the lock is held.
func (r *Tracker) listMoved() {
	if r.rule.Relist == "" {
		return
	}
	r.lister.told++
	r.lister.moved = true
	r.lister.behind = !r.lister.owed.IsZero()
}

// Relists takes a request or notification of the server.
func (r *Tracker) Relists(method string) {
	if r.rule.Relist == "" || method != r.rule.Relist {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.lister.moved {
		return
	}
	r.lister.moved, r.lister.owed = false, time.Now()
	r.logDone = r.logged == nil
	r.wake()
}

// relisted takes the line that says that the files are listed, and reports whether that counts; the lock is held.
func (r *Tracker) relisted() bool {
	if r.lister.behind && !r.lister.owed.IsZero() {
		r.lister.behind, r.lister.settles = false, time.Now().Add(relistGrace)
		return false
	}
	r.lister = lister{told: r.lister.told, moved: r.lister.moved}
	return true
}

// FileMoves returns how often files came or went so far, for answeredSince.
func (r *Tracker) FileMoves() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.lister.told
}

// AnsweredSince notes an answer to a request that was sent after so many moves: a server that has announced no new list
// by then has none to make. It is called in the order of what the server wrote: pyright announces in the next message that
// earlier answers are void, for another reason, such as a document that was closed.
func (r *Tracker) AnsweredSince(told int) {
	if r.rule.Relist == "" {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.lister.told == told {
		r.lister.moved = false
	}
}

// listed ends the wait for another list; the lock is held.
func (r *Tracker) listed() {
	if !r.lister.settles.IsZero() && time.Now().After(r.lister.settles) {
		r.logDone = true
		r.lister = lister{told: r.lister.told, moved: r.lister.moved}
	}
}

// begun returns when the wait for the signals began; the lock is held.
func (r *Tracker) begun() time.Time {
	if r.lister.owed.After(r.Since) {
		return r.lister.owed
	}
	return r.Since
}
