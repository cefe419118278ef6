package intent

// formReader looks for the forms of reference questions in the words of a text. Each form has a part that says callers or
// uses are asked for, and one place for the object.
type formReader struct{ w []word }

// low gives the word at i in lower case, "" behind the end and for what is in quotes.
func (p *formReader) low(i int) string {
	if i < 0 || i >= len(p.w) || p.w[i].quoted {
		return ""
	}
	return p.w[i].low
}

// ends reports whether a clause ends behind the word before i.
func (p *formReader) ends(i int) bool { return i <= 0 || i >= len(p.w) || p.w[i-1].stop }

// head reports whether all that stands before i in its clause only opens a request.
func (p *formReader) head(i int) bool {
	for k := i - 1; k >= 0 && !p.w[k].stop && !p.w[k].comma; k-- {
		if !openWords[p.low(k)] {
			return false
		}
	}
	return true
}

// formAt reads a form that begins at word i. next is the word behind it, i for none.
func (p *formReader) formAt(i int) (found []Object, next int) {
	for _, form := range []func(int) ([]Object, int){p.passive, p.active, p.yesNo, p.noun, p.possessed} {
		if found, next = form(i); next > i {
			return found, next
		}
	}
	return nil, i
}

// skip passes over words of a set.
func (p *formReader) skip(i int, set map[string]bool) int {
	for i < len(p.w) && set[p.low(i)] && !p.ends2(i) {
		i++
	}
	return i
}

// ends2 reports whether a mark stands behind word i that ends the clause.
func (p *formReader) ends2(i int) bool { return i < len(p.w) && p.w[i].stop }

// verb reads an active verb of calling or using, and tells its kind by form.
func (p *formReader) verb(i int) (next int, past, calls bool) {
	v := p.low(i)
	switch {
	case threeWord[v+" "+p.low(i+1)+" "+p.low(i+2)]:
		return i + 3, false, false
	case twoWord[v] != "" && (p.low(i+1) == twoWord[v] || twoWord[v] == "on" && p.low(i+1) == "upon"):
		return i + 2, false, false
	case baseVerbs[v] || ingVerbs[v]:
		return i + 1, false, callVerbs[v]
	case pastVerbs[v]:
		return i + 1, true, callVerbs[v]
	}
	return i, false, false
}

// active reads SUBJECT VERB OBJECT: "who calls X", "which functions in a.py use X", "anything still using X", "every place
// that references X", "do we use X".
func (p *formReader) active(i int) ([]Object, int) {
	j, plain := p.subject(i)
	if j == i {
		return p.does(i)
	}
	be, inf := false, false
	comma := p.w[j-1].comma
	for n := 0; n < 8 && j < len(p.w) && !p.ends(j); n++ {
		w := p.low(j)
		switch {
		case comma && w == "if": // who, if anyone, calls X
			for j < len(p.w) && !p.w[j].comma {
				j++
			}
			j++
			comma = false
			continue
		case auxiliary[w]:
			be, inf = be || beForms[w], inf || !beForms[w]
		case adverbs[w], w == "that", w == "which", w == "ends", w == "end", w == "up", w == "who" && plain, w == "to" && inf:
		case w == "used" && p.low(j+1) == "to":
			j++
		default:
			n = 8
			continue
		}
		j++
	}
	if j >= len(p.w) || p.ends(j) {
		return nil, i
	}
	k, past, calls := p.verb(j)
	if k == j || past && be { // "what is called X": it is not X that is called
		return nil, i
	}
	if past && plain && p.low(j-1) != "that" && p.low(j-1) != "which" && p.low(j-1) != "who" { // "functions called X" are of that name
		return nil, i
	}
	if p.ends(k) && k < len(p.w) {
		return nil, i
	}
	found, next := p.objects(i, k, calls)
	if plain && !indefinite[p.low(i)] && !p.requested(i) && next < len(p.w) && !p.ends(next) {
		return nil, i // a statement about the function that calls X
	}
	return found, next
}

