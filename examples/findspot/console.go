package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"sync"

	"github.com/schollz/progressbar/v3"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/examples/findspot/internal/form"
	"github.com/findspot/findspot/examples/findspot/internal/sentences"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

// A console is what commands read and print to.
type console struct {
	env            *env.Env
	stdin          io.Reader
	stdout, stderr io.Writer
	exact          io.Writer // standard output for text that must stay as it is
	// address is where a place is opened; "" for nowhere. Only a terminal that shows bold letters asks.
	address func(visible.Spot) string

	json    bool   // print results as data, not as text: in the form of output, which is JSON, lines of it, or Markdown made of it
	output  string // the form that is printed
	verbose bool
	bar     *bar
	saying  sync.Mutex // serialises lines on standard error, which goroutines of the log write too
	bad     int        // inputs that could not be read
	told    int        // of them, those of which one line tells that counts them
}

// logger tells of warnings, or with --verbose of everything, in sentences.
func (c *console) logger() *slog.Logger {
	level := slog.LevelWarn
	if c.verbose {
		level = slog.LevelDebug
	}
	return slog.New(sentences.New(level, func(line string) { c.complain(errors.New(line)) }))
}

// badInput reports input that could not be read; the rest goes on, and the exit status tells.
func (c *console) badInput(err error) {
	c.bad++
	c.endProgress()
	c.complain(err)
}

// complain writes an error to standard error. Control characters that foreign files and names put into it do not reach a
// terminal, and every line says whose it is.
func (c *console) complain(err error) {
	c.saying.Lock()
	defer c.saying.Unlock()
	for line := range strings.Lines(clean(c.env.Said(err.Error()))) {
		if line = plainly(strings.TrimSpace(line)); line != "" {
			fmt.Fprintf(c.stderr, "findspot: %s\n", line)
		}
	}
}

// plainly leaves out the kind of an error behind what it says: that is for programs.
func plainly(s string) string {
	for _, kind := range []error{errs.Format, errs.Unsupported, errs.Stale} {
		s = strings.TrimSuffix(s, ": "+kind.Error())
	}
	return s
}

func (c *console) endProgress() {
	if c.bar != nil {
		c.bar.end()
	}
}

// printJSON writes a result in the form of --output that is no text: as JSON, indented; as lines of JSON; or as Markdown. Package form says how.
func (c *console) printJSON(v any) error {
	var b bytes.Buffer
	switch c.output {
	case outputLines:
		lines, err := form.Lines(v)
		if err != nil {
			return err
		}
		for _, l := range lines {
			b.Write(l)
			b.WriteByte('\n')
		}
	case outputMD:
		text, err := form.Markdown(v)
		if err == nil {
			c.printf("%s", clean(text))
		}
		return err
	default:
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		enc.SetIndent("", "  ")
		if err := enc.Encode(v); err != nil {
			return err
		}
	}
	_, err := c.stdout.Write(visible.JSON(b.Bytes()))
	return err
}

// link prints a text that leads to a place on a terminal. As with printf, what standard output does not take is lost.
func (c *console) link(at visible.Spot, text string) { _ = visible.WriteLink(c.stdout, at, text) }

// tell writes a place to standard error.
func (c *console) tell(at visible.Spot, text string) {
	w := &screen{Writer: visible.NewWriter(c.stderr), of: c.stderr, plain: func() bool { return !c.env.Styles() }}
	if styled(w) {
		w.address = c.address
	}
	_ = w.LinkSpot(at, text) // as with what is printed
	fmt.Fprintln(w)
	_ = w.Flush()
}

func (c *console) printf(format string, args ...any) { fmt.Fprintf(c.stdout, format, args...) }

// show prints a result in the form of --output.
func show[T any](c *console, v T, err error, text func(T) error) error {
	switch {
	case err != nil:
		return err
	case c.json:
		return c.printJSON(v)
	}
	return text(v)
}

// input opens a file that the user named; "-" is standard input.
func (c *console) input(name string) (io.ReadCloser, error) {
	if name == "-" {
		return io.NopCloser(c.stdin), nil
	}
	return c.env.OpenFile(name)
}

// readAtMost reads so many bytes, closes what it read, and reports whether there were more.
func readAtMost(r io.ReadCloser, most int) (data []byte, more bool, err error) {
	defer r.Close() // read only
	data, err = io.ReadAll(io.LimitReader(r, int64(most)+1))
	return data[:min(len(data), most)], len(data) > most, err
}

