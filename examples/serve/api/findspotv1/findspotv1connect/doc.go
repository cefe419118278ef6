// Package findspotv1connect has the client and the handler of the service findspot.v1.Findspot. It is generated from the definitions in ../../findspot/v1.
package findspotv1connect
