package evidence

import (
	"cmp"
	"context"
	"slices"
	"strings"
)

// Alike is the part of a text that is most like another.
type Alike struct {
	Stretch
	Text  string       // as it is read, without what typesetting adds
	Score float64      // what both have in common by weight, from 0 to 1; signs weigh little
	Words []WordChange // how the text that was sought became this one
}

const (
	maxPlaces  = 4000    // of one word that vote
	bucket     = 16      // words by which the places of votes may differ
	maxWindows = 6       // that are compared
	noted      = 64      // words, for each of which it is noted where it stands
	tooFar     = 1 << 30 // lines
)

// Alike returns the part of t that is most like the text of an item, of several that are about as like it the nearest to a line. The zero value: nothing has a word in
// common with it. Of a longer text the first 1,200 words and signs are compared. The error is one of ctx.
func (t *FullText) Alike(ctx context.Context, it Item, line int) (Alike, error) {
	q := tokens(canonical(strings.Join(Parts(it), "\n")), maxTokens)
	if len(q) == 0 {
		return Alike{}, nil
	}
	windows, err := t.windows(ctx, q, line)
	if err != nil {
		return Alike{}, err
	}
	var best Alike
	for _, from := range windows {
		if ctx.Err() != nil {
			return Alike{}, ctx.Err()
		}
		a := t.compare(q, from)
		if closer := a.Score > best.Score-.05 && distance(a.First, line) < distance(best.First, line); a.Score > best.Score+.05 || best.First == 0 || closer {
			best = a
		}
	}
	if best.Score == 0 {
		return Alike{}, nil
	}
	return best, nil
}

func distance(a, b int) int {
	if a == 0 || b == 0 {
		return tooFar
	}
	return max(a-b, b-a)
}

// windows gives positions behind which something like q may stand: around the line, and where the words of q vote for.
func (t *FullText) windows(ctx context.Context, q []token, line int) (out []int, err error) {
	if line > 0 && line <= len(t.starts) {
		out = append(out, t.starts[max(line-3, 0)])
	}
	at := map[uint64][]int{} // words of t, numbered from 0
	for i := range q {
		if q[i].word {
			at[q[i].key] = nil
		}
	}
	var begins []int // of every 64th word
	n := 0
	for i := 0; ; n++ {
		from, to, ok := nextToken(t.canon, i)
		if !ok {
			break
		}
		if n%noted == 0 {
			begins = append(begins, from)
			if ctx.Err() != nil {
				return nil, ctx.Err()
			}
		}
		if part(t.canon[to-1]) {
			key := tokenKey(t.canon[from:to])
			if places, ok := at[key]; ok && len(places) <= maxPlaces {
				at[key] = append(places, n)
			}
		}
		i = to
	}
	votes := map[int]float64{}
	for j := range q {
		places := at[q[j].key]
		if !q[j].word || len(places) > maxPlaces {
			continue
		}
		for _, n := range places {
			b := (n - j + maxTokens) / bucket
			rare := 1 / (1 + float64(len(places)))
			votes[b] += rare
			votes[b-1] += rare
		}
	}
	order := make([]int, 0, len(votes))
	for b := range votes {
		order = append(order, b)
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a, b)) })
	var taken []int
	for _, b := range order {
		if len(taken) == maxWindows {
			break
		}
		if slices.ContainsFunc(taken, func(o int) bool { return max(o-b, b-o) <= 1 }) {
			continue
		}
		taken = append(taken, b)
		first := max(b*bucket-maxTokens-bucket, 0)
		if k := first / noted; k < len(begins) {
			i := begins[k]
			for range first % noted {
				_, i, _ = nextToken(t.canon, i)
			}
			out = append(out, i)
		}
	}
	return out, nil
}

// compare looks for q behind a position.
func (t *FullText) compare(q []token, from int) Alike {
	s := tokens(t.canon[from:], len(q)+len(q)/4+4*bucket)
	pairs := alignNear(q, s)
	if len(pairs) == 0 {
		return Alike{}
	}
	first, last := extend(q, s, pairs)
	now := s[first : last+1]
	pairs = align(q, now)
	common, mine, theirs := 0, 0, 0
	for _, p := range pairs {
		common += q[p[0]].weight()
	}
	for i := range q {
		mine += q[i].weight()
	}
	for i := range now {
		theirs += now[i].weight()
	}
	return Alike{
		Stretch: Stretch{t.line(from + now[0].start), t.line(from + now[len(now)-1].end - 1)},
		Text:    running(now), Score: 2 * float64(common) / float64(mine+theirs), Words: changes(q, now, pairs),
	}
}

// alignNear pairs the tokens of q with those of a stretch of s, so that the pairs weigh much and what lies between them in s little: the same words far apart are no text like
// q. Where the stretch begins and ends is free.
func alignNear(q, s []token) (pairs [][2]int) {
	const paired, between = 4, 1 // what a token's weight counts
	w := len(s) + 1
	best := make([]int32, (len(q)+1)*w) // of q[j:] and s[i:], from i on; 0: the stretch ends there
	for j := len(q) - 1; j >= 0; j-- {
		for i := len(s) - 1; i >= 0; i-- {
			v := max(0, best[(j+1)*w+i], best[j*w+i+1]-int32(between*s[i].weight()))
			if q[j].is(&s[i]) {
				v = max(v, best[(j+1)*w+i+1]+int32(paired*q[j].weight()))
			}
			best[j*w+i] = v
		}
	}
	i := 0
	for k := range s {
		if best[k] > best[i] {
			i = k
		}
	}
	for j := 0; j < len(q) && i < len(s) && best[j*w+i] > 0; {
		switch v := best[j*w+i]; {
		case q[j].is(&s[i]) && v == best[(j+1)*w+i+1]+int32(paired*q[j].weight()):
			pairs = append(pairs, [2]int{j, i})
			j, i = j+1, i+1
		case v == best[(j+1)*w+i]:
			j++
		default:
			i++
		}
	}
	return pairs
}

// extend takes words of s in beside the pairs, as many as q has there, up to where a sentence ends: they came in place of those.
func extend(q, s []token, pairs [][2]int) (first, last int) {
	first, last = pairs[0][1], pairs[len(pairs)-1][1]
	for range pairs[0][0] {
		if first == 0 || stops(s, first-1) {
			break
		}
		first--
	}
	for range len(q) - 1 - pairs[len(pairs)-1][0] {
		if last == len(s)-1 || stops(s, last) {
			break
		}
		last++
	}
	return first, last
}

// stops reports whether a sentence ends with the token at i.
func stops(s []token, i int) bool {
	return strings.ContainsAny(s[i].text, ".!?") && !s[i].word && (i+1 == len(s) || s[i+1].spaced)
}
