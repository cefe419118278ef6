package proving

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/mark"
	"github.com/findspot/findspot/examples/serve/api"
	"github.com/findspot/findspot/proof"
	"github.com/findspot/findspot/skill/evidence"
)

// New marks PDFs and writes bundles. log gets what was passed over and why; nil discards.
func New(log *slog.Logger) *api.Proof {
	return &api.Proof{
		Mark: func(ctx context.Context, out io.Writer, r api.MarkRequest) (*api.MarkReport, error) {
			return marked(ctx, out, r, log)
		},
		Bundle: func(ctx context.Context, out io.Writer, a *evidence.Answer, src api.BundleSources, o evidence.VerifyOptions, most int64) (any, error) {
			return proof.WriteZIP(ctx, out, a, src, &proof.Options{Verify: o, MaxBytes: most, Logger: log})
		},
	}
}

func marked(ctx context.Context, out io.Writer, r api.MarkRequest, log *slog.Logger) (*api.MarkReport, error) {
	var marks []mark.Mark
	if r.Answer != nil {
		var err error
		if marks, err = mark.OfAnswer(r.Answer, r.SHA256); err != nil {
			return nil, err
		}
	}
	for _, text := range r.Texts {
		marks = append(marks, mark.Mark{Text: text, All: true})
	}
	rep, err := mark.Write(ctx, out, r.PDF, r.Size, marks, &mark.Options{Logger: log})
	if err != nil {
		return nil, err
	}
	done := &api.MarkReport{Pages: rep.Pages, Original: rep.Original, Marks: []findspot.MarkedText{}}
	for _, m := range rep.Marks {
		done.Marks = append(done.Marks, findspot.MarkedText{Key: m.Key, Text: m.Text, Places: append([]extract.Place{}, m.Places...), Missing: m.Missing})
	}
	return done, nil
}

// maxCopies bounds the copies of one document in a folder.
const maxCopies = 1000

// InFolder has copies written into a folder, beside what is there: paper-marked.pdf, paper-marked-2.pdf. The agent is told the name of the file.
func InFolder(dir string) *findspot.MarkOptions {
	return &findspot.MarkOptions{Writes: true, Mark: func(ctx context.Context, r findspot.MarkRequest) (*findspot.MarkedPDF, error) {
		return New(nil).Copy(ctx, r, func(name string, pdf []byte) (string, error) {
			root, err := os.OpenRoot(dir)
			if err != nil {
				return "", err
			}
			defer root.Close()
			stem := strings.TrimSuffix(name, path.Ext(name)) + "-marked"
			for i := 1; i <= maxCopies; i++ {
				file := stem + ".pdf"
				if i > 1 {
					file = fmt.Sprintf("%s-%d.pdf", stem, i)
				}
				f, err := root.OpenFile(file, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
				if errors.Is(err, fs.ErrExist) {
					continue
				}
				if err != nil {
					return "", err
				}
				_, err = f.Write(pdf)
				if err = errors.Join(err, f.Close()); err != nil {
					return "", errors.Join(err, root.Remove(file))
				}
				return file, nil
			}
			return "", fmt.Errorf("%s: there are %d copies of it already", stem, maxCopies)
		})
	}}
}
