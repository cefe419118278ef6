package export

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/convention"
)

const (
	maxItems = 40   // of one answer
	maxText  = 1000 // bytes of an item that are kept
)

// itemsOf reads the evidence from what a house says that a tool of findspot returned. Houses hand on the structured form of an answer, or its text, as a
// string, as blocks, or inside of the result of the protocol. What has neither form is not ok; an answer that says that there is nothing is, without items.
func itemsOf(tool string, response json.RawMessage) (items []evidence.Item, ok bool) {
	return answerItems(tool, response, 0)
}

func answerItems(tool string, response json.RawMessage, depth int) ([]evidence.Item, bool) {
	var (
		text   string
		blocks []struct {
			Text string `json:"text"`
		}
		result struct {
			IsError    bool            `json:"isError"`
			Structured json.RawMessage `json:"structuredContent"`
			Content    json.RawMessage `json:"content"`
			Head       *string         `json:"head"`
			Items      json.RawMessage `json:"items"`
		}
	)
	switch response = bytes.TrimSpace(response); {
	case depth > 3 || len(response) == 0 || bytes.Equal(response, []byte("null")):
	case json.Unmarshal(response, &text) == nil:
		if json.Valid([]byte(text)) {
			return answerItems(tool, json.RawMessage(text), depth+1)
		}
		return textItems(tool, text)
	case json.Unmarshal(response, &blocks) == nil:
		for _, b := range blocks {
			text += b.Text + "\n"
		}
		return answerItems(tool, quote(text), depth+1)
	case json.Unmarshal(response, &result) != nil || result.IsError:
	case len(result.Items) > 0:
		return structuredItems(result.Items)
	case result.Head != nil:
		return nil, true
	case len(result.Structured) > 0 && !bytes.Equal(result.Structured, []byte("null")):
		return answerItems(tool, result.Structured, depth+1)
	default:
		return answerItems(tool, result.Content, depth+1)
	}
	return nil, false
}

func quote(text string) json.RawMessage {
	data, err := json.Marshal(text)
	if err != nil {
		return nil // a string always has a form
	}
	return data
}

// structuredItems reads the member items of a structured answer: by key, the place and the text below it. Their order is that of the answer.
func structuredItems(data json.RawMessage) ([]evidence.Item, bool) {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	var out answer
	for d.More() {
		key, err := d.Token()
		var said string
		if err != nil || d.Decode(&said) != nil {
			return nil, false
		}
		head, text, _ := strings.Cut(said, "\n")
		if name, ok := key.(string); ok && name != "" {
			out.add(name, head, text)
		}
	}
	return out.items, true
}

var textItem = lazyregexp.New(`^\[([A-Z][0-9]+)\] (?:as \[([A-Z][0-9]+)\])?(.*)$`)

// textItems reads the text of a search's answer: lines that begin with a key, with the text below them, indented. In other answers text
// of documents may begin a line, so that they are not read.
func textItems(tool, text string) ([]evidence.Item, bool) {
	if !convention.Searches(tool) {
		return nil, false
	}
	var out answer
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\r\n")
		if m := textItem.FindStringSubmatch(line); m != nil {
			out.add(m[1], m[2]+m[3], "")
		} else if n := len(out.items); n > 0 && strings.HasPrefix(line, "    ") {
			out.items[n-1].Text = cut(strings.TrimSpace(out.items[n-1].Text + " " + strings.TrimSpace(line)))
		}
	}
	return out.items, true
}

// answer collects the items of one answer. The first item of a document or file names it, later ones refer to its key.
type answer struct{ items []evidence.Item }

var (
	refers = lazyregexp.New(`^([A-Z][0-9]+)(?:[ :,]|$)`)
	inCode = lazyregexp.New(`^([^:\s][^:]*):([^ ]*)`)
	page   = lazyregexp.New(`\bp\. ([0-9]{1,9})`)
	lines  = lazyregexp.New(`(?:\bl\. |:)([0-9]{1,9})(?:-([0-9]{1,9}))?`)
)

// add reads a place: "Title p. 3, l. 68 (name.pdf) (phrase)", "path/file.py:name l. 67-93 (name, exact)", or one that begins with the key of an item
// of the same document or file.
func (a *answer) add(key, head, text string) {
	if len(a.items) >= maxItems {
		return
	}
	it := evidence.Item{Key: key, Kind: evidence.KindPassage, Text: cut(text)}
	place, last := cutParens(head)
	before, name := cutParens(place)
	if !strings.HasPrefix(key, "D") {
		it.Kind = evidence.KindEntity
	}
	if m := refers.FindStringSubmatch(head); m != nil {
		i := slices.IndexFunc(a.items, func(it evidence.Item) bool { return it.Key == m[1] })
		if i < 0 {
			return // of an answer that was not seen: its document is not known, and does not count
		}
		it.At.Doc, it.At.Path, it.Tier = a.items[i].At.Doc, a.items[i].At.Path, last
		_, entity, _ := strings.Cut(place, ":")
		it.At.Entity, _, _ = strings.Cut(entity, " ")
	} else if m := inCode.FindStringSubmatch(place); m != nil && it.Kind == evidence.KindEntity {
		it.At.Path, it.At.Entity, it.Tier = m[1], m[2], last
	} else if it.Kind == evidence.KindPassage && name != "" {
		place, it.At.Doc, it.Tier = before, name, last
	} else if it.Kind == evidence.KindPassage && last != "" { // no search: no tier
		it.At.Doc = last
	} else {
		return
	}
	if m := page.FindStringSubmatch(place); m != nil {
		it.At.Page, _ = strconv.Atoi(m[1])
	}
	if m := lines.FindStringSubmatch(place); m != nil {
		it.At.Line, _ = strconv.Atoi(m[1])
		it.At.EndLine, _ = strconv.Atoi(m[2])
	}
	it.Tier, _, _ = strings.Cut(it.Tier, ",")
	a.items = append(a.items, it)
}

// cutParens cuts what stands in parentheses at the end of a text.
func cutParens(text string) (before, inside string) {
	text = strings.TrimSpace(text)
	from := strings.LastIndexByte(text, '(')
	if from < 0 || !strings.HasSuffix(text, ")") {
		return text, ""
	}
	return strings.TrimSpace(text[:from]), text[from+1 : len(text)-1]
}

func cut(text string) string {
	if len(text) > maxText {
		text = strings.ToValidUTF8(text[:maxText], "")
	}
	return text
}
