package serverspec_test

import (
	"fmt"

	"github.com/findspot/findspot/lspclient"
)

// An entry for a server that is not shipped.
func Example() {
	specs, err := lspclient.ParseServers([]byte(`
- name: zls
  languages: {zig: [.zig]}
  roots: [build.zig]
  commands: [{program: zls, probe: [zls, --version]}]
  ready: {agree: true}
  install: see https://github.com/zigtools/zls
`))
	if err != nil {
		fmt.Println(err)
		return
	}
	o := lspclient.Options{Servers: specs}
	fmt.Println(o.Servers[0].Name, "serves", o.Servers[0].Languages["zig"])
	// Output: zls serves [.zig]
}
