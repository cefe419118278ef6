package embedmodel

import (
	"context"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/internal/vector"
)

// A Known is a model of the kind that package localembed computes, as its authors describe it.
type Known struct {
	Name       string `json:"name"`
	Published  string `json:"published"` // its authors' name for it
	Licence    string `json:"licence"`
	MB         int    `json:"mb"` // of its weights
	Dimensions int    `json:"dimensions"`
	Tokens     int    `json:"tokens"`
	SHA256     string `json:"sha256,omitempty"` // of model.safetensors
	About      string `json:"about"`
}

// List returns known models, the smallest first.
func List() []Known {
	return []Known{
		{"gte-small", "thenlper/gte-small", "MIT", 67, 384, 512, "", "English, 12 layers; weights in F16"},
		{"all-MiniLM-L6-v2", "sentence-transformers/all-MiniLM-L6-v2", "Apache-2.0", 91, 384, 256, "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db", "English, 6 layers: half the work of the others of its size"},
		{"bge-small-en-v1.5", "BAAI/bge-small-en-v1.5", "MIT", 133, 384, 512, "", "English, 12 layers; an instruction before questions"},
		{"e5-small-v2", "intfloat/e5-small-v2", "MIT", 133, 384, 512, "", "English, 12 layers; \"query: \" and \"passage: \" before texts"},
		{"bge-base-en-v1.5", "BAAI/bge-base-en-v1.5", "MIT", 438, 768, 512, "", "English, 12 layers, twice as wide"},
	}
}

// A Checked is what was found of a model.
type Checked struct {
	Model string `json:"model"`
	localembed.Info
	Opened  float64 `json:"opened_seconds"`
	Speed   float64 `json:"passages_per_second"` // of 200 words, in one goroutine
	MB      uint64  `json:"memory_mb"`
	Near    float32 `json:"cosine_alike"`
	Distant float32 `json:"cosine_unlike"`
}

// Check opens the model in a folder and uses it. An error also says when sentences that mean alike are not near.
func Check(ctx context.Context, dir string) (*Checked, error) {
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	from := time.Now()
	m, err := localembed.Open(dir, &localembed.Options{Threads: 1})
	if err != nil {
		return nil, err
	}
	c := &Checked{Model: m.Name(), Info: m.Info(), Opened: time.Since(from).Seconds()}
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

// Last keeps the model that was opened last, so that a server does not read it again for each command.
type Last struct {
	mu    sync.Mutex // guards what follows
	dir   string
	model *localembed.Model
}

// Open returns the model in a folder.
func (l *Last) Open(dir string) (*localembed.Model, error) {
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
