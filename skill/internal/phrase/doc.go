// Package phrase finds out what to search for in a text: its key phrases, its words, the terms of a glossary that it names, and the
// phrases that several texts share. It takes texts, and returns queries in an order that depends on the texts alone. The caller says
// what was searched already; the package calls no tool and no model.
package phrase
