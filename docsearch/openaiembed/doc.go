// Package openaiembed makes vectors of texts with any server that implements OpenAI's embeddings API: OpenAI's own, and
// local ones that run open models. It implements docsearch.Embedder.
//
//	emb, err := openaiembed.New("http://127.0.0.1:8080/v1", "all-MiniLM-L6-v2", nil)
//	if err != nil {
//		return err
//	}
//	lib, err := blevestore.Open(ctx, "papers.idx", &blevestore.Options{Options: docsearch.Options{Embedder: emb}})
//
// # Guarantees
//
// A request holds at most Options.Batch texts and 1 MB of text and has a time limit; the size of the request limits
// that of its answer. After status 408, 429, 500, 502, 503 or 504, or a broken connection, the request is tried again,
// after the time that the server asks for (Retry-After) or one that doubles; a server that asks for more than a minute
// gives an error. Redirects are not followed. The key appears in no error, log or name. An Embedder is safe for
// concurrent use.
//
// A text that the server refuses (400, 413, 422) gives an error wrapping docsearch.ErrUnsupported.
//
// # Limits
//
// Texts only, and vectors as numbers: no token ids, no base64. A text longer than the model takes is cut or refused by
// the server; with Options.Runes it is cut into pieces here, whose vectors are averaged.
package openaiembed
