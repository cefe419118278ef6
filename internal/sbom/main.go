package main

import (
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
)

func main() {
	name := flag.String("name", "findspot", "what the programs are parts of")
	version := flag.String("version", "", "its version (needed)")
	var with []library
	flag.Func("with", "a library that was linked from elsewhere, as NAME@VERSION (repeatable)", func(s string) error {
		n, v, ok := strings.Cut(s, "@")
		if !ok || n == "" || v == "" {
			return fmt.Errorf("%q is not NAME@VERSION", s)
		}
		with = append(with, library{n, v})
		return nil
	})
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "usage: sbom -version VERSION [flags] PROGRAM...")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() == 0 || *version == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(os.Stdout, *name, *version, with, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

type library struct{ name, version string }

// The parts of CycloneDX 1.6 that are written; see https://cyclonedx.org/docs/1.6/json/.
type (
	document struct {
		Schema       string       `json:"$schema"`
		Format       string       `json:"bomFormat"`
		Spec         string       `json:"specVersion"`
		Version      int          `json:"version"`
		Metadata     metadata     `json:"metadata"`
		Components   []component  `json:"components"`
		Dependencies []dependency `json:"dependencies"`
	}
	metadata struct {
		Component component `json:"component"`
	}
	component struct {
		Type       string     `json:"type"`
		Ref        string     `json:"bom-ref"`
		Name       string     `json:"name"`
		Version    string     `json:"version,omitempty"`
		PURL       string     `json:"purl,omitempty"`
		Hashes     []hash     `json:"hashes,omitempty"`
		Properties []property `json:"properties,omitempty"`
	}
	hash struct {
		Alg     string `json:"alg"`
		Content string `json:"content"`
	}
	property struct {
		Name  string `json:"name"`
		Value string `json:"value"`
	}
	dependency struct {
		Ref       string   `json:"ref"`
		DependsOn []string `json:"dependsOn"`
	}
)

// write writes the document about some programs. The same programs give the same bytes.
func write(w io.Writer, name, version string, with []library, programs []string) error {
	whole := component{Type: "application", Ref: name + "@" + version, Name: name, Version: version}
	doc := document{
		Schema: "http://cyclonedx.org/schema/bom-1.6.schema.json", Format: "CycloneDX", Spec: "1.6", Version: 1, Metadata: metadata{whole},
	}
	libraries := map[string]component{}
	var other []string
	for _, l := range with {
		c := component{Type: "library", Ref: "pkg:generic/" + l.name + "@" + l.version, Name: l.name, Version: l.version}
		c.PURL = c.Ref
		libraries[c.Ref] = c
		other = append(other, c.Ref)
	}
	parts := dependency{Ref: whole.Ref}
	for _, path := range programs {
		info, err := buildinfo.ReadFile(path)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		sum, err := fileHash(path)
		if err != nil {
			return err
		}
		c := component{
			Type: "application", Ref: "file:" + filepath.Base(path), Name: filepath.Base(path), Version: version,
			Hashes: []hash{{"SHA-256", sum}}, Properties: []property{{"go:package", info.Path}},
		}
		for _, s := range info.Settings {
			if s.Value != "" && slices.Contains([]string{"CGO_ENABLED", "GOOS", "GOARCH", "vcs.revision", "vcs.modified"}, s.Key) {
				c.Properties = append(c.Properties, property{"go:" + s.Key, s.Value})
			}
		}
		std := goComponent("std", strings.TrimPrefix(info.GoVersion, "go"), "")
		libraries[std.Ref] = std
		uses := append([]string{std.Ref}, other...)
		for _, m := range info.Deps {
			l := moduleComponent(m)
			libraries[l.Ref] = l
			uses = append(uses, l.Ref)
		}
		slices.Sort(uses)
		doc.Components = append(doc.Components, c)
		doc.Dependencies = append(doc.Dependencies, dependency{c.Ref, uses})
		parts.DependsOn = append(parts.DependsOn, c.Ref)
	}
	refs := make([]string, 0, len(libraries))
	for ref := range libraries {
		refs = append(refs, ref)
	}
	slices.Sort(refs)
	for _, ref := range refs {
		doc.Components = append(doc.Components, libraries[ref])
	}
	doc.Dependencies = append([]dependency{parts}, doc.Dependencies...)
	enc := json.NewEncoder(w)
	enc.SetIndent("", "  ")
	enc.SetEscapeHTML(false)
	return enc.Encode(doc)
}

// moduleComponent describes a module as it was linked: where it was replaced, what it was replaced by.
func moduleComponent(m *debug.Module) component {
	if m.Replace != nil {
		m = m.Replace
	}
	return goComponent(m.Path, m.Version, m.Sum)
}

func goComponent(path, version, sum string) component {
	c := component{Type: "library", Name: path, Version: version, PURL: "pkg:golang/" + path + "@" + strings.ReplaceAll(version, "+", "%2B")}
	c.Ref = c.PURL
	if sum != "" {
		c.Properties = []property{{"go:sum", sum}} // of the module's files, as go.sum has it; it is no hash of one file
	}
	return c
}

func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", fmt.Errorf("%s: %w", path, err)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
