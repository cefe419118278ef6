package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/answers"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

func askCommand(a *app) *cobra.Command {
	o := &findspot.AskOptions{}
	var answer string
	c := &cobra.Command{
		Use:   "ask QUESTION",
		Short: "Print the evidence in documents and code for a question",
		Long: `Build or update the index of --docs and --repo, and print grounded evidence: passages, figures and tables of documents,
entities of code, and callers if the question asks for them. Every piece has a key and its exact place.`,
		Example: `  findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"`,
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			o.Ledger = evidence.NewLedger()
			ans, err := ws.Ask(c.Context(), strings.Join(args, " "), o)
			if err != nil {
				return err
			}
			if answer != "" {
				list, err := evidence.ListAnswer(c.Context(), o.Ledger, ans.Items, ans.Question, &evidence.CompactOptions{Source: ws})
				if err == nil {
					err = writeAnswer(c.Context(), a.env, answer, ws, o.Ledger, list)
				}
				if err != nil {
					return err
				}
			}
			if a.json {
				err = a.printJSON(ans)
			} else {
				p := newPrinter(a.stdout)
				err = ans.WriteText(p.w, p.open, p.close)
			}
			if err == nil && len(a.docs) == 0 && a.engine.urls == nil && ans.Searched.Documents > 0 && ans.Searched.Documents < maxBeside {
				tellNew(c.Context(), &a.console, ws)
			}
			return found(err, answering(ans))
		},
	}
	answerFlag(c, &answer)
	c.Flags().IntVar(&o.Tokens, "tokens", 1500, "maximum length of the answer in tokens (estimated); callers are named even beyond it")
	c.Flags().IntVar(&o.Skip, "skip", 0, "number of pieces to skip in each part, because they were seen already")
	c.Flags().BoolVar(&o.Why, "why", false, "explain the score of each piece")
	c.Flags().IntVar(&o.Documents, "documents", 10, "maximum number of documents to take pieces from")
	c.Flags().StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	c.Flags().IntVar(&o.Entities, "entities", 12, "maximum number of code entities, not counting callers")
	c.Flags().IntVar(&o.Bodies, "bodies", 50, "maximum number of callers whose code is printed; -1 for none")
	return c
}

// maxBeside is up to how many documents an answer looks for new files beside them: it must not take long.
const maxBeside = 5000

// tellNew says on standard error that there are files that the index does not have yet.
func tellNew(ctx context.Context, con *console, ws *findspot.Workspace) {
	lib, err := ws.Docs(ctx)
	if err != nil {
		return // the answer said so
	}
	news, err := beside(ctx, lib)
	if err != nil || len(news) == 0 {
		return // a folder that cannot be read is told by docs fresh
	}
	dir := addedFolder(ctx, lib, filepath.Dir(news[0]))
	rel := func(path string) string {
		if r, err := filepath.Rel(con.env.Dir, path); err == nil && filepath.IsLocal(r) {
			path = r
		}
		return clean(path)
	}
	fmt.Fprintf(con.stderr, "findspot: %s beside those of the index, such as %s: findspot docs add %s reads it\n", count(len(news), "new file", "new files"), rel(news[0]), rel(dir))
}

// addedFolder is the folder from which the documents that lie in dir were added: that one or one above it.
func addedFolder(ctx context.Context, lib *docsearch.Library, dir string) string {
	id, from := "", ""
	if err := lib.Origins(ctx, func(doc, origin string) {
		if filepath.IsAbs(origin) && filepath.Dir(origin) == dir {
			id, from = doc, origin
		}
	}); err != nil || id == "" {
		return dir
	}
	doc, err := lib.Resolve(ctx, id)
	if err != nil {
		return dir
	}
	if root, ok := strings.CutSuffix(from, string(filepath.Separator)+filepath.FromSlash(doc.Name)); ok && root != "" {
		return root
	}
	return dir
}

// answering counts what an answer found: nothing where it only names what is nearest.
func answering(ans *findspot.Answer) int {
	near := func(p findspot.AnswerPart) bool { return !p.Nothing }
	if len(ans.Parts) > 0 && len(ans.Callers) == 0 && !slices.ContainsFunc(ans.Parts, near) {
		return 0
	}
	return len(ans.Items)
}

