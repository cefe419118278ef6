package training

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
)

// Options say which runs become examples, and of what form. The zero value is usable.
type Options struct {
	Format   string   // empty means OpenAIChat
	Gold     *Golds   // the issues of the runs, for Found and repositories; may be nil
	Found    string   // LevelFile, LevelModule or LevelFunction: runs that ended with all gold places of it; empty: all runs
	Verified bool     // runs whose answer passed verification: [Run.Verified]
	Status   []string // of the outcome; empty: any
	MinTurns int      // answers of the model in an example; 0: any
	MaxTurns int      // 0: any

	Near       float64 // resemblance, over 0 and at most 1, from which two examples count as the same; 0 means 0.9
	Validation float64 // share of the repositories whose runs go to the validation part, from 0 to below 1; 0: none
	Seed       uint64  // which repositories
}

// A Report counts what became of runs and examples.
type Report struct {
	Runs       int            `json:"runs"`
	Written    int            `json:"written"`    // examples, in both parts
	Validation int            `json:"validation"` // of them, in the validation part
	Dropped    map[string]int `json:"dropped"`    // runs and examples by why they were dropped
	Secrets    int            `json:"secrets"`    // masked
	Paths      int            `json:"paths"`      // paths and names of home folders replaced
}

// maxExample bounds a line, in bytes.
const maxExample = 8 << 20

// An Exporter writes examples of runs.
type Exporter struct {
	train, validation io.Writer
	opt               Options
	report            Report
	same              map[[32]byte]bool
	near              seenSet
}

// NewExporter returns an exporter that writes one example a line. validation may be nil when Options.Validation is 0. Options that do
// not fit are an error, all of them at once.
func NewExporter(train, validation io.Writer, o *Options) (*Exporter, error) {
	x := &Exporter{train: train, validation: validation, same: map[[32]byte]bool{}, report: Report{Dropped: map[string]int{}}}
	if o != nil {
		x.opt = *o
	}
	if x.opt.Format == "" {
		x.opt.Format = OpenAIChat
	}
	if x.opt.Near == 0 {
		x.opt.Near = 0.9
	}
	var errs []error
	bad := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf(format+": %w", append(args, skill.ErrUnsupported)...))
	}
	if !slices.Contains(Formats(), x.opt.Format) {
		errs = append(errs, badFormat(x.opt.Format))
	}
	if !slices.Contains([]string{"", LevelFile, LevelModule, LevelFunction}, x.opt.Found) {
		bad("found %q: must be file, module or function", x.opt.Found)
	}
	if x.opt.Found != "" && x.opt.Gold == nil {
		bad("found %s needs a gold file", x.opt.Found)
	}
	if !(x.opt.Near > 0 && x.opt.Near <= 1) {
		bad("near %g: must be over 0 and at most 1", x.opt.Near)
	}
	if !(x.opt.Validation >= 0 && x.opt.Validation < 1) {
		bad("validation %g: must be from 0 to below 1", x.opt.Validation)
	}
	if x.opt.Validation > 0 && validation == nil {
		bad("validation %g: there is nowhere to write it", x.opt.Validation)
	}
	if x.opt.MinTurns < 0 || x.opt.MaxTurns < 0 || x.opt.MaxTurns > 0 && x.opt.MinTurns > x.opt.MaxTurns {
		bad("turns from %d to %d: no number fits", x.opt.MinTurns, x.opt.MaxTurns)
	}
	return x, errors.Join(errs...)
}

// Report returns the counts so far.
func (x *Exporter) Report() Report { return x.report }

// Damaged counts a run whose record could not be read.
func (x *Exporter) Damaged() { x.report.Runs++; x.drop("damaged record") }

func (x *Exporter) drop(why string) { x.report.Dropped[why]++ }

