// Package schema checks JSON values against JSON Schemas: arguments of tools and answers of models. It takes both as JSON, and
// returns what does not fit; it also describes a schema in words. It does not depend on where a value came from.
package schema
