package training

import (
	"hash/fnv"
	"slices"
	"strings"
)

// normal is a text for comparing: small letters, one space between words.
func normal(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

const (
	shingle = 5   // words
	sketch  = 256 // hashes kept of a text
)

// shingles returns the smallest hashes of all runs of five words, sorted: a bottom-k sketch (Broder, "On the resemblance and containment of
// documents", 1997), from which the resemblance of two texts is estimated.
func shingles(text string) []uint64 {
	words := strings.Fields(text)
	all := make([]uint64, 0, len(words))
	for i := range max(len(words)-shingle+1, min(len(words), 1)) {
		h := fnv.New64a()
		for _, w := range words[i:min(i+shingle, len(words))] {
			h.Write([]byte(w))
			h.Write([]byte{0})
		}
		all = append(all, mix(h.Sum64()))
	}
	slices.Sort(all)
	all = slices.Compact(all)
	return slices.Clone(all[:min(len(all), sketch)])
}

// mix spreads the bits of a hash, of which the smallest are taken (the finaliser of MurmurHash3).
func mix(h uint64) uint64 {
	h = (h ^ h>>33) * 0xff51afd7ed558ccd
	h = (h ^ h>>33) * 0xc4ceb9fe1a85ec53
	return h ^ h>>33
}

// resemblance estimates |A and B| / |A or B| from two sketches.
func resemblance(a, b []uint64) float64 {
	both, seen := 0, 0
	for len(a)+len(b) > 0 && seen < sketch {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			b = b[1:]
		default:
			a, b = a[1:], b[1:]
			both++
		}
		seen++
	}
	if seen == 0 {
		return 0
	}
	return float64(both) / float64(seen)
}

// A seen set finds texts that are nearly the same as an earlier one.
type seenSet struct {
	all []([]uint64)
	by  map[uint64][]int // of each hash: which texts have it, at most maxShared
}

const maxShared = 1000 // texts looked up by one hash

func (s *seenSet) add(hashes []uint64, limit float64) (near bool) {
	tried := map[int]bool{}
	for _, h := range hashes {
		for _, i := range s.by[h] {
			if !tried[i] {
				tried[i] = true
				if resemblance(hashes, s.all[i]) >= limit {
					return true
				}
			}
		}
	}
	if s.by == nil {
		s.by = map[uint64][]int{}
	}
	for _, h := range hashes {
		if len(s.by[h]) < maxShared {
			s.by[h] = append(s.by[h], len(s.all))
		}
	}
	s.all = append(s.all, hashes)
	return false
}
