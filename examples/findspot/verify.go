package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// errNotVerified ends a check whose findings were printed.
var errNotVerified = errors.New("the answer does not hold")

func verifyCommand(a *app) *cobra.Command {
	o := &evidence.VerifyOptions{}
	c := &cobra.Command{
		Use:   "verify ANSWER.json",
		Short: "Check an answer file against its sources",
		Long: "Checks that every key and quote of an answer file stands at its place, and that nothing has changed since it was written: neither\n" +
			"the file, nor its sources. With --docs and --repo the sources are read straight from there, without any index; without them, those of the\n" +
			"index in --dir are taken, as they are on disk now. No model and no network is needed. The exit status is 0 when all of it holds.",
		Example: "  findspot ask --docs papers --answer answer.json \"how is the PSS detected?\"\n  findspot verify answer.json --docs papers",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			ans, err := readAnswer(args[0])
			if err != nil {
				return err
			}
			src, done, err := sources(c.Context(), a, ans)
			if err != nil {
				return err
			}
			rep, err := ans.Verify(c.Context(), src, o)
			if err = errors.Join(err, done()); err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(rep)
			} else {
				printVerification(&a.console, rep)
			}
			if err == nil && !rep.Holds {
				err = errNotVerified
			}
			return err
		},
	}
	c.Flags().BoolVar(&o.Derived, "allow-derived", false, "believe evidence that is the result of a search and no text of a source")
	c.Flags().BoolVar(&o.Places, "places-only", false, "let files change elsewhere, as long as the cited places read the same")
	return c
}

func readAnswer(name string) (*evidence.Answer, error) {
	f, err := os.Open(name)
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
func sources(ctx context.Context, a *app, ans *evidence.Answer) (src evidence.Source, done func() error, err error) {
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
		f, err := findspot.OpenFolders(a.docs, a.repos, &findspot.FoldersOptions{OCR: ocr, Files: hashes})
		if err != nil {
			return nil, nil, err
		}
		return f, f.Close, nil
	}
	if _, err := a.place(); err != nil {
		return nil, nil, err
	}
	if _, err := os.Stat(a.dir); err != nil {
		return nil, nil, fmt.Errorf("%w: give --docs and --repo, or the folder of an index with --dir", err)
	}
	o, err := a.options()
	if err != nil {
		return nil, nil, err
	}
	o.OCR = ocr
	if a.ws, err = findspot.Open(ctx, a.dir, o); err != nil { // the program closes it
		return nil, nil, err
	}
	return a.ws, func() error { return nil }, nil
}

func printVerification(con *console, rep *evidence.Verification) {
	for _, f := range rep.Findings {
		state := "holds"
		if !f.Holds {
			state = "FAILS"
		}
		what := f.About
		switch f.About {
		case evidence.AboutKey:
			what = "[" + f.Key + "] " + f.Place
		case evidence.AboutQuote:
			what = fmt.Sprintf("quote %q [%s]", f.Text, f.Key)
		}
		con.printf("%s  %s", state, clean(what))
		if f.Reason != "" {
			con.printf(": %s", strings.ReplaceAll(clean(f.Reason), "\n", "\n         "))
		}
		con.printf("\n")
	}
}

// answerFlag is the flag of commands that write an answer file.
func answerFlag(c *cobra.Command, file *string) {
	c.Flags().StringVar(file, "answer", "", "write the answer with its evidence and the hashes of its sources to this file, for findspot verify")
}

// writeAnswer seals an answer and writes it to a file. When it cannot be sealed there is no file.
func writeAnswer(ctx context.Context, file string, src evidence.Source, led *evidence.Ledger, ans *evidence.Answer) error {
	if err := ans.Seal(ctx, src, led); err != nil {
		return fmt.Errorf("%s is not written: %w", file, err)
	}
	var b bytes.Buffer
	if err := ans.Write(&b); err != nil {
		return err
	}
	return writeOutput(file, b.Bytes())
}

// runAnswer is what a skill's run answered: the text that a model wrote last, held to the rules that it was written under, else the evidence.
func runAnswer(ctx context.Context, led *evidence.Ledger, out *runner.Outcome, question string) (*evidence.Answer, error) {
	for _, st := range slices.Backward(out.Steps) {
		value, _ := out.Outputs[st.ID].(map[string]any)
		text, _ := value["text"].(string)
		if st.Kind == workflow.KindSynthesize && st.Status == "ok" && value["written_by"] == "model" && text != "" {
			return &evidence.Answer{Question: question, Text: text, Rules: evidence.Rules{EveryClaim: true}}, nil
		}
	}
	return evidence.ListAnswer(ctx, led, out.Items, question)
}
