// Package place has the places and symbols that questions are answered with, in the coordinates of callers: lines and byte
// columns from 1, half-open, paths relative to the root. What goes in has been converted from a server's positions already;
// the package knows neither servers nor texts.
package place
