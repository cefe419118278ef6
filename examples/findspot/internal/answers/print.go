package answers

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

// Marks stand around the words that went and came.
type Marks struct{ Went, WentEnd, Came, CameEnd string }

// Plain marks are those of git's word diff.
func Plain() Marks { return Marks{"[-", "-]", "{+", "+}"} }

// Coloured marks are for terminals.
func Coloured() Marks { return Marks{"\x1b[9;31m", "\x1b[0m", "\x1b[32m", "\x1b[0m"} }

// Bounds of what is printed of one answer.
const (
	maxMoved = 8   // places
	maxText  = 160 // runes of a sentence
)

// WriteText prints a report for people: a line for each answer that holds, and of the others what has become of their evidence. It returns the error of writing.
func (r *Report) WriteText(w io.Writer, m Marks) error {
	p := &printer{Printer: visible.Printer{W: w}, marks: m}
	counts := map[string]int{}
	for i := range r.Answers {
		f := &r.Answers[i]
		counts[f.State]++
		p.file(f)
	}
	if len(r.Answers) > 1 {
		p.Printf("%s: %d %s, %d %s at new places, %d no longer %s\n", plural(len(r.Answers), "answer"),
			counts[Holds], hold(counts[Holds]), counts[Moved], hold(counts[Moved]), counts[Fails], hold(counts[Fails]))
	}
	return p.Err
}

type printer struct {
	visible.Printer
	marks Marks
}

func (p *printer) file(f *File) {
	moved := 0
	for _, it := range f.Items {
		if it.State == evidence.StateMoved {
			moved++
		}
	}
	switch {
	case f.State == Holds && f.Updated:
		p.Printf("updated  %s  (its sources have changed, though not what it cites)\n", visible.Text(f.File))
		return
	case f.State == Holds:
		p.Printf("holds    %s\n", visible.Text(f.File))
		return
	case f.State == Moved && f.Updated:
		p.Printf("updated  %s  (it holds; %s moved)\n", visible.Text(f.File), some(moved, len(f.Items)))
	case f.State == Moved:
		p.Printf("moved    %s  (it holds; %s moved: verify --all --update writes the new places)\n", visible.Text(f.File), some(moved, len(f.Items)))
	default:
		failed := 0
		for _, s := range f.Sentences {
			if !s.Holds {
				failed++
			}
		}
		p.Printf("FAILS    %s  (%s, %d no longer %s)\n", visible.Text(f.File), plural(len(f.Sentences), "sentence"), failed, hold(failed))
	}
	for _, s := range f.Problems {
		p.Printf("  %s\n", oneLine(s))
	}
	told := 0
	for _, it := range f.Items {
		if it.State == evidence.StateMoved {
			if told++; told <= maxMoved {
				p.item(&it, f)
			}
		}
	}
	if told > maxMoved {
		p.Printf("  and %s more moved\n", plural(told-maxMoved, "piece"))
	}
	for _, it := range f.Items {
		switch it.State {
		case evidence.StateChanged, evidence.StateGone, evidence.StateUnread:
			p.item(&it, f)
		}
	}
	p.others(f)
}

// item prints what has become of a piece of evidence.
func (p *printer) item(it *evidence.ItemCheck, f *File) {
	p.Printf("  [%s] %s  ", it.Key, it.State)
	p.place(it.Was)
	was, at := it.Was, it.At
	switch {
	case at.IsZero() || it.State == evidence.StateUnread:
	case it.State == evidence.StateGone:
		p.Printf("; the nearest to it, %.0f%% alike, is in ", it.Score*100)
		p.place(at)
	case at.String() != was.String() || inFile(at.Entity) != inFile(was.Entity):
		p.Printf(" -> ")
		if at.Doc == was.Doc && at.Repo == was.Repo && at.Path == was.Path && at.Name == was.Name && at.Within() != "" {
			p.Link(spot(at), strings.TrimPrefix(at.Within(), ":"))
		} else {
			p.place(at)
		}
		if now := inFile(at.Entity); was.Entity != "" && now != "" && now != inFile(was.Entity) {
			p.Printf(", in %s", visible.Text(now))
		}
	}
	if it.Note != "" {
		p.Printf("  (%s)", oneLine(it.Note))
	}
	p.Printf("\n")
	if it.State == evidence.StateMoved {
		return
	}
	switch {
	case it.State == evidence.StateChanged:
		p.Printf("       %s\n", oneLine(evidence.JoinChanges(it.Words, [2]string{p.marks.Went, p.marks.WentEnd}, [2]string{p.marks.Came, p.marks.CameEnd})))
	case it.State == evidence.StateGone:
		p.Printf("       was: %s\n", short(it.Text))
		if it.Now != "" {
			p.Printf("       now: %s\n", short(it.Now))
		}
	}
	for _, n := range it.Cited {
		s := f.Sentences[n]
		p.Printf("       cited by: %s\n", short(s.Text))
		switch {
		case s.Stands:
			p.Printf("                 (its own words still stand there)\n")
		case s.Holds && s.Reason != "":
			p.Printf("                 (it holds: %s)\n", short(s.Reason))
		}
	}
}

// others prints the sentences that hold no longer though their evidence does.
func (p *printer) others(f *File) {
	for _, s := range f.Sentences {
		bad := slices.ContainsFunc(f.Items, func(it evidence.ItemCheck) bool {
			return slices.Contains(s.Keys, it.Key) && it.State != evidence.StateHolds && it.State != evidence.StateMoved
		})
		if !s.Holds && !bad {
			p.Printf("  %s\n       %s\n", short(s.Text), oneLine(s.Reason))
		}
	}
}

func (p *printer) place(at evidence.Place) { p.Link(spot(at), at.String()) }

func spot(at evidence.Place) visible.Spot {
	return visible.Spot{Doc: at.Doc, Name: at.Name, Page: at.Page, Repo: at.Repo, Path: at.Path, Line: at.Line}
}

// inFile is the name of an entity within its file.
func inFile(id string) string {
	_, name, _ := strings.Cut(strings.TrimSpace(id), ":")
	return name
}

func hold(n int) string {
	if n == 1 {
		return "holds"
	}
	return "hold"
}

// short is the beginning of a text on one line.
func short(s string) string {
	s = oneLine(strings.ReplaceAll(s, "```", ""))
	if r := []rune(s); len(r) > maxText {
		return string(r[:maxText]) + "..."
	}
	return s
}

// oneLine writes a text on one line.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func some(n, all int) string { return fmt.Sprintf("%d of %s of evidence", n, plural(all, "piece")) }
