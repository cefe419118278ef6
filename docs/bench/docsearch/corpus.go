//go:build ignore

// Corpus writes documents of one chunk each, and queries for them: corpus [-n 200000] [-queries 1000] [-seed 1] SHARED OUT
//
// Below OUT stand corpus.jsonl ({"id", "title", "text"} a line, texts of 3,000 characters), phrase.jsonl, all.jsonl and any.jsonl ({"_id", "text"} a
// line) and corpus.json, which counts what was written. The same arguments give the same bytes.
//
// The words come from page texts and abstracts of the shared data, of which there are 10 MB, so text is put together anew:
//
//   - A document follows one topic, which is a PDF of some length or a hundred abstracts, and draws topics by their size.
//   - It reads on from a random sentence. After a sentence it goes on elsewhere half of the time; at a function word ("of", "the") a
//     quarter of the time, behind the same word in another sentence. Four in five of these places are of the same topic. So words keep
//     the frequencies and the company that they have, and phrases of some length seldom stand in many documents.
//   - The vocabulary of real text grows without end, by Heaps' law V = K·n^β for n words. K and β are those of the sources. Where a
//     word stands that the sources have three times at most, another one is written: a new one, made of the head of one rare word
//     and the tail of another one, as long as fewer words are known than the law says; else one that such a place held before. That is
//     how the tail of Zipf's law comes about (H. A. Simon, On a class of skew distribution functions, 1955). Within a document
//     the same word gives the same one again. Numbers are replaced by numbers, names by names.
//
// Phrases are two to five words in a row with a word among them that is no stop word; all: two to four words of one document that
// are no stop words; any: eight to twenty words, of two places of a document.
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	runes     = 3000 // of a text
	lineRunes = 90   // at which lines are broken
	rareCount = 3    // most places of the sources that hold a rare word
	topicMin  = 20_000
	abstracts = 100 // of a topic
)

// stops are the words at which text crosses over, and which queries for all words leave out: those of Lucene's English list, and some more.
var stops = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(`a an and are as at be but by for if in into is it no not of on or such that the their then there
		these they this to was will with from which has have can its were been also`) {
		m[w] = true
	}
	return m
}()

// token is a piece of text between spaces.
type token struct {
	before, core, after string // marks, word, marks
	word                int32  // number of the folded core; -1: there is none
}

// topic is a run of tokens.
type topic struct {
	first, end int
	sentences  []int           // where one begins
	crossings  map[int32][]int // places behind a function word
}

// maker holds the sources and the state of the text that is being written.
type maker struct {
	rnd      *rand.Rand
	tokens   []token
	topics   []topic
	sums     []int            // ends of the topics on a line of their sizes
	numbers  map[string]int32 // of folded words
	counts   []int            // places of the sources, by word
	function []bool           // by word
	k, beta  float64          // Heaps' law of the sources
	written  []bool           // by word: was written once
	known    map[string]bool  // folded words that were made here
	words    int              // written
	distinct int              // written
	history  [3][]string      // by class: what stood in rare places
	rare     [3][]string      // by class: rare words of the sources
}

func main() {
	n := flag.Int("n", 200_000, "documents")
	queries := flag.Int("queries", 1000, "queries of each sort")
	seed := flag.Uint64("seed", 1, "seed")
	flag.Parse()
	if flag.NArg() != 2 {
		fmt.Fprintln(os.Stderr, "usage: corpus [-n N] [-queries N] [-seed N] SHARED OUT")
		os.Exit(2)
	}
	if err := run(flag.Arg(0), flag.Arg(1), *n, *queries, *seed); err != nil {
		fmt.Fprintln(os.Stderr, "corpus:", err)
		os.Exit(1)
	}
}

