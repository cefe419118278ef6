// Package message fills the service's messages from the library's results: each field of a message from the field with its name in JSON.
//
// What to do for a pair of types is found out once. A test of package api makes sure that no field of a result is without one of its message.
package message
