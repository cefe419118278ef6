package intent

import (
	"strings"
	"unicode"
)

// object reads a name or a noun phrase at word j, which ends before limit. found has one element, or is nil.
func (p *formReader) object(j, limit int, calls bool) (found []Object, next int) {
	from := j
	article, this := false, false
	for j < limit && (articles[p.low(j)] || p.low(j) == "all" || p.low(j) == "any" || p.low(j) == "both" || p.low(j) == "existing") && !p.w[j].stop {
		article = true
		this = this || p.low(j) == "this" || p.low(j) == "our" || p.low(j) == "your" || p.low(j) == "my"
		if pronounWords[p.low(j)] && (j+1 >= limit || p.ends(j+1) || objectStops[p.low(j+1)] || auxiliary[p.low(j+1)]) {
			break
		}
		j++
	}
	if j >= limit {
		return nil, from
	}
	if w := p.low(j); (w == "it" || w == "this" || w == "that" || w == "them" || w == "these" || w == "those") &&
		(j+1 >= limit || p.ends(j+1) || p.w[j].comma || p.low(j+1) == "and" || p.low(j+1) == "from" || p.low(j+1) == "in" || adverbs[p.low(j+1)] || auxiliary[p.low(j+1)]) {
		return []Object{{Name: p.w[j].raw, Kind: KindWord}}, j + 1
	}
	// the function X, the class named X, the search method of CellSearcher
	k, kind := j, ""
	for k < limit && symbolNouns[p.low(k)] && !p.w[k].stop {
		kind = p.low(k)
		k++
	}
	if k > j && k < limit {
		if w := p.low(k); w == "called" || w == "named" {
			k++
		}
		if k < limit && (nameLook(p.w[k]) > KindNone && !objectStops[p.low(k)] && !auxiliary[p.low(k)] && !pastVerbs[p.low(k)]) {
			name, n := p.member(p.w[k].raw, k+1, limit, kind)
			return []Object{{Name: cleanName(name), Kind: KindName}}, n
		}
	}
	w := p.w[j]
	l := nameLook(w)
	if l == KindName {
		k = j + 1
		kind = ""
		name := w.raw
		if w.possessive && k < limit { // Server's run method
			if n := k; nameLook(p.w[n]) > KindNone && !refNouns[p.low(n)] && !refSingular[p.low(n)] && !symbolNouns[p.low(n)] && !objectStops[p.low(n)] {
				name = cleanName(name) + "." + p.w[n].raw
				k = n + 1
				if k < limit && symbolNouns[p.low(k)] {
					k++
				}
				return []Object{{Name: cleanName(name), Kind: KindName}}, k
			}
		}
		for k < limit && symbolNouns[p.low(k)] && !p.w[k-1].stop && !p.w[k-1].comma && !w.possessive {
			kind = p.low(k)
			k++
		}
		if kind != "" {
			name, k = p.member(name, k, limit, kind)
		}
		return []Object{{Name: cleanName(name), Kind: KindName}}, k
	}
	if objectStops[p.low(j)] || auxiliary[p.low(j)] || p.low(j) == "" || pronounWords[p.low(j)] {
		return nil, from
	}
	// Plain words.
	start := j
	for j < limit && j < start+5 {
		x := p.low(j)
		if x == "" || objectStops[x] || auxiliary[x] || j > start && (adverbs[x] || pastVerbs[x] || nameLook(p.w[j]) == KindName || refNouns[x] && p.w[j-1].possessive) {
			break
		}
		j++
		if p.w[j-1].stop || p.w[j-1].comma {
			break
		}
	}
	if j == start {
		return nil, from
	}
	last := j
	kind = ""
	for last > start+1 && symbolNouns[p.low(last-1)] {
		last--
		kind = p.low(last)
	}
	if describing[kind] && last == start+1 && nameLook(p.w[start]) < KindPhrase { // "the retry helper"
		last++
	}
	if kind != "" && last == start+1 { // "the search method of CellSearcher", "the run function"
		name, n := p.member(p.w[start].raw, j, limit, kind)
		return []Object{{Name: cleanName(name), Kind: KindName}}, n
	}
	var parts []string
	for _, x := range p.w[start:last] {
		parts = append(parts, x.raw)
	}
	o := Object{Name: strings.Join(parts, " "), Kind: KindWord}
	head := p.low(last - 1)
	one := last == start+1
	switch {
	case !strings.ContainsFunc(o.Name, unicode.IsLetter):
		return nil, from
	case this && genericNouns[p.low(last-1)]:
		o.Kind = KindWord
	case kind != "", agent(head) && article, codeHeads[head] && article && !one:
		o.Kind = KindPhrase
	case one && !article && l == KindPhrase:
		o.Kind = KindPhrase
	case one && !article && calls && p.plainEnd(j):
		o.Kind = KindPhrase
	}
	if article {
		o.Name = p.article(from, start) + o.Name
	}
	return []Object{o}, j
}

