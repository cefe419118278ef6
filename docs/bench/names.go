//go:build ignore

// Names measures how well entity search finds what agents type:
//
//	go run docs/bench/names.go [-n 400] [-v] DIR...
//
// From each repository it draws up to n classes and functions, evenly over the list of ids and test code aside, and asks
// for each in the ways people write a name. A hit is right when the query says nothing against it: any entity of that
// last name for a query that gives no more. Per form it prints the mean reciprocal rank among ten hits, the share with a
// right hit first and among ten, and the median time of a query.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/text"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "names:", err)
		os.Exit(1)
	}
}

type form struct {
	name  string
	query func(e codegraph.Entity) string // "" leaves the entity out
	right func(want, got codegraph.Entity) bool
}

func same(want, got codegraph.Entity) bool { return bare(want.ID) == bare(got.ID) }

// named tells that the last names are the same.
func named(want, got codegraph.Entity) bool {
	return want.Name == got.Name || got.Kind == codegraph.KindFile && stem(got.Name) == want.Name
}

// member tells that the last two names are the same.
func member(want, got codegraph.Entity) bool { return lastTwo(want.ID) == lastTwo(got.ID) }

func bare(id string) string {
	id, _, _ = strings.Cut(id, "#")
	return id
}

func stem(p string) string { return strings.TrimSuffix(p, path.Ext(p)) }

func own(e codegraph.Entity) []string {
	_, names, _ := strings.Cut(bare(e.ID), ":")
	return strings.Split(names, ".")
}

func lastTwo(id string) string {
	_, names, _ := strings.Cut(bare(id), ":")
	l := strings.Split(names, ".")
	return strings.Join(l[max(0, len(l)-2):], ".")
}

var forms = []form{
	{"id", func(e codegraph.Entity) string { return e.ID }, same},
	{"name", func(e codegraph.Entity) string { return e.Name }, named},
	{"name()", func(e codegraph.Entity) string { return e.Name + "()" }, named},
	{"Class.method", func(e codegraph.Entity) string {
		if len(own(e)) < 2 {
			return ""
		}
		return lastTwo(e.ID)
	}, member},
	{"Class::method", func(e codegraph.Entity) string {
		if len(own(e)) < 2 {
			return ""
		}
		return strings.ReplaceAll(lastTwo(e.ID), ".", "::")
	}, member},
	{"file.py:func", func(e codegraph.Entity) string { return path.Base(e.Path) + ":" + e.Name },
		func(w, g codegraph.Entity) bool { return named(w, g) && path.Base(w.Path) == path.Base(g.Path) }},
	{"path.py::Class::method", func(e codegraph.Entity) string { return e.Path + "::" + strings.Join(own(e), "::") }, same},
	{"module.func", func(e codegraph.Entity) string { return stem(path.Base(e.Path)) + "." + strings.Join(own(e), ".") }, same},
	{"package.module.func", func(e codegraph.Entity) string {
		return strings.ReplaceAll(stem(e.Path), "/", ".") + "." + strings.Join(own(e), ".")
	}, same},
	{"path:line", func(e codegraph.Entity) string { return fmt.Sprintf("%s:%d", e.Path, e.Line) }, same},
	{"signature", func(e codegraph.Entity) string { return e.Signature }, named},
	{"lower case", func(e codegraph.Entity) string { return strings.ToLower(e.Name) },
		func(w, g codegraph.Entity) bool { return strings.EqualFold(w.Name, g.Name) || named(w, g) }},
	{"a b c", func(e codegraph.Entity) string {
		if p := text.SplitIdent(e.Name); len(p) > 1 {
			return strings.Join(p, " ")
		}
		return ""
	}, named},
	{"owner name words", func(e codegraph.Entity) string {
		o := own(e)
		if len(o) < 2 {
			return ""
		}
		return strings.Join(text.SplitIdent(o[len(o)-2]), " ") + " " + strings.Join(text.SplitIdent(e.Name), " ")
	}, member},
	{"other style", func(e codegraph.Entity) string { // get_user for getUser, and the other way round
		p := text.SplitIdent(e.Name)
		if len(p) < 2 || strings.HasPrefix(e.Name, "_") {
			return ""
		}
		if strings.Contains(e.Name, "_") {
			for i := range p {
				if i > 0 {
					r := []rune(p[i])
					r[0] = unicode.ToUpper(r[0])
					p[i] = string(r)
				}
			}
			return strings.Join(p, "")
		}
		return strings.Join(p, "_")
	}, named},
	{"first two thirds", func(e codegraph.Entity) string {
		if len(e.Name) < 6 {
			return ""
		}
		return e.Name[:len(e.Name)*2/3]
	}, func(w, g codegraph.Entity) bool {
		return strings.HasPrefix(strings.ToLower(g.Name), strings.ToLower(w.Name[:len(w.Name)*2/3]))
	}},
	{"one letter missing", func(e codegraph.Entity) string {
		if len(e.Name) < 6 {
			return ""
		}
		return e.Name[:len(e.Name)/2] + e.Name[len(e.Name)/2+1:]
	}, named},
	{"two letters swapped", func(e codegraph.Entity) string {
		i := len(e.Name) / 2
		if len(e.Name) < 6 || e.Name[i] == e.Name[i-1] {
			return ""
		}
		return e.Name[:i-1] + string(e.Name[i]) + string(e.Name[i-1]) + e.Name[i+1:]
	}, named},
	{"in a sentence", func(e codegraph.Entity) string {
		if len(own(e)) < 2 {
			return ""
		}
		return "where is " + lastTwo(e.ID) + " defined and what does it do?"
	}, member},
}

