package findspot

import (
	"strings"
)

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
func (p *formReader) formAt(i int) (found []asked, next int) {
	for _, form := range []func(int) ([]asked, int){p.passive, p.active, p.yesNo, p.noun, p.possessed} {
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
func (p *formReader) active(i int) ([]asked, int) {
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
func (p *formReader) does(i int) ([]asked, int) {
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
		if len(found) == 0 || found[0].look < lookName {
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

// passive reads OPENER AUX OBJECT PARTICIPLE and its turns: "where is X used", "by whom is X called", "everywhere X is
// used", "where do we call X", "in which files does X get used".
func (p *formReader) passive(i int) ([]asked, int) {
	j := p.opener(i)
	if j == i {
		return nil, i
	}
	// where is X used; where X is used
	aux := auxiliary[p.low(j)]
	if aux {
		for j < len(p.w) && auxiliary[p.low(j)] {
			j++
		}
	}
	first := j
	for k := first; k < len(p.w) && k <= first+9; k++ {
		if k > first && p.ends(k) {
			break
		}
		if aux && k > first { // where do we call X: somebody, then the verb as it stands in the dictionary
			if v, past, calls := p.verb(k); v > k && !past && baseVerbs[p.low(k)] && !strings.HasSuffix(p.low(k), "s") && doForms[p.low(first-1)] {
				if worldWords[p.low(k-1)] || p.low(k-1) == "people" {
					return nil, i
				}
				return p.objects(i, v, calls)
			}
		}
		occurs := p.low(k) == "occur" || p.low(k) == "appear" || p.low(k) == "occurs" || p.low(k) == "appears"
		if !pastVerbs[p.low(k)] && !occurs || k == first {
			continue
		}
		if symbolNouns[p.low(k-1)] && k+1 < len(p.w) && !p.ends(k+1) && p.low(k) != "used" && nameLook(p.w[k+1]) == lookName {
			continue // the method called X
		}
		end := k
		for end > first && (auxiliary[p.low(end-1)] || adverbs[p.low(end-1)]) {
			end--
		}
		if !aux && end == k && !occurs || end <= first {
			return nil, i
		}
		calls := callVerbs[p.low(k)]
		found, stop := p.object(first, end, calls)
		if stop != end {
			if found == nil || !p.listed(stop, end, &found, calls) {
				return nil, i
			}
		}
		return p.close(i, k+1, found)
	}
	return nil, i
}

var doForms = set("do does did can could should would will might")

// listed reads "and Y" up to end.
func (p *formReader) listed(from, end int, found *[]asked, calls bool) bool {
	for from < end {
		if w := p.low(from); w != "and" && w != "or" && !p.w[from-1].comma {
			return false
		} else if w == "and" || w == "or" {
			from++
		}
		more, next := p.object(from, end, calls)
		if more == nil || next <= from {
			return false
		}
		*found = append(*found, more...)
		from = next
	}
	return true
}

// opener reads what asks for places: "where", "how often", "in which files", "every place where", "by whom".
func (p *formReader) opener(i int) int {
	j := i
	switch w := p.low(i); {
	case w == "where":
		j = i + 1
		for j < len(p.w) && adverbs[p.low(j)] {
			j++
		}
		if p.low(j) == "in" {
			for k := j + 1; k < len(p.w) && k < j+6; k++ {
				if auxiliary[p.low(k)] {
					return k
				}
			}
			return i
		}
		return j
	case w == "everywhere", w == "whereabouts":
		return i + 1
	case w == "how" && p.low(i+1) == "often", w == "how" && p.low(i+1) == "frequently":
		return i + 2
	case w == "how" && p.low(i+1) == "many" && p.low(i+2) == "times":
		return i + 3
	case (w == "by" || w == "from") && (p.low(i+1) == "whom" || p.low(i+1) == "who" || p.low(i+1) == "what" || p.low(i+1) == "where") && p.asks(i):
		return i + 2
	case w == "in" || w == "from" || w == "at" || w == "by" || w == "on":
		j = i + 1
		if x := p.low(j); x != "which" && x != "what" && x != "how" {
			return i
		}
		j++
		if p.low(j) == "many" {
			j++
		}
		if k := p.nounEnd(j); k > j {
			return p.place(k)
		}
		return i
	case codeNouns[w] && p.head(i): // all places where X is used, the lines in which X is referenced
		j = p.nounEnd(i)
		if p.low(j) == "in" && (p.low(j+1) == "which" || p.low(j+1) == "where") {
			return j + 2
		}
		if p.low(j) == "where" || p.low(j) == "that" && !p.isVerb(j+1) {
			return j + 1
		}
		return i
	case (w == "who" || w == "what" || w == "which") && p.asks(i): // who is X called by
		k := i + 1
		if w != "who" {
			k = p.nounEnd(k)
		}
		if !beForms[p.low(k)] {
			return i
		}
		for n := k + 1; n < len(p.w) && n < k+8; n++ {
			if n > k+1 && p.ends(n) {
				break
			}
			if pastVerbs[p.low(n)] && n > k+1 && (p.low(n+1) == "by" || p.low(n+1) == "from" || k > i+1 && p.low(n+1) == "in") && (p.ends(n+2) || codeScope(p.low(n+2))) && !p.w[n].stop {
				return k
			}
		}
		return i
	}
	return i
}

func (p *formReader) isVerb(i int) bool {
	v, _, _ := p.verb(i)
	return v > i || auxiliary[p.low(i)] && p.low(i) != "is"
}

func codeScope(w string) bool { return codeWords[w] || w == "the" }

// yesNo reads "is X used anywhere", "does X have callers", "X is called by what", "does X get called".
func (p *formReader) yesNo(i int) ([]asked, int) {
	if !auxiliary[p.low(i)] || !(i == 0 || p.w[i-1].stop || p.w[i-1].comma || p.low(i-1) == "and" || p.low(i-1) == "or" || p.low(i-1) == "but" || p.low(i-1) == "whether" || p.low(i-1) == "if") {
		return p.whether(i)
	}
	for k := i + 1; k < len(p.w) && k <= i+9 && (k == i+1 || !p.ends(k)); k++ {
		w := p.low(k)
		end := k
		for end > i+1 && (auxiliary[p.low(end-1)] || adverbs[p.low(end-1)]) {
			end--
		}
		if end <= i+1 {
			continue
		}
		dead := w == "unused" || w == "unreferenced" || w == "uncalled" || w == "dead" || w == "orphaned"
		switch {
		case pastVerbs[w] || dead:
			found, stop := p.object(i+1, end, callVerbs[w])
			if found == nil || stop != end && !p.listed(stop, end, &found, callVerbs[w]) {
				return nil, i
			}
			j := k + 1
			if w == "dead" && p.low(j) == "code" {
				j++
			}
			switch x := p.low(j); { // "used for timing" asks of something else
			case dead || p.ends(j), adverbs[x], x == "at" && p.low(j+1) == "all", x == "by", x == "from", x == "somewhere", x == "elsewhere", x == "in", x == "or", x == "outside", x == "here":
				if x == "at" {
					j += 2
				}
				return p.close(i, p.skip(j, placeWords), found)
			}
			return nil, i
		case (w == "have" || w == "has") || p.low(i) == "has" && (refNouns[w] || w == "any"):
			j := k
			if w == "have" || w == "has" {
				j = k + 1
			}
			for j < len(p.w) && (openWords[p.low(j)] || adverbs[p.low(j)]) && !refNouns[p.low(j)] {
				j++
			}
			if !refNouns[p.low(j)] && p.low(j)+" "+p.low(j+1) != "call sites" {
				continue
			}
			found, stop := p.object(i+1, end, true)
			if found == nil || stop != end {
				return nil, i
			}
			return p.close(i, j+1, found)
		}
	}
	return p.statement(i)
}

var placeWords = set("anywhere somewhere elsewhere or not here any more longer")

// whether reads "check whether X is used anywhere".
func (p *formReader) whether(i int) ([]asked, int) {
	w := p.low(i)
	if (w != "whether" && w != "if") || i == 0 || p.w[i-1].stop || !openWords[p.low(i-1)] && !askVerbs[p.low(i-1)] || p.low(i-1) == "and" || p.low(i-1) == "but" || p.low(i-1) == "so" {
		return p.statement(i)
	}
	found, j := p.object(i+1, len(p.w), true)
	if found == nil || !auxiliary[p.low(j)] {
		return nil, i
	}
	for auxiliary[p.low(j)] || adverbs[p.low(j)] {
		j++
	}
	dead := p.low(j) == "unused" || p.low(j) == "dead"
	if !pastVerbs[p.low(j)] && !dead || j >= len(p.w) {
		return nil, i
	}
	j++
	switch x := p.low(j); {
	case p.ends(j), x == "anywhere", x == "somewhere", x == "by", x == "from", x == "in", x == "at" && p.low(j+1) == "all", x == "any", x == "code" && dead:
		if x == "at" || x == "code" {
			j += b2i(x == "at") + 1
		}
		return p.close(i, p.skip(min(j, len(p.w)), placeWords), found)
	}
	return nil, i
}

// statement reads "X is called by which functions".
func (p *formReader) statement(i int) ([]asked, int) {
	if !p.ends(i) && i > 0 {
		return nil, i
	}
	found, j := p.object(i, len(p.w), true)
	if found == nil || found[0].look < lookName || !beForms[p.low(j)] || !pastVerbs[p.low(j+1)] || p.w[j+1].stop {
		return nil, i
	}
	if p.low(j+2) == "where" && p.ends(j+3) {
		return p.close(i, j+3, found)
	}
	if p.low(j+2) != "by" && p.low(j+2) != "from" && p.low(j+2) != "in" || !interrogative[p.low(j+3)] && p.low(j+3) != "where" {
		return nil, i
	}
	return p.close(i, p.nounEnd(j+4), found)
}

// noun reads "callers of X", "references to X", "calls to X", where that is what the clause asks for.
func (p *formReader) noun(i int) ([]asked, int) {
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
	if p.w[j-1].stop && p.w[j-1].end < len(p.w) && j < len(p.w) && nameLook(p.w[j]) == lookName { // usages: X
		return p.objects(i, j, true)
	}
	if p.ends(j) {
		return nil, i
	}
	switch p.low(j) {
	case "of", "to":
		return p.objects(i, j+1, w != "use" && w != "uses" && w != "users" && w != "references" && w != "calls")
	case "for", "on":
		if j+1 < len(p.w) && nameLook(p.w[j+1]) == lookName {
			return p.objects(i, j+1, false)
		}
		return nil, i
	}
	if nameLook(p.w[j]) == lookName && i > 0 || nameLook(p.w[j]) == lookName && w == "callers" { // find references X
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
func (p *formReader) possessed(i int) ([]asked, int) {
	if !p.head(i) {
		return nil, i
	}
	found, j := p.object(i, len(p.w), true)
	if found == nil || j >= len(p.w) {
		return nil, i
	}
	own := p.w[j-1].possessive
	if found[0].look < lookName && !(own && found[0].look >= lookPhrase) {
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

// objects reads the object at j and those joined to it, then the scope.
func (p *formReader) objects(i, j int, calls bool) ([]asked, int) {
	found, k := p.object(j, len(p.w), calls)
	if found == nil {
		return nil, i
	}
	for k < len(p.w) && !p.w[k-1].stop && len(found) < maxObjects {
		n := k
		if w := p.low(n); w == "and" || w == "or" {
			n++
		} else if !p.w[k-1].comma {
			break
		}
		more, next := p.object(n, len(p.w), calls)
		// A name of its own: not "who calls X and Y returns what".
		if more == nil || more[0].look < lookName || !p.ends(next) && !p.w[next-1].comma && p.low(next) != "and" && p.low(next) != "in" && p.low(next) != "or" {
			break
		}
		found, k = append(found, more...), next
	}
	return p.close(i, k, found)
}

// close reads what stands behind a form, and gives up one that is about documents or the world.
func (p *formReader) close(i, k int, found []asked) ([]asked, int) {
	if len(found) == 0 {
		return nil, i
	}
	in, next := p.scope(k)
	for n := k; n < len(p.w) && n < k+8 && (n == k || !p.ends(n)); n++ {
		w := p.low(n)
		if w == "and" || w == "but" || p.w[n].comma && n > k {
			break
		}
		if n > k && (documentWords[w] || clauseNumber(w)) && (p.low(k) == "in" || p.low(k) == "by" || p.low(k) == "from" || p.low(k) == "of") {
			return nil, i
		}
		if n > k && worldWords[w] && found[0].look < lookName && in == "" {
			return nil, i
		}
	}
	if w := p.low(k); found[0].look < lookName && !p.ends(k) && in == "" && !p.w[k-1].comma {
		// Plain words that go on are a sentence of their own: "where is the PSS used for timing".
		if w == "for" || w == "as" || w == "to" || w == "in" || w == "at" || w == "when" || w == "with" {
			for n := range found {
				found[n].look = min(found[n].look, lookWord)
			}
		}
	}
	if (p.low(k) == "for" || p.low(k) == "as") && !p.ends(k) && p.low(i) != "who" && p.low(i) != "what" && p.low(i) != "which" && found[0].look < lookName {
		return nil, i
	}
	first := i // "tell me", "can you list all the" belong to the form
	for first > 0 && !p.w[first-1].stop && !p.w[first-1].comma && (openWords[p.low(first-1)] || askVerbs[p.low(first-1)]) && p.low(first-1) != "and" && p.low(first-1) != "or" && p.low(first-1) != "but" {
		first--
	}
	start, end := p.w[first].start, p.w[next-1].end
	for n := range found {
		found[n].in, found[n].start, found[n].end = in, start, end
	}
	return found, next
}

func clauseNumber(w string) bool {
	dot := strings.IndexByte(w, '.')
	return dot > 0 && strings.Trim(w, "0123456789.-") == ""
}

// scope reads "in the tests", "in receiver/pss.py", "anywhere in the code base" behind a form.
func (p *formReader) scope(k int) (in string, next int) {
	j := k
	for j < len(p.w) && (p.low(j) == "anywhere" || p.low(j) == "somewhere" || p.low(j) == "else" || p.low(j) == "elsewhere") && !p.ends(j) {
		j++
	}
	if p.ends(j) {
		return "", min(j, len(p.w))
	}
	switch p.low(j) {
	case "in", "from", "inside", "within", "under", "across", "throughout", "by", "outside":
	default:
		return "", k
	}
	from := j + 1
	code := false
	n := from
	for ; n < len(p.w) && n < from+6 && (n == from || !p.ends(n) && !p.w[n-1].comma); n++ {
		w := p.low(n)
		if n > from && (w == "and" || w == "or" || w == "but" || w == "to" || w == "for" || w == "with" || w == "when") {
			break
		}
		code = code || codeWords[w] || nameLook(p.w[n]) == lookName || strings.ContainsAny(p.w[n].raw, "/_")
	}
	if !code || n == from {
		return "", k
	}
	first := from
	if articles[p.low(first)] && n > first+1 {
		first++
	}
	var parts []string
	for _, w := range p.w[first:n] {
		parts = append(parts, w.raw)
	}
	return strings.Join(parts, " "), n
}
