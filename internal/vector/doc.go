// Package vector computes with the vectors of embedders: lengths, and products summed in one fixed order, so that all engines give
// one score.
package vector
