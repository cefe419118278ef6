package inline

import (
	"testing"

	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

func TestPatterns(t *testing.T) {
	pdftest.CheckPatterns(t, map[string]pattern.Regexp{"operatorWord": operatorWord, "numberWord": numberWord, "functionWord": functionWord})
}
