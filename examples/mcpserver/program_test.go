package main

import (
	"os"
	"testing"

	"github.com/findspot/findspot/internal/fakels"
	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
)

// serveEnv makes the test binary a server on standard input and output.
const serveEnv = "FINDSPOT_TEST_SERVER"

func TestMain(m *testing.M) {
	fakels.ServeIfAsked()
	if os.Getenv(serveEnv) != "" {
		main()
		return
	}
	os.Exit(leak.Main(func() int { return home.Run(m) }))
}
