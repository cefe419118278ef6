package wordpiece

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/errs"
)

// pieces are a vocabulary; the id is the place.
var pieces = strings.Fields("[PAD] [UNK] [CLS] [SEP] [MASK] un ##aff ##able ##ffab affable a ##b ##c ! ? $ cafe 京 都 na ##ive naive ii i ##i É café ( )")

// tokenizerJSON returns a tokenizer.json of the pieces with a part replaced.
func tokenizerJSON(tb testing.TB, replace map[string]any) []byte {
	tb.Helper()
	vocab := map[string]int{}
	for i, p := range pieces {
		vocab[p] = i
	}
	all := map[string]any{
		"version": "1.0",
		"added_tokens": []any{
			map[string]any{"id": 4, "content": "[MASK]", "special": true}, map[string]any{"id": 3, "content": "[SEP]", "special": true},
		},
		"normalizer":    map[string]any{"type": "BertNormalizer", "clean_text": true, "handle_chinese_chars": true, "strip_accents": nil, "lowercase": true},
		"pre_tokenizer": map[string]any{"type": "BertPreTokenizer"},
		"post_processor": map[string]any{
			"type": "TemplateProcessing", "single": []any{
				map[string]any{"SpecialToken": map[string]any{"id": "[CLS]", "type_id": 0}}, map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}},
				map[string]any{"SpecialToken": map[string]any{"id": "[SEP]", "type_id": 0}},
			},
			"special_tokens": map[string]any{"[CLS]": map[string]any{"ids": []int{2}}, "[SEP]": map[string]any{"ids": []int{3}}},
		},
		"model": map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "continuing_subword_prefix": "##", "max_input_chars_per_word": 100, "vocab": vocab},
	}
	for k, v := range replace {
		all[k] = v
	}
	data, err := json.Marshal(all)
	if err != nil {
		tb.Fatal(err)
	}
	return data
}

// tokens returns the pieces of a text.
func tokens(t *Tokenizer, text string) string {
	var out []string
	for _, id := range t.Encode(text) {
		out = append(out, pieces[id])
	}
	return strings.Join(out, " ")
}

