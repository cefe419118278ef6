// Package jsonvalue holds plain values: maps, lists, texts, numbers, booleans and nothing, as JSON has them. Any value with
// JSON tags comes in; a plain value, its text for a reader, or its JSON comes out. Values are shared and never changed,
// save by WholeNumbers, whose caller owns what it gives. It knows no skill, step or tool.
package jsonvalue
