package mark_test

import (
	"os"
	"testing"

	"github.com/findspot/findspot/internal/home"
)

func TestMain(m *testing.M) { os.Exit(home.Run(m)) }
