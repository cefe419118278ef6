package api

import (
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/linker"
	"github.com/getkin/kin-openapi/openapi3"
	"github.com/google/jsonschema-go/jsonschema"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill/evidence"
)

type node = map[string]any

// TestOpenAPI: the description is what the definitions give, is valid, and has every route that is served. With -update it is written.
func TestOpenAPI(t *testing.T) {
	data, err := json.MarshalIndent(description(t), "", " ")
	if err != nil {
		t.Fatal(err)
	}
	data = append(data, '\n')
	golden.Compare(t, "openapi.json", data)

	doc, err := openapi3.NewLoader().LoadFromData(data)
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Errorf("the description is not valid: %v", err)
	}
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	s := New(ws, nil)
	defer s.Close()
	mux := http.NewServeMux()
	s.Register(mux)
	for _, r := range routes() {
		if doc.Paths.Value(r.path) == nil || doc.Paths.Value(r.path).GetOperation(r.method) == nil {
			t.Errorf("the description lacks %s %s", r.method, r.path)
		}
	}
	for path, item := range doc.Paths.Map() {
		for method := range item.Operations() {
			w := httptest.NewRecorder()
			mux.ServeHTTP(w, httptest.NewRequest(method, strings.NewReplacer("{id}", "x", "{name}", "x").Replace(path), nil))
			if w.Code == http.StatusMethodNotAllowed || strings.Contains(w.Body.String(), "there is nothing at") {
				t.Errorf("the description has %s %s, which is not served: %d %s", method, path, w.Code, w.Body)
			}
		}
	}
	unary := 0
	for i := range service.Methods().Len() {
		if doc.Paths.Value("/findspot.v1.Findspot/"+string(service.Methods().Get(i).Name())) != nil {
			unary++
		}
	}
	if want := service.Methods().Len() - 7; unary != want { // the others are streams
		t.Errorf("%d methods are described, want %d", unary, want)
	}
}

func description(t *testing.T) node {
	t.Helper()
	d := &describer{t: t, paths: node{}, schemas: node{}}
	files, err := filepath.Glob("findspot/v1/*.proto")
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range files {
		files[i] = filepath.ToSlash(f)
	}
	c := protocompile.Compiler{Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{}), SourceInfoMode: protocompile.SourceInfoStandard}
	if d.files, err = c.Compile(t.Context(), files...); err != nil {
		t.Fatal(err)
	}
	d.methods()
	d.routes()
	d.schemas["Error"] = node{"type": "object", "description": "What went wrong, by Connect's codes.", "properties": node{
		"code": node{"type": "string", "examples": []string{"not_found", "invalid_argument"}}, "message": node{"type": "string"},
	}}
	d.schemas["PlainError"] = node{"type": "object", "description": "What went wrong.", "properties": node{"error": node{"type": "string"}}, "required": []string{"error"}}
	return node{
		"openapi": "3.1.0",
		"info": node{"title": "Findspot", "version": "v1", "license": node{"name": "see the repository's LICENSE"},
			"description": "What a workspace of documents and code can do. Methods of findspot.v1.Findspot are also served by gRPC, gRPC-Web and Connect, and those that " +
				"stream, which have no place here, by these alone."},
		"servers": []node{{"url": "/"}},
		"paths":   d.paths,
		"components": node{"schemas": d.schemas,
			"securitySchemes": node{"token": node{"type": "http", "scheme": "bearer", "description": "needed where the server listens for other machines"}}},
		"security": []node{{}, {"token": []string{}}},
	}
}

type describer struct {
	t       *testing.T
	files   linker.Files
	paths   node
	schemas node
}

// comment is what the definition says of something.
func (d *describer) comment(of protoreflect.Descriptor) string {
	loc := of.ParentFile().SourceLocations().ByDescriptor(of)
	return strings.Join(strings.Fields(loc.LeadingComments+" "+loc.TrailingComments), " ")
}

func jsonBody(schema any) node {
	return node{"required": true, "content": node{"application/json": node{"schema": schema}}}
}

func jsonAnswer(about string, schema any) node {
	return node{"description": about, "content": node{"application/json": node{"schema": schema}}}
}

func ref(name string) node { return node{"$ref": "#/components/schemas/" + name} }

func (d *describer) methods() {
	service := d.files.FindFileByPath("findspot/v1/findspot.proto").Services().ByName("Findspot")
	for i := range service.Methods().Len() {
		m := service.Methods().Get(i)
		if m.IsStreamingServer() || m.IsStreamingClient() {
			continue
		}
		d.paths["/findspot.v1.Findspot/"+string(m.Name())] = node{"post": node{
			"operationId": string(m.Name()), "tags": []string{"findspot.v1.Findspot"}, "summary": d.comment(m),
			"requestBody": jsonBody(d.message(m.Input())),
			"responses":   node{"200": jsonAnswer("The answer.", d.message(m.Output())), "default": jsonAnswer("An error.", ref("Error"))},
		}}
	}
}

