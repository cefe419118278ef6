// Package clients holds clients of the service findspot.v1.Findspot in other languages, and the tests that run them. A client in Go is generated:
// [github.com/findspot/findspot/examples/serve/api/findspotv1/findspotv1connect].
package clients
