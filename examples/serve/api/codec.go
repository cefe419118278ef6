package api

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"mime"
	"net/http"
	"slices"
	"strings"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/internal/httpguard"
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
	err := protojson.UnmarshalOptions{RecursionLimit: maxDepth}.Unmarshal(data, msg)
	if err != nil {
		return unknownField(data, msg.ProtoReflect().Descriptor(), err)
	}
	return nil
}

// unknownField names the fields of a message where the error is that it has another one.
func unknownField(data []byte, m protoreflect.MessageDescriptor, err error) error {
	var got map[string]json.RawMessage
	if json.Unmarshal(data, &got) != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(got)) {
		if m.Fields().ByTextName(name) != nil || m.Fields().ByJSONName(name) != nil {
			continue
		}
		var names []string
		for i := range m.Fields().Len() {
			names = append(names, m.Fields().Get(i).TextName())
		}
		return fmt.Errorf("there is no field %q: %s has %s", name, m.Name(), cmp.Or(strings.Join(names, ", "), "none"))
	}
	return err
}

// service is the definition of the service.
var service = v1.File_findspot_v1_findspot_proto.Services().ByName("Findspot")

// plainly are routes that answer in plain JSON what a method answers in a stream.
var plainly = map[protoreflect.Name]string{"Ask": "/tools/ask", "AddDocument": "/documents?filename=NAME"}

// misasked answers what Connect refuses without a word: a method that is asked by another verb than POST, or in the form of the other kind of method.
func misasked(w http.ResponseWriter, r *http.Request, m protoreflect.MethodDescriptor) bool {
	name, status, how := m.Name(), http.StatusUnsupportedMediaType, ""
	kind, _, _ := mime.ParseMediaType(r.Header.Get("Content-Type"))
	streams := m.IsStreamingServer()
	switch {
	case r.Method == http.MethodGet && !streams && r.URL.Query().Has("encoding"): // as clients of Connect do where caches shall help
		return false
	case r.Method != http.MethodPost:
		w.Header().Set("Allow", http.MethodPost)
		status, how = http.StatusMethodNotAllowed, fmt.Sprintf("%s is not for %s: POST its request, as JSON", name, r.Method)
	case streams && (kind == "application/json" || kind == "application/proto"):
		how = fmt.Sprintf("%s answers with a stream: send Content-Type: application/connect%s, and the request in an envelope, as docs/api.md shows", name, strings.Replace(kind, "application/", "+", 1))
		if other := plainly[name]; other != "" {
			how += "; or POST " + other + ", which answers in plain JSON"
		}
	case !streams && strings.HasPrefix(kind, "application/connect+"):
		how = fmt.Sprintf("%s answers at once: send Content-Type: application/%s, and the request without an envelope", name, strings.TrimPrefix(kind, "application/connect+"))
	default:
		return false
	}
	httpguard.Reply(w, status, map[string]string{"code": connect.CodeInvalidArgument.String(), "message": how, "error": how})
	return true
}
