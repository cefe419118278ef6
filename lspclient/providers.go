package lspclient

import "encoding/json"

// provider returns the options with which the server offers a method, and whether it does: since the handshake, or
// registered later.
func (s *session) provider(method string) (json.RawMessage, bool) {
	if options, ok := s.caps.Provider(method); ok {
		return options, true
	}
	return s.registered.Provider(method)
}

// offers reports whether the server answers a method.
func (s *session) offers(method string) bool {
	_, ok := s.provider(method)
	return ok
}
