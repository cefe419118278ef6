// Package schema holds JSON values against JSON Schemas: arguments of tools and answers of models. It takes both as JSON, and
// says what does not fit, or in words what a schema asks for. Who made the value is not known here.
package schema
