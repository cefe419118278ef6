package lspclient

import (
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// ServerSpec is an entry of the registry: one language server, see [serverspec.Spec] for its fields. ParseServers reads
// entries from YAML.
type ServerSpec = serverspec.Spec

// ParseServers reads registry entries from YAML: a list in the form of the shipped files in internal/registry/servers, see
// [serverspec.Spec]. A field that is not known is an error, and so is an entry that lacks what it needs; all of them are
// reported.
func ParseServers(data []byte) ([]ServerSpec, error) {
	return registry.Parse(data)
}
