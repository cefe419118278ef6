// Package bm25 ranks short bags of words in memory by Okapi BM25 in Lucene's form: idf = ln(1 + (N-n+.5)/(n+.5)), k1 = 1.2, b = .75, without the
// factor (k1+1) (Robertson and Zaragoza, The Probabilistic Relevance Framework, 2009).
package bm25
