package localembed

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/localembed/internal/bert"
	"github.com/findspot/findspot/docsearch/localembed/internal/compute"
	"github.com/findspot/findspot/docsearch/localembed/internal/weights"
	"github.com/findspot/findspot/internal/rootfs"
)

// Options change how a model is used. The zero value does as the model's own files say.
type Options struct {
	// Threads is the most goroutines that compute at a time, for all calls together; 0 means GOMAXPROCS.
	Threads int
	// MaxTokens is the window: the most tokens that are computed together, with those that the tokenizer puts around a text. 0 means what the
	// model was trained for, in sentence_bert_config.json, or all its positions.
	MaxTokens int
	// Truncate embeds the first window of a longer text alone, as the reference implementation does. Otherwise a text is cut into windows of like
	// length, and gets the mean of their vectors.
	Truncate bool
	// QueryPrefix and PassagePrefix are put before queries and passages, as words of their own. "" means the prompts of
	// config_sentence_transformers.json, or else those that E5 and BGE were trained with, when the names in the folder say that it is one of
	// them. A space means none.
	QueryPrefix, PassagePrefix string
	// Logger is told what was opened and in what time; nil discards.
	Logger *slog.Logger
}

// A Model is a sentence-embedding model in memory. It is safe for concurrent use, and needs no Close.
type Model struct {
	folder
	opt     Options
	net     *bert.Model
	kernel  string
	name    string
	before  [2][]int32           // what stands before passages and queries: special tokens, and the prefix
	threads chan *bert.Workspace // as many as may compute
}

var _ docsearch.QueryEmbedder = (*Model)(nil)

// version is part of names. 1: first.
const version = 1

// maxWeights is the largest file of weights that is opened; BGE large has 1.3 GB.
const maxWeights = 4 << 30

// Open reads the model in a folder. An error wraps docsearch.ErrNotFound for a file that is missing, docsearch.ErrFormat for one that is damaged, and
// docsearch.ErrUnsupported for a model of another kind, or options that it cannot have.
func Open(dir string, o *Options) (*Model, error) {
	m, err := open(dir, o)
	if err != nil {
		return nil, fmt.Errorf("model %s: %w", dir, err)
	}
	return m, nil
}

func open(dir string, o *Options) (*Model, error) {
	from := time.Now()
	abs, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	f, err := readFolder(abs)
	if err != nil {
		return nil, err
	}
	m := &Model{folder: *f}
	if o != nil {
		m.opt = *o
	}
	if err := m.settle(); err != nil {
		return nil, err
	}
	file, name, err := openWeights(abs)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	kn := compute.Best()
	m.kernel = kn.Name
	hash := sha256.New()
	var g errgroup.Group // reading to hash and to compute take equally long
	g.Go(func() error {
		_, err := io.Copy(hash, io.NewSectionReader(file, 0, maxWeights))
		return err
	})
	g.Go(func() (err error) { m.net, err = load(file, name, &m.config, kn); return })
	if err := g.Wait(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	hash.Write(m.words)
	m.words = nil
	config, err := json.Marshal(m.config)
	if err != nil {
		return nil, err
	}
	hash.Write(config)
	m.name = fmt.Sprintf("bert %dx%d sha256=%x v%d %s tokens=%d", m.config.Layers, m.config.Hidden, hash.Sum(nil)[:8], version, m.poolingName(), m.opt.MaxTokens)
	if m.opt.Truncate {
		m.name += " truncated"
	}
	if p := strings.TrimSpace(m.opt.PassagePrefix); p != "" {
		m.name += fmt.Sprintf(" passage=%q", p)
	}
	if m.opt.Logger != nil {
		m.opt.Logger.Info("localembed: model opened", "model", m.name, "kernel", m.kernel, "took", time.Since(from))
	}
	return m, nil
}

// settle completes the options.
func (m *Model) settle() error {
	o := &m.opt
	limit := m.config.Positions
	if o.Threads < 0 || o.MaxTokens < 0 || o.MaxTokens > limit {
		return fmt.Errorf("%w: option Threads is %d and MaxTokens %d: give 0 or more, and no more tokens than the model's %d positions", docsearch.ErrUnsupported, o.Threads, o.MaxTokens, limit)
	}
	if m.tokens > 0 && m.tokens < limit {
		limit = m.tokens
	}
	o.MaxTokens = cmp.Or(o.MaxTokens, limit)
	o.QueryPrefix, o.PassagePrefix = cmp.Or(o.QueryPrefix, m.query), cmp.Or(o.PassagePrefix, m.passage)
	for i, prefix := range []string{o.PassagePrefix, o.QueryPrefix} {
		m.before[i] = slices.Concat(m.tokenizer.Before, m.tokenizer.Encode(prefix))
		if len(m.before[i])+len(m.tokenizer.After) >= o.MaxTokens {
			return fmt.Errorf("%w: a window of %d tokens has no room for text beside the special tokens and the prefix %q", docsearch.ErrUnsupported, o.MaxTokens, prefix)
		}
	}
	o.Threads = cmp.Or(o.Threads, runtime.GOMAXPROCS(0))
	m.threads = make(chan *bert.Workspace, o.Threads)
	for range o.Threads {
		m.threads <- new(bert.Workspace)
	}
	return nil
}

// openWeights opens the first of the files that may hold weights.
func openWeights(dir string) (*os.File, string, error) {
	names := []string{"model.safetensors", "onnx/model.onnx", "model.onnx"}
	for _, name := range names {
		f, err := rootfs.Open(filepath.Join(dir, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		return f, name, err
	}
	return nil, "", fmt.Errorf("model.safetensors: %w, and neither are onnx/model.onnx and model.onnx: the model's weights are one of them", docsearch.ErrNotFound)
}

func load(f *os.File, name string, c *bert.Config, kn *compute.Kernel) (*bert.Model, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.Size() > maxWeights {
		return nil, fmt.Errorf("%w: %d bytes", docsearch.ErrTooLarge, info.Size())
	}
	read := weights.Safetensors
	if strings.HasSuffix(name, ".onnx") {
		read = weights.ONNX
	}
	w, err := read(f, info.Size())
	if err != nil {
		return nil, err
	}
	return bert.Load(w, *c, kn)
}

// Name returns the model with all that decides the vectors of passages: a hash of its weights, tokenizer and configuration, its sizes, how vectors
// become one, the window, and the prefix. It does not depend on the folder's name. The prefix of queries is left out, since stored vectors do not
// depend on it.
func (m *Model) Name() string { return m.name }

// Info is what is known of an opened model.
type Info struct {
	Layers     int    `json:"layers"`
	Dimensions int    `json:"dimensions"` // of its vectors
	MaxTokens  int    `json:"max_tokens"` // of a window
	Pooling    string `json:"pooling"`    // "mean" or "cls"
	Query      string `json:"query_prefix,omitempty"`
	Passage    string `json:"passage_prefix,omitempty"`
	Kernel     string `json:"kernel"` // the inner loops: "avx512", "avx2" or "go"
	Threads    int    `json:"threads"`
}

// Info returns what is known of the model.
func (m *Model) Info() Info {
	return Info{m.config.Layers, m.config.Hidden, m.opt.MaxTokens, m.poolingName(), strings.TrimSpace(m.opt.QueryPrefix), strings.TrimSpace(m.opt.PassagePrefix), m.kernel, m.opt.Threads}
}

func (m *Model) poolingName() string {
	if m.pooling == bert.CLS {
		return "cls"
	}
	return "mean"
}
