package evidence

import (
	"context"
	"strings"
)

// Checked is a sentence of an answer with what it cites and what is wrong with it.
type Checked struct {
	Sentence Sentence
	Items    []Item       // the cited evidence that the ledger knows, in the order of Sentence.Keys; never nil
	Errors   []*TextError // nil when the sentence holds
}

// A Stream checks an answer while it is written. It gives the sentences and errors that [Sentences] and [CheckText] give
// for the whole text, however the text is cut. It is not safe for concurrent use.
type Stream struct {
	check   *checker
	text    strings.Builder
	done    int // all before it was given
	tried   int // length of the text when a sentence was last looked for in vain
	refused bool
	eager   bool // look at every piece: for tests
}

// NewStream returns a Stream that knows the keys of led, those too that it will learn while the answer is written.
func NewStream(led *Ledger, o *CheckOptions) *Stream {
	return &Stream{check: newChecker(led, o)}
}

// Write takes the next piece of the answer and returns the sentences that it made whole, mostly none or one. A sentence
// is whole when what follows cannot change it: the first letters of the next word are there. Of a text over 1 MB it
// returns one refusal, and then nothing.
func (s *Stream) Write(ctx context.Context, delta string) []Checked {
	if s.refused {
		return nil
	}
	s.text.WriteString(delta)
	if s.text.Len() > maxText {
		s.refused = true
		e := tooLong(s.text.String())
		return []Checked{{Sentence: e.Sentence, Items: []Item{}, Errors: []*TextError{e}}}
	}
	// A long sentence in many small pieces is not looked at for each of them.
	if n := s.text.Len(); !s.eager && n-s.tried < (n-s.done)/16-64 {
		return nil
	}
	return s.take(ctx, false)
}

// Close says that the text is whole, and returns the sentences that are left. The Stream can then take a next text.
func (s *Stream) Close(ctx context.Context) []Checked {
	var out []Checked
	if !s.refused {
		out = s.take(ctx, true)
	}
	*s = Stream{check: s.check}
	return out
}

func (s *Stream) take(ctx context.Context, final bool) (out []Checked) {
	c := &scanner{s: s.text.String(), final: final}
	for {
		u, end, ok := c.next(s.done)
		if !ok {
			s.tried = len(c.s)
			return out
		}
		s.done = end
		done := Checked{Sentence: u.Sentence, Items: []Item{}, Errors: s.check.check(ctx, u)}
		for _, k := range u.Keys {
			if it, ok := s.check.led.Get(k); ok {
				done.Items = append(done.Items, it)
			}
		}
		out = append(out, done)
	}
}
