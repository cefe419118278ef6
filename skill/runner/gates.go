package runner

import (
	"reflect"

	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

// The gates of a frame. A gate that has passed holds for what it looked at: the steps, and the element of an each, that
// its condition or its shown text names. When one of those is bound again to another value, the gate is closed until it
// is asked again, and so is every gate that looked at it through passed.GATE or approved.GATE. Thus the approval of a plan
// is no approval of the plan that is written over it, nor that of one element of a list one of the next. A gate that
// names nothing holds to the end of the frame.

// bind gives a name its value, and closes the gates that looked at another one.
func (s *state) bind(f *frame, id string, v value) {
	s.turn()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.bindLocked(f, id, v)
}

// bindLocked is bind with s.mu held.
func (s *state) bindLocked(f *frame, id string, v value) {
	old, bound := f.vars[id]
	f.set(id, v)
	if bound && len(f.looks[id]) > 0 && !sameValue(old, v) {
		s.withdraw(f, id)
	}
}

// unbind takes the element of an each away. s.mu is held.
func (s *state) unbind(f *frame, id string) {
	f.unset(id)
	s.withdraw(f, id)
}

// withdraw closes the gates that looked at a name, and those that looked at them. s.mu is held.
func (s *state) withdraw(f *frame, name string) {
	for _, gate := range f.looks[name] {
		if !f.passed[gate] && !f.approved[gate] {
			continue
		}
		f.close(gate)
		s.log.Write(&record.Withdrawn{ID: gate, Changed: name, Skill: f.skill.Name})
		s.withdraw(f, gate) // ends: what is closed is not closed again
	}
}

func sameValue(a, b value) bool {
	return a.text == b.text && reflect.DeepEqual(a.plain, b.plain) && reflect.DeepEqual(a.extra, b.extra)
}

// holds reports whether the gates of a guard are open. One that cannot be read, or names no gate, never is.
func (f *frame) holds(g workflow.Guard) bool {
	conds, err := expression.ParseGates(g.Until)
	if err != nil || len(conds) == 0 {
		return false
	}
	for _, c := range conds {
		if c.Approved && !f.approved[c.Step] || !c.Approved && !f.passed[c.Step] {
			return false
		}
	}
	return true
}

// anyApproved reports whether something was approved in the frame that still stands.
func (f *frame) anyApproved() bool {
	for _, ok := range f.approved {
		if ok {
			return true
		}
	}
	return false
}
