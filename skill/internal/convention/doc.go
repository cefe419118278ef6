// Package convention holds the tool names that have a fixed meaning: the tools that search steps call, those whose failure means that a
// search was not answered, and those that measures count separately. They are main names, not aliases. The package does not depend
// on the tools themselves.
package convention
