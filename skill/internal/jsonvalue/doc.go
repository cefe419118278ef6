// Package jsonvalue handles plain values: maps, lists, texts, numbers, booleans and null, as JSON has them. It takes any value with
// JSON tags, and returns a plain value, its text for a reader, or its JSON. Values are shared and never changed, except by
// [WholeNumbers], which changes the value that it is given. The package does not depend on skills, steps or tools.
package jsonvalue
