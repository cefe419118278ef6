package symbolname

import (
	"slices"
	"strings"
)

func Last(name string) string {
	if last := Parse(name).Last(); last != "" {
		return last
	}
	return name
}

// Link is one step of the chain that leads to a declaration.
type Link struct {
	Names    []string // any of which may be written
	Optional bool     // nobody needs to write it
}

func (l Link) Is(part string, same func(a, b string) bool) bool {
	return slices.ContainsFunc(l.Names, func(n string) bool {
		return same(n, part) || same(strings.TrimLeft(n, "#@"), strings.TrimLeft(part, "#@"))
	})
}

// Chain turns names as servers show them into links: a method's "(*T).m" is two, an implementation block stands for
// its type, and what has no name of its own (a callback, an anonymous namespace) need not be written.
func Chain(names []string) []Link {
	var links []Link
	for i, name := range names {
		if typ, trait, ok := Impl(name); ok {
			l := Link{Names: []string{typ, name}}
			if trait != "" {
				l.Names = append(l.Names, trait)
			}
			links = append(links, l)
			continue
		}
		plain := Plain(name)
		own := Parse(plain).Parts
		if strings.ContainsAny(plain, " \t") && OperatorName(plain) == "" || strings.HasPrefix(plain, "<") || strings.HasPrefix(plain, "(") || len(own) == 0 {
			links = append(links, Link{Names: []string{name, plain}, Optional: i < len(names)-1})
			continue
		}
		// What a name repeats of its containers counts once: "pkg.Type.Method" in "example.com/pkg".
		for n := min(len(own)-1, len(links)); n > 0; n-- {
			if slices.EqualFunc(links[len(links)-n:], own[:n], func(l Link, p string) bool { return l.Names[0] == p }) {
				own = own[n:]
				break
			}
		}
		for j, p := range own {
			l := Link{Names: []string{p}}
			if j == len(own)-1 && p != plain {
				l.Names = append(l.Names, plain)
			}
			links = append(links, l)
		}
	}
	return links
}

func Needed(links []Link) int {
	n := 0
	for _, l := range links {
		if !l.Optional {
			n++
		}
	}
	return n
}

// Match returns how many links that people write were left out between the parts, -1 when the parts do not fit.
func Match(links []Link, parts []string, same func(a, b string) bool) int {
	if len(links) == 0 || len(parts) == 0 || !links[len(links)-1].Is(parts[len(parts)-1], same) {
		return -1
	}
	gaps := 0
	i := len(links) - 2
	for p := len(parts) - 2; p >= 0; p-- {
		for ; i >= 0 && !links[i].Is(parts[p], same); i-- {
			if !links[i].Optional {
				gaps++
			}
		}
		if i < 0 {
			return -1
		}
		i--
	}
	return gaps
}
