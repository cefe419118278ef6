// Package swebench reads issues with their fixes in the form in which SWE-bench publishes them (Jimenez et al., "SWE-bench: Can
// Language Models Resolve Real-World GitHub Issues?", 2024, arXiv 2310.06770; https://www.swebench.com), and tells from a fix what
// it changed. It reads JSON Lines and JSON; a Parquet file of the data set is exported to one of these first (datasets:
// load_dataset(...).to_json(FILE)). Files are not trusted: sizes are bounded, and paths that leave the repository are refused.
package swebench