// Add writes the examples of a run, if the options let it through. The error is one of writing; what is wrong with the run is a reason
// in the report and, in words, given to warn, which may be nil.
func (x *Exporter) Add(r *Run, warn func(error)) error {
	x.report.Runs++
	gold := x.opt.Gold.Of(r)
	if why := x.unwanted(r, gold); why != "" {
		x.drop(why)
		return nil
	}
	talks, err := r.Conversations()
	var steps []Step
	if errors.Is(err, errNoModel) && x.opt.Format == JSONL {
		if steps = r.Steps(); len(steps) == 0 {
			err = errors.New("no call was made")
		} else {
			err = nil
		}
	}
	if errors.Is(err, errNoModel) {
		x.drop(errNoModel.Error())
		return nil
	}
	if err != nil {
		x.unsound(r, err, warn)
		return nil
	}
	repository := r.Repository()
	if gold != nil && gold.Repo != "" {
		repository = gold.Repo
	}
	clean := newCleaner(r, append(allTexts(talks, steps), r.ID(), repository))
	defer func() { x.report.Secrets += clean.secrets; x.report.Paths += clean.paths }()
	base := example{ID: clean.text(r.ID()), Repository: clean.text(repository), Status: clean.text(r.Status())}
	if len(steps) > 0 {
		base.Steps = clean.steps(steps)
		return x.write(r, repository, base, nil, warn)
	}
	for i, t := range talks {
		if n := t.Turns(); n < x.opt.MinTurns || x.opt.MaxTurns > 0 && n > x.opt.MaxTurns {
			x.drop("number of turns")
			continue
		}
		c := clean.conversation(t)
		one := base
		if len(talks) > 1 {
			one.ID = fmt.Sprintf("%s#%d", base.ID, i+1)
		}
		one.System, one.Messages, one.Tools = c.System, c.Messages, c.Tools
		if err := x.write(r, repository, one, c, warn); err != nil {
			return err
		}
	}
	return nil
}

// unwanted says why the options leave a run out.
func (x *Exporter) unwanted(r *Run, gold *Gold) string {
	switch {
	case len(x.opt.Status) > 0 && !slices.Contains(x.opt.Status, r.Status()):
		return "status"
	case x.opt.Found != "" && gold == nil:
		return "not in the gold file"
	case x.opt.Found != "" && !gold.Found(r, x.opt.Found):
		return "gold " + x.opt.Found + " not found"
	case x.opt.Verified && !r.Verified():
		return "not verified"
	}
	return ""
}

func (x *Exporter) unsound(r *Run, err error, warn func(error)) {
	x.drop("not an example")
	if warn != nil {
		if !strings.HasPrefix(err.Error(), r.Name+": ") {
			err = fmt.Errorf("%s: %w", r.Name, err)
		}
		warn(err)
	}
}

// write writes one example, unless it is none or was there before.
func (x *Exporter) write(r *Run, repository string, e example, c *Conversation, warn func(error)) error {
	text := normal(strings.Join(content(&e), "\n"))
	key := sha256.Sum256([]byte(text))
	if x.same[key] {
		x.drop("the same as another")
		return nil
	}
	var line []byte
	var err error
	if x.opt.Format == JSONL {
		line, err = marshal(e)
	} else {
		if err = c.sound(); err == nil {
			line, err = c.Encode(x.opt.Format)
		}
	}
	if err == nil && len(line) > maxExample {
		err = fmt.Errorf("an example of %d bytes, and at most %d are written: %w", len(line), maxExample, skill.ErrTooLarge)
	}
	if err == nil {
		err = Check(x.opt.Format, line)
	}
	if err != nil {
		x.unsound(r, err, warn)
		return nil
	}
	if x.near.add(shingles(text), x.opt.Near) {
		x.drop("nearly the same as another")
		return nil
	}
	x.same[key] = true
	to := x.train
	if share(x.opt.Seed, repository) < x.opt.Validation {
		to = x.validation
		x.report.Validation++
	}
	x.report.Written++
	_, err = to.Write(append(line, '\n'))
	return err
}

// content is what two examples are compared by: all that was said and called, without the instructions and tools that many share.
func content(e *example) (out []string) {
	for _, m := range e.Messages {
		out = append(out, m.From, m.Text)
		for _, call := range m.Calls {
			out = append(out, call.Name, string(call.Args))
		}
	}
	for _, s := range e.Steps {
		out = append(out, s.Tool, string(s.Args), s.Result, s.Error)
	}
	return out
}

// share places a repository between 0 and 1, by seed.
func share(seed uint64, repository string) float64 {
	sum := sha256.Sum256(append(binary.BigEndian.AppendUint64(nil, seed), repository...))
	return float64(binary.BigEndian.Uint64(sum[:8])>>11) / (1 << 53)
}