// A screen is an output in which nothing is invisible.
type screen struct {
	*visible.Writer
	of    io.Writer   // what it writes to in the end
	plain func() bool // no bold letters are wanted, or the terminal has none; nil: they are
	// address is where a place is opened; "" for nowhere, nil for all
	address func(visible.Spot) string
}

// LinkSpot writes a text that leads to a place, if only as text.
func (s *screen) LinkSpot(at visible.Spot, text string) error {
	if s.address == nil {
		_, err := io.WriteString(s.Writer, clean(text))
		return err
	}
	return s.Link(s.address(at), text)
}

// checkedWriter remembers the first error, so that a full disk under the output shows in the exit status.
type checkedWriter struct {
	w   io.Writer
	err error
}

func (c *checkedWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	if err != nil && c.err == nil {
		c.err = err
	}
	return n, err
}

// isTerminal reports whether w is a terminal.
func isTerminal(w io.Writer) bool {
	if s, ok := w.(*screen); ok {
		w = s.of
	}
	return env.IsTerminal(w)
}

// printer writes evidence for people. On a terminal a match is bold, elsewhere nothing marks it but in a passage, where it stands between guillemets.
type printer struct {
	w           io.Writer
	open, close string
}

func newPrinter(w io.Writer) *printer {
	switch {
	case styled(w):
		return &printer{w, "\x1b[1m", "\x1b[0m"}
	case isTerminal(w):
		return &printer{w: w}
	}
	return &printer{w, "«", "»"}
}

// newPlainPrinter is a printer for lines as they stand in files, which programs read: nothing marks a match but on a terminal.
func newPlainPrinter(w io.Writer) *printer {
	p := newPrinter(w)
	if !styled(w) {
		p.open, p.close = "", ""
	}
	return p
}

// styled reports whether w is a terminal that shows bold letters and links, and the user wants them.
func styled(w io.Writer) bool {
	if s, ok := w.(*screen); ok && s.plain != nil && s.plain() {
		return false
	}
	return isTerminal(w)
}

func (p *printer) printf(format string, args ...any) { fmt.Fprintf(p.w, format, args...) }

// mark puts the marks around the byte ranges of s. Control characters of foreign text do not reach a terminal.
func (p *printer) mark(s string, ranges [][2]int) string {
	return visible.Mark(s, ranges, p.open, p.close)
}

func clean(s string) string { return visible.Text(s) }

// item prints a piece of evidence. As with printf, what standard output does not take is lost.
func (p *printer) item(it evidence.Item) { _ = it.WriteText(p.w, p.open, p.close) }

// oneLine is clean for output of a line a thing: names of files may hold line ends.
func oneLine(s string) string { return strings.ReplaceAll(clean(s), "\n", "\\n") }

// count says how many there are of something.
func count(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}

// lines prints a range of lines.
func lines(first, last int) string {
	if first == last {
		return fmt.Sprintf("l. %d", first)
	}
	return fmt.Sprintf("l. %d-%d", first, last)
}

// shortened cuts a line that is longer than n runes.
func shortened(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n]) + "..."
	}
	return s
}

// either prints an answer in the form of --output.
func (c *console) either(v any, people func()) error {
	if c.json {
		return c.printJSON(v)
	}
	people()
	return nil
}

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
			progressbar.OptionSetWidth(20), progressbar.OptionShowCount(), progressbar.OptionThrottle(100e6),
			progressbar.OptionSetSpinnerChangeInterval(0)) // a goroutine would draw it, which outlives the bar
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

func printCited(con *console, all []*findspot.Cited) {
	p := newPrinter(con.stdout)
	for i, cited := range all {
		if i > 0 {
			con.printf("\n")
		}
		con.printf("%s\n", clean(withKey(cited)))
		for _, s := range cited.Places {
			con.printf("[%s] ", s.Item.Key)
			con.link(visible.Spot{Doc: s.Item.At.Doc, Name: s.Item.At.Name, Page: s.Item.At.Page}, s.Item.At.String())
			con.printf("\n     %s\n", strings.TrimSuffix(string(s.Verdict)+": "+plainly(clean(s.Reason)), ": "))
			for line := range strings.Lines(visible.Mark(s.Item.Text, s.Item.Matches, p.open, p.close)) {
				con.printf("     %s\n", strings.TrimRight(line, "\r\n"))
			}
		}
		if len(cited.Places) == 0 {
			con.printf("     Nothing was found.\n")
		}
		for _, r := range cited.Remarks {
			con.printf("Note: %s\n", clean(r))
		}
	}
}

