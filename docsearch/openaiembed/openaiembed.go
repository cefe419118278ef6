package openaiembed

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/vector"
)

// Options says how a server is asked. The zero value suits a local server with a model that takes texts as they are.
type Options struct {
	Key     string        // sent as bearer token; "" sends none
	Batch   int           // most texts of a request; 0 means 64
	Timeout time.Duration // of one request; 0 means a minute
	Retries int           // after the first try of a request; 0 means 4, negative none
	// Dimensions asks a model that can for vectors of so many numbers; 0 leaves that to the model.
	Dimensions int
	// Runes is the length of text that the model takes. Longer ones are cut into pieces, and get the mean of their vectors by length.
	// 0 sends texts whole.
	Runes int
	// Query and Passage are put before queries and passages, for models that were trained with such words ("query: ", "passage: ").
	Query, Passage string
	Client         *http.Client // nil means one of our own; its Timeout counts too
}

// An Embedder asks one server for the vectors of one model.
type Embedder struct {
	endpoint string
	host     string // for errors
	model    string
	opt      Options
	client   http.Client
	wait     func(context.Context, time.Duration) error
}

var _ docsearch.QueryEmbedder = (*Embedder)(nil)

// New returns an embedder that asks the server at base, to which "/embeddings" is added, such as "http://127.0.0.1:8080/v1".
// Nothing is sent yet. A base that is no http or https address, or that holds a password, is an error, as is an option that cannot be used.
func New(base, model string, o *Options) (*Embedder, error) {
	e := &Embedder{model: model, wait: sleep}
	if o != nil {
		e.opt = *o
	}
	var bad []error
	u, err := url.Parse(base)
	switch {
	case err != nil: // the parser's error holds the address, and that may hold a password
		bad = append(bad, errors.New("the address is not valid"))
	case u.Scheme != "http" && u.Scheme != "https" || u.Host == "":
		bad = append(bad, errors.New("the address must begin with http://HOST or https://HOST"))
	case u.User != nil:
		bad = append(bad, errors.New("the address contains a user: give the key in Options.Key"))
	default:
		e.endpoint, e.host = u.JoinPath("embeddings").String(), u.Host
	}
	if model == "" {
		bad = append(bad, errors.New("no model is given"))
	}
	for _, f := range []struct {
		name  string
		value int
	}{{"Batch", e.opt.Batch}, {"Timeout", int(e.opt.Timeout)}, {"Dimensions", e.opt.Dimensions}, {"Runes", e.opt.Runes}} {
		if f.value < 0 {
			bad = append(bad, fmt.Errorf("option %s is negative", f.name))
		}
	}
	if strings.ContainsAny(e.opt.Key, "\r\n") {
		bad = append(bad, errors.New("option Key contains a line break"))
	}
	if len(bad) > 0 {
		return nil, fmt.Errorf("embedding server: %w: %w", docsearch.ErrUnsupported, errors.Join(bad...))
	}
	e.opt.Batch = cmp.Or(e.opt.Batch, 64)
	e.opt.Timeout = cmp.Or(e.opt.Timeout, time.Minute)
	e.opt.Retries = max(cmp.Or(e.opt.Retries, 4), 0)
	if e.opt.Client != nil {
		e.client = *e.opt.Client
	}
	e.client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return e, nil
}

// Name returns the model with the options that decide its vectors. It does not name the server: one model has the same vectors everywhere.
func (e *Embedder) Name() string {
	name := e.model
	if e.opt.Dimensions > 0 {
		name += fmt.Sprintf(" dimensions=%d", e.opt.Dimensions)
	}
	if e.opt.Runes > 0 {
		name += fmt.Sprintf(" runes=%d", e.opt.Runes)
	}
	if e.opt.Passage != "" {
		name += fmt.Sprintf(" passage=%q", e.opt.Passage)
	}
	return name
}

// Embed returns the vectors of passages, in their order.
func (e *Embedder) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, e.opt.Passage, texts)
}

// EmbedQueries returns the vectors of queries, in their order.
func (e *Embedder) EmbedQueries(ctx context.Context, texts []string) ([][]float32, error) {
	return e.embed(ctx, e.opt.Query, texts)
}

// batchBytes is the most text of a request, unless one text alone is longer.
const batchBytes = 1 << 20

func (e *Embedder) embed(ctx context.Context, prefix string, texts []string) ([][]float32, error) {
	var inputs []string
	var owners []int // of the inputs
	parts := make([]int, len(texts))
	for i, t := range texts {
		ps := pieces(strings.ToValidUTF8(t, "\uFFFD"), e.opt.Runes)
		parts[i] = len(ps)
		for _, p := range ps {
			inputs, owners = append(inputs, prefix+p), append(owners, i)
		}
	}
	out := make([][]float32, len(texts))
	for len(inputs) > 0 {
		n, size := 0, 0
		for n < len(inputs) && n < e.opt.Batch && (n == 0 || size+len(inputs[n]) <= batchBytes) {
			size += len(inputs[n])
			n++
		}
		vs, err := e.request(ctx, inputs[:n])
		for i := 0; i < len(vs) && err == nil; i++ {
			if o := owners[i]; parts[o] == 1 {
				out[o] = vs[i]
			} else {
				err = add(&out[o], vs[i], float32(len(inputs[i])))
			}
		}
		if err != nil {
			return nil, fmt.Errorf("embedding server %s: model %q: %w", e.host, e.model, err)
		}
		inputs, owners = inputs[n:], owners[n:]
	}
	return out, nil
}

// add adds a vector, made one long, with its weight to a sum.
func add(sum *[]float32, v []float32, weight float32) error {
	u, ok := vector.Unit(v)
	if !ok {
		return fmt.Errorf("%w: a vector without a direction", docsearch.ErrFormat)
	}
	if *sum == nil {
		*sum = make([]float32, len(u))
	}
	if len(*sum) != len(u) {
		return fmt.Errorf("%w: vectors of %d and of %d numbers", docsearch.ErrFormat, len(*sum), len(u))
	}
	for i, x := range u {
		(*sum)[i] += weight * x
	}
	return nil
}

// pieces cuts a text after runes runes, back to white space in the second half of them, or not at all with 0.
func pieces(s string, runes int) []string {
	if runes == 0 || utf8.RuneCountInString(s) <= runes {
		return []string{s}
	}
	var out []string
	for s != "" {
		n, blank, end := 0, 0, len(s)
		for i, r := range s {
			if n == runes {
				if end = i; blank > 0 {
					end = blank
				}
				break
			}
			if n++; (r == ' ' || r == '\n' || r == '\t') && n > runes/2 {
				blank = i + 1
			}
		}
		out = append(out, s[:end])
		s = s[end:]
	}
	return out
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
