package api_test

import (
	"os"
	"testing"

	"github.com/findspot/findspot/internal/home"
	"github.com/findspot/findspot/internal/leak"
)

func TestMain(m *testing.M) { os.Exit(leak.Main(func() int { return home.Run(m) })) }
