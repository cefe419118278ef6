package localembed

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/localembed/internal/bert"
	"github.com/findspot/findspot/docsearch/localembed/internal/wordpiece"
	"github.com/findspot/findspot/internal/rootfs"
)

const (
	maxConfig    = 1 << 20
	maxTokenizer = 64 << 20
)

// folder is what the small files of a model's folder say.
type folder struct {
	dir       string
	config    bert.Config
	tokenizer *wordpiece.Tokenizer
	words     []byte // the file of the tokenizer
	pooling   bert.Pooling
	tokens    int // of a text at most; 0 when no file says so
	query     string
	passage   string
}

// read returns a file of the folder; nil when there is none.
func (f *folder) read(name string, limit int64) ([]byte, error) {
	data, err := rootfs.ReadFile(filepath.Join(f.dir, filepath.FromSlash(name)), limit)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	return data, err
}

// parse reads a JSON file of the folder into a value, and returns whether it is there.
func (f *folder) parse(name string, into any) (bool, error) {
	data, err := f.read(name, maxConfig)
	if err != nil || data == nil {
		return false, err
	}
	if err := json.Unmarshal(data, into); err != nil {
		return false, fmt.Errorf("%s: %w: %v", name, docsearch.ErrFormat, err)
	}
	return true, nil
}

// readFolder reads all but the weights.
func readFolder(dir string) (*folder, error) {
	f := &folder{dir: dir}
	c := struct {
		bert.Config
		Kind      string `json:"model_type"`
		Positions string `json:"position_embedding_type"`
		Origin    string `json:"_name_or_path"`
	}{Config: bert.Config{Types: 2, Epsilon: 1e-12, Activation: "gelu"}, Kind: "bert"}
	switch there, err := f.parse("config.json", &c); {
	case err != nil:
		return nil, err
	case !there:
		return nil, fmt.Errorf("config.json: %w: give the folder of a model, with config.json, tokenizer.json and model.safetensors in it", docsearch.ErrNotFound)
	case c.Kind != "bert":
		return nil, fmt.Errorf("config.json: %w: a model of type %q, and only bert is computed", docsearch.ErrUnsupported, c.Kind)
	case c.Positions != "" && c.Positions != "absolute":
		return nil, fmt.Errorf("config.json: %w: position_embedding_type %q, and only absolute is computed", docsearch.ErrUnsupported, c.Positions)
	}
	if err := c.Config.Check(); err != nil {
		return nil, fmt.Errorf("config.json: %w", err)
	}
	f.config = c.Config
	known := knownKind(filepath.Base(dir), c.Origin)
	if err := errors.Join(f.readTokenizer(), f.readModules(known), f.readPrompts(known)); err != nil {
		return nil, err
	}
	return f, nil
}

func (f *folder) readTokenizer() (err error) {
	name := "tokenizer.json"
	if f.words, err = f.read(name, maxTokenizer); err != nil {
		return err
	}
	if f.words != nil {
		f.tokenizer, err = wordpiece.Parse(f.words)
	} else {
		name = "vocab.txt"
		var config []byte
		if f.words, err = f.read(name, maxTokenizer); err != nil {
			return err
		}
		if f.words == nil {
			return fmt.Errorf("tokenizer.json: %w, and neither is vocab.txt: the model's tokenizer is one of them", docsearch.ErrNotFound)
		}
		if config, err = f.read("tokenizer_config.json", maxConfig); err != nil {
			return err
		}
		f.tokenizer, err = wordpiece.FromVocab(f.words, config)
		f.words = append(f.words, config...)
	}
	if err == nil && f.tokenizer.Size > f.config.Vocab {
		err = fmt.Errorf("%w: it has token %d, and the model of config.json has %d", docsearch.ErrFormat, f.tokenizer.Size-1, f.config.Vocab)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	var limits struct {
		Tokens int `json:"max_seq_length"`
	}
	if _, err := f.parse("sentence_bert_config.json", &limits); err != nil {
		return err
	}
	f.tokens = limits.Tokens
	return nil
}

// readModules reads what follows the encoder: how its vectors become one. Without such files that is what its kind does, or the mean.
func (f *folder) readModules(known kind) error {
	f.pooling = known.pooling
	at := "1_Pooling"
	var modules []struct {
		Path string `json:"path"`
		Type string `json:"type"`
	}
	if _, err := f.parse("modules.json", &modules); err != nil {
		return err
	}
	for _, m := range modules {
		switch name := m.Type[strings.LastIndexByte(m.Type, '.')+1:]; name {
		case "Transformer":
			if m.Path != "" {
				return fmt.Errorf("modules.json: %w: the encoder is in the folder %q", docsearch.ErrUnsupported, m.Path)
			}
		case "Normalize":
		case "Pooling":
			if at = m.Path; !filepath.IsLocal(at) {
				return fmt.Errorf("modules.json: %w: the path %q leads out of the folder", docsearch.ErrFormat, at)
			}
		default:
			return fmt.Errorf("modules.json: %w: a module of type %q, and only Transformer, Pooling and Normalize are computed", docsearch.ErrUnsupported, m.Type)
		}
	}
	var p struct {
		CLS   bool `json:"pooling_mode_cls_token"`
		Mean  bool `json:"pooling_mode_mean_tokens"`
		Max   bool `json:"pooling_mode_max_tokens"`
		Sqrt  bool `json:"pooling_mode_mean_sqrt_len_tokens"`
		Last  bool `json:"pooling_mode_lasttoken"`
		Heavy bool `json:"pooling_mode_weightedmean_tokens"`
	}
	name := at + "/config.json"
	there, err := f.parse(name, &p)
	if err != nil || !there {
		return err
	}
	if p.CLS == p.Mean || p.Max || p.Sqrt || p.Last || p.Heavy {
		return fmt.Errorf("%s: %w: one of pooling_mode_cls_token and pooling_mode_mean_tokens must be true, and no other", name, docsearch.ErrUnsupported)
	}
	if f.pooling = bert.Mean; p.CLS {
		f.pooling = bert.CLS
	}
	return nil
}

// readPrompts reads what the model was trained to see before queries and passages.
func (f *folder) readPrompts(known kind) error {
	var c struct {
		Prompts map[string]string `json:"prompts"`
	}
	if _, err := f.parse("config_sentence_transformers.json", &c); err != nil {
		return err
	}
	f.query = cmp.Or(c.Prompts["query"], known.query)
	f.passage = cmp.Or(c.Prompts["passage"], c.Prompts["document"], known.passage)
	return nil
}

// A kind is models that their authors describe together, in words only.
type kind struct {
	query, passage string
	pooling        bert.Pooling
}

// knownKind returns what the authors of a model say of it, by its names; a mean without prefixes for models that are not known.
func knownKind(names ...string) kind {
	name := strings.ToLower(strings.Join(names, " "))
	switch {
	case strings.Contains(name, "e5-small"), strings.Contains(name, "e5-base"), strings.Contains(name, "e5-large"): // arXiv 2212.03533
		return kind{query: "query: ", passage: "passage: "}
	case strings.Contains(name, "bge-") && strings.Contains(name, "-en"): // arXiv 2309.07597
		return kind{query: "Represent this sentence for searching relevant passages: ", pooling: bert.CLS}
	case strings.Contains(name, "bge-") && strings.Contains(name, "-zh"):
		return kind{query: "为这个句子生成表示以用于检索相关文章：", pooling: bert.CLS}
	}
	return kind{}
}
