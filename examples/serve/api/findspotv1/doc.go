// Package findspotv1 has the messages of the service findspot.v1.Findspot. It is generated from the definitions in ../findspot/v1.
package findspotv1
