package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
)

// add reads the sources, tells of files that cannot be read, and says in words what repositories there are.
func add(ctx context.Context, ws *findspot.Workspace, docs, repos []string, stderr io.Writer) (string, error) {
	for _, d := range docs {
		for _, err := range ws.AddDocs(ctx, d) {
			if err != nil {
				fmt.Fprintln(stderr, "agent:", err)
			}
		}
	}
	for _, r := range repos {
		if _, err := ws.AddRepo(ctx, r, nil); err != nil {
			return "", err
		}
	}
	infos, err := ws.Repos()
	var b strings.Builder
	for _, r := range infos {
		fmt.Fprintf(&b, "repository %s %s\n", r.Name, r.Root)
	}
	return b.String(), err
}

// inputs are those of the skill's triggers, and the question for whatever the skill calls its task.
func inputs(c skill.Choice, question string) map[string]any {
	in := map[string]any{}
	for _, x := range c.Skill.Workflow().Inputs {
		if v, ok := c.Inputs[x.Name]; ok {
			in[x.Name] = v
		} else if x.Name == "task" || x.Name == "question" {
			in[x.Name] = question
		}
	}
	return in
}

// clean takes control characters out of what came from documents and models.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) && r != '\n' && r != '\t' || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
}

// finish prints what the answer cites and how it came about, and writes the answer file.
func finish(p *agent.Piece, file string, stdout io.Writer) error {
	fmt.Fprintln(stdout)
	if p.Answer != nil {
		for _, it := range p.Answer.Items {
			fmt.Fprintf(stdout, "\n[%s] %s", it.Key, clean(it.At.String()))
		}
	}
	r := p.Report
	fmt.Fprintf(stdout, "\n\n%s: %d sentences verified, %d undecided, %d left out. %s\n", r.Status, r.Verified, r.Undecided, r.LeftOut, clean(r.Reason))
	if file == "" {
		return nil
	} else if !r.Sealed {
		return fmt.Errorf("%s is not written: the answer could not be sealed", file)
	}
	f, err := rootfs.Create(file)
	if err != nil {
		return err
	}
	return errors.Join(p.Answer.Write(f), f.Close())
}