func citeCommand(a *app) *cobra.Command {
	o := &findspot.CiteOptions{}
	c := &cobra.Command{
		Use:   "cite SENTENCE...",
		Short: "Find the evidence of a sentence that is to be cited",
		Long: `Build or update the index of --docs, and print each sentence with the key of what supports it, and below it the passages,
figures and tables of the documents with their exact places: first those that support it by their words, then those that
words cannot decide, then those that say something else, with the reason. The arguments are one text, whose sentences end
in full stops. What is printed is a draft that verify reads. The exit status is 0 if every sentence is supported.`,
		Example: "  findspot cite --docs papers \"The PSS takes one of three forms.\"",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			sentences := evidence.Sentences(strings.Join(args, " "))
			if len(sentences) == 0 {
				return usagef("%q is no sentence: it has no word", strings.Join(args, " "))
			}
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			o.Ledger = evidence.NewLedger()
			supported := true
			all := []*findspot.Cited{}
			for _, s := range sentences {
				cited, err := ws.Cite(c.Context(), s.Text, o)
				if err != nil {
					return err
				}
				all = append(all, cited)
				supported = supported && len(cited.Places) > 0 && cited.Places[0].Verdict == evidence.Supported
			}
			if a.json {
				err = a.printJSON(all)
			} else {
				printCited(&a.console, all)
			}
			if err == nil && !supported {
				err = errNo
			}
			return err
		},
	}
	c.Flags().IntVar(&o.Limit, "limit", 3, "maximum number of places for a sentence")
	c.Flags().StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	return c
}

// errNotVerified ends a check whose findings were printed.
var errNotVerified = errors.New("the answer does not hold")

func verifyCommand(a *app) *cobra.Command {
	o := &evidence.VerifyOptions{}
	var bundle string
	var all, update bool
	var model modelFlags
	c := &cobra.Command{
		Use:   "verify ANSWER.json | ANSWER.md | --all FILE...",
		Short: "Check an answer against its sources",
		Long: `Check that every key and quote of an answer is found at its place, that its sentences say what their evidence says as far
as words tell, and that nothing has changed since the file was written. With --docs and --repo, the sources are read from
there, without an index; else they are those of the index in --dir, as they are on disk now. The exit status is 0 if
everything holds. No model and no network is needed. With --provider and --model, a model is asked about sentences that
words cannot decide; it must name the words that decide (key: ANTHROPIC_API_KEY or OPENAI_API_KEY).

Text or Markdown that findspot did not write cites places, such as [paper.pdf p. 3, l. 10-14] or [receiver/pss.py:10-24],
or keys, such as [D1] or [^1], with a line that says what each is: "[D1] paper.pdf p. 3". Each sentence needs one.

--bundle writes the proof into a folder, for anybody with a PDF viewer: the answer as a page, and what it cites highlighted.

With --all, check the answers in files and folders after their sources have changed: which sentences no longer hold, where
their evidence is now, and what it says now. An answer still holds if its evidence has only moved; --update writes its new
places. The index of --docs and --repo is brought up to date first.`,
		Example: "  findspot ask --docs papers --answer answer.json \"how is the PSS detected?\"\n" +
			"  findspot verify answer.json --docs papers --bundle proof\n  findspot verify draft.md --docs papers --repo .\n  findspot verify --all answers --docs papers --repo .",
		Args: func(c *cobra.Command, args []string) error {
			if all {
				return atLeast(1)(c, args)
			}
			return exactly(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			if all && bundle != "" {
				return usagef("--bundle is for one answer, without --all")
			}
			m, err := model.model(a.logger(), a.env)
			if err != nil {
				return err
			}
			if o.DoubtWords && m == nil {
				return usagef("--doubt-words is for a model: give --provider and --model")
			}
			o.Decide = agent.Decide(m, nil)
			if all {
				return verifyAll(c.Context(), a, args, update, o)
			}
			if update {
				return usagef("--update needs --all")
			}
			text, ans, err := readAnyAnswer(a.env, args[0])
			if err != nil {
				return err
			}
			if ans == nil {
				if bundle != "" {
					return usagef("--bundle is for an answer file: ask with --answer writes one")
				}
				return verifyText(c.Context(), a, text, o)
			}
			src, done, err := sources(c.Context(), a, ans)
			if err != nil {
				return err
			}
			rep, err := ans.Verify(c.Context(), src, o)
			var wrote *proof.Bundle
			if err == nil && rep.Holds && bundle != "" {
				wrote, err = writeBundle(c.Context(), a, bundle, ans, src, o)
			}
			if err = errors.Join(err, done()); err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(struct {
					*evidence.Verification
					Bundle *proof.Bundle `json:"bundle,omitempty"`
				}{rep, wrote})
			} else {
				printVerification(&a.console, rep, ans)
				printBundle(&a.console, wrote)
			}
			if err == nil && !rep.Holds {
				err = errNotVerified
			}
			return err
		},
	}
	c.Flags().StringVar(&bundle, "bundle", "", "folder to write the proof into, if the answer holds; it must be new or empty")
	c.Flags().BoolVar(&o.Derived, "allow-derived", false, "accept evidence that is a search result and not text of a source")
	c.Flags().BoolVar(&o.Places, "places-only", false, "allow changes elsewhere in a file, as long as the cited places are unchanged")
	c.Flags().BoolVar(&o.NoMeaning, "no-meaning", false, "do not judge whether sentences say what their evidence says")
	c.Flags().BoolVar(&all, "all", false, "check the answers in files and folders against changed sources, and find evidence that has moved")
	c.Flags().BoolVar(&update, "update", false, "with --all, write the new places into answers of which every sentence still holds")
	c.Flags().BoolVar(&o.DoubtWords, "doubt-words", false, "with a model, ask it also about what words decide, except near copies")
	model.add(c.Flags())
	return c
}

