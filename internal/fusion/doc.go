// Package fusion joins what words and what vectors say about one thing into one score. It does not depend on what the things are.
//
// The score is a convex combination of both, each divided by the best of its list after its theoretical minimum, 0 of BM25 and -1 of a cosine, was
// taken away (Bruch, Gai and Ingber, An Analysis of Fusion Functions for Hybrid Retrieval, TOIS 2023: TM2C2). The weight is the paper's.
package fusion
