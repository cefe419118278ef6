// Package openaiembed makes vectors of texts with any server that speaks OpenAI's embeddings form: OpenAI's own, and the local
// ones that hold open models. It implements docsearch.Embedder.
//
//	emb, err := openaiembed.New("http://127.0.0.1:8080/v1", "all-MiniLM-L6-v2", nil)
//	if err != nil {
//		return err
//	}
//	lib, err := blevestore.Open(ctx, "papers.idx", &blevestore.Options{Options: docsearch.Options{Embedder: emb}})
//
// # Guarantees
//
// A request holds at most Options.Batch texts and 1 MB of them, has a time limit, and an answer is read up to a size that follows from
// the request. Status 408, 429 and those of a server in trouble (500, 502, 503, 504), and connections that break, are tried again, after the
// time that the server asks for (Retry-After) or one that doubles; a server that asks for more than a minute is an error. Redirects are not
// followed. The key is in no error, no log and no name. An Embedder is safe for concurrent use.
//
// A text that the server refuses (400, 413, 422) is an error wrapping docsearch.ErrUnsupported.
//
// # Limits
//
// Texts only, and vectors as numbers: no token ids, no base64. What is longer than a model takes the server cuts or refuses; Options.Runes cuts
// such texts into pieces here and takes the mean of their vectors.
package openaiembed
