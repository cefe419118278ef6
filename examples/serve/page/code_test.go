package page_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/findspot/findspot"
)

// TestCode: repositories, names, lines of text, and a file with its lines marked.
func TestCode(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/code")
	b.sees(".repos", "receiver")
	b.fill("main [data-search]", "detect_pss")
	b.sees(".entities .title", "detect_pss")
	b.click(".entities a")
	b.wait("location.hash.includes('path=receiver') && document.querySelector('.pair-body .line.marked')")
	b.sees(".pair-body .lines", "def detect_pss")
	b.sees(".pair-body h2", "receiver/pss.py")
	if n := b.count(".entities li.open"); n != 1 {
		t.Errorf("%d hits are shown as open, want 1", n)
	}
	b.do(chromedp.NavigateBack())
	b.wait("document.querySelector('.pair-source').hidden")
	b.do(chromedp.NavigateForward())
	b.wait("document.querySelector('.pair-body .line.marked')")

	eval[bool](b, "(document.querySelector('main select').value = 'text', document.querySelector('main select').dispatchEvent(new Event('change')), true)")
	b.sees(".text-line mark", "detect_pss")
	b.wait("location.hash.includes('how=text')")
	line := eval[string](b, "document.querySelector('.text-line .n').textContent")
	b.click(".text-line")
	b.wait("document.querySelector('.pair-body .line.marked')?.dataset.line === '" + line + "'")
}

// TestGraph: the walk from a function, what is opened since, the code of the chosen node, and all of it again after a reload.
func TestGraph(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/graph")
	b.fill("main [data-search]", "detect_pss")
	b.sees("#graph-found li", "detect_pss")
	b.keys(kb.ArrowDown + kb.Enter)
	b.wait("location.hash.includes('id=') && document.querySelectorAll('.node').length > 2")
	b.sees(".detail h2", "detect_pss")
	b.sees(".detail .lines", "def detect_pss")
	before := b.count(".node")

	// The other nodes: callers on the left, callees on the right.
	if !eval[bool](b, `(() => {
		const x = (n) => n.getBoundingClientRect().x, root = document.querySelector('.node.root');
		const all = [...document.querySelectorAll('.node:not(.root)')];
		return all.some((n) => x(n) < x(root)) && all.some((n) => x(n) > x(root));
	})()`) {
		t.Error("no node on one side of the root")
	}
	b.clickText(".ways button", "Within")
	b.wait("location.hash.includes('x=within')")
	b.wait("document.querySelectorAll('.node').length > " + itoa(before))
	opened := b.count(".node")
	b.do(chromedp.Reload())
	b.wait("document.querySelectorAll('.node').length === " + itoa(opened))
	b.do(chromedp.NavigateBack())
	b.wait("document.querySelectorAll('.node').length === " + itoa(before))

	// Keyboard: the chosen node has the focus, arrows walk, Enter opens.
	b.keys("g")
	b.wait("document.activeElement.classList.contains('root')")
	b.keys(kb.ArrowLeft)
	b.wait("document.activeElement.matches('.node:not(.root)') && document.querySelector('.node.selected') === document.activeElement")
	b.keys(kb.Enter)
	b.wait("location.hash.includes('x=')")

	// The same in words.
	eval[bool](b, "([...document.querySelectorAll('.relations label')].find((l) => l.textContent === 'As lists').click(), true)")
	b.sees(".ranks h2", "towards it")
	b.sees(".ranks li", "calls detect_pss")
	b.clickText(".detail a", "Start here")
	b.wait("!location.hash.includes('x=')")
}

// large is a module whose function calls a thousand others.
func large(n int) string {
	var s strings.Builder
	s.WriteString("def hub():\n")
	for i := range n {
		fmt.Fprintf(&s, "    spoke_%d()\n", i)
	}
	for i := range n {
		fmt.Fprintf(&s, "\n\ndef spoke_%d():\n    spoke_%d()\n", i, (i+7)%n)
	}
	return s.String()
}

// TestLargeGraph: a hundred nodes can be read, and a thousand do not stop the page.
func TestLargeGraph(t *testing.T) {
	dir := files(t, map[string]string{"wide/hub.py": large(995), "small/hub.py": large(100)})
	w := newWorld(t, func(ctx context.Context, ws *findspot.Workspace) {
		for _, name := range []string{"wide", "small"} {
			if _, err := ws.AddRepo(ctx, dir+"/"+name, &findspot.RepoOptions{Name: name}); err != nil {
				t.Error(err)
			}
		}
	})
	b := w.open(t, "#/graph?id=small//hub.py:hub&way=out")
	b.sees("[role=status]", "101 nodes")
	// Every name in sight is drawn, at 9 pixels or more, and no two lie on each other.
	if !eval[bool](b, `(() => {
		const names = [...document.querySelectorAll('.node .name')].map((n) => n.getBoundingClientRect()).filter((r) => r.right > 0 && r.left < innerWidth && r.bottom > 0 && r.top < innerHeight);
		const clash = names.some((a, i) => names.slice(i + 1).some((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
		return names.length > 20 && names.every((r) => r.height >= 9) && !clash;
	})()`) {
		t.Error("the names cannot be read")
	}

	eval[bool](b, "(location.hash = '#/graph?id=wide//hub.py:hub&way=out&hops=2', true)")
	b.sees("[role=status]", "996 nodes")
	eval[bool](b, "([...document.querySelectorAll('.zoom button')].at(-1).click(), true)")
	b.wait("document.querySelector('.far-nodes path').getAttribute('d').split('M').length === 997 && document.querySelectorAll('.node').length === 0")
	took := eval[[]float64](b, `(async () => {
		const svg = document.querySelector('.picture svg');
		let worst = 0, last = performance.now();
		const start = last;
		for (let i = 0; i < 40; i++) {
			svg.dispatchEvent(new WheelEvent('wheel', {deltaX: 30 * Math.sin(i), deltaY: 20 * Math.cos(i), ctrlKey: i % 4 === 0, bubbles: true, cancelable: true}));
			await new Promise(requestAnimationFrame);
			const now = performance.now();
			worst = Math.max(worst, now - last);
			last = now;
		}
		return [(last - start) / 40, worst];
	})()`)
	t.Logf("996 nodes moved and zoomed for 40 frames: %.0f ms each, the longest %.0f ms", took[0], took[1])
	// From far a node can be chosen with the mouse, and then read.
	b.click(".far-selected")
	b.keys("g")
	b.wait("document.activeElement.matches('.node')")
	b.keys(kb.ArrowRight)
	b.wait("location.hash.includes('spoke_')")
}

// TestStatus shows what there is, and what it would take to have more.
func TestStatus(t *testing.T) {
	w := newWorld(t)
	b := w.open(t, "#/status")
	b.sees("main", "Repositories")
	b.sees("table", "receiver")
	b.sees(".facts", "findspot")
	b.sees("main", "None is running.")
}
