package intent

import "strings"

// objects reads the object at j and those joined to it, then the scope.
func (p *formReader) objects(i, j int, calls bool) ([]Object, int) {
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
		if more == nil || more[0].Kind < KindName || !p.ends(next) && !p.w[next-1].comma && p.low(next) != "and" && p.low(next) != "in" && p.low(next) != "or" {
			break
		}
		found, k = append(found, more...), next
	}
	return p.close(i, k, found)
}

// close reads what stands behind a form, and gives up one that is about documents or the world.
func (p *formReader) close(i, k int, found []Object) ([]Object, int) {
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
		if n > k && worldWords[w] && found[0].Kind < KindName && in == "" {
			return nil, i
		}
	}
	if w := p.low(k); found[0].Kind < KindName && !p.ends(k) && in == "" && !p.w[k-1].comma {
		// Plain words that go on are a sentence of their own: "where is the PSS used for timing".
		if w == "for" || w == "as" || w == "to" || w == "in" || w == "at" || w == "when" || w == "with" {
			for n := range found {
				found[n].Kind = min(found[n].Kind, KindWord)
			}
		}
	}
	if (p.low(k) == "for" || p.low(k) == "as") && !p.ends(k) && p.low(i) != "who" && p.low(i) != "what" && p.low(i) != "which" && found[0].Kind < KindName {
		return nil, i
	}
	first := i // "tell me", "can you list all the" belong to the form
	for first > 0 && !p.w[first-1].stop && !p.w[first-1].comma && (openWords[p.low(first-1)] || askVerbs[p.low(first-1)]) && p.low(first-1) != "and" && p.low(first-1) != "or" && p.low(first-1) != "but" {
		first--
	}
	start, end := p.w[first].start, p.w[next-1].end
	for n := range found {
		found[n].Scope, found[n].start, found[n].end = in, start, end
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
		code = code || codeWords[w] || nameLook(p.w[n]) == KindName || strings.ContainsAny(p.w[n].raw, "/_")
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
