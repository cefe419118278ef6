package api_test

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
)

// uploadText is what the n-th upload has.
func uploadText(n int) string {
	return fmt.Sprintf("# Upload\n\nthe text of number %d\n", n) + strings.Repeat("more words\n\n", n%500)
}

// TestUploader is the process that TestKilled kills: it adds documents, replaces and deletes them, and says so.
func TestUploader(t *testing.T) {
	base := os.Getenv("FINDSPOT_UPLOADER")
	if base == "" {
		t.Skip("a process of TestKilled")
	}
	ws, err := findspot.Open(t.Context(), filepath.Join(base, "index"), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	s := api.New(ws, &api.Options{Uploads: filepath.Join(base, "uploads")})
	mux := http.NewServeMux()
	s.Register(mux)
	for n := 0; ; n++ {
		name := fmt.Sprintf("n%d.md", n%7)
		if code, body := serveOnce(mux, "/documents?filename="+name, "text/markdown", []byte(uploadText(n))); code >= 300 {
			t.Fatalf("%d %s", code, body)
		}
		fmt.Println("added", name, n)
		if n%5 == 4 {
			if code, body := serveOnce(mux, "/findspot.v1.Findspot/DeleteDocument", "application/json", fmt.Appendf(nil, `{"doc": %q}`, name)); code >= 300 {
				t.Fatalf("%d %s", code, body)
			}
			fmt.Println("deleted", name, n)
		}
	}
}

// TestKilled: what was acknowledged is there after a kill, in the index and in the folder, and these agree.
func TestKilled(t *testing.T) {
	if testing.Short() {
		t.Skip("kills processes for seconds")
	}
	for range 4 {
		base := t.TempDir()
		cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestUploader$")
		cmd.Env = append(os.Environ(), "FINDSPOT_UPLOADER="+base)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		last, lines := map[string]string{}, bufio.NewScanner(out) // what was said last of each name
		var kill *time.Timer
		said := 0
		for lines.Scan() {
			what, name, _ := strings.Cut(lines.Text(), " ")
			if what != "added" && what != "deleted" {
				continue
			}
			name, n, _ := strings.Cut(name, " ")
			last[name] = what + " " + n
			if said++; kill == nil {
				kill = time.AfterFunc(time.Duration(rand.IntN(400))*time.Millisecond, func() { _ = cmd.Process.Kill() })
			}
		}
		if err := cmd.Wait(); err == nil || said == 0 {
			t.Fatalf("the process ended by itself: %v, after %d lines", err, said)
		}
		w := openWorld(t, filepath.Join(base, "index"), &api.Options{Uploads: filepath.Join(base, "uploads")})
		w.upload("last.md", "# Last\n\nwaits until the folder is mended")
		list, err := w.client().ListDocuments(t.Context(), &v1.ListDocumentsRequest{})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := names(t, filepath.Join(base, "uploads")), w.listed(); !slices.Equal(got, want) {
			t.Errorf("files %v, documents %v", got, want)
		}
		open := 0 // names whose state differs from what was said: at most the one under way
		there := map[string]bool{}
		for _, d := range list.Documents {
			there[d.Name] = true
			data, err := os.ReadFile(filepath.Join(base, "uploads", d.Name))
			sum := sha256.Sum256(data)
			if err != nil || hex.EncodeToString(sum[:]) != d.Hash {
				t.Errorf("%s: the file is not what the index has: %v", d.Name, err)
			}
			if n, ok := strings.CutPrefix(last[d.Name], "added "); d.Name != "last.md" && (!ok || !strings.Contains(string(data), "number "+n+"\n")) {
				open++
			}
		}
		for name, what := range last {
			if strings.HasPrefix(what, "added") && !there[name] {
				open++
			}
		}
		if open > 1 {
			t.Errorf("%d names are not as it was said: %v", open, last)
		}
		w.end()
	}
}