func run() error {
	n := flag.Int("n", 400, "most entities to draw")
	verbose := flag.Bool("v", false, "print the queries whose first hit is wrong")
	flag.Parse()
	ctx := context.Background()
	for _, dir := range flag.Args() {
		g, err := codegraph.Build(ctx, os.DirFS(dir), findspot.Languages(), nil)
		if err != nil {
			return err
		}
		var all []codegraph.Entity
		for e := range g.Entities() {
			if !e.Test && (e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction) {
				all = append(all, e)
			}
		}
		var drawn []codegraph.Entity
		for i := range min(*n, len(all)) {
			drawn = append(drawn, all[i*len(all)/min(*n, len(all))])
		}
		entities, _ := g.Len()
		fmt.Printf("%s: %d of %d classes and functions, %d entities\n\n", filepath.Base(dir), len(drawn), len(all), entities)
		fmt.Println("| form | queries | MRR@10 | first | in ten | median ms |\n|---|---|---|---|---|---|")
		if _, err := g.Search(ctx, "warm", nil); err != nil {
			return err
		}
		total, count := 0.0, 0
		for _, f := range forms {
			sum, first, ten, asked := 0.0, 0, 0, 0
			var took []time.Duration
			for _, e := range drawn {
				q := f.query(e)
				if q == "" {
					continue
				}
				asked++
				began := time.Now()
				res, err := g.Search(ctx, q, nil)
				if err != nil {
					return err
				}
				took = append(took, time.Since(began))
				rank := slices.IndexFunc(res.Hits, func(h codegraph.EntityHit) bool { return f.right(e, h.Entity) })
				if rank >= 0 {
					sum += 1 / float64(rank+1)
					ten++
				}
				if rank == 0 {
					first++
				} else if *verbose {
					got := "nothing"
					if len(res.Hits) > 0 {
						got = res.Hits[0].ID + " " + res.Hits[0].Match
					}
					fmt.Fprintf(os.Stderr, "%s: %q wants %s, rank %d, first %s\n", f.name, q, e.ID, rank+1, got)
				}
			}
			if asked == 0 {
				continue
			}
			slices.Sort(took)
			fmt.Printf("| %s | %d | %.3f | %.3f | %.3f | %.2f |\n", f.name, asked, sum/float64(asked), float64(first)/float64(asked), float64(ten)/float64(asked),
				float64(took[len(took)/2].Microseconds())/1000)
			total += sum
			count += asked
		}
		fmt.Printf("| all | %d | %.3f | | | |\n\n", count, total/float64(count))
	}
	return nil
}
