package codegraph

import "github.com/findspot/findspot/codegraph/internal/segment"

// IndexFormat is the version of an index on disk that this package writes, and the newest that it reads. An index of an older version is built anew.
const IndexFormat = segment.FormatVersion
