package entail

import (
	"strings"
	"unicode/utf8"
)

// A passage is a text that was read: its clauses, and the rows of its tables.
type passage struct {
	text    string
	toks    []token
	nums    []quantity
	clauses []clause
	tables  []table
	paired  []pair // see pairs; nil: not looked at yet
}

// A clause is a part of a sentence that says one thing.
type clause struct {
	from, to int // tokens
	sentence int
	head     string // the word that joins it to the one before
}

// A table is one of Markdown.
type table struct {
	head []string
	rows [][]string
}

// read reads a text.
func read(s string) *passage {
	s = strings.ReplaceAll(s, "μ", "µ") // of two signs for micro
	p := &passage{text: s}
	var prose strings.Builder
	var t *table
	for line := range strings.SplitAfterSeq(s, "\n") {
		if trim := strings.TrimSpace(line); strings.HasPrefix(trim, "|") && strings.Count(trim, "|") > 2 {
			cells := strings.Split(strings.Trim(trim, "|"), "|")
			for i := range cells {
				cells[i] = strings.TrimSpace(cells[i])
			}
			switch {
			case strings.Trim(strings.Join(cells, ""), "-: ") == "":
			case t == nil:
				p.tables = append(p.tables, table{head: cells})
				t = &p.tables[len(p.tables)-1]
			default:
				row := make([]string, len(t.head)) // as many cells as the head has
				copy(row, cells)
				t.rows = append(t.rows, row)
			}
			prose.WriteString(strings.Repeat(" ", len(line)))
			continue
		}
		t = nil
		prose.WriteString(line)
	}
	p.text = prose.String()
	p.toks = tokenize(p.text)
	p.nums = quantities(p.text, p.toks)
	p.cut()
	return p
}

// heads are words that begin a clause, behind a comma or not.
var heads = lazy("but whereas while although though because since if unless when whenever once until which so where provided except who however yet after before as for nor")

// verbs are words that begin a part which says something of its own behind "and".
var verbs = lazy("must may can is are was were shall will has have had does do did it they cannot should might could")

// cut cuts the tokens into clauses.
func (p *passage) cut() {
	sentence, from, head := 0, 0, ""
	add := func(to int) {
		if to > from {
			p.clauses = append(p.clauses, clause{from, to, sentence, head})
		}
	}
	for i := 0; i < len(p.toks); i++ {
		t := p.toks[i]
		switch {
		case t.kind == sign && strings.ContainsAny(t.raw, ".!?") || i > 0 && strings.Contains(p.text[p.toks[i-1].end:t.start], "\n\n"):
			end := i
			if t.kind == sign {
				if r, _ := utf8.DecodeRuneInString(p.text[t.end:]); t.raw == "." && t.end < len(p.text) && r != ' ' && r != '\n' && r != '"' && r != '”' && r != ')' {
					continue
				}
				if i > 0 && t.raw == "." && t.start == p.toks[i-1].end && len(p.toks[i-1].raw) == 1 && p.toks[i-1].raw >= "A" && p.toks[i-1].raw <= "Z" { // an initial
					continue
				}
				end = i + 1
			}
			add(i)
			from, head = end, ""
			sentence++
		case t.kind == sign && strings.ContainsAny(t.raw, ";:—"):
			add(i)
			from, head = i+1, t.raw
		case t.kind == word && heads()[t.low] && i > from && (p.comma(i) || t.low == "because" || t.low == "if" || t.low == "unless" || t.low == "when" || t.low == "but" || t.low == "whereas" || t.low == "while" || t.low == "until" || t.low == "although" || t.low == "since"):
			add(i)
			from, head = i, t.low
		case t.raw == "," && (conditions()[p.toks[from].low] || heads()[p.toks[from].low]) && i-from > 2: // If this, that.
			add(i)
			from, head = i+1, ","
		case t.low == "not" && p.comma(i) && i-from > 2: // this, not that
			add(i)
			from, head = i, "not"
		case t.raw == "," && i-from > 3 && p.relative(i):
			add(i)
			from, head = i+1, ","
		case t.low == "and" && i-from > 2 && (p.comma(i) && i-from > 3 || i+1 < len(p.toks) && verbs()[p.toks[i+1].low]):
			add(i)
			from, head = i+1, "and"
		}
	}
	add(len(p.toks))
}

// relative reports whether behind a comma a part begins such as "a difference that is".
func (p *passage) relative(i int) bool {
	for k := i + 1; k < min(i+5, len(p.toks)); k++ {
		switch p.toks[k].low {
		case "that", "which", "who", "whose":
			return k > i+1
		case ",", "and", "or", ";", ".":
			return false
		}
	}
	return false
}

// comma reports whether a comma stands before a token.
func (p *passage) comma(i int) bool { return i > 0 && p.toks[i-1].raw == "," }

// contents counts the tokens that say what a text is about, and its numbers.
func (p *passage) contents() (n int) {
	for i := range p.toks {
		if p.content(i) || p.toks[i].quantity >= 0 {
			n++
		}
	}
	return n
}

// contentsOf counts them in a clause.
func (p *passage) contentsOf(c clause) (n int) {
	for i := c.from; i < c.to; i++ {
		if p.content(i) || p.toks[i].quantity >= 0 && p.nums[p.toks[i].quantity].at == i {
			n++
		}
	}
	return n
}

// content tells whether a token says what something is about.
func (p *passage) content(i int) bool {
	t := p.toks[i]
	return t.quantity < 0 && (t.kind == name || t.kind == word && !lex().stop[t.low] && len(t.low) > 1)
}
