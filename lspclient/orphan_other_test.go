//go:build !linux

package lspclient

const fakeHost = "FINDSPOT_FAKE_HOST"

func runHost(string) { panic("only on Linux") }