func run(shared, out string, n, queries int, seed uint64) error {
	m := &maker{rnd: rand.New(rand.NewPCG(seed, 6)), numbers: map[string]int32{}, known: map[string]bool{}}
	texts, err := sources(shared)
	if err != nil {
		return err
	}
	for _, t := range texts {
		m.add(t)
	}
	m.fit()
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	f, err := os.Create(filepath.Join(out, "corpus.jsonl"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriterSize(f, 1<<20)
	e := json.NewEncoder(w)
	e.SetEscapeHTML(false)
	asked := map[int]int{}                // by document: how many of each sort of queries it gives
	for range queries + queries/10 + 10 { // some texts have no good ones
		asked[m.rnd.IntN(n)]++
	}
	// Queries have numbers of their own, so that the documents do not depend on them.
	ask := &asker{rnd: rand.New(rand.NewPCG(seed, 7))}
	size := 0
	for i := range n {
		title, text := m.document()
		size += len(text)
		if err := e.Encode(struct {
			ID    string `json:"id"`
			Title string `json:"title"`
			Text  string `json:"text"`
		}{fmt.Sprintf("d%06d", i), title, text}); err != nil {
			return err
		}
		for range asked[i] {
			ask.about(text)
		}
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Close(); err != nil {
		return err
	}
	for name, list := range map[string][]string{"phrase": ask.phrases, "all": ask.alls, "any": ask.anys} {
		if len(list) < queries {
			return fmt.Errorf("only %d of %d %s queries were found", len(list), queries, name)
		}
		if err := writeQueries(filepath.Join(out, name+".jsonl"), name, list[:queries]); err != nil {
			return err
		}
	}
	facts, err := json.Marshal(map[string]any{
		"documents": n, "bytes": size, "words": m.words, "distinct": m.distinct, "heaps_k": m.k, "heaps_beta": m.beta,
		"source_words": len(m.tokens), "source_distinct": len(m.counts), "topics": len(m.topics), "seed": seed,
	})
	if err != nil {
		return err
	}
	fmt.Println(string(facts))
	return os.WriteFile(filepath.Join(out, "corpus.json"), append(facts, '\n'), 0o644)
}

func writeQueries(path, name string, list []string) error {
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	for i, q := range list {
		if err := e.Encode(struct {
			ID   string `json:"_id"`
			Text string `json:"text"`
		}{fmt.Sprintf("%s%04d", name, i), q}); err != nil {
			return err
		}
	}
	return os.WriteFile(path, []byte(b.String()), 0o644)
}

// sources returns the texts of the topics.
func sources(shared string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	var short strings.Builder // PDFs that are too short for a topic
	err := lines(filepath.Join(shared, "pdf", "silver.jsonl.gz"), func(line []byte) error {
		var f struct{ Pymupdf, Pdfium []string }
		if err := json.Unmarshal(line, &f); err != nil {
			return err
		}
		pages := f.Pymupdf
		if len(pages) == 0 {
			pages = f.Pdfium
		}
		switch text := strings.Join(pages, "\n"); {
		case seen[text]:
		case len(text) >= topicMin:
			seen[text] = true
			out = append(out, text)
		default:
			seen[text] = true
			short.WriteString(text + "\n")
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	out = append(out, short.String())
	for _, set := range []string{"cranfield", "cisi", "med", "npl"} {
		var b strings.Builder
		count := 0
		err := lines(filepath.Join(shared, "relevance", set, "corpus.jsonl.gz"), func(line []byte) error {
			var d struct{ Title, Text string }
			if err := json.Unmarshal(line, &d); err != nil {
				return err
			}
			b.WriteString(d.Title + " " + d.Text + " .\n")
			if count++; count%abstracts == 0 {
				out = append(out, b.String())
				b.Reset()
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
		if b.Len() >= topicMin {
			out = append(out, b.String())
		}
	}
	return out, nil
}

func lines(path string, each func([]byte) error) error {
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	r := bufio.NewReaderSize(z, 1<<20)
	for {
		line, err := r.ReadBytes('\n')
		if len(line) > 0 {
			if err := each(line); err != nil {
				return fmt.Errorf("%s: %w", path, err)
			}
		}
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
	}
}

// add takes a text in as a topic.
func (m *maker) add(text string) {
	text = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unicode.IsControl(r) || r == utf8.RuneError {
			return ' '
		}
		return r
	}, text)
	t := topic{first: len(m.tokens), crossings: map[int32][]int{}}
	begin, run := true, 0
	for _, s := range strings.Fields(text) {
		if len(s) > 60 {
			continue // rows of dots, addresses: no words
		}
		k := cut(s)
		k.word = -1
		if k.core != "" {
			folded := strings.ToLower(k.core)
			n, ok := m.numbers[folded]
			if !ok {
				n = int32(len(m.counts))
				m.numbers[folded] = n
				m.counts = append(m.counts, 0)
				m.function = append(m.function, stops[folded])
			}
			m.counts[n]++
			k.word = n
		}
		at := len(m.tokens)
		if begin {
			t.sentences = append(t.sentences, at)
			run = 0
		}
		m.tokens = append(m.tokens, k)
		run++
		begin = strings.ContainsAny(k.after, ".?!") || k.core == "" && strings.ContainsAny(k.before, ".?!") || run > 60
		if k.word >= 0 && m.function[k.word] && !begin {
			t.crossings[k.word] = append(t.crossings[k.word], at+1)
		}
	}
	t.end = len(m.tokens)
	if t.end-t.first < 100 {
		m.tokens = m.tokens[:t.first]
		return
	}
	// The last token may be a function word: there is nothing behind it.
	for w, places := range t.crossings {
		t.crossings[w] = slices.DeleteFunc(places, func(p int) bool { return p >= t.end })
	}
	m.topics = append(m.topics, t)
	m.sums = append(m.sums, t.end)
}

// cut divides a token into marks, word, marks.
func cut(s string) token {
	inner := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	from := strings.IndexFunc(s, inner)
	if from < 0 {
		return token{before: s}
	}
	to := strings.LastIndexFunc(s, inner)
	_, size := utf8.DecodeRuneInString(s[to:])
	return token{before: s[:from], core: s[from : to+size], after: s[to+size:]}
}

// classes of rare words.
const (
	small = iota
	name
	number
)

func class(core string) int {
	if strings.ContainsFunc(core, unicode.IsDigit) {
		return number
	}
	if r, _ := utf8.DecodeRuneInString(core); unicode.IsUpper(r) {
		return name
	}
	return small
}

// fit finds Heaps' law in the topics, in a random order, between a sixteenth of the text and all of it.
func (m *maker) fit() {
	seen := make([]bool, len(m.counts))
	words, distinct, firstWords, firstDistinct := 0, 0, 0, 0
	for _, i := range m.rnd.Perm(len(m.topics)) {
		for _, t := range m.tokens[m.topics[i].first:m.topics[i].end] {
			if t.word < 0 {
				continue
			}
			words++
			if !seen[t.word] {
				seen[t.word] = true
				distinct++
			}
		}
		if firstWords == 0 && words > len(m.tokens)/16 {
			firstWords, firstDistinct = words, distinct
		}
	}
	m.beta = math.Log(float64(distinct)/float64(firstDistinct)) / math.Log(float64(words)/float64(firstWords))
	m.k = float64(distinct) / math.Pow(float64(words), m.beta)
	m.written = make([]bool, len(m.counts))
	for _, t := range m.tokens {
		if t.word >= 0 && m.counts[t.word] <= rareCount {
			c := class(t.core)
			m.rare[c] = append(m.rare[c], t.core)
		}
	}
}

// topic draws one by its size.
func (m *maker) topic() *topic {
	i, _ := slices.BinarySearch(m.sums, 1+m.rnd.IntN(len(m.tokens)))
	return &m.topics[i]
}

// near returns the topic, or one time in five another one.
func (m *maker) near(t *topic) *topic {
	if m.rnd.IntN(5) == 0 {
		return m.topic()
	}
	return t
}

// document returns a title and a text.
func (m *maker) document() (string, string) {
	home := m.topic()
	same := map[int32]string{} // what was written for a rare word
	var title []string
	for at := home.first + m.rnd.IntN(home.end-home.first-20); len(title) < 4 || len(title) < 9 && m.rnd.IntN(4) > 0; at++ {
		if at == home.end {
			at = home.first
		}
		if k := m.tokens[at]; k.core != "" {
			title = append(title, m.write(k, same))
		}
	}
	var b strings.Builder
	length, line := 0, 0
	at := home.sentences[m.rnd.IntN(len(home.sentences))]
	in := home // the topic that at is of
	for length < runes {
		k := m.tokens[at]
		piece := k.before + m.write(k, same) + k.after
		size := utf8.RuneCountInString(piece)
		if line > 0 && line+1+size > lineRunes {
			b.WriteByte('\n')
			length, line = length+1, 0
		} else if line > 0 {
			b.WriteByte(' ')
			length, line = length+1, line+1
		}
		b.WriteString(piece)
		length, line = length+size, line+size
		at++
		_, ends := slices.BinarySearch(in.sentences, at)
		switch {
		case at >= in.end, ends && m.rnd.IntN(2) == 0:
			in = m.near(home)
			at = in.sentences[m.rnd.IntN(len(in.sentences))]
		case !ends && k.word >= 0 && m.function[k.word] && m.rnd.IntN(4) == 0:
			next := m.near(home)
			if places := next.crossings[k.word]; len(places) > 0 {
				in, at = next, places[m.rnd.IntN(len(places))]
			}
		}
	}
	return strings.Join(title, " "), string([]rune(b.String())[:runes])
}

// write returns the word to be written for that of a token.
func (m *maker) write(k token, same map[int32]string) string {
	if k.word < 0 {
		return ""
	}
	m.words++
	if m.counts[k.word] > rareCount {
		if !m.written[k.word] {
			m.written[k.word] = true
			m.distinct++
		}
		return k.core
	}
	if w, ok := same[k.word]; ok {
		return w
	}
	c := class(k.core)
	var w string
	if float64(m.distinct) < m.k*math.Pow(float64(m.words), m.beta) || len(m.history[c]) == 0 {
		w = m.invent(c, k.core)
		m.distinct++
	} else {
		w = m.history[c][m.rnd.IntN(len(m.history[c]))]
	}
	m.history[c] = append(m.history[c], w)
	same[k.word] = w
	return w
}

// invent returns a word that was not written yet.
func (m *maker) invent(c int, core string) string {
	for tries := 0; ; tries++ {
		var w string
		if c == number {
			w = strings.Map(func(r rune) rune {
				if unicode.IsDigit(r) {
					return rune('0' + m.rnd.IntN(10))
				}
				return r
			}, core)
			for range tries / 10 { // numbers of this length are used up
				w += string(rune('0' + m.rnd.IntN(10)))
			}
		} else {
			head := []rune(m.rare[c][m.rnd.IntN(len(m.rare[c]))])
			tail := []rune(m.rare[c][m.rnd.IntN(len(m.rare[c]))])
			w = string(head[:(len(head)+1)/2]) + strings.ToLower(string(tail[len(tail)/2:]))
		}
		folded := strings.ToLower(w)
		if n, ok := m.numbers[folded]; (ok && m.counts[n] > rareCount) || m.known[folded] {
			continue
		}
		m.known[folded] = true
		return w
	}
}

// asker makes queries.
type asker struct {
	rnd                 *rand.Rand
	phrases, alls, anys []string
}

// about adds a query of each sort about a text, if it has the words.
func (a *asker) about(text string) {
	fields := strings.Fields(text)
	fields = fields[:len(fields)-1] // the last one may be cut off
	tokens := make([]token, len(fields))
	for i, f := range fields {
		tokens[i] = cut(f)
	}
	plain := func(k token) bool {
		return k.core != "" && !strings.ContainsFunc(k.core, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
	}
	content := func(k token) bool { return plain(k) && len(k.core) > 2 && !stops[strings.ToLower(k.core)] }

	for range 1000 {
		n := 2 + a.rnd.IntN(4)
		at := a.rnd.IntN(len(tokens) - n)
		var words []string
		good := false
		for i, k := range tokens[at : at+n] {
			if !plain(k) || i > 0 && k.before != "" || i < n-1 && k.after != "" {
				break
			}
			good = good || content(k)
			words = append(words, k.core)
		}
		if good && len(words) == n {
			a.phrases = append(a.phrases, strings.Join(words, " "))
			break
		}
	}
	n := 2 + a.rnd.IntN(3)
	var words []string
	for range 1000 {
		k := tokens[a.rnd.IntN(len(tokens))]
		if content(k) && !slices.Contains(words, k.core) {
			if words = append(words, k.core); len(words) == n {
				a.alls = append(a.alls, strings.Join(words, " "))
				break
			}
		}
	}
	n = 8 + a.rnd.IntN(13)
	words = nil
	for _, part := range []int{n / 2, n - n/2} {
		at := a.rnd.IntN(len(tokens) - 3*part)
		for _, k := range tokens[at:] {
			if part == 0 {
				break
			}
			if plain(k) {
				words = append(words, k.core)
				part--
			}
		}
	}
	if slices.ContainsFunc(words, func(w string) bool { return content(cut(w)) }) {
		a.anys = append(a.anys, strings.Join(words, " "))
	}
}
