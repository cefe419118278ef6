package blevestore_test

import (
	"bufio"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
)

// killDocs is how many ids the changes are about, so that many replace, and many delete.
const killDocs = 30

// A killState is what the store holds: by id, the number of the content and the number of the data.
type killState map[string][2]int

// apply makes a change of a line such as "replace d3:17 d4:17", "delete d3" or "data d4:18". Other lines change nothing.
func (s killState) apply(line string) killState {
	out := maps.Clone(s)
	words := strings.Fields(line)
	for _, w := range words[1:] {
		id, num, _ := strings.Cut(w, ":")
		n, _ := strconv.Atoi(num)
		switch words[0] {
		case "replace":
			out[id] = [2]int{n, n}
		case "delete":
			delete(out, id)
		case "data":
			out[id] = [2]int{out[id][0], n}
		}
	}
	return out
}

// killDoc is the document of an id and a content number: up to six passages and a title.
func killDoc(id string, n int) *driver.Document {
	d := &driver.Document{ID: id, Data: []byte(fmt.Sprintf(`{"n":%d}`, n)), Layout: []byte(strings.Repeat(fmt.Sprintf("layout %d of %s ", n, id), 1+n%9*20))}
	d.Records = append(d.Records, driver.Record{Kind: driver.KindDocument, Text: fmt.Sprintf("title of %s", id), Processed: true})
	for i := range 1 + n%6 {
		d.Records = append(d.Records, driver.Record{
			Kind: driver.KindChunk, N: i, Start: i * 100, Heads: "section " + id, Processed: i%2 == 0,
			Text: fmt.Sprintf("common unique%sx%d part%d %s", id, n, i, strings.Repeat(fmt.Sprintf("filler word%d ", (n+i)%50), 5+n%40)),
		})
	}
	return d
}

// killed is the process that is killed. Before a change it prints what it is about to do, and after it "done".
func killed(dir string) {
	ctx := context.Background()
	seed, _ := strconv.ParseUint(os.Getenv("FINDSPOT_TEST_SEED"), 10, 64)
	rng := rand.New(rand.NewPCG(seed, 2))
	have := killState{}
	fail := func(err error) {
		fmt.Println("error", err)
		os.Exit(1)
	}
	fmt.Println("begin open")
	s, err := blevestore.New(ctx, dir, false)
	if err != nil {
		fail(err)
	}
	docs, err := s.List(ctx)
	if err != nil {
		fail(err)
	}
	for _, d := range docs {
		have[d.ID] = [2]int{}
	}
	fmt.Println("done")
	for n := int(seed) * 1000; ; n++ {
		line := "open"
		ids := slices.Sorted(maps.Keys(have))
		switch k := rng.IntN(100); {
		case k < 8:
		case k < 12:
			line = "backup"
		case k < 22 && len(ids) > 3:
			line = "delete " + ids[rng.IntN(len(ids))]
		case k < 35 && len(ids) > 3:
			line = fmt.Sprintf("data %s:%d", ids[rng.IntN(len(ids))], n)
		default:
			line = "replace"
			first := rng.IntN(killDocs)
			for i := range 1 + rng.IntN(4) {
				line += fmt.Sprintf(" d%d:%d", (first+i)%killDocs, n)
			}
		}
		fmt.Println("begin", line)
		words := strings.Fields(line)
		switch words[0] {
		case "open":
			if err = s.Close(); err == nil {
				s, err = blevestore.New(ctx, dir, false)
			}
		case "backup":
			err = s.(driver.Backuper).Backup(ctx, filepath.Join(dir, "..", fmt.Sprintf("backup-%d", n)), nil)
		case "delete":
			err = s.Delete(ctx, words[1])
		case "data":
			id, _, _ := strings.Cut(words[1], ":")
			err = s.SetData(ctx, map[string][]byte{id: []byte(fmt.Sprintf(`{"n":%d}`, n))})
		case "replace":
			var docs []*driver.Document
			for _, w := range words[1:] {
				id, _, _ := strings.Cut(w, ":")
				docs = append(docs, killDoc(id, n))
			}
			err = s.Replace(ctx, docs)
		}
		if err != nil {
			fail(fmt.Errorf("%s: %w", line, err))
		}
		have = have.apply(line)
		fmt.Println("done")
	}
}

