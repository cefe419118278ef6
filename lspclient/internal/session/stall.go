package session

import (
	"sync"
	"time"
)

// maxStall is how long a server that is at work (it uses the processor) may leave questions unanswered without a word.
const maxStall = 2 * time.Minute

// stall notices servers that will not answer any more. Time alone cannot tell them from servers at work, and to end one
// that reads a large folder for minutes would make it begin again for ever.
type stall struct {
	mu   sync.Mutex
	at   time.Time     // of the first call that ran out of time with nothing heard
	used time.Duration // processor time of the server then
}

// begin notes that a call ran out of time.
func (q *stall) begin(s *Session) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if heard := s.Conn.Heard(); q.at.After(heard) {
		return
	}
	q.at = time.Now()
	q.used, _ = s.Process.ProcessorTime()
}

// stuck reports whether the server has to be replaced: it owes answers and is stopped; or it has let two calls run out of
// time without a word and does nothing; or it works without a word for too long.
func (q *stall) stuck(s *Session) bool {
	heard := s.Conn.Heard()
	owed, timedOut := 0, 0
	var oldest time.Time
	for _, r := range s.Conn.Unanswered() {
		if r.Sent.Before(heard) {
			continue
		}
		owed++
		if r.Abandoned {
			timedOut++
		}
		if oldest.IsZero() || r.Sent.Before(oldest) {
			oldest = r.Sent
		}
	}
	if s.Conn.Blocked() {
		owed++
		timedOut++
	}
	if owed == 0 {
		return false
	}
	if s.Process.Stopped() {
		return true
	}
	if timedOut < 2 {
		return false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.at.Before(heard) {
		return false
	}
	past := time.Since(q.at)
	if past < 100*time.Millisecond { // too short to measure anything
		return false
	}
	if used, ok := s.Process.ProcessorTime(); ok && used-q.used > past/50 {
		return time.Since(oldest) > maxStall
	}
	return true
}
