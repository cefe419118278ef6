package main

import (
	"fmt"
	"io"

	"github.com/schollz/progressbar/v3"

	"github.com/findspot/findspot"
)

// bar shows progress on a terminal, and nothing elsewhere.
type bar struct {
	w    io.Writer
	room string
	pb   *progressbar.ProgressBar
}

func newBar(w io.Writer) *bar {
	if !isTerminal(w) {
		return &bar{}
	}
	return &bar{w: w}
}

func (b *bar) show(p findspot.Progress) {
	if b.w == nil {
		return
	}
	total := int64(p.Total)
	if total == 0 {
		total = -1 // a spinner: the number is not known yet
	}
	if b.pb == nil || b.room != p.Room {
		b.end()
		b.room = p.Room
		b.pb = progressbar.NewOptions64(total, progressbar.OptionSetWriter(b.w), progressbar.OptionClearOnFinish(),
			progressbar.OptionSetWidth(20), progressbar.OptionShowCount(), progressbar.OptionThrottle(100e6))
	}
	b.pb.ChangeMax64(total)
	name := []rune(clean(p.Name))
	if len(name) > 40 {
		name = append([]rune("..."), name[len(name)-37:]...)
	}
	what := string(name)
	if p.Pages > 0 {
		what += fmt.Sprintf(" p. %d/%d", p.Page, p.Pages)
	}
	// A progress bar that cannot be drawn is no reason to stop the work.
	b.pb.Describe(fmt.Sprintf("%-5s %-40s", p.Room, what))
	_ = b.pb.Set64(int64(p.Done))
}

func (b *bar) end() {
	if b.pb != nil {
		_ = b.pb.Clear()
		b.pb = nil
	}
}