// stateOf reads everything in a store, which must be one of the states that may be there, and returns it.
func stateOf(t *testing.T, s driver.Store, may ...killState) killState {
	t.Helper()
	ctx := t.Context()
	docs, err := s.List(ctx)
	if err != nil {
		t.Fatal(err)
	}
	have := killState{}
	for _, d := range docs {
		recs, err := s.Records(ctx, d.ID, driver.KindChunk, nil)
		if err != nil {
			t.Fatal(err)
		}
		var n, data int
		fmt.Sscanf(string(d.Data), `{"n":%d}`, &data)
		if len(recs) == 0 {
			t.Fatalf("%s has no records", d.ID)
		}
		fmt.Sscanf(recs[0].Text, "common unique"+d.ID+"x%d", &n)
		want := killDoc(d.ID, n)
		full, err := s.Get(ctx, d.ID)
		if err != nil || string(full.Layout) != string(want.Layout) {
			t.Fatalf("%s: the layout is not that of content %d: %v", d.ID, n, err)
		}
		if len(recs) != len(want.Records)-1 {
			t.Fatalf("%s has %d passages of content %d, want %d", d.ID, len(recs), n, len(want.Records)-1)
		}
		for i, r := range recs {
			if w := want.Records[i+1]; r.Text != w.Text || r.Start != w.Start || r.Heads != w.Heads || r.Processed != w.Processed || r.N != w.N {
				t.Fatalf("%s: passage %d is not that of content %d", d.ID, i, n)
			}
		}
		hits, err := s.Search(ctx, &driver.Query{
			Kind: driver.KindChunk, Match: driver.MatchAll, Groups: driver.Groups(fmt.Sprintf("unique%sx%d", d.ID, n)), Limit: 10, PerDoc: 10,
		})
		if err != nil || len(hits.Hits) != 1 || hits.Hits[0].Doc != d.ID || len(hits.Hits[0].Records) != len(recs) {
			t.Fatalf("%s: content %d is found as %+v, %v", d.ID, n, hits, err)
		}
		have[d.ID] = [2]int{n, data}
	}
	for _, m := range may {
		if maps.Equal(have, m) {
			return have
		}
	}
	t.Fatalf("the store holds %v, want one of %v", have, may)
	return nil
}

// A process that changes a store in every way is killed at any moment. What it acknowledged is there, what it was at is there
// wholly or not at all, and the check finds nothing. FINDSPOT_KILLS says how often.
func TestKills(t *testing.T) {
	kills := 25
	if testing.Short() {
		kills = 5
	}
	if n, err := strconv.Atoi(os.Getenv("FINDSPOT_KILLS")); err == nil {
		kills = n
	}
	seed := uint64(1)
	if n, err := strconv.ParseUint(os.Getenv("FINDSPOT_SEED"), 10, 32); err == nil {
		seed = n
	}
	rng := rand.New(rand.NewPCG(seed, 3))
	exe, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	root := t.TempDir()
	dir := filepath.Join(root, "library")
	sure := killState{}
	during := map[string]int{}
	acknowledged, backups := 0, 0
	for round := range kills {
		cmd := exec.Command(exe)
		cmd.Env = append(os.Environ(), "FINDSPOT_TEST_KILL="+dir, fmt.Sprintf("FINDSPOT_TEST_SEED=%d", seed*10_000+uint64(round)))
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		sc := bufio.NewScanner(out)
		under := "" // the change under way
		next := func() bool {
			if !sc.Scan() {
				return false
			}
			word, line, _ := strings.Cut(sc.Text(), " ")
			switch word {
			case "begin":
				under = line
			case "done":
				sure = sure.apply(under)
				under = ""
				acknowledged++
			case "error":
				t.Errorf("round %d: %s", round, line)
			}
			return true
		}
		for n := rng.IntN(40); n > 0 && next(); n-- {
		}
		timer := time.AfterFunc(time.Duration(rng.IntN(40_000))*time.Microsecond, func() { cmd.Process.Kill() })
		for next() {
		}
		cmd.Wait()
		timer.Stop()
		if t.Failed() {
			return
		}
		after := sure
		kind := "between"
		if under != "" {
			after = sure.apply(under)
			kind = strings.Fields(under)[0]
		}
		during[kind]++

		s, err := blevestore.New(t.Context(), dir, round%2 == 0 && len(sure) > 0)
		if err != nil {
			t.Fatalf("round %d, killed during %q: %v", round, under, err)
		}
		sure = stateOf(t, s, sure, after)
		if err := s.(driver.Checker).Check(t.Context()); err != nil {
			t.Fatalf("round %d, killed during %q: %v", round, under, err)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		backups += checkBackups(t, root)
	}
	t.Logf("%d kills (%v), %d changes acknowledged, %d whole backups", kills, during, acknowledged, backups)
}

// checkBackups opens what backups there are, which must be whole, and removes them.
func checkBackups(t *testing.T, root string) int {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(root, "backup-*"))
	if err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, dir := range all {
		if !strings.HasSuffix(dir, ".partial") {
			s, err := blevestore.New(t.Context(), dir, false)
			if err != nil {
				t.Fatalf("a backup cannot be opened: %v", err)
			}
			if err := s.(driver.Checker).Check(t.Context()); err != nil {
				t.Fatalf("a backup is not whole: %v", err)
			}
			if err := s.Close(); err != nil {
				t.Fatal(err)
			}
			n++
		}
		if err := os.RemoveAll(dir); err != nil {
			t.Fatal(err)
		}
	}
	return n
}
