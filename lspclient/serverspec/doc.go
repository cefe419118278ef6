// Package serverspec has the form of what [github.com/findspot/findspot/lspclient] knows about a language server: which
// files it serves, how it is found and started, and what has to be known to judge its answers. Most users need none of it: the
// entries that are shipped are in lspclient/internal/registry/servers, as YAML in this form.
//
// lspclient.ParseServers reads entries and reports what is wrong with them, and lspclient.Options.Servers takes them.
package serverspec
