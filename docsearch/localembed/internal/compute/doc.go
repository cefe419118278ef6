// Package compute multiplies matrices of float32 and computes the few functions that stand between the products of a
// transformer. The inner loops are assembly for amd64, chosen by what the processor can do (AVX-512, or AVX2 with FMA),
// and plain Go elsewhere or with the build tag purego. All give the same numbers up to the order of rounding.
//
// Matrices are row-major slices with a stride. Products work on whole tiles: a result, and each operand on its left,
// must have room for its rows rounded up to a multiple of [Rows] and its columns up to a multiple of [Cols]. What is
// computed in that room is of no meaning, and never used.
//
// Nothing here checks for overflow, cancellation or odd numbers: an infinity in gives one out. A Kernel and a Packed
// that is not being filled are safe for concurrent use.
package compute
