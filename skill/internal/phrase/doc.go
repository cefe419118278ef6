// Package phrase finds in a text what to search for: its key phrases, words, the terms of a glossary that it names, and the
// phrases that several texts share. It takes texts, and gives queries in an order that depends on nothing else. What has
// been searched is told to it; it asks no tool and no model.
package phrase
