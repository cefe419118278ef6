package api_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/serve/api"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect"
)

// A program that has a workspace mounts the service beside its own routes; another one asks it with the generated client.
func Example() {
	ctx := context.Background()
	dir, err := os.MkdirTemp("", "example")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	ws, err := findspot.Open(ctx, dir, &findspot.Options{NoServers: true})
	if err != nil {
		log.Fatal(err)
	}
	defer ws.Close()
	if _, err := ws.AddRepo(ctx, filepath.Join("..", "..", "testdata", "receiver"), nil); err != nil {
		log.Fatal(err)
	}
	service := api.New(ws, nil)
	defer service.Close()
	mux := http.NewServeMux()
	service.Register(mux)
	server := httptest.NewServer(mux) // a server of your own, behind your own checks
	defer server.Close()

	client := findspotv1connect.NewFindspotClient(http.DefaultClient, server.URL)
	walk, err := client.Traverse(ctx, &v1.TraverseRequest{Ids: []string{"receiver/pss.py:detect_pss"}, Direction: "callers"})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range walk.Edges {
		fmt.Printf("%s in line %d\n", e.Src, e.Sites[0].Line)
	}

	stream, err := client.Ask(ctx, &v1.AskRequest{Question: "who calls detect_pss?"})
	if err != nil {
		log.Fatal(err)
	}
	for stream.Receive() {
		if done := stream.Msg().GetDone(); done != nil {
			fmt.Println("asks for callers:", done.Asked)
		}
	}
	if err := stream.Err(); err != nil {
		log.Fatal(err)
	}
	// Output:
	// receiver/cell_search.py:CellSearcher.search in line 33
	// receiver/metrics.py:false_alarm_rate in line 59
	// receiver/metrics.py:measure in line 43
	// asks for callers: true
}
