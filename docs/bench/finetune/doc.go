// Package finetune holds finetune.py, which fine-tunes a model on exported runs, and the test that takes it from records to an adapter.
package finetune
