package docsearch

import "github.com/findspot/findspot/docsearch/driver"

// Limited is the store of [Library.Within].
func Limited(all driver.Store, roots ...string) driver.Store { return newLimited(all, roots) }
