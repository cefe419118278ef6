package skill

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/skill/procedure"
	"github.com/findspot/findspot/skill/workflow"
)

const plainFront = "---\nname: x\ndescription: Tries plain steps.\n---\n"

// TestPlainSteps: every labelled procedure that is not held out makes a workflow that holds.
func TestPlainSteps(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("procedure", "testdata", "labelled", "??.md"))
	if err != nil || len(files) < 75 {
		t.Fatal(files, err)
	}
	for _, file := range files[:75] {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		s, err := Parse("SKILL.md", plainFront+string(text))
		if err != nil {
			t.Fatal(err)
		}
		if s.Plain() == nil || s.Workflow() == nil || len(s.Warnings) > 0 {
			t.Errorf("%s: no workflow: %v\n%s", file, s.Warnings, procedure.Read(string(text), 1).Block(nil))
		}
	}
}

// TestPlainGuard: what is forbidden until something has been is denied until a gate has passed, which stands before what is forbidden.
func TestPlainGuard(t *testing.T) {
	s, err := Parse("SKILL.md", plainFront+`1. Search the documents for the detector.
2. Look at who calls it.
3. Write a plan.
4. Show me the plan and wait for my approval.
5. Write the code.

No code before references and an approved plan.
`)
	if err != nil || s.Plain() == nil {
		t.Fatal(s, err)
	}
	if len(s.Workflow().Guards) != 1 || s.Workflow().Guards[0].Until != "approved.approval && passed.found" || s.Workflow().Guards[0].Line != 11 {
		t.Errorf("guards %+v", s.Workflow().Guards)
	}
	var kinds []workflow.Kind
	var lines []int // of the text, not of the block
	for st := range s.Workflow().All() {
		kinds, lines = append(kinds, st.Kind), append(lines, st.Line)
	}
	if got := fmt.Sprint(lines); got != "[5 11 6 7 8 9 9]" || s.Workflow().Inputs[0].Line != 0 {
		t.Errorf("steps in lines %v, the input in %d\n%s", got, s.Workflow().Inputs[0].Line, s.Block())
	}
	if got := fmt.Sprint(kinds); got != "[search require call write approve write synthesize]" {
		t.Errorf("steps %v\n%s", got, s.Block())
	}
	// The block that is shown is a workflow of its own, and the same.
	w, err := ParseWorkflow("block", s.Block())
	if err != nil || len(w.Steps) != len(s.Workflow().Steps) {
		t.Errorf("%v\n%s", err, s.Block())
	}
}

// TestPlainText: a text that tells no steps stays a text, and tools that the skill may not call are none of its steps'.
func TestPlainText(t *testing.T) {
	for _, text := range []string{"", "This skill is about tides.\n", "# Notes\n\n- Tides have two causes.\n- The moon is one.\n"} {
		if s, err := Parse("SKILL.md", plainFront+text); err != nil || s.Workflow() != nil || s.Plain() != nil {
			t.Errorf("%q: %v, %v", text, s, err)
		}
	}
	front := strings.Replace(plainFront, "---\n", "---\nallowed-tools: search_internal\n", 1)
	s, err := Parse("SKILL.md", front+"1. Search the papers.\n2. Find the callers of the function.\n3. Report what was found.\n")
	if err != nil || s.Plain() == nil {
		t.Fatal(s, err)
	}
	if strings.Contains(s.Block(), "references") || !strings.Contains(s.Block(), "ask:") {
		t.Errorf("a tool that is not allowed:\n%s", s.Block())
	}
}

// TestPlainLazy: plain steps are read when somebody asks for them, once for all copies of a skill.
func TestPlainLazy(t *testing.T) {
	skills, err := Load(fstest.MapFS{"x/SKILL.md": {Data: []byte(plainFront + "1. Search the papers.\n2. Write the code.\n3. Report it.\n")}})
	if err != nil || len(skills) != 1 {
		t.Fatal(skills, err)
	}
	s := skills[0]
	early := *s
	if s.plain.reading != nil || s.AllowedTools != nil {
		t.Error("read when it was loaded")
	}
	if s.Workflow() == nil || s.Allowed() == nil || s.Plain() == nil {
		t.Errorf("not read: %v, %v", s.Workflow(), s.Allowed())
	}
	late := *s
	if early.Workflow() != s.Workflow() || late.Workflow() != s.Workflow() || early.Plain() != late.Plain() {
		t.Error("read again for a copy")
	}
	early.AllowedTools = []string{"search_internal"}
	if got := fmt.Sprint(early.Allowed()); got != "[search_internal]" {
		t.Errorf("a copy with a list of its own allows %s", got)
	}
}

// BenchmarkLoadPlain loads 100 skills of plain steps, and reads the steps of one of them, or of all.
func BenchmarkLoadPlain(b *testing.B) {
	text, err := os.ReadFile(filepath.Join("procedure", "testdata", "labelled", "20.md"))
	if err != nil {
		b.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for i := range 100 {
		name := fmt.Sprintf("s%d", i)
		fsys[name+"/SKILL.md"] = &fstest.MapFile{Data: []byte(strings.Replace(plainFront, "name: x", "name: "+name, 1) + string(text))}
	}
	for _, read := range []int{0, 1, 100} {
		b.Run(fmt.Sprint("read=", read), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				skills, err := Load(fsys)
				if err != nil {
					b.Fatal(err)
				}
				for _, s := range skills[:read] {
					if s.Workflow() == nil {
						b.Fatal(s.Name)
					}
				}
			}
		})
	}
}

func FuzzPlainSteps(f *testing.F) {
	f.Add("1. Search the papers.\n2. Do not write code before ${inputs.task} is approved.\n3. Write the code.")
	f.Add("Only once I have said \"yes\" may you edit. If nothing is found, stop: `rm -rf /`\n\n- [ ] run `a`\n- green")
	f.Add("## Step 1: read `x\n\nNever answer without at least 3 sources until\x00 \"\\\n```\n")
	for n := 1; n <= 30; n += 7 {
		text, err := os.ReadFile(filepath.Join("procedure", "testdata", "labelled", fmt.Sprintf("%02d.md", n)))
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := procedure.Read(text, 1)
		for _, tools := range [][]string{nil, {"search_internal"}, {"references", "write_file"}} {
			block := r.Block(func(tool string) bool { return tools == nil || slices.Contains(tools, tool) })
			if block == "" {
				return
			}
			w, problems := parseWorkflow("block", block, 1)
			if len(problems) == 0 {
				problems = w.Check("block", tools)
			}
			if len(problems) > 0 {
				t.Errorf("%v\n%s", problems[0], block)
			}
		}
		lines := strings.Count(text, "\n") + 1
		for _, st := range r.Steps {
			if st.Line < 1 || st.Line > lines {
				t.Errorf("line %d of %d", st.Line, lines)
			}
		}
	})
}
