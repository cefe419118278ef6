package skill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
)

// The forms in which tools are defined for a model: see [ToolSpec.Definition].
const (
	FormatAnthropic = "anthropic" // name, description, input_schema
	FormatOpenAI    = "openai"    // type "function" around name, description, parameters and strict
	FormatMCP       = "mcp"       // name, description, inputSchema, annotations
	FormatMarkdown  = "markdown"  // for people: see [WriteDefinitions]
)

// ToolFormats lists the forms that [WriteDefinitions] knows.
func ToolFormats() []string {
	return []string{FormatMarkdown, FormatAnthropic, FormatOpenAI, FormatMCP}
}

// Spec returns the tool as a model sees it: the guidance stands behind the description. Whoever offers tools to a model
// takes them from here, so that no two providers are told different things.
func (t Tool) Spec() ToolSpec {
	d := t.Description
	if t.Guidance != "" {
		d = strings.TrimSpace(d + " " + t.Guidance)
	}
	return ToolSpec{Name: t.Name, Description: d, Schema: t.Schema}
}

// Definition returns the tool as JSON for a provider: FormatAnthropic (an element of tools in the Messages API), FormatOpenAI (one of tools in
// Chat Completions and in servers that follow it) or FormatMCP (one of tools/list). The schema is an object with
// properties in all of them, and otherwise as the tool has it.
//
// Optional arguments stay optional: OpenAI's strict mode would make each of them required, so that "strict" is false there,
// and Anthropic's is not asked for. Tools check their arguments themselves.
func (s ToolSpec) Definition(format string) (json.RawMessage, error) {
	schema, err := objectSchema(s.Schema)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", s.Name, err)
	}
	type function struct {
		Name        string          `json:"name"`
		Description string          `json:"description"`
		Parameters  json.RawMessage `json:"parameters"`
		Strict      bool            `json:"strict"`
	}
	switch format {
	case FormatAnthropic:
		return marshalPlain(struct {
			Name        string          `json:"name"`
			Description string          `json:"description"`
			InputSchema json.RawMessage `json:"input_schema"`
		}{s.Name, s.Description, schema})
	case FormatOpenAI:
		return marshalPlain(struct {
			Type     string   `json:"type"`
			Function function `json:"function"`
		}{"function", function{s.Name, s.Description, schema, false}})
	case FormatMCP:
		return marshalPlain(mcpDefinition{Name: s.Name, Description: s.Description, InputSchema: schema})
	}
	return nil, fmt.Errorf("tool %s: format %q: must be one of %s", s.Name, format, strings.Join([]string{FormatAnthropic, FormatOpenAI, FormatMCP}, ", "))
}

type mcpDefinition struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations *mcpAnnotations `json:"annotations,omitempty"`
}

// mcpAnnotations are those of the protocol. What is left out has the protocol's default, which is the careful one.
type mcpAnnotations struct {
	ReadOnlyHint    bool  `json:"readOnlyHint"`
	DestructiveHint *bool `json:"destructiveHint,omitempty"`
	IdempotentHint  bool  `json:"idempotentHint,omitempty"`
	OpenWorldHint   *bool `json:"openWorldHint,omitempty"`
}

func (t Tool) annotations() *mcpAnnotations {
	a, no := &mcpAnnotations{ReadOnlyHint: !t.Writes && !t.Changes}, false
	if t.Changes && !t.Writes {
		a.DestructiveHint, a.IdempotentHint = &no, true
	}
	if t.Offline {
		a.OpenWorldHint = &no
	}
	return a
}

// Definition is [ToolSpec.Definition] of the tool's spec. For MCP it says too whether the tool only reads, and whether it uses no network.
func (t Tool) Definition(format string) (json.RawMessage, error) {
	s := t.Spec()
	if format != FormatMCP {
		return s.Definition(format)
	}
	schema, err := objectSchema(s.Schema)
	if err != nil {
		return nil, fmt.Errorf("tool %s: %w", s.Name, err)
	}
	return marshalPlain(mcpDefinition{s.Name, s.Description, schema, t.annotations()})
}

