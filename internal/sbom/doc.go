// Sbom writes what is linked into programs of Go, as a bill of materials in CycloneDX 1.6 (JSON). It reads what the programs say of themselves
// (what go version -m prints), so that they may be of any system, and needs neither their source nor the network. It does not judge licences, and
// of the libraries in C that a linker added it knows what it is told with -with.
package main