// checkedSource is what an answer is checked against.
type checkedSource interface {
	proof.Sources
	evidence.Describer
	VerifyText(ctx context.Context, text string, o *findspot.VerifyTextOptions) (*evidence.TextCheck, error)
}

// verifyText checks an answer that was never sealed.
func verifyText(ctx context.Context, a *app, text string, o *evidence.VerifyOptions) error {
	src, done, err := sources(ctx, a, &evidence.Answer{})
	if err != nil {
		return err
	}
	rep, err := src.VerifyText(ctx, text, &findspot.VerifyTextOptions{NoMeaning: o.NoMeaning, Decide: o.Decide, DoubtWords: o.DoubtWords})
	if err = errors.Join(err, done()); err != nil {
		return err
	}
	if a.json {
		err = a.printJSON(rep)
	} else {
		printTextCheck(&a.console, rep, o.NoMeaning)
	}
	if err == nil && !rep.Holds {
		err = errNotVerified
	}
	return err
}

// writeBundle writes the proof of an answer that holds.
func writeBundle(ctx context.Context, a *app, dir string, ans *evidence.Answer, src checkedSource, o *evidence.VerifyOptions) (*proof.Bundle, error) {
	ocr, err := reader(ctx, a)
	if err != nil {
		return nil, err
	}
	a.env.Path(dir) // so that errors name it as it is written here
	to, err := a.env.Output(dir)
	if err != nil {
		return nil, err
	}
	again := *o
	again.Decide = nil // the model was asked
	b, err := proof.Write(ctx, to, ans, src, &proof.Options{Verify: again, OCR: ocr})
	if err != nil {
		return nil, a.env.AsWritten(dir, err)
	}
	b.Dir = dir
	return b, nil
}

// verifyAll says what has become of answers.
func verifyAll(ctx context.Context, a *app, names []string, update bool, o *evidence.VerifyOptions) error {
	files, err := answers.Find(a.env, names)
	if err != nil {
		return err
	}
	ws, err := a.openIndex(ctx)
	if err != nil {
		return err
	}
	rep, err := answers.Check(ctx, a.env, files, recheck(ws, o), update)
	if err != nil {
		return err
	}
	for _, s := range rep.Skipped {
		if err := fmt.Errorf("%s was skipped: %s", s.File, strings.TrimPrefix(s.Reason, s.File+": ")); s.Broken {
			a.badInput(err)
		} else {
			a.complain(err)
		}
	}
	if err := printAnswers(&a.console, rep); err != nil {
		return err
	}
	if len(rep.Answers) == 0 && a.bad == 0 {
		return fmt.Errorf("there is no answer file in %s", strings.Join(names, ", "))
	}
	if !rep.Holds {
		return fmt.Errorf("%w any more: see above", errNotVerified)
	}
	return nil
}

func recheck(ws *findspot.Workspace, o *evidence.VerifyOptions) answers.Checker {
	judge := evidence.JudgeChangedWith(&evidence.JudgeOptions{Decide: o.Decide, DoubtWords: o.DoubtWords})
	return func(ctx context.Context, ans *evidence.Answer) (*evidence.Recheck, error) {
		return ws.Recheck(ctx, ans, &findspot.RecheckOptions{Derived: o.Derived, Judge: judge})
	}
}

