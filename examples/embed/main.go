package main

import (
	"context"
	"fmt"
	"log"
	"os"
	"os/signal"

	"github.com/findspot/findspot"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if len(os.Args) != 5 {
		log.Fatal("usage: embed INDEX PAPERS REPOSITORY QUESTION")
	}
	if err := run(ctx, os.Args[1], os.Args[2], os.Args[3], os.Args[4]); err != nil {
		log.Fatal(err)
	}
}

func run(ctx context.Context, index, papers, repo, question string) error {
	ws, err := findspot.Open(ctx, index, nil)
	if err != nil {
		return err
	}
	defer ws.Close()
	for _, err := range ws.AddDocs(ctx, papers) {
		if err != nil {
			log.Print(err) // names the file; the others are added
		}
	}
	if _, err := ws.AddRepo(ctx, repo, nil); err != nil {
		return err
	}
	ans, err := ws.Ask(ctx, question, nil)
	if err != nil {
		return err
	}
	for _, it := range ans.Items {
		fmt.Printf("[%s] %s\n%s\n\n", it.Key, it.At, it.Text) // its key, its place, its words
	}
	return nil
}
