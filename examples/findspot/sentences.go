package main

import (
	"context"
	"errors"
	"log/slog"
	"strings"
)

// sentences is a handler that puts records of the log into lines for people: what happened, then the facts in brackets, without times and levels.
type sentences struct {
	con   *console
	level slog.Level
	facts []string // of WithAttrs
	group string   // of WithGroup, with its dot
}

func (s *sentences) Enabled(_ context.Context, l slog.Level) bool { return l >= s.level }

func (s *sentences) Handle(_ context.Context, r slog.Record) error {
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
	s.con.complain(errors.New(strings.ReplaceAll(what, "\n", " ")))
	return nil
}

// fact appends an attribute as "name value"; a reason stands alone.
func (s *sentences) fact(out []string, group string, a slog.Attr) []string {
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

func (s *sentences) WithAttrs(attrs []slog.Attr) slog.Handler {
	n := *s
	n.facts = append([]string{}, s.facts...)
	for _, a := range attrs {
		n.facts = s.fact(n.facts, s.group, a)
	}
	return &n
}

func (s *sentences) WithGroup(name string) slog.Handler {
	n := *s
	if name != "" {
		n.group += name + "."
	}
	return &n
}