// does reads "does SOMETHING call X", where the object is written as a name.
func (p *formReader) does(i int) ([]Object, int) {
	if w := p.low(i); w != "do" && w != "does" && w != "did" || !p.asks(i) || interrogative[p.low(i-1)] || p.low(i-1) == "how" || p.low(i-1) == "why" || p.low(i-1) == "when" || p.low(i-1) == "where" {
		return nil, i
	}
	for k := i + 1; k < len(p.w) && k <= i+6 && !p.ends(k); k++ {
		w := p.low(k)
		if documentWords[w] || worldWords[w] || indefinite[w] || refNouns[w] && k > i+1 && !baseVerbs[w] {
			return nil, i
		}
		v, past, calls := p.verb(k)
		if v == k || past || k == i+1 || ingVerbs[w] || p.ends(v) && v < len(p.w) {
			continue
		}
		found, next := p.objects(i, v, calls)
		if len(found) == 0 || found[0].Kind < KindName {
			return nil, i
		}
		return found, next
	}
	return nil, i
}

// requested reports whether something asks before word i of a clause, by more than an article.
func (p *formReader) requested(i int) bool {
	for k := i - 1; k >= 0 && !p.w[k].stop && !p.w[k].comma; k-- {
		if !articles[p.low(k)] {
			return true
		}
	}
	return false
}

// subject reads who or what calls. plain says that it is a noun without a question word.
func (p *formReader) subject(i int) (next int, plain bool) {
	w := p.low(i)
	switch {
	case w == "who", w == "what" && !codeNouns[p.low(i+1)] && !adjectives[p.low(i+1)]:
		if !p.asks(i) {
			return i, false
		}
		return i + 1, false
	case w == "which", w == "what":
		j := i + 1
		for n := 0; n < 4 && j < len(p.w) && !codeNouns[p.low(j)]; n++ {
			if x := p.low(j); documentWords[x] || auxiliary[x] || x == "" {
				return i, false
			}
			j++
		}
		return p.place(p.nounEnd(j)), false
	case w == "how" && p.low(i+1) == "many":
		j := i + 2
		for n := 0; n < 3 && j < len(p.w) && !codeNouns[p.low(j)]; n++ {
			j++
		}
		return p.place(p.nounEnd(j)), false
	case indefinite[w]:
		if !p.head(i) {
			return i, false
		}
		return i + 1, true
	case auxiliary[w] && p.asks(i) && p.low(i-1) != "how" && p.low(i-1) != "what" && p.low(i-1) != "which": // does anyone, do we, are there places that
		j := i + 1
		switch x := p.low(j); {
		case indefinite[x]:
			return i, false // it is read from there
		case x == "we" || x == "you" || x == "they" || x == "i":
			return j + 1, false
		}
		if articles[p.low(j)] {
			j++
		}
		for n := 0; n < 3 && j < len(p.w) && !codeNouns[p.low(j)]; n++ {
			j++
		}
		if j < len(p.w) && codeNouns[p.low(j)] && w != "is" && w != "are" {
			return p.place(p.nounEnd(j)), false
		}
		return i, false
	case codeNouns[w] && p.head(i) && !p.w[i].possessive:
		return p.place(p.nounEnd(i)), true
	}
	return i, false
}

var adjectives = set("other code kind sort parts more")

// nounEnd passes over the nouns at j: "call sites", "test files", "code base"; it is j when there is none.
func (p *formReader) nounEnd(j int) int {
	for j < len(p.w) && (codeNouns[p.low(j)] || codeWords[p.low(j)]) && !p.w[j].stop {
		if v, _, _ := p.verb(j); v > j && !codeNouns[p.low(j)] {
			break
		}
		j++
	}
	return min(j, len(p.w))
}

// place passes over "in receiver/pss.py", "of the code base" behind a noun, up to a verb.
func (p *formReader) place(j int) int {
	if w := p.low(j); w != "in" && w != "of" && w != "from" && w != "under" && w != "inside" && w != "within" {
		return j
	}
	for k := j + 1; k < len(p.w) && k <= j+6 && !p.ends(k); k++ {
		w := p.low(k)
		if v, past, _ := p.verb(k); v > k && !past && k > j+1 || auxiliary[w] || w == "that" || w == "which" {
			return k
		}
	}
	return j
}

