package api_test

import (
	"bytes"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"

	"github.com/findspot/findspot/internal/golden"
)

// TestGenerated: the committed code is what the service definition gives, by the generators of the versions in go.mod. With -update it is written.
func TestGenerated(t *testing.T) {
	const module = "module=github.com/findspot/findspot/examples/serve/api"
	for plugin, parameter := range map[string]string{
		"google.golang.org/protobuf/cmd/protoc-gen-go":     module,
		"connectrpc.com/connect/cmd/protoc-gen-connect-go": module + ",simple",
	} {
		for _, f := range run(t, plugin, request(t, parameter)).GetFile() {
			golden.Compare(t, filepath.FromSlash(f.GetName()), []byte(f.GetContent()))
		}
	}
}

// request is what a plugin of the protobuf compiler is asked.
func request(t *testing.T, parameter string) []byte {
	t.Helper()
	names, err := filepath.Glob("findspot/v1/*.proto")
	if err != nil || len(names) == 0 {
		t.Fatalf("definitions: %v, %v", names, err)
	}
	for i, name := range names {
		names[i] = filepath.ToSlash(name)
	}
	c := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	files, err := c.Compile(t.Context(), names...)
	if err != nil {
		t.Fatal(err)
	}
	req := &pluginpb.CodeGeneratorRequest{FileToGenerate: names, Parameter: &parameter}
	have := map[string]bool{}
	all := map[string]*descriptorpb.FileDescriptorProto{}
	for _, f := range files {
		all[f.Path()] = protodesc.ToFileDescriptorProto(f)
		for i := range f.Imports().Len() {
			if imp := f.Imports().Get(i); !strings.HasPrefix(imp.Path(), "findspot/") {
				all[imp.Path()] = protodesc.ToFileDescriptorProto(imp.FileDescriptor)
			}
		}
	}
	var add func(d *descriptorpb.FileDescriptorProto)
	add = func(d *descriptorpb.FileDescriptorProto) { // those that it imports come first
		if have[d.GetName()] {
			return
		}
		have[d.GetName()] = true
		for _, dep := range d.GetDependency() {
			add(all[dep])
		}
		req.ProtoFile = append(req.ProtoFile, d)
	}
	slices.Sort(names)
	for _, name := range names {
		add(all[name])
	}
	out, err := proto.Marshal(req)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func run(t *testing.T, plugin string, req []byte) *pluginpb.CodeGeneratorResponse {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", "run", plugin)
	cmd.Stdin = bytes.NewReader(req)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s: %v: %s", plugin, err, stderr.String())
	}
	var res pluginpb.CodeGeneratorResponse
	if err := proto.Unmarshal(out, &res); err != nil || res.Error != nil {
		t.Fatalf("%s: %v, %s", plugin, err, res.GetError())
	}
	return &res
}
