package intent

import "strings"

// passive reads OPENER AUX OBJECT PARTICIPLE and its turns: "where is X used", "by whom is X called", "everywhere X is
// used", "where do we call X", "in which files does X get used".
func (p *formReader) passive(i int) ([]Object, int) {
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
		if symbolNouns[p.low(k-1)] && k+1 < len(p.w) && !p.ends(k+1) && p.low(k) != "used" && nameLook(p.w[k+1]) == KindName {
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
func (p *formReader) listed(from, end int, found *[]Object, calls bool) bool {
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
func (p *formReader) yesNo(i int) ([]Object, int) {
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
func (p *formReader) whether(i int) ([]Object, int) {
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
		switch x {
		case "at":
			j += 2 // at all
		case "code":
			j++
		}
		return p.close(i, p.skip(min(j, len(p.w)), placeWords), found)
	}
	return nil, i
}

// statement reads "X is called by which functions".
func (p *formReader) statement(i int) ([]Object, int) {
	if !p.ends(i) && i > 0 {
		return nil, i
	}
	found, j := p.object(i, len(p.w), true)
	if found == nil || found[0].Kind < KindName || !beForms[p.low(j)] || !pastVerbs[p.low(j+1)] || p.w[j+1].stop {
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