// asks reports whether a question word at i asks, and does not join a clause to a noun: "the one who calls X".
func (p *formReader) asks(i int) bool {
	if i == 0 || p.w[i-1].stop || p.w[i-1].comma {
		return true
	}
	return openWords[p.low(i-1)] && !articles[p.low(i-1)] || askVerbs[p.low(i-1)]
}

var askVerbs = set("wonder understand curious sure idea explain say ask asking learn remember exactly and or but also from of wondering")

// noun reads "callers of X", "references to X", "calls to X", where that is what the clause asks for.
func (p *formReader) noun(i int) ([]Object, int) {
	j := i
	w := p.low(j)
	sites := (w == "call" || w == "use" || w == "usage" || w == "reference") && (p.low(j+1) == "sites" || p.low(j+1) == "site" || p.low(j+1) == "places")
	switch {
	case sites:
		j += 2
	case refNouns[w]:
		j++
	case refSingular[w] && looked(p.low(i-1)):
		j++
	default:
		return nil, i
	}
	if !p.head(i) {
		return nil, i
	}
	if w := p.low(j); (w == "do" || w == "does" || w == "did") && !p.w[j-1].stop { // how many callers does X have
		found, k := p.object(j+1, len(p.w), true)
		if found == nil || p.low(k) != "have" && p.low(k) != "get" {
			return nil, i
		}
		return p.close(i, k+1, found)
	}
	for p.low(j) == "and" || p.low(j) == "or" { // callers and users of X
		if !refNouns[p.low(j+1)] {
			break
		}
		j += 2
	}
	if p.w[j-1].stop && p.w[j-1].end < len(p.w) && j < len(p.w) && nameLook(p.w[j]) == KindName { // usages: X
		return p.objects(i, j, true)
	}
	if p.ends(j) {
		return nil, i
	}
	switch p.low(j) {
	case "of", "to":
		return p.objects(i, j+1, w != "use" && w != "uses" && w != "users" && w != "references" && w != "calls")
	case "for", "on":
		if j+1 < len(p.w) && nameLook(p.w[j+1]) == KindName {
			return p.objects(i, j+1, false)
		}
		return nil, i
	}
	if nameLook(p.w[j]) == KindName && i > 0 || nameLook(p.w[j]) == KindName && w == "callers" { // find references X
		if _, after := p.object(j, len(p.w), true); p.ends(after) {
			return p.objects(i, j, true)
		}
	}
	return nil, i
}

// looked tells that a noun in the singular is looked for: "any use of X", "find usage of X".
func looked(before string) bool {
	return before == "any" || before == "every" || before == "each" || before == "find" || before == "show" || before == "list" || before == "a" && false
}

// possessed reads "X's callers", "X usages", "X: find usages".
func (p *formReader) possessed(i int) ([]Object, int) {
	if !p.head(i) {
		return nil, i
	}
	found, j := p.object(i, len(p.w), true)
	if found == nil || j >= len(p.w) {
		return nil, i
	}
	own := p.w[j-1].possessive
	if found[0].Kind < KindName && !(own && found[0].Kind >= KindPhrase) {
		return nil, i
	}
	if p.w[j-1].stop {
		if !openWords[p.low(j)] {
			return nil, i
		}
		j++
	}
	w := p.low(j)
	if !refNouns[w] && !(refSingular[w] && p.low(j-1) == "any") && !(w == "call" && p.low(j+1) == "sites") || w == "uses" || w == "calls" || w == "references" && !own && i == 0 && !p.ends(j+1) {
		return nil, i
	}
	if k := j + 1; k < len(p.w) && !p.w[j].stop { // detect_pss users of the library: more than the name
		if x := p.low(k); x != "please" && x != "in" && x != "and" && x != "anywhere" && x != "across" && x != "sites" && x != "by" && !p.ends(k) {
			return nil, i
		}
	}
	return p.close(i, j+1, found)
}
