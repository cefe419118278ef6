// Package serverspec defines how a language server is described to package [github.com/findspot/findspot/lspclient]: which files it serves, how it is
// found and started, and what one must know to judge its answers. Most users do not need it: the descriptions that are shipped are YAML files of this
// form in lspclient/internal/registry/servers.
//
// lspclient.ParseServers reads descriptions and reports what is wrong with them, and lspclient.Options.Servers takes them.
package serverspec
