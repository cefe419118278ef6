package geometry

// Sets are disjoint sets of numbers, such as those of boxes that touch.
type Sets []int

// NewSets returns n sets of one number each.
func NewSets(n int) Sets {
	s := make(Sets, n)
	for i := range s {
		s[i] = i
	}
	return s
}

// Find returns the number of the set that a number is in: the smallest that is in it.
func (s Sets) Find(i int) int {
	for s[i] != i {
		s[i] = s[s[i]]
		i = s[i]
	}
	return i
}

// Join makes one set of two.
func (s Sets) Join(i, k int) {
	i, k = s.Find(i), s.Find(k)
	s[max(i, k)] = min(i, k)
}
