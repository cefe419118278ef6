package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/internal/vector"
)

// A knownModel is one that is known to work with --embed-model.
type knownModel struct {
	Name       string `json:"name"`
	Published  string `json:"published"` // its authors' name for it
	Licence    string `json:"licence"`
	MB         int    `json:"mb"` // of its weights
	Dimensions int    `json:"dimensions"`
	Tokens     int    `json:"tokens"`
	SHA256     string `json:"sha256,omitempty"` // of model.safetensors
	About      string `json:"about"`
}

// knownModels are listed the smallest first.
var knownModels = []knownModel{
	{"gte-small", "thenlper/gte-small", "MIT", 67, 384, 512, "", "English; half the size on disk, since its weights are F16"},
	{"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", "Apache-2.0", 91, 384, 256, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "English; twice as fast as the other small ones"},
	{"bge-small-en-v1.5", "BAAI/bge-small-en-v1.5", "MIT", 133, 384, 512, "", "English; trained for search, questions get an instruction"},
	{"e5-small-v2", "intfloat/e5-small-v2", "MIT", 133, 384, 512, "", "English; trained for search, with \"query: \" and \"passage: \""},
	{"bge-base-en-v1.5", "BAAI/bge-base-en-v1.5", "MIT", 438, 768, 512, "", "English; more exact, and a quarter of the speed"},
}

func embedCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "embed",
		Short:   "Choose and check an embedding model, for search by meaning",
		Example: "  findspot embed setup\n  findspot embed check models/all-MiniLM-L6-v2",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(embedSetup(a), embedCheck(a))
	return c
}

func embedSetup(a *app) *cobra.Command {
	var dir string
	c := &cobra.Command{
		Use:   "setup [NAME]",
		Short: "Say which files of a model belong where, and check them",
		Long: `Say which files of a model belong where, and under which licence; without a name, list models that are known to work.
Nothing is downloaded: get the files from the model's authors. Where they are in place, they are checked as by
findspot embed check. Other models of the same kind (BERT with WordPiece) work too.`,
		Example: "  findspot embed setup all-MiniLM-L6-v2\n  findspot embed setup bge-small-en-v1.5 --model /srv/models/bge",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return show(&a.console, knownModels, nil, a.listModels)
			}
			for _, k := range knownModels {
				if k.Name == args[0] {
					return a.setUpModel(c.Context(), k, dir)
				}
			}
			return usagef("model %q is not listed: findspot embed setup lists models, and findspot embed check DIR checks any other", args[0])
		},
		Args: func(c *cobra.Command, args []string) error {
			if len(args) > 1 || len(args) == 0 && dir != "" {
				return usagef("%s takes the name of one model: %s", c.CommandPath(), c.UseLine())
			}
			return nil
		},
	}
	c.Flags().StringVar(&dir, "model", "", "folder of the model (default: models/NAME)")
	return c
}

func (a *app) listModels(list []knownModel) error {
	for _, k := range list {
		a.printf("%-18s %4d MB  %4d numbers  %4d tokens  %-10s  %s\n", k.Name, k.MB, k.Dimensions, k.Tokens, k.Licence, k.About)
	}
	a.printf("\nfindspot embed setup NAME says which files belong where.\n")
	return nil
}

// A modelSetup is a model with what was found of it.
type modelSetup struct {
	knownModel
	Dir   string      `json:"dir"`
	Files []string    `json:"files"`
	Check *modelCheck `json:"check,omitempty"` // where the files are in place
}

