// Locate measures how well [codegraph.Graph.Locate] finds what fixes that were made have changed. How it is run stands in main.go.
package main
