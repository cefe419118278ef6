package api

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
)

// maxDepth bounds the nesting of JSON that is read.
const maxDepth = 100

// A jsonCodec writes JSON as the library does: names as they are defined, and empty fields too, so that a list is there also when nothing is in it. It
// refuses fields that there are not.
type jsonCodec struct{ name string }

func (c jsonCodec) Name() string { return c.name }

func (c jsonCodec) Marshal(m any) ([]byte, error) {
	msg, ok := m.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", m)
	}
	return protojson.MarshalOptions{UseProtoNames: true, EmitDefaultValues: true}.Marshal(msg)
}

// MarshalAppend spares a copy of large answers.
func (c jsonCodec) MarshalAppend(to []byte, m any) ([]byte, error) {
	msg, ok := m.(proto.Message)
	if !ok {
		return nil, fmt.Errorf("%T is no message", m)
	}
	return protojson.MarshalOptions{UseProtoNames: true, EmitDefaultValues: true}.MarshalAppend(to, msg)
}

// MarshalStable is for requests by GET, which caches know by their bytes.
func (c jsonCodec) MarshalStable(m any) ([]byte, error) { return c.Marshal(m) }

func (c jsonCodec) IsBinary() bool { return false }

func (c jsonCodec) Unmarshal(data []byte, m any) error {
	msg, ok := m.(proto.Message)
	if !ok {
		return fmt.Errorf("%T is no message", m)
	}
	if len(data) == 0 {
		return fmt.Errorf("an empty body is no JSON object")
	}
	return protojson.UnmarshalOptions{RecursionLimit: maxDepth}.Unmarshal(data, msg)
}

// methods lists the names of the service's methods.
func methods() []string {
	var out []string
	list := v1.File_findspot_v1_findspot_proto.Services().ByName("Findspot").Methods()
	for i := range list.Len() {
		out = append(out, string(list.Get(i).Name()))
	}
	return out
}
