// Package fusion joins what words and what vectors say about one thing into one score. It does not depend on what the things are.
//
// The score is a convex combination of both, each divided by the best of its list after a minimum was taken away (Bruch, Gai and Ingber, An Analysis of
// Fusion Functions for Hybrid Retrieval, TOIS 2023: TM2C2). The weight is the paper's, and so is the minimum of BM25, 0. That of a cosine is -1 there. Many
// models have no cosines near it: with E5 all lie above .6, and words would decide alone. So it follows from the model (docs/bench/embed.md).
package fusion
