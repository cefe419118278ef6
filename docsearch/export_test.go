package docsearch

import (
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/limited"
)

// Limited is the store of [Library.Within].
func Limited(all driver.Store, roots ...string) driver.Store { return limited.New(all, roots) }
