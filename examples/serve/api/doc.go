// Package api serves a workspace as the service findspot.v1.Findspot, which is defined in the folder findspot/v1: with Connect, gRPC and gRPC-Web, and as
// plain JSON over HTTP/1.1. Beside it stand a few plain routes for documents, searches and tools.
//
// The generated code is made by go generate, and a test compares it with the definition.
package api

//go:generate go test -run ^TestGenerated$ . -update
