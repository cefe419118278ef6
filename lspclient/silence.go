package lspclient

import (
	"sync"
	"time"
)

// longSilence is how long a server that is at work (it uses the processor) may leave questions unanswered without a word.
const longSilence = 2 * time.Minute

// silence notices servers that will not answer any more. Time alone cannot tell them from servers at work, and to end one
// that reads a large folder for minutes would make it begin again for ever.
type silence struct {
	mu   sync.Mutex
	at   time.Time     // of the first call that ran out of time with nothing heard
	used time.Duration // processor time of the server then
}

// begin notes that a call ran out of time.
func (q *silence) begin(s *session) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if heard := s.conn.Heard(); q.at.After(heard) {
		return
	}
	q.at = time.Now()
	q.used, _ = s.proc.ProcessorTime()
}
