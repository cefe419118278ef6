package registry

import (
	"os"
	"path/filepath"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/source"
)

var defaultToolchain = lazyregexp.New(`(?m)^default_toolchain\s*=\s*"([^"\n]+)"`)

// rustupToolchain returns the toolchain that rustup uses outside of any repository, "" when there is no rustup. A
// rust-toolchain.toml may name a folder of programs inside the repository; the variable RUSTUP_TOOLCHAIN wins over it.
func rustupToolchain(env map[string]string) string {
	home := env["RUSTUP_HOME"]
	if home == "" {
		user, err := os.UserHomeDir()
		if err != nil {
			return ""
		}
		home = filepath.Join(user, ".rustup")
	}
	text, _, err := source.ReadFile(filepath.Join(home, "settings.toml"))
	if err != nil {
		return ""
	}
	if m := defaultToolchain.FindSubmatch(text.Bytes); m != nil {
		return string(m[1])
	}
	return ""
}