// describing nouns make a name of the word before them no less than they say what it is.
var describing = set("helper component hook object routine procedure singleton decorator macro module package file alias")

// plainEnd reports whether a form ends at j, or goes on with where to look.
func (p *formReader) plainEnd(j int) bool {
	if p.ends(j) || j > 0 && p.w[j-1].comma {
		return true
	}
	in, _ := p.scope(j)
	return in != "" || p.low(j) == "and" || auxiliary[p.low(j)] || pastVerbs[p.low(j)]
}

// article gives the article of a noun phrase as written, with a blank.
func (p *formReader) article(from, start int) string {
	for k := from; k < start; k++ {
		if articles[p.low(k)] {
			return p.w[k].raw + " "
		}
	}
	return ""
}

// member joins a method to its class: "search of CellSearcher", "run on the class Server".
func (p *formReader) member(name string, k, limit int, kind string) (string, int) {
	switch kind {
	case "method", "methods", "function", "field", "fields", "property", "attribute", "constructor":
	default:
		return name, k
	}
	if w := p.low(k); k+1 < limit && (w == "of" || w == "on" || w == "in") && !p.w[k-1].stop {
		n := k + 1
		class := false
		for n < limit && (articles[p.low(n)] || symbolNouns[p.low(n)]) {
			class = class || symbolNouns[p.low(n)] && p.low(n) != "file" && p.low(n) != "module" && p.low(n) != "package"
			n++
		}
		if n < limit && !p.w[n].quoted && strings.ContainsAny(p.w[n].raw, "/") {
			return name, k
		}
		if n < limit && (nameLook(p.w[n]) >= KindPhrase || class) && (w != "in" || class || unicode.IsUpper(rune(p.w[n].raw[0]))) && !strings.HasSuffix(p.w[n].low, ".py") {
			owner := p.w[n].raw
			n++
			if n < limit && symbolNouns[p.low(n)] {
				n++
			}
			return cleanName(owner) + "." + cleanName(name), n
		}
	}
	return name, k
}

// nameLook says how much a word looks like a name of code.
func nameLook(w word) Kind {
	if w.quoted {
		return KindName
	}
	raw := w.raw
	first, _ := firstRune(raw)
	switch {
	case products[w.low] || strings.Contains(raw, "://"):
		return KindWord
	case !unicode.IsLetter(first) && first != '_' && first != ':' && first != '~' && first != '$':
		return KindNone
	case strings.HasSuffix(raw, "()") || strings.Contains(raw, "(") && strings.HasSuffix(raw, ")"):
		return KindName
	case strings.Contains(raw, "->") || strings.Contains(raw, "::") || strings.HasPrefix(raw, "_") && len(raw) > 1:
		return KindName
	case looksLikeIdent(raw) && !abbreviation(w.low):
		return KindName
	case raw == strings.ToUpper(raw) && len(raw) > 5 && !strings.ContainsAny(raw, "-/"):
		return KindName
	case unicode.IsUpper(first) && raw != strings.ToUpper(raw):
		return KindPhrase
	}
	return KindWord
}

func firstRune(s string) (rune, int) {
	for _, r := range s {
		return r, len(string(r))
	}
	return 0, 0
}

func abbreviation(w string) bool {
	return w == "e.g" || w == "i.e" || w == "a.k.a" || w == "vs" || w == "etc" || w == "u.s"
}

// agent reports whether a noun names what does something, as pieces of code are named: searcher, detector.
func agent(w string) bool {
	return len(w) > 4 && (strings.HasSuffix(w, "er") || strings.HasSuffix(w, "or") || strings.HasSuffix(w, "ers") || strings.HasSuffix(w, "ors")) && !notAgents[w]
}

var notAgents = set("number order paper other another whether power letter user users error computer weather summer winter water matter member november december october september year latter former color colour after never under over chapter offer rather together motor center meter character customer consumer people doctor lawyer teacher")

// codeHeads end noun phrases that name pieces of code: "the session state".
var codeHeads = set("state service cache queue factory table store registry api endpoint config configuration settings session hook callback index buffer pool result results request response client adapter driver backend engine " +
	"generator iterator helper util utils model view controller middleware plugin proxy stub mock fixture token event listener message context option options event bus stream pipeline database loop")

// cleanName takes off what surrounds a name: quotes, argument lists, type arguments; and joins owners with what joins ids.
func cleanName(s string) string {
	s = strings.Trim(s, "`\"' ")
	if i := strings.IndexByte(s, '('); i > 0 && strings.HasSuffix(s, ")") {
		s = s[:i]
	}
	if i := strings.IndexByte(s, '<'); i > 0 && strings.HasSuffix(s, ">") && !strings.Contains(s, "operator") {
		s = strings.TrimSuffix(s[:i], "::")
	}
	s = strings.TrimSuffix(s, "()")
	return strings.Trim(s, ".,;!? ")
}
