// Package localembed makes vectors of texts with a sentence-embedding model that runs in this process: no server, no
// network, no C compiler. It implements docsearch.Embedder and docsearch.QueryEmbedder.
//
//	m, err := localembed.Open("models/all-MiniLM-L6-v2", nil)
//	if err != nil {
//		return err
//	}
//	lib, err := blevestore.Open(ctx, "papers.idx", &blevestore.Options{Options: docsearch.Options{Embedder: m}})
//
// # Models
//
// A model is a folder as its authors publish it: config.json; tokenizer.json, or vocab.txt; model.safetensors,
// onnx/model.onnx or model.onnx; and, where there are any, modules.json, 1_Pooling/config.json,
// sentence_bert_config.json, config_sentence_transformers.json and tokenizer_config.json. Nothing is downloaded.
// "findspot embed setup" prints which files of some known models belong there.
//
// The model must be a BERT encoder with a WordPiece tokenizer, and its vector the mean of its tokens or that of the
// first: all-MiniLM, BGE, E5 and GTE in the sizes small, base and large are such models. Tried with all-MiniLM-L6-v2,
// bge-small-en-v1.5 and e5-small-v2 (docs/bench/embed.md). Weights are F32, F16 or BF16 and computed as float32. An
// ONNX file must be one that was neither fused nor quantised; see internal/weights.
//
// # Guarantees
//
// Vectors have length one and equal those of the reference implementation but for rounding (docs/bench/embed.md). One
// model gives one text one vector on every system, but for rounding, in whatever company it is embedded.
// A Model is safe for concurrent use; all calls together compute in at most Options.Threads goroutines.
// Files are not trusted: damaged ones give an error that names the file, and take no more memory than their size
// allows. What Open needs is read when it returns, and no file stays open.
//
// # Limits
//
// Inner loops are assembly on amd64 with AVX2 or AVX-512, and the products of matrices on arm64; elsewhere, and with the
// build tag purego, they are Go, and some twenty times as slow. No GPU, no quantised weights, no other architectures.
package localembed
