package main

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
)

// docKinds is what of a document can be searched.
var docKinds = []string{"text", "titles", "figures", "tables"}

func docsSearch(a *app) *cobra.Command {
	o := &docsearch.SearchOptions{}
	var tiers []string
	var glossary string
	b := &batch{con: &a.console}
	c := &cobra.Command{
		Use:   "search QUERY",
		Short: "Search the documents: exact phrase, then all words, then any word",
		Long: `Search the documents: exact phrase, then all words, then any word; a lower tier fills the places that a higher one
leaves. A question in a complete sentence is answered by the pieces that fit it best instead, unless --tiers or --mode
words asks for the tiers.

Words in quotes ("cell search", quoted for the shell too) must appear as a phrase in every passage. A minus before a
word or a quoted phrase excludes the passages that contain it; put -- before a query that begins with a minus.

With --queries, the queries are read from a file, one {"_id": "1", "text": "..."} per line ("id" also works), and the
documents found are written to the file of --run in the TREC format: query, Q0, document id, rank, score, tag. Scores
decrease with the rank. Such queries are prose: quotes and minus signs have no meaning without --operators.`,
		Example: "  findspot docs search \"primary synchronization signal\" --limit 3\n  findspot docs search \"SSB burst\" --in 38.331 --json\n" +
			"  findspot docs search '\"cell search\" -uplink' --author Lovelace --from 2021\n" +
			"  findspot docs search --queries queries.jsonl --limit 100 --run run.txt",
		Args: func(c *cobra.Command, args []string) error {
			switch {
			case b.queries == "" && b.run != "":
				return usagef("--run needs --queries: %s", c.UseLine())
			case b.queries == "":
				return atLeast(1)(c, args)
			case b.run == "" || len(args) > 0 || o.Cursor != "" || a.json:
				return usagef("--queries reads the queries from a file and needs --run; it cannot be combined with a query, --cursor or --json")
			}
			return nil
		},
		RunE: func(c *cobra.Command, args []string) error {
			for _, t := range tiers {
				o.Tiers = append(o.Tiers, docsearch.Tier(t))
			}
			if err := cmp.Or(oneOf("tiers", o.Tiers, append(docsearch.Tiers(), docsearch.TierSemantic)...), oneOf("kind", o.Kinds, docKinds...)); err != nil {
				return err
			}
			if glossary != "" {
				g, err := docsearch.OpenGlossary(a.env.Path(glossary))
				if err != nil {
					return err
				}
				o.Glossary = g
			}
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			if b.queries != "" {
				o.Literal = o.Literal || !b.operators
				if !c.Flags().Changed("passages") {
					o.Passages = 1 // no passage is shown
				}
				return b.do(c.Context(), ws, o)
			}
			query := strings.Join(args, " ")
			o.Answering(query)
			res, err := ws.SearchDocs(c.Context(), query, o)
			if err = show(&a.console, res, err, newPrinter(a.stdout).hits); err != nil {
				return err
			}
			return found(nil, len(res.Hits))
		},
	}
	f := c.Flags()
	f.StringVar(&o.Doc, "in", "", "only this document: its id, name, or a unique part of its name or title")
	f.StringVar((*string)(&o.Mode), "mode", "", "what to compare: words, vectors, hybrid or question (default question for a sentence, else hybrid with --embed-url and words without)")
	f.IntVar(&o.Limit, "limit", 10, "maximum number of documents")
	f.IntVar(&o.Passages, "passages", 3, "maximum number of passages per document")
	f.StringSliceVar(&tiers, "tiers", nil, "only these tiers: phrase, all, any")
	f.BoolVar(&o.Strict, "strict", false, "try a lower tier only if the higher ones found nothing")
	f.BoolVar(&o.Literal, "literal", false, "treat the query as plain words: quotes and minus signs have no effect")
	f.StringVar(&o.Title, "title", "", "only documents whose title contains all of these words")
	f.StringVar(&o.Author, "author", "", "only documents by this author")
	f.StringVar(&o.From, "from", "", "only documents of this date or later: 2021, 2021-05 or 2021-05-03")
	f.StringVar(&o.To, "to", "", "only documents of this date or earlier")
	f.StringSliceVar(&o.Formats, "format", nil, "only documents with this file extension, such as pdf (repeatable)")
	f.StringSliceVar(&o.Collections, "collection", nil, "only documents in this collection (repeatable)")
	f.StringVar(&o.Section, "section", "", "only passages in the section with this number or heading")
	f.StringSliceVar(&o.Kinds, "kind", nil, "what to search: text, titles, figures, tables (repeatable)")
	f.StringVar(&glossary, "glossary", "", "file of synonyms, one per line: PSS = primary synchronization signal")
	f.StringVar(&o.Cursor, "cursor", "", "cursor that an earlier search printed, to continue after its documents")
	f.StringVar(&b.queries, "queries", "", "file of queries, one JSON object per line")
	f.BoolVar(&b.operators, "operators", false, "with --queries: quotes and minus signs mean what they do in a query")
	f.StringVar(&b.run, "run", "", "file to write the results of --queries to")
	usage.Rare(f, "literal", "strict", "operators", "tiers", "cursor", "kind", "section")
	return c
}

// stale names the documents whose files are others than those searched.
func (p *printer) stale(res *docsearch.Results) {
	for _, x := range []struct {
		state docsearch.SourceState
		what  string
	}{{docsearch.SourceChanged, "changed since (docs add brings them up to date)"}, {docsearch.SourceGone, "are gone"}} {
		var names []string
		for _, h := range res.Hits {
			if h.Source == x.state {
				names = append(names, clean(h.Name))
			}
		}
		if n := len(names); n > 5 {
			names = append(names[:5], fmt.Sprintf("and %d more", n-5))
		}
		if len(names) > 0 {
			p.printf("Files that %s: %s\n", x.what, strings.Join(names, ", "))
		}
	}
}

func (p *printer) hits(res *docsearch.Results) error {
	if err := res.WriteText(p.w, p.open, p.close); err != nil {
		return err
	}
	p.stale(res)
	if res.Next != "" {
		p.printf("More: --cursor %s\n", res.Next)
	}
	return nil
}
