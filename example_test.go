package findspot_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"os"
	"path/filepath"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// temp is a folder for an index.
func temp() string {
	dir, err := os.MkdirTemp("", "findspot")
	if err != nil {
		log.Fatal(err)
	}
	return dir
}

// Ask a question of documents and code.
func Example() {
	ctx, dir := context.Background(), temp()
	defer os.RemoveAll(dir)
	// README: ask
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	for _, err := range ws.AddDocs(ctx, "examples/testdata/papers") {
		if err != nil {
			log.Print(err) // names the file; the others are added
		}
	}
	if _, err := ws.AddRepo(ctx, "examples/testdata/receiver", nil); err != nil {
		log.Fatal(err)
	}
	ans, err := ws.Ask(ctx, "what is the noise floor?", &findspot.AskOptions{Tokens: 300})
	if err != nil {
		log.Fatal(err)
	}
	for _, it := range ans.Items {
		fmt.Println(it.Key, it.At) // it.Text has the words
	}
	// end

	// Output:
	// D1 "FS 12.401 Cell search procedure" p. 1, l. 21-25 (fs-12.401-cell-search.pdf)
	// D2 "FS 12.401 Cell search procedure" p. 3, l. 67-71 (fs-12.401-cell-search.pdf)
}

// Search documents alone.
func Example_documents() {
	ctx, dir := context.Background(), temp()
	defer os.RemoveAll(dir)
	// README: documents
	lib, err := blevestore.Open(ctx, filepath.Join(dir, "papers.idx"), nil)
	if err != nil {
		log.Fatal(err)
	}
	defer lib.Close()
	for _, err := range lib.AddAll(ctx, docsearch.Files("examples/testdata/papers")) {
		var bad *docsearch.IngestError
		if errors.As(err, &bad) {
			log.Print(bad) // names the file; the others go on
		} else if err != nil {
			log.Fatal(err)
		}
	}
	res, err := lib.Search(ctx, "primary synchronization signal", nil)
	if err != nil {
		log.Fatal(err)
	}
	hit := res.Hits[0]
	text, err := lib.View(ctx, hit.Doc, docsearch.Lines{First: hit.Passages[0].LineStart, Last: hit.Passages[0].LineEnd})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(hit.Tier, text.Page == hit.Passages[0].Page, text.Text != "")
	// end

	// Output: phrase true true
}

// Read a PDF alone.
func Example_pdf() {
	ctx := context.Background()
	f, err := os.Open("examples/testdata/papers/pss-detection.pdf")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	// README: pdf
	doc, err := pdf.New(nil).Open(ctx, f, info.Size()) // f is an *os.File, or any io.ReaderAt
	if errors.Is(err, docsearch.ErrEncrypted) {
		log.Fatal("pdf.Options has a Password")
	} else if err != nil {
		log.Fatal(err)
	}
	defer doc.Close()
	var contents extract.Contents
	for page, err := range doc.Pages(ctx, 1, 0) {
		if err != nil {
			log.Print(err) // this page; the next ones follow
		}
		contents.Add(page)
		if page == nil {
			continue
		}
		places, err := page.Find("robust estimate") // over line ends and hyphens
		if err != nil {
			log.Fatal(err)
		}
		for _, at := range places {
			fmt.Printf("page %d, line %d, %.0f points from the left\n", at.Page, at.Line, at.Boxes[0].X0)
		}
		for _, table := range page.Tables {
			fmt.Println(table.Rows[2])
		}
	}
	fmt.Println(contents.Sections()[0].Heading())
	// end

	// Output:
	// page 1, line 14, 54 points from the left
	// [−12 0.74 0.89 0.14 0.086]
	// Abstract
}

// Build a code graph in memory and walk it.
func Example_code() {
	ctx := context.Background()
	// README: code
	g, err := codegraph.Build(ctx, os.DirFS("examples/testdata/receiver"), findspot.Languages(), nil)
	if err != nil {
		log.Fatal(err)
	}
	hits, err := g.Search(ctx, "detect_pss", nil)
	if err != nil {
		log.Fatal(err)
	}
	walk, err := g.Traverse(ctx, []string{hits.Hits[0].ID}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
	if err != nil {
		log.Fatal(err)
	}
	if err := walk.WriteTree(os.Stdout); err != nil {
		log.Fatal(err)
	}
	// end
}

// Ask a language server; what is not installed says how to install it.
func Example_servers() {
	ctx := context.Background()
	// README: servers
	lc, err := lspclient.Open(ctx, "examples/testdata/receiver", nil) // servers start on demand
	if err != nil {
		log.Fatal(err)
	}
	defer lc.Close()
	refs, err := lc.References(ctx, lspclient.Named("detect_pss"), nil)
	var missing *lspclient.NotInstalledError
	switch {
	case errors.As(err, &missing):
		fmt.Println("install it with:", missing.Install)
	case err != nil:
		log.Fatal(err)
	default:
		fmt.Println(refs.State, len(refs.Locations), "references by", refs.Server)
	}
	// end
}

// Let a model gather evidence and answer from it. The model here is scripted; claude.New and openai.New return real ones.
func ExampleWorkspace_Tools_agent() {
	ctx, dir := context.Background(), temp()
	defer os.RemoveAll(dir)
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	for _, err := range ws.AddDocs(ctx, "examples/testdata/papers") {
		if err != nil {
			log.Fatal(err)
		}
	}
	model := skilltest.NewModel(
		skilltest.Calls("search_internal", `{"query":"primary synchronization signal","limit":1}`), skilltest.Says("What matters is [D1]."),
		skilltest.Says("The signal is detected [D1]. This is made up [D9]."), skilltest.Says("1. -"))
	// README: agent
	tools := ws.Tools(nil)
	tools = append(tools, agent.CodeRetrieval().Tool(model, tools, nil)) // a sub-agent
	g, err := agent.Gather(ctx, model, tools, "how is the PSS detected?", &agent.GatherOptions{Instructions: ws.Guide(), Source: ws})
	if err != nil {
		log.Fatal(err)
	}
	for piece, err := range agent.Answer(ctx, model, g, &agent.AnswerOptions{Source: ws}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Print(piece.Text) // as it is written: only sentences whose keys and quotes hold, and that their evidence does not speak against
		if r := piece.Report; r != nil {
			fmt.Printf("\n%s: %d verified, %d undecided, %d left out; sealed: %v\n", r.Status, r.Verified, r.Undecided, r.LeftOut, r.Sealed)
		}
	}
	// end

	// Output:
	// The signal is detected [D1].
	// done: 1 verified, 0 undecided, 1 left out; sealed: true
}

// Choose the skill that fits a task, and run its steps.
func Example_skill() {
	ctx, dir := context.Background(), temp()
	defer os.RemoveAll(dir)
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	if _, err := ws.AddRepo(ctx, "examples/testdata/receiver", nil); err != nil {
		log.Fatal(err)
	}
	// README: skill
	choice, ok := skill.Select(ws.Skills(), "who calls detect_pss?", nil)
	if !ok {
		log.Fatal(choice.Why)
	}
	out, err := runner.New(nil, ws.Tools(nil), nil).Run(ctx, choice.Skill, choice.Inputs) // nil: no model
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(choice.Skill.Name, out.Status, len(out.Items) > 0) // done, verified_no_results, insufficient or stopped
	// end

	// Output: who-calls done true
}
