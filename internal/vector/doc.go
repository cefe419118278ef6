// Package vector computes with the vectors of embedders: it scales them to length one and multiplies them. Products are summed in one fixed order, so
// that all engines give the same score.
package vector
