// Package serve joins what answers from a workspace over HTTP into one server: the API (Connect, gRPC, gRPC-Web and JSON), MCP over streamable HTTP, and the page.
// It is what the command findspot serve runs, and it is mounted as easily in a service of one's own:
//
//	ws, err := findspot.Open(ctx, dir, nil)
//	...
//	srv, err := serve.New(ws, &serve.Options{Dir: dir, Sources: serve.Sources{Docs: []string{"papers"}, Repos: []string{"receiver"}}})
//	...
//	defer srv.Close()
//	ln, err := serve.Listen("127.0.0.1:8080", srv.Options())
//	...
//	err = srv.Serve(ctx, ln)   // or srv.Register(mux), on a mux with routes of one's own
//
// Sources are read in the background from [New] on, and watched from then on: a question that comes before answers from what is there, and [Server.Status]
// says what is fresh.
//
// Every route is guarded, on any mux: requests must be for this server's names and from its own pages, bodies, streams and time are bounded, and an address that
// other machines reach needs a token, see package internal/httpguard.
//
// | address | what |
// |---|---|
// | / and /assets/ | the page |
// | /findspot.v1.Findspot/METHOD | the API by Connect, gRPC and gRPC-Web |
// | /search, /documents, /tools, /openapi.json | the API by plain JSON |
// | /mcp | MCP |
// | /healthz | whether the process answers, and whether its sources were read |
package serve
