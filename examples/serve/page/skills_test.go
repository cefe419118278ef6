package page_test

import (
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestSkill: a skill is chosen, its inputs filled in, its steps seen, and its question answered.
func TestSkill(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/skills")
	b.clickText(".skill-list a", "plan first")
	b.sees(".skill-steps", "plan_ok")
	b.fill(".inputs input", "synchronization"+kb.Enter)
	b.sees(".ask-box", "Look up synchronization?")
	b.sees(".run-state", "Waiting for you")
	b.wait("location.hash === '#/skills/plan-first?in.topic=synchronization'")
	if !eval[bool](b, "document.activeElement.classList.contains('ask-box')") {
		t.Error("the question does not get the focus")
	}
	b.clickText(".ask-box button", "Approve")
	b.sees(".ask-box.decided", "approve")
	b.sees(".run-state", "Done")
	b.sees(".run-log", "found")
	b.sees(".outcome .piece", "D1")
	b.click(".outcome a.key")
	b.wait("location.hash.startsWith('#/documents/') && document.querySelector('.sheet')")
}

// TestSkillDenied: a run that is denied does not go on, and one that is left is ended.
func TestSkillDenied(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/skills/plan-first?in.topic=owls")
	b.wait("document.querySelector('.inputs input')?.value === 'owls'")
	b.clickText(".inputs button", "Run")
	b.clickText(".ask-box button", "Stop")
	b.sees(".run-state", "Stopped")

	b.clickText(".inputs button", "Run")
	b.sees(".ask-box", "Look up owls?")
	b.clickText("button", "Cancel the run")
	b.sees(".run-state", "Canceled")
	b.wait("(async () => (await (await fetch('findspot.v1.Findspot/Status', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: '{}'})).json()).runs.length === 0)()")
}

// TestWhoCalls runs a skill that ships with findspot.
func TestWhoCalls(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/skills/who-calls")
	b.fill(".inputs input", "detect_pss"+kb.Enter)
	b.sees(".run-state", "Done")
	b.sees(".outcome .piece", "detect_pss")
}
