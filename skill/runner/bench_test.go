package runner_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// BenchmarkEngine is what the engine adds to a run of 200 steps whose tools do nothing: each has a condition and a
// template over the items that are bound, and every tenth is a gate.
func BenchmarkEngine(b *testing.B) {
	const steps = 200
	for _, items := range []int{10, 1000} {
		many := &skill.Result{}
		for i := range items {
			p := skilltest.Passages("a.pdf", i+1, fmt.Sprintf("Passage %d of the document, which says something in a sentence or two of some length.", i))
			many.Items = append(many.Items, p.Items...)
		}
		var w strings.Builder
		w.WriteString("limits: {tool_calls: 1000}\nsteps:\n  - {id: refs, call: many}\n")
		for i := range steps {
			if i%10 == 9 {
				fmt.Fprintf(&w, "  - {id: s%d, require: \"len(refs) >= 5 && docs(refs) >= 1\"}\n", i)
				continue
			}
			fmt.Fprintf(&w, "  - {id: s%d, when: \"len(refs) > %d\", call: t, args: {id: \"${refs[%d].id}\", text: \"see ${refs[0].place}\"}}\n", i, i%7, i%10)
		}
		s := parse(b, w.String())
		tools := skilltest.Tools(skilltest.NewTool("many", many), skilltest.NewTool("t", &skill.Result{Text: "x"}))
		for _, record := range []string{"none", "jsonl"} {
			o := &runner.Options{}
			if record == "jsonl" {
				o.Record = io.Discard
			}
			r := runner.New(nil, tools, o)
			b.Run(fmt.Sprintf("items=%d/record=%s", items, record), func(b *testing.B) {
				b.ReportAllocs()
				for b.Loop() {
					out, err := r.Run(b.Context(), s, nil)
					if err != nil || out.Status != skill.StatusDone || len(out.Steps) != steps+1 {
						b.Fatalf("%v: %+v", err, out.Reason)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/steps, "ns/step")
			})
		}
	}
}
