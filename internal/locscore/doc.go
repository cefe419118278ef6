// Package locscore measures localisation as LocAgent's paper does (Chen et al., "LocAgent: Graph-Guided LLM Agents for Code
// Localization", 2025, arXiv 2503.09089, section 5.1 and the evaluator published with it): accuracy and discounted gain of the
// first k files, modules and functions that were found, against those that a fix changed. It knows nothing of graphs and runs.
package locscore
