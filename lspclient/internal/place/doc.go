// Package place holds the places and symbols of answers in callers' coordinates: lines and byte columns from 1, half-open, paths relative to the
// root. Package session converts a server's positions before they get here; place does not depend on servers or texts.
package place
