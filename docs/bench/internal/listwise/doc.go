// Package listwise fits weights of additive scores to lists in which some items are right.
package listwise
