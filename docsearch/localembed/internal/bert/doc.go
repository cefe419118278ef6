// Package bert computes BERT encoders (Devlin et al., arXiv 1810.04805): embeddings of words and places, layers of
// attention (Vaswani et al., arXiv 1706.03762) and of two products, and one vector for each text from those of its tokens.
//
// Several texts are computed at once, their tokens one after the other, without padding: products with weights are of
// all tokens together, and attention is of each text alone.
package bert