func (a *app) setUpModel(ctx context.Context, k knownModel, dir string) error {
	if dir == "" {
		dir = filepath.Join("models", k.Name)
	}
	s := modelSetup{knownModel: k, Dir: dir, Files: []string{
		"config.json", "tokenizer.json", "model.safetensors (or onnx/model.onnx)", "modules.json", "1_Pooling/config.json", "sentence_bert_config.json",
		"config_sentence_transformers.json",
	}}
	if _, err := a.env.Stat(filepath.Join(dir, "config.json")); err == nil {
		if s.Check, err = a.checkModel(ctx, dir); err != nil {
			return err
		}
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return show(&a.console, s, nil, func(s modelSetup) error {
		if s.Check != nil {
			return a.printCheck(s.Check)
		}
		a.printf("%s (%s, %d MB) is published on Hugging Face as %s. Put these files of it into %s:\n", s.Name, s.Licence, s.MB, s.Published, clean(s.Dir))
		for _, f := range s.Files {
			a.printf("  %s\n", f)
		}
		if s.SHA256 != "" {
			a.printf("SHA-256 of model.safetensors: %s\n", s.SHA256)
		}
		a.printf("Then: findspot embed check %s\n", clean(s.Dir))
		return nil
	})
}

func embedCheck(a *app) *cobra.Command {
	return &cobra.Command{
		Use:   "check DIR",
		Short: "Open a model, and say what it is, how fast, and how much memory it takes",
		Long: `Open the model in a folder, embed three sentences, and say what it is, how fast it is in one goroutine, and how much
memory it takes. The exit status is 1 if it cannot be used, or if sentences that mean alike are not near.`,
		Example: "  findspot embed check models/all-MiniLM-L6-v2",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			m, err := a.checkModel(c.Context(), args[0])
			return show(&a.console, m, err, a.printCheck)
		},
	}
}

// A modelCheck is what was found of a model.
type modelCheck struct {
	Dir   string `json:"dir"`
	Model string `json:"model"`
	localembed.Info
	Opened  float64 `json:"opened_seconds"`
	Speed   float64 `json:"passages_per_second"` // of 200 words, in one goroutine
	MB      uint64  `json:"memory_mb"`
	Near    float32 `json:"cosine_alike"`
	Distant float32 `json:"cosine_unlike"`
}

// checkModel opens a model and uses it.
func (a *app) checkModel(ctx context.Context, dir string) (*modelCheck, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	from := time.Now()
	m, err := localembed.Open(a.env.Path(dir), &localembed.Options{Threads: 1})
	if err != nil {
		return nil, a.env.AsWritten(dir, err)
	}
	c := &modelCheck{Dir: dir, Model: m.Name(), Info: m.Info(), Opened: time.Since(from).Seconds()}
	vs, err := m.Embed(ctx, []string{"My car has flat tyres.", "The automobile needs new wheels.", "Bread is made of flour, water and salt."})
	if err != nil {
		return nil, err
	}
	c.Near, c.Distant = vector.Dot(vs[0], vs[1]), vector.Dot(vs[0], vs[2])
	if c.Near <= c.Distant {
		return nil, fmt.Errorf("model %s: sentences that mean alike are not nearer (%.2f) than others (%.2f): its files may not belong together", dir, c.Near, c.Distant)
	}
	const passages = 8
	list := make([]string, passages)
	for i := range list {
		list[i] = strings.Repeat("the receiver finds a cell by its signals ", 25) // of 200 words
	}
	from = time.Now()
	if _, err := m.Embed(ctx, list); err != nil {
		return nil, err
	}
	c.Speed = passages / time.Since(from).Seconds()
	runtime.GC()
	runtime.ReadMemStats(&after)
	c.MB = (after.HeapAlloc - min(before.HeapAlloc, after.HeapAlloc)) >> 20
	runtime.KeepAlive(m)
	return c, nil
}

func (a *app) printCheck(c *modelCheck) error {
	a.printf("%s works: %s\n", clean(c.Dir), clean(c.Model))
	a.printf("  vectors     %d numbers, the %s of %d layers; windows of %d tokens\n", c.Dimensions, c.Pooling, c.Layers, c.MaxTokens)
	for _, p := range []struct{ of, text string }{{"queries", c.Query}, {"passages", c.Passage}} {
		if p.text != "" {
			a.printf("  %-11s begin with %q\n", p.of, p.text)
		}
	}
	a.printf("  speed       %.1f passages of 200 words a second in one goroutine (%s); opened in %.1f s\n", c.Speed, c.Kernel, c.Opened)
	a.printf("  memory      %d MB\n", c.MB)
	a.printf("  cosines     %.2f of sentences that mean alike, %.2f of others\n", c.Near, c.Distant)
	a.printf("Use it: findspot docs add DIR --embed-model %s\n", clean(c.Dir))
	return nil
}

// lastModel keeps the model that was opened last, so that a server does not read it again for each command.
type lastModel struct {
	mu    sync.Mutex // guards what follows
	dir   string
	model *localembed.Model
}

func (l *lastModel) open(dir string) (*localembed.Model, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.model == nil || l.dir != dir {
		m, err := localembed.Open(dir, nil)
		if err != nil {
			return nil, err
		}
		l.dir, l.model = dir, m
	}
	return l.model, nil
}
