// Package hosterr tells errors that a client may read from those that tell of the host: the latter are logged, whatever door the client came by.
package hosterr
