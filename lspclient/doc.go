// Package lspclient asks language servers and says how far an answer can be trusted.
package lspclient