func TestEncode(t *testing.T) {
	fromJSON, err := Parse(tokenizerJSON(t, nil))
	if err != nil {
		t.Fatal(err)
	}
	fromVocab, err := FromVocab([]byte(strings.Join(pieces, "\r\n")), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tok := range []*Tokenizer{fromJSON, fromVocab} {
		if diff := cmp.Diff([][]int32{{2}, {3}}, [][]int32{tok.Before, tok.After}); diff != "" || tok.Size != len(pieces) {
			t.Errorf("around texts, of %d ids (-want +got):\n%s", tok.Size, diff)
		}
		for _, tt := range []struct{ in, want string }{
			{"", ""},
			{" \t\n ", ""},
			{"unaffable", "un ##aff ##able"}, // the longest from the left, though un ##ffab is none
			{"UNAFFABLE!", "un ##aff ##able !"},
			{"affable affablex", "affable [UNK]"}, // a word is known whole, or not at all
			{"abcb", "a ##b ##c ##b"},
			{"a?b", "a ? [UNK]"},
			{"a$a", "a $ a"},
			{"Café cafe\u0301", "cafe cafe"},
			{"naïve", "naive"},
			{"京都", "京 都"},
			{"a京a", "a 京 a"},
			{"a\u0000b\u200bc\ufffd", "a ##b ##c"}, // removed, so that the word goes on
			{"a\u00a0a\u3000a", "a a a"},
			{"a\xffb", "a ##b"},
			{"İI", "ii"}, // without its accent
			{"[MASK]a[SEP] [sep]", "[MASK] a [SEP] [UNK] [UNK] [UNK]"},
			{"(" + strings.Repeat("a", 100) + ")", "( [UNK] )"},
			{"a" + strings.Repeat("b", 99), "a" + strings.Repeat(" ##b", 99)},
			{"a" + strings.Repeat("b", 100), "[UNK]"}, // over 100 characters
		} {
			if got := tokens(tok, tt.in); got != tt.want {
				t.Errorf("Encode(%q) = %s, want %s", tt.in, got, tt.want)
			}
		}
	}
	cased, err := FromVocab([]byte(strings.Join(pieces, "\n")), []byte(`{"do_lower_case": false}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tokens(cased, "É café Cafe"), "É café [UNK]"; got != want {
		t.Errorf("with capitals and accents: %s, want %s", got, want)
	}
	lower, err := Parse(tokenizerJSON(t, map[string]any{"normalizer": map[string]any{"type": "BertNormalizer", "lowercase": true, "strip_accents": false}}))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := tokens(lower, "CAFÉ"), "café"; got != want {
		t.Errorf("with accents: %s, want %s", got, want)
	}
}

func TestBertProcessing(t *testing.T) {
	tok, err := Parse(tokenizerJSON(t, map[string]any{"post_processor": map[string]any{"type": "BertProcessing", "cls": []any{"[CLS]", 2}, "sep": []any{"[SEP]", 3}}}))
	if err != nil || len(tok.Before) != 1 || tok.Before[0] != 2 || len(tok.After) != 1 || tok.After[0] != 3 {
		t.Errorf("around texts: %v, %v, %v", tok.Before, tok.After, err)
	}
}

func TestParseErrors(t *testing.T) {
	model := func(change map[string]any) map[string]any {
		m := map[string]any{"type": "WordPiece", "unk_token": "[UNK]", "vocab": map[string]any{"[UNK]": 0}}
		for k, v := range change {
			m[k] = v
		}
		return map[string]any{"model": m, "added_tokens": nil}
	}
	for _, tt := range []struct {
		name    string
		replace map[string]any
		is      error
		want    string
	}{
		{"BPE", model(map[string]any{"type": "BPE"}), errs.Unsupported, `type "BPE"`},
		{"no model", map[string]any{"model": nil}, errs.Unsupported, `type ""`},
		{"no normalizer", map[string]any{"normalizer": nil}, errs.Unsupported, "BertNormalizer"},
		{"another pre_tokenizer", map[string]any{"pre_tokenizer": map[string]any{"type": "Whitespace"}}, errs.Unsupported, "BertPreTokenizer"},
		{"an id below 0", model(map[string]any{"vocab": map[string]any{"[UNK]": -1}}), errs.Format, "has id -1"},
		{"an enormous id", model(map[string]any{"vocab": map[string]any{"[UNK]": 1 << 30}}), errs.Format, "has id"},
		{"no unknown", model(map[string]any{"vocab": map[string]any{"a": 1}}), errs.Format, `"[UNK]"`},
		{"a list", model(map[string]any{"vocab": []int{1}}), errs.Format, "model.vocab"},
		{"no letters", model(map[string]any{"max_input_chars_per_word": 0}), errs.Format, "max_input_chars_per_word is 0"},
		{"an added token that takes white space", map[string]any{"added_tokens": []any{map[string]any{"id": 1, "content": "<m>", "lstrip": true}}}, errs.Unsupported, `"<m>"`},
		{"an empty added token", map[string]any{"added_tokens": []any{map[string]any{"id": 1, "content": ""}}}, errs.Format, "added token"},
		{"another post_processor", map[string]any{"post_processor": map[string]any{"type": "RobertaProcessing"}}, errs.Format, "RobertaProcessing"},
	} {
		_, err := Parse(tokenizerJSON(t, tt.replace))
		if !errors.Is(err, tt.is) || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want one that is %q and says %q", tt.name, err, tt.is, tt.want)
		}
	}
	for _, tt := range []struct{ vocab, config, want string }{
		{"a\nb", "", `"[UNK]"`}, {"[UNK]\n[CLS]", "", "no line [SEP]"}, {"[UNK]", "{", "tokenizer_config.json"}, {"[UNK]", `{"tokenizer_class": "T5Tokenizer"}`, "T5Tokenizer"},
	} {
		var config []byte
		if tt.config != "" {
			config = []byte(tt.config)
		}
		if _, err := FromVocab([]byte(tt.vocab), config); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("FromVocab(%q, %q): %v, want one that says %q", tt.vocab, tt.config, err, tt.want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(tokenizerJSON(f, nil), "The [MASK] café 京都!")
	f.Add([]byte(`{"model":{"vocab":{"":0,"[UNK]":1,"##":2}}}`), "a")
	f.Fuzz(func(t *testing.T, data []byte, text string) {
		tok, err := Parse(data)
		if err != nil {
			if tok, err = FromVocab(data, nil); err != nil {
				return
			}
		}
		ids := tok.Encode(text)
		for _, id := range append(append(ids, tok.Before...), tok.After...) {
			if id < 0 || int(id) >= tok.Size {
				t.Errorf("Encode(%q) has id %d, of %d", text, id, tok.Size)
			}
		}
		if len(ids) > 3*len(text) { // a byte is a token at most, beside those of what it decomposes into
			t.Errorf("Encode(%q) has %d ids", text, len(ids))
		}
	})
}