// message is the schema of a message in JSON.
func (d *describer) message(m protoreflect.MessageDescriptor) node {
	switch m.FullName() {
	case "google.protobuf.Timestamp":
		return node{"type": "string", "format": "date-time"}
	case "google.protobuf.Struct":
		return node{"type": "object"}
	case "google.protobuf.Value":
		return node{}
	}
	name := string(m.Name())
	if _, ok := d.schemas[name]; ok {
		return ref(name)
	}
	properties := node{}
	schema := node{"type": "object", "properties": properties, "additionalProperties": false}
	d.schemas[name] = schema // before its fields, which may hold it
	if c := d.comment(m); c != "" {
		schema["description"] = c
	}
	for i := range m.Fields().Len() {
		f := m.Fields().Get(i)
		s := d.field(f)
		if c := d.comment(f); c != "" {
			s = maps.Clone(s)
			s["description"] = c
		}
		properties[string(f.Name())] = s
	}
	return ref(name)
}

func (d *describer) field(f protoreflect.FieldDescriptor) node {
	switch {
	case f.IsMap():
		return node{"type": "object", "additionalProperties": d.value(f.MapValue())}
	case f.IsList():
		return node{"type": "array", "items": d.value(f)}
	}
	return d.value(f)
}

func (d *describer) value(f protoreflect.FieldDescriptor) node {
	switch f.Kind() {
	case protoreflect.MessageKind:
		return d.message(f.Message())
	case protoreflect.StringKind:
		return node{"type": "string"}
	case protoreflect.BoolKind:
		return node{"type": "boolean"}
	case protoreflect.Int32Kind:
		return node{"type": "integer", "format": "int32"}
	case protoreflect.DoubleKind:
		return node{"type": "number", "format": "double"}
	case protoreflect.BytesKind:
		return node{"type": "string", "contentEncoding": "base64"}
	}
	d.t.Fatalf("%s has a kind that JavaScript cannot hold or that nothing here uses: %s", f.FullName(), f.Kind())
	return nil
}

// bodies are the types behind the names of [route].
var bodies = map[string]reflect.Type{
	"SearchBody": reflect.TypeFor[searchBody](), "SearchAnswer": reflect.TypeFor[docsearch.Results](), "DocumentAnswer": reflect.TypeFor[docsearch.Document](),
	"DocumentsAnswer": reflect.TypeFor[docsearch.Listing](), "ToolsAnswer": reflect.TypeFor[[]toolInfo](), "ToolAnswer": reflect.TypeFor[toolAnswer](), "Any": nil,
}

func (d *describer) routes() {
	for _, r := range routes() {
		op := node{"summary": r.summary, "tags": []string{"plain"}, "operationId": strings.ToLower(r.method) + strings.NewReplacer("/", "_", "{", "", "}", "", ".", "_").Replace(r.path)}
		var parameters []node
		for part := range strings.SplitSeq(r.path, "/") {
			if name, ok := strings.CutPrefix(part, "{"); ok {
				parameters = append(parameters, node{"name": strings.TrimSuffix(name, "}"), "in": "path", "required": true, "schema": node{"type": "string"}})
			}
		}
		for _, p := range r.query {
			parameters = append(parameters, node{"name": p.name, "in": "query", "description": p.about, "required": p.name == "filename", "schema": node{"type": p.kind}})
		}
		if parameters != nil {
			op["parameters"] = parameters
		}
		responses := node{"default": jsonAnswer("An error.", ref("PlainError"))}
		if r.answer == "bytes" {
			responses["200"] = node{"description": "The file.", "content": node{"*/*": node{}}}
		} else {
			responses["200"] = jsonAnswer("The answer.", d.plain(r.answer))
		}
		if r.method == "POST" && r.path == "/documents" {
			responses["201"] = jsonAnswer("It is new.", d.plain(r.answer))
		}
		op["responses"] = responses
		switch r.body {
		case "":
		case "bytes":
			content := node{}
			for _, kind := range documentTypes() {
				content[kind] = node{}
			}
			op["requestBody"] = node{"required": true, "content": content}
		default:
			op["requestBody"] = jsonBody(d.plain(r.body))
		}
		if d.paths[r.path] == nil {
			d.paths[r.path] = node{}
		}
		d.paths[r.path].(node)[strings.ToLower(r.method)] = op
	}
}

// plain is the schema of one of the library's types.
func (d *describer) plain(name string) node {
	typ, ok := bodies[name]
	if !ok {
		d.t.Fatalf("no type for %s", name)
	}
	if typ == nil {
		return node{}
	}
	if d.schemas[name] == nil {
		numbers := &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{Type: "number"}}
		s, err := jsonschema.ForType(typ, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
			reflect.TypeFor[extract.Box](): numbers, reflect.TypeFor[json.RawMessage](): {}, reflect.TypeFor[evidence.Item](): {Type: "object"},
		}})
		if err != nil {
			d.t.Fatal(err)
		}
		d.schemas[name] = s
	}
	return ref(name)
}

