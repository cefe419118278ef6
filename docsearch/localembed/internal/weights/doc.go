// Package weights reads the tensors of a model from safetensors and ONNX files, as float32.
//
// Files are not trusted: what one says of sizes and places is checked against its own length before any memory is asked
// for, so that a damaged or hostile file gives an error wrapping errs.Format (not what the format says), errs.TooLarge
// or errs.Unsupported (of a kind that is not read), and never takes more memory than twice its length.
//
// Of an ONNX graph only what holds weights is read: its initializers (raw_data or packed float_data, not external files)
// and the MatMul and Add nodes. Exporters name biases after the module they belong to, but fold the transposition of a
// linear layer into a weight without a name; such a weight is that of the module whose bias is added to its product.
// That holds for what PyTorch's exporter and Optimum write of BERT. A graph whose layers were fused or quantised holds
// no such weights.
package weights