// withKey is a sentence with the key of what supports it before its stop, as a draft has it.
func withKey(cited *findspot.Cited) string {
	if len(cited.Places) == 0 || cited.Places[0].Verdict != evidence.Supported {
		return cited.Sentence
	}
	said := strings.TrimRight(cited.Sentence, ".!?")
	return said + " [" + cited.Places[0].Item.Key + "]" + cited.Sentence[len(said):]
}

func printTextCheck(con *console, rep *evidence.TextCheck, noMeaning bool) {
	state := map[bool]string{true: "holds", false: "FAILS"}
	counts := map[evidence.Verdict]int{}
	one := func(s string) string { return clean(strings.Join(strings.Fields(s), " ")) }
	for _, s := range rep.Sentences {
		counts[s.Verdict]++
		if s.Verdict != "" {
			con.printf("%s  %s: %s", state[s.Verdict != evidence.Unsupported], s.Verdict, one(s.Text))
			if s.Reason != "" {
				con.printf(": %s", plainly(one(s.Reason)))
			}
			con.printf("\n")
		}
		for _, p := range s.Problems {
			con.printf("FAILS  text: %s: %s\n", one(s.Text), plainly(one(p)))
		}
	}
	unknown := 0
	for _, k := range rep.Keys {
		con.printf("%s  [%s] ", state[k.Problem == ""], one(k.Key))
		if k.Problem != "" {
			unknown++
			con.printf("stands for nothing: %s\n", plainly(one(k.Problem)))
			continue
		}
		con.link(visible.Spot{Doc: k.At.Doc, Name: k.At.Name, Page: k.At.Page, Repo: k.At.Repo, Path: k.At.Path, Line: k.At.Line}, k.At.String())
		con.printf("\n")
	}
	nothing := count(unknown, "key stands for nothing", "keys stand for nothing")
	if noMeaning { // what is wrong is all there is
		con.printf("%s; %s\n", count(len(rep.Sentences), "sentence does not hold", "sentences do not hold"), nothing)
		return
	}
	said := fmt.Sprintf("%d supported, %d unsupported, %d not decidable by words", counts[evidence.Supported], counts[evidence.Unsupported], counts[evidence.Undecided])
	all := counts[evidence.Supported] + counts[evidence.Unsupported] + counts[evidence.Undecided]
	if left := rep.Unjudged; left != nil && left.Count() > 0 {
		all += left.Count()
		said += fmt.Sprintf(", %d not judged (%s)", left.Count(), left)
	}
	con.printf("%s: %s; %s\n", count(all, "sentence", "sentences"), said, nothing)
}

func printBundle(con *console, b *proof.Bundle) {
	if b == nil {
		return
	}
	for _, d := range b.Documents {
		if d.Reason != "" {
			con.printf("%s is not marked: %s\n", clean(d.Name), clean(plainly(d.Reason)))
		}
		for _, m := range d.Marks {
			if m.Missing != "" {
				con.printf("%s: [%s] is not marked: %s\n", clean(d.Name), clean(m.Key), clean(m.Missing))
			}
		}
	}
	con.printf("%s in %s: begin with answer.html or README.txt\n", count(len(b.Files), "file", "files"), clean(b.Dir))
}

func printVerification(con *console, rep *evidence.Verification, ans *evidence.Answer) {
	at := map[string]evidence.Place{}
	for _, it := range ans.Items {
		at[it.Key] = it.At
	}
	for _, f := range rep.Findings {
		state := "holds"
		if !f.Holds {
			state = "FAILS"
		}
		switch p := at[f.Key]; f.About {
		case evidence.AboutKey:
			con.printf("%s  [%s] ", state, clean(f.Key))
			con.link(visible.Spot{Doc: p.Doc, Name: p.Name, Page: p.Page, Repo: p.Repo, Path: p.Path, Line: p.Line}, f.Place)
		case evidence.AboutQuote:
			con.printf("%s  %s", state, clean(fmt.Sprintf("quote %q [%s]", f.Text, f.Key)))
		default:
			what := f.About
			if f.About == evidence.AboutMeaning && f.Text != "" { // a sentence, as in a draft
				what = string(f.Verdict)
			}
			con.printf("%s  %s", state, clean(what))
			if f.Text != "" {
				con.printf(": %s", clean(strings.Join(strings.Fields(f.Text), " ")))
			}
		}
		if f.Reason != "" {
			con.printf(": %s", strings.ReplaceAll(plainly(clean(f.Reason)), "\n", "\n         "))
		}
		con.printf("\n")
	}
}
