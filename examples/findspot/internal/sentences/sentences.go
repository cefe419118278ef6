package sentences

import (
	"context"
	"log/slog"
	"strings"
)

// A Handler puts records of the log into lines for people: what happened, then the facts in brackets, without times and levels.
type Handler struct {
	say   func(line string)
	level slog.Level
	facts []string // of WithAttrs
	group string   // of WithGroup, with its dot
}

// New returns a handler of records of a level or above. say is called for each, maybe from several goroutines at a time.
func New(level slog.Level, say func(line string)) *Handler { return &Handler{say: say, level: level} }

// Enabled implements slog.Handler.
func (s *Handler) Enabled(_ context.Context, l slog.Level) bool { return l >= s.level }

// Handle implements slog.Handler.
func (s *Handler) Handle(_ context.Context, r slog.Record) error {
	_, what, ok := strings.Cut(r.Message, ": ") // the room that says it
	if !ok || strings.Contains(r.Message[:len(r.Message)-len(what)-2], " ") {
		what = r.Message
	}
	facts := append([]string{}, s.facts...)
	r.Attrs(func(a slog.Attr) bool {
		facts = s.fact(facts, s.group, a)
		return true
	})
	if len(facts) > 0 {
		what += " (" + strings.Join(facts, ", ") + ")"
	}
	s.say(strings.ReplaceAll(what, "\n", " "))
	return nil
}

// fact appends an attribute as "name value"; a reason stands alone.
func (s *Handler) fact(out []string, group string, a slog.Attr) []string {
	v := a.Value.Resolve()
	switch {
	case v.Kind() == slog.KindGroup:
		if a.Key != "" {
			group += a.Key + "."
		}
		for _, in := range v.Group() {
			out = s.fact(out, group, in)
		}
		return out
	case a.Equal(slog.Attr{}), v.String() == "":
		return out
	case a.Key == "reason" || a.Key == "error" || a.Key == "err":
		return append(out, v.String())
	}
	return append(out, group+a.Key+" "+v.String())
}

// WithAttrs implements slog.Handler.
func (s *Handler) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *s
	n.facts = append([]string{}, s.facts...)
	for _, a := range attrs {
		n.facts = s.fact(n.facts, s.group, a)
	}
	return &n
}

// WithGroup implements slog.Handler.
func (s *Handler) WithGroup(name string) slog.Handler {
	n := *s
	if name != "" {
		n.group += name + "."
	}
	return &n
}
