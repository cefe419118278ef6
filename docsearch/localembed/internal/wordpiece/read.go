package wordpiece

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
)

const (
	maxID    = 1 << 22 // no vocabulary is nearly as large
	maxAdded = 10_000
)

// file is what is read of a tokenizer.json.
type file struct {
	Added []struct {
		ID         int32  `json:"id"`
		Content    string `json:"content"`
		Normalized bool   `json:"normalized"`
		Single     bool   `json:"single_word"`
		Left       bool   `json:"lstrip"`
		Right      bool   `json:"rstrip"`
	} `json:"added_tokens"`
	Normalizer *struct {
		Type    string `json:"type"`
		Clean   bool   `json:"clean_text"`
		Chinese bool   `json:"handle_chinese_chars"`
		Strip   *bool  `json:"strip_accents"`
		Lower   bool   `json:"lowercase"`
	} `json:"normalizer"`
	PreTokenizer *struct {
		Type string `json:"type"`
	} `json:"pre_tokenizer"`
	PostProcessor *struct {
		Type   string `json:"type"`
		Single []struct {
			Special *struct {
				ID string `json:"id"`
			} `json:"SpecialToken"`
			Sequence *struct{} `json:"Sequence"`
		} `json:"single"`
		Specials map[string]struct {
			IDs []int32 `json:"ids"`
		} `json:"special_tokens"`
		Sep json.RawMessage `json:"sep"`
		Cls json.RawMessage `json:"cls"`
	} `json:"post_processor"`
	Model struct {
		Type    string          `json:"type"`
		Unknown string          `json:"unk_token"`
		Prefix  *string         `json:"continuing_subword_prefix"`
		Runes   *int            `json:"max_input_chars_per_word"`
		Vocab   json.RawMessage `json:"vocab"` // a list in tokenizers of other types
	} `json:"model"`
}

// Parse reads a tokenizer.json. An error wraps errs.Format, or errs.Unsupported for a tokenizer of another kind.
func Parse(data []byte) (*Tokenizer, error) {
	var f file
	if err := json.Unmarshal(data, &f); err != nil {
		return nil, fmt.Errorf("%w: %v", errs.Format, err)
	}
	t := &Tokenizer{wordRunes: 100}
	n, p := f.Normalizer, f.PreTokenizer
	switch {
	case f.Model.Type != "WordPiece" && (f.Model.Type != "" || f.Model.Vocab == nil): // older files have no type
		return nil, fmt.Errorf("%w: a tokenizer of type %q, and only WordPiece is read", errs.Unsupported, f.Model.Type)
	case n == nil || n.Type != "BertNormalizer":
		return nil, fmt.Errorf("%w: its normalizer is not BertNormalizer", errs.Unsupported)
	case p == nil || p.Type != "BertPreTokenizer":
		return nil, fmt.Errorf("%w: its pre_tokenizer is not BertPreTokenizer", errs.Unsupported)
	}
	t.normalizer = normalizer{n.Clean, n.Chinese, n.Lower, n.Lower}
	if n.Strip != nil {
		t.strip = *n.Strip
	}
	if r := f.Model.Runes; r != nil {
		if *r < 1 {
			return nil, fmt.Errorf("%w: max_input_chars_per_word is %d", errs.Format, *r)
		}
		t.wordRunes = min(*r, 1000)
	}
	prefix := "##"
	if f.Model.Prefix != nil {
		prefix = *f.Model.Prefix
	}
	var vocab map[string]int32
	if err := json.Unmarshal(f.Model.Vocab, &vocab); err != nil {
		return nil, fmt.Errorf("%w: model.vocab: %v", errs.Format, err)
	}
	if err := t.vocabulary(vocab, prefix, f.Model.Unknown); err != nil {
		return nil, fmt.Errorf("%w: %w", errs.Format, err)
	}
	added := make(map[string]int32, len(f.Added))
	for _, a := range f.Added {
		if a.Left || a.Right || a.Single || a.Normalized {
			return nil, fmt.Errorf("%w: the added token %q is of a kind that BERT has not (lstrip, rstrip, single_word or normalized)", errs.Unsupported, a.Content)
		}
		added[a.Content] = a.ID
	}
	if err := t.add(added); err != nil {
		return nil, err
	}
	if err := t.around(&f); err != nil {
		return nil, fmt.Errorf("%w: post_processor: %w", errs.Format, err)
	}
	return t, nil
}