// TestDescribed: answers are as the description says.
func TestDescribed(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(openAPI)
	if err != nil {
		t.Fatal(err)
	}
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	defer ws.Close()
	for _, err := range ws.AddDocs(t.Context(), filepath.Join("..", "..", "testdata", "papers")) {
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := ws.AddRepo(t.Context(), filepath.Join("..", "..", "testdata", "receiver"), nil); err != nil {
		t.Fatal(err)
	}
	s := New(ws, nil)
	defer s.Close()
	mux := http.NewServeMux()
	s.Register(mux)
	for _, tt := range []struct{ method, path, body, schema string }{
		{"POST", "/findspot.v1.Findspot/Search", `{"query": "synchronization signals"}`, "SearchResults"},
		{"POST", "/findspot.v1.Findspot/ListDocuments", `{}`, "DocumentList"},
		{"POST", "/findspot.v1.Findspot/GetDocument", `{"doc": "12.401"}`, "DocumentInfo"},
		{"POST", "/findspot.v1.Findspot/GetText", `{"doc": "12.401", "page": 1}`, "GetTextResponse"},
		{"POST", "/findspot.v1.Findspot/GetMarks", `{"doc": "12.401", "start": 0, "end": 50}`, "Marks"},
		{"POST", "/findspot.v1.Findspot/Callers", `{"name": "detect_pss"}`, "CallersResult"},
		{"POST", "/findspot.v1.Findspot/VerifyAnswer", `{"text": "The PSS is found by correlation [12.401 p. 1].", "keys": {"D1": "a.md l. 1"}}`, "AnswerVerdict"},
		{"POST", "/findspot.v1.Findspot/VerifyAnswer", `{"answer": {"format": 1, "text": "The PSS is found by correlation [D1]."}}`, "AnswerVerdict"},
		{"POST", "/findspot.v1.Findspot/Cite", `{"sentence": "The PSS is found by correlation."}`, "Cited"},
		{"POST", "/findspot.v1.Findspot/Recheck", `{"answer": {"format": 1, "text": "The PSS is found by correlation [D1]."}}`, "RecheckResult"},
		{"POST", "/findspot.v1.Findspot/ListRepositories", `{}`, "RepositoryList"},
		{"POST", "/findspot.v1.Findspot/SearchCode", `{"query": "detect pss"}`, "CodeResults"},
		{"POST", "/findspot.v1.Findspot/Traverse", `{"ids": ["detect_pss"], "direction": "users"}`, "Walk"},
		{"POST", "/findspot.v1.Findspot/Retrieve", `{"ids": ["detect_pss"]}`, "RetrieveResponse"},
		{"POST", "/findspot.v1.Findspot/Locate", `{"text": "the PSS is not detected"}`, "LocateResults"},
		{"POST", "/findspot.v1.Findspot/ReadLines", `{"path": "receiver/pss.py", "last": 5}`, "Item"},
		{"POST", "/findspot.v1.Findspot/SearchText", `{"pattern": "pss"}`, "TextMatches"},
		{"POST", "/findspot.v1.Findspot/ListTools", `{}`, "ToolList"},
		{"POST", "/findspot.v1.Findspot/CallTool", `{"name": "ask", "args": {"question": "who calls detect_pss?"}}`, "ToolResult"},
		{"POST", "/findspot.v1.Findspot/Guide", `{}`, "GuideResponse"},
		{"POST", "/findspot.v1.Findspot/ListSkills", `{}`, "SkillList"},
		{"POST", "/findspot.v1.Findspot/GetSkill", `{"name": "change-impact"}`, "Skill"},
		{"POST", "/findspot.v1.Findspot/Status", `{}`, "StatusResponse"},
		{"POST", "/findspot.v1.Findspot/Search", `{}`, "Error"},
		{"POST", "/search", `{"query": "synchronization signals"}`, "SearchAnswer"},
		{"GET", "/documents", ``, "DocumentsAnswer"},
		{"GET", "/tools", ``, "ToolsAnswer"},
		{"POST", "/tools/ask", `{"question": "who calls detect_pss?"}`, "ToolAnswer"},
		{"POST", "/search", `{}`, "PlainError"},
	} {
		r := httptest.NewRequest(tt.method, tt.path, strings.NewReader(tt.body))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, r)
		var v any
		if err := json.Unmarshal(w.Body.Bytes(), &v); err != nil || (w.Code == http.StatusOK) == strings.HasSuffix(tt.schema, "Error") {
			t.Errorf("%s %s: %d %.300s", tt.path, tt.body, w.Code, w.Body)
			continue
		}
		if err := doc.Components.Schemas[tt.schema].Value.VisitJSON(v, openapi3.EnableJSONSchema2020()); err != nil {
			t.Errorf("%s %s is no %s: %.600v", tt.path, tt.body, tt.schema, err)
		}
	}
}