// printAnswers prints what has become of answers.
func printAnswers(con *console, rep *answers.Report) error {
	if con.json {
		return con.printJSON(rep)
	}
	marks := answers.Plain()
	if styled(con.stdout) {
		marks = answers.Coloured()
	}
	return rep.WriteText(con.stdout, marks)
}

// readAnyAnswer reads an answer file, or else a text that is none: ans is nil then.
func readAnyAnswer(e *env.Env, name string) (text string, ans *evidence.Answer, err error) {
	f, err := e.OpenFile(name)
	if err != nil {
		return "", nil, err
	}
	defer f.Close() // read only
	head := bufio.NewReader(f)
	first, err := head.Peek(512)
	if err != nil && !errors.Is(err, io.EOF) {
		return "", nil, bareError(err)
	}
	if strings.EqualFold(filepath.Ext(name), ".json") || bytes.HasPrefix(bytes.TrimSpace(first), []byte("{")) {
		if ans, err = evidence.ReadAnswer(head); err != nil {
			err = fmt.Errorf("%s: %w", name, err)
		}
		return "", ans, err
	}
	data, err := io.ReadAll(io.LimitReader(head, maxWritten+1))
	switch {
	case err != nil:
		return "", nil, bareError(err)
	case len(data) > maxWritten:
		return "", nil, fmt.Errorf("%s: %w: over %d bytes", name, findspot.ErrTooLarge, maxWritten)
	}
	return string(charset.UTF8(name, data)), nil, nil
}

// maxWritten bounds a text that is verified, in bytes.
const maxWritten = 1 << 20

func readAnswer(e *env.Env, name string) (*evidence.Answer, error) {
	f, err := e.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	ans, err := evidence.ReadAnswer(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return ans, nil
}

// sources opens what an answer is checked against.
func sources(ctx context.Context, a *app, ans *evidence.Answer) (src checkedSource, done func() error, err error) {
	ocr, err := reader(ctx, a)
	if err != nil {
		return nil, nil, err
	}
	if len(a.docs)+len(a.repos) > 0 {
		hashes := map[string]string{}
		at := map[string]evidence.Place{}
		for _, it := range ans.Items {
			at[it.Key] = it.At
		}
		for _, s := range ans.Sources {
			if doc := at[s.Key].Doc; doc != "" {
				hashes[doc] = s.File
			}
		}
		f, err := findspot.OpenFolders(a.env.Paths(a.docs), a.env.Paths(a.repos), &findspot.FoldersOptions{OCR: ocr, Files: hashes})
		if err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	}
	if _, err := a.place(); err != nil {
		return nil, nil, err
	}
	if _, err := a.env.Stat(a.dir); err != nil {
		return nil, nil, fmt.Errorf("%w: give --docs and --repo, or the folder of an index with --dir", err)
	}
	o, err := a.options()
	if err != nil {
		return nil, nil, err
	}
	o.OCR = ocr
	if a.ws, err = a.env.Workspace(ctx, a.dir, o); err != nil { // the program closes it
		return nil, nil, err
	}
	return a.ws, func() error { return nil }, nil
}

// answerFlag is the flag of commands that write an answer file.
func answerFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "answer", "", "file to write the answer to, with its evidence and the hashes of its sources, for findspot verify")
}

// writeAnswer seals an answer and writes it to a file. When it cannot be sealed there is no file.
func writeAnswer(ctx context.Context, e *env.Env, file string, src evidence.Source, led *evidence.Ledger, ans *evidence.Answer) error {
	if err := ans.Seal(ctx, src, led); err != nil {
		return fmt.Errorf("%s was not written: %w", file, err)
	}
	var b bytes.Buffer
	if err := ans.Write(&b); err != nil {
		return err
	}
	return writeOutput(e, file, b.Bytes())
}

// runAnswer is what a skill's run answered: the text that a model wrote last, held to the rules that it was written under, else the evidence.
func runAnswer(ctx context.Context, src evidence.Source, led *evidence.Ledger, out *runner.Outcome, question string) (*evidence.Answer, error) {
	for _, st := range slices.Backward(out.Steps) {
		value, _ := out.Outputs[st.ID].(map[string]any)
		text, _ := value["text"].(string)
		if st.Kind == workflow.KindSynthesize && st.Status == "ok" && value["written_by"] == "model" && text != "" {
			return &evidence.Answer{Question: question, Text: text, Rules: evidence.Rules{EveryClaim: true}}, nil
		}
	}
	return evidence.ListAnswer(ctx, led, out.Items, question, &evidence.CompactOptions{Source: src})
}
