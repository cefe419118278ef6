package docsearch

import "context"

// An Embedder turns texts into vectors whose directions are near where the texts mean something alike. It is safe for
// concurrent use. Its types are built-in ones, so that one adapter serves every room.
type Embedder interface {
	// Name identifies the model with all that decides its vectors: two embedders of one name give one text the same vector.
	Name() string
	// Embed returns a vector for each passage, in their order, all of one length. An error that wraps [ErrUnsupported] says that it is
	// these texts that cannot be embedded; any other, that nothing can be at the moment.
	Embed(ctx context.Context, texts []string) ([][]float32, error)
}

// A QueryEmbedder is an [Embedder] of a model that tells questions from the passages that answer them, as many do by a
// word put before the text ("query: "). Without this method queries are embedded as passages are.
type QueryEmbedder interface {
	Embedder
	EmbedQueries(ctx context.Context, texts []string) ([][]float32, error)
}
