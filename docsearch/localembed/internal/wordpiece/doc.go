// Package wordpiece turns text into the token ids of BERT-like models, exactly as the reference tokenizers do: text is
// cleaned, Chinese characters stand alone, accents and capitals go where the model says so (BertNormalizer), words are
// split at white space and punctuation (BertPreTokenizer), and each word is the longest pieces of the vocabulary from
// left to right (Devlin et al., arXiv 1810.04805; Schuster and Nakajima 2012).
//
// Limits: other tokenizers (BPE, Unigram) are refused, as are added tokens that swallow white space. Character classes
// are those of Go's Unicode version: characters that the reference's older tables do not know are no control characters here.
package wordpiece
