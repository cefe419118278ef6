// Package api serves a workspace as the service findspot.v1.Findspot, which is defined in the folder findspot/v1: with Connect, gRPC and gRPC-Web, and as
// plain JSON over HTTP/1.1. Beside it stand a few plain routes for documents, searches and tools, and /openapi.json describes all of them.
//
//	feed := &api.Feed{}
//	ws, err := findspot.Open(ctx, ".findspot", &findspot.Options{Progress: feed.Report})
//	...
//	service := api.New(ws, &api.Options{Feed: feed, Logger: log})
//	defer service.Close()
//	service.Register(mux)
//
//	curl -H 'Content-Type: application/json' -d '{"query":"cell search"}' localhost:8080/findspot.v1.Findspot/Search
//
// # Model
//
// Messages have the fields of the library's results, by their names in JSON, and JSON has every field of a message, empty ones too. An answer is masked as
// a whole unless Options.ShowSecrets says otherwise. Errors have Connect's codes and the library's own sentence; what tells of the host (paths, locks, what
// broke inside) is logged under a number, and the client is told that number.
//
// A run of a skill belongs to the stream that started it, and ends at once when its client goes away. Its approvals are answered by Decide, which needs the
// run's id, and nobody but the client knows that.
//
// With Options.Uploads the file of an added document is kept, so that it can be shown as it is. A file is in place once the document is in the index;
// an upload that is cut off, by its client or by a crash, counts in neither. Deleting goes the other way around. What a crash leaves is mended when the next
// service begins.
//
// # Limits
//
// There is no guard in this package: whoever mounts it checks hosts, origins and tokens and bounds how many requests run at once (internal/httpguard). gRPC
// needs HTTP/2, which a server without TLS has to allow (http.Protocols). A request is at most 1 MB, but for AddDocument, which takes what the library does.
//
// The generated code is made by go generate, and tests compare it, and the description, with the definition.
package api

//go:generate go test -run ^(TestGenerated|TestOpenAPI)$ . -update