// WriteDefinitions writes the tools in a form of [ToolFormats], in their order: a JSON array with one element a line, or Markdown
// with a section a tool.
func WriteDefinitions(w io.Writer, tools []Tool, format string) error {
	if !slices.Contains(ToolFormats(), format) {
		return fmt.Errorf("format %q: must be one of %s: %w", format, strings.Join(ToolFormats(), ", "), ErrUnsupported)
	}
	var b bytes.Buffer
	if format == FormatMarkdown {
		for _, t := range tools {
			if err := writeMarkdown(&b, t); err != nil {
				return err
			}
		}
		_, err := w.Write(b.Bytes())
		return err
	}
	b.WriteString("[")
	for i, t := range tools {
		d, err := t.Definition(format)
		if err != nil {
			return err
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteByte('\n')
		b.Write(d)
	}
	b.WriteString("\n]\n")
	_, err := w.Write(b.Bytes())
	return err
}

// objectSchema makes sure that a schema is what all providers ask for: an object that names its properties.
func objectSchema(schema json.RawMessage) (json.RawMessage, error) {
	if len(bytes.TrimSpace(schema)) == 0 {
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(schema, &m); err != nil || m == nil {
		return nil, fmt.Errorf("the schema of its arguments is not a JSON object: %w", ErrFormat)
	}
	if typ, ok := m["type"]; ok && string(typ) != `"object"` {
		return nil, fmt.Errorf("the schema of its arguments has type %s, and must be an object: %w", typ, ErrFormat)
	}
	if m["type"] != nil && m["properties"] != nil {
		return schema, nil
	}
	m = maps.Clone(m)
	m["type"] = json.RawMessage(`"object"`)
	if m["properties"] == nil {
		m["properties"] = json.RawMessage(`{}`)
	}
	return json.Marshal(m)
}

// marshalPlain leaves <, > and & as they are: a model reads them.
func marshalPlain(v any) (json.RawMessage, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimRight(b.Bytes(), "\n"), nil
}

// An argument is one property of a tool's schema, for people.
type argument struct {
	name, typ, text string
	required        bool
}

func writeMarkdown(b *bytes.Buffer, t Tool) error {
	fmt.Fprintf(b, "## %s\n\n", t.Name)
	if t.AliasOf != "" {
		fmt.Fprintf(b, "Another name of `%s`, with the arguments of other systems. ", t.AliasOf)
	}
	b.WriteString(t.Description + "\n")
	if t.Guidance != "" {
		b.WriteString("\n" + t.Guidance + "\n")
	}
	if t.Writes {
		b.WriteString("\nIt changes something outside of the run: guards hold for it by default.\n")
	}
	if t.Changes {
		b.WriteString("\nIt may change what answers are made from, such as an index.\n")
	}
	args, err := arguments(t.Schema)
	if err != nil {
		return fmt.Errorf("tool %s: %w", t.Name, err)
	}
	if len(args) > 0 {
		b.WriteString("\n| argument | type | |\n|---|---|---|\n")
	}
	for _, a := range args {
		if a.required {
			a.typ += ", required"
		}
		fmt.Fprintf(b, "| `%s` | %s | %s |\n", a.name, a.typ, strings.ReplaceAll(a.text, "|", `\|`))
	}
	b.WriteByte('\n')
	return nil
}

// arguments reads the properties of a schema, in the order in which they stand.
func arguments(schema json.RawMessage) ([]argument, error) {
	schema, err := objectSchema(schema)
	if err != nil {
		return nil, err
	}
	var s struct {
		Properties json.RawMessage `json:"properties"`
		Required   []string        `json:"required"`
	}
	if err := json.Unmarshal(schema, &s); err != nil {
		return nil, fmt.Errorf("schema: %w: %v", ErrFormat, err)
	}
	var out []argument
	dec := json.NewDecoder(bytes.NewReader(s.Properties))
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("schema: %w: %v", ErrFormat, err)
	}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("schema: %w: %v", ErrFormat, err)
		}
		var p struct {
			Type        any    `json:"type"`
			Description string `json:"description"`
			Items       struct {
				Type any `json:"type"`
			} `json:"items"`
		}
		if err := dec.Decode(&p); err != nil {
			return nil, fmt.Errorf("schema: %w: %v", ErrFormat, err)
		}
		typ := fmt.Sprint(p.Type)
		switch {
		case p.Type == nil:
			typ = "any"
		case typ == "array" && p.Items.Type != nil:
			typ = fmt.Sprintf("list of %v", p.Items.Type)
		}
		n := fmt.Sprint(name)
		out = append(out, argument{name: n, typ: typ, text: p.Description, required: slices.Contains(s.Required, n)})
	}
	return out, nil
}