// add sets the tokens that stand for themselves in a text.
func (t *Tokenizer) add(ids map[string]int32) error {
	if len(ids) > maxAdded {
		return fmt.Errorf("%w: %d added tokens", errs.TooLarge, len(ids))
	}
	var words []string
	for w, id := range ids {
		if id < 0 || id >= maxID || w == "" {
			return fmt.Errorf("%w: the added token %q has id %d", errs.Format, w, id)
		}
		t.Size = max(t.Size, int(id)+1)
		words = append(words, regexp.QuoteMeta(strings.ToValidUTF8(w, "\uFFFD")))
	}
	if len(words) == 0 {
		return nil
	}
	slices.SortFunc(words, func(a, b string) int { return len(b) - len(a) }) // the longest of two that begin alike
	re, err := regexp.Compile(strings.Join(words, "|"))
	if err != nil {
		return fmt.Errorf("%w: the added tokens: %v", errs.Format, err)
	}
	t.added, t.addedIDs = re, ids
	return nil
}

// around sets what stands before and after each text.
func (t *Tokenizer) around(f *file) error {
	p := f.PostProcessor
	if p == nil {
		return nil
	}
	into := &t.Before
	put := func(ids ...int32) error {
		for _, id := range ids {
			if id < 0 || id >= maxID {
				return fmt.Errorf("it puts id %d around texts", id)
			}
			t.Size = max(t.Size, int(id)+1)
		}
		if *into = append(*into, ids...); len(*into) > 8 {
			return fmt.Errorf("it puts more than 8 tokens beside a text")
		}
		return nil
	}
	switch p.Type {
	case "BertProcessing": // the tokens as [text, id]
		for _, pair := range []json.RawMessage{p.Cls, p.Sep} {
			var text string
			var id int32
			if err := json.Unmarshal(pair, &[]any{&text, &id}); err != nil {
				return err
			}
			if err := put(id); err != nil {
				return err
			}
			into = &t.After
		}
	case "TemplateProcessing":
		for _, x := range p.Single {
			switch {
			case x.Sequence != nil:
				into = &t.After
			case x.Special != nil:
				if err := put(p.Specials[x.Special.ID].IDs...); err != nil {
					return err
				}
			}
		}
	default:
		return fmt.Errorf("%q is not read, only TemplateProcessing and BertProcessing", p.Type)
	}
	return nil
}

// FromVocab returns the tokenizer of a vocab.txt, one piece a line with the number of the line, from 0, as its id. config is
// a tokenizer_config.json, or nil: BERT's own rules. The tokens around texts are [CLS] and [SEP].
func FromVocab(vocab, config []byte) (*Tokenizer, error) {
	c := struct {
		Lower   *bool  `json:"do_lower_case"`
		Strip   *bool  `json:"strip_accents"`
		Chinese *bool  `json:"tokenize_chinese_chars"`
		Class   string `json:"tokenizer_class"`
	}{}
	if config != nil {
		if err := json.Unmarshal(config, &c); err != nil {
			return nil, fmt.Errorf("%w: tokenizer_config.json: %v", errs.Format, err)
		}
	}
	if c.Class != "" && c.Class != "BertTokenizer" && c.Class != "BertTokenizerFast" {
		return nil, fmt.Errorf("%w: a tokenizer of class %q, and only BertTokenizer is read", errs.Unsupported, c.Class)
	}
	t := &Tokenizer{wordRunes: 100}
	t.normalizer = normalizer{true, or(c.Chinese, true), or(c.Strip, or(c.Lower, true)), or(c.Lower, true)}
	ids := map[string]int32{}
	id := int32(0)
	for line := range bytes.Lines(vocab) {
		ids[string(bytes.TrimRight(line, "\r\n"))] = id
		if id++; id > maxID {
			return nil, fmt.Errorf("%w: vocab.txt has more than %d lines", errs.TooLarge, maxID)
		}
	}
	if err := t.vocabulary(ids, "##", "[UNK]"); err != nil {
		return nil, fmt.Errorf("%w: vocab.txt: %w", errs.Format, err)
	}
	special := map[string]int32{}
	for _, w := range []string{"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"} {
		id, ok := ids[w]
		switch {
		case ok:
			special[w] = id
		case w == "[CLS]" || w == "[SEP]":
			return nil, fmt.Errorf("%w: vocab.txt has no line %s", errs.Format, w)
		}
	}
	t.Before, t.After = []int32{special["[CLS]"]}, []int32{special["[SEP]"]}
	return t, t.add(special)
}

func or(b *bool, def bool) bool {
	if b == nil {
		return def
	}
	return *b
}
