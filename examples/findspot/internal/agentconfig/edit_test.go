package agentconfig

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var someEntry = entry{Command: "findspot", Args: []string{"mcp"}}

// TestSetJSON: the file as it is to be, each byte of it.
func TestSetJSON(t *testing.T) {
	for _, tt := range []struct{ name, before, after string }{
		{"nothing", "", "{\n  \"servers\": {\n    \"findspot\": {\n      \"command\": \"findspot\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"},
		{"comments alone", "// mine\n", "// mine\n{\n  \"servers\": {\n    \"findspot\": {\n      \"command\": \"findspot\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"},
		{"an empty object", "{}\n", "{\n  \"servers\": {\n    \"findspot\": {\n      \"command\": \"findspot\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"},
		{"another key, with tabs and comments", "{\n\t// the theme\n\t\"theme\": \"dark\", // it is\n\t/* more */\n}\n",
			"{\n\t// the theme\n\t\"theme\": \"dark\", // it is\n\t\"servers\": {\n\t\t\"findspot\": {\n\t\t\t\"command\": \"findspot\",\n\t\t\t\"args\": [\n\t\t\t\t\"mcp\"\n\t\t\t]\n\t\t}\n\t}\n\t/* more */\n}\n"},
		{"another server, a comment behind it", "{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"} // that\n  }\n}",
			"{\n  \"servers\": {\n    \"a\": {\"command\": \"x\"}, // that\n    \"findspot\": {\n      \"command\": \"findspot\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}"},
		{"its own, replaced", "{\"servers\": {\"findspot\": {\"command\": \"old\" /* x */}, \"b\": 1}} // end",
			"{\"servers\": {\"findspot\": {\n  \"command\": \"findspot\",\n  \"args\": [\n    \"mcp\"\n  ]\n}, \"b\": 1}} // end"},
		{"on one line", "{\"servers\": {\"a\": 1}}", "{\"servers\": {\"a\": 1, \"findspot\": {\"command\":\"findspot\",\"args\":[\"mcp\"]}}}"},
		{"an empty object of servers with a comment", "{\n  \"servers\": {\n    // none yet\n  }\n}\n",
			"{\n  \"servers\": {\n    // none yet\n    \"findspot\": {\n      \"command\": \"findspot\",\n      \"args\": [\n        \"mcp\"\n      ]\n    }\n  }\n}\n"},
		{"other line ends, and a mark at the beginning", "\xef\xbb\xbf{\r\n  \"a\": 1\r\n}\r\n",
			"\xef\xbb\xbf{\r\n  \"a\": 1,\r\n  \"servers\": {\r\n    \"findspot\": {\r\n      \"command\": \"findspot\",\r\n      \"args\": [\r\n        \"mcp\"\r\n      ]\r\n    }\r\n  }\r\n}\r\n"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			p := &jsonText{text: []byte(tt.before), loose: true}
			got, err := p.set("servers", "findspot", someEntry)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(tt.after, string(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			again := &jsonText{text: got, loose: true}
			if v, err := again.parse(); err != nil || v.find("servers").value.find("findspot") == nil {
				t.Errorf("what was written is not read: %v", err)
			}
		})
	}
}

func TestBrokenFiles(t *testing.T) {
	for _, tt := range []struct {
		form         form
		text, reason string
	}{
		{plainJSON, "{\n  \"a\": 1,\n}", `line 3, column 1: a comma before the closing '}'`},
		{plainJSON, "{\n  // a\n}", "line 2, column 3: a comment"},
		{looseJSON, "{\n  \"a\": 1\n  \"b\": 2\n}", "line 3, column 3: '\"' where a comma"},
		{looseJSON, "{\"a\": [1, 2}", "line 1, column 12"},
		{looseJSON, "{\"a\": {", "line 1, column 7: '{' has no closing '}'"},
		{looseJSON, "{\"a\": tru}", "line 1, column 7: \"tru\" is no value"},
		{looseJSON, "{\"a\": \"x\ny\"}", "line 1, column 7: a string has no end on its line"},
		{looseJSON, "{} {}", "line 1, column 4: there is more"},
		{looseJSON, "/* a", "line 1, column 1: a comment has no end"},
		{looseJSON, "[]", "line 1, column 1: it is not an object"},
		{looseJSON, "{\"mcp_servers\": 1}", "\"mcp_servers\" is not an object"},
		{looseJSON, "{\"a\": " + strings.Repeat("[", 1000), "nested deeper"},
		{looseJSON, "\xff", "it is not UTF-8"},
		{toml, "a = \"x\nb = 1\n", "line 1, column 5: a string has no end on its line"},
		{toml, "a = 1\n[b\nc = 1\n", "line 2, column 3: a table's head wants \"]\""},
		{toml, "a\n", "line 1, column 2: a key wants"},
		{toml, "a = [1, 2\n", "line 1, column 5: '[' has no closing \"]\""},
		{toml, "a = 1 b = 2\n", "line 1, column 7: 'b' behind the end"},
		{toml, "a = yes\n", "line 1, column 5: \"yes\" is no value"},
		{toml, "a = '''x\n", "line 1, column 5: a string has no end"},
		{toml, "a = " + strings.Repeat("[", 1000), "nested deeper"},
		{toml, "[mcp_servers]\nfindspot = {command = \"x\"}\n", "line 2, column 1: the server stands in a form"},
		{toml, "mcp_servers.findspot.command = \"x\"\n", "line 1, column 1: the server stands in a form"},
		{toml, "[mcp_servers.findspot]\n[mcp_servers.findspot]\n", "line 2, column 1: a second table"},
	} {
		if _, err := (Client{form: tt.form, key: "mcp_servers"}).set([]byte(tt.text), someEntry); err == nil || !strings.Contains(err.Error(), tt.reason) {
			t.Errorf("%.40q = %v, want %q", tt.text, err, tt.reason)
		}
	}
}

// TestSetTOML: what is no part of the change stays, each byte of it.
func TestSetTOML(t *testing.T) {
	before := "# mine\nmodel = \"gpt\"   # the model\nnote = '''\n[mcp_servers.findspot]\n'''\nwhen = 1979-05-27 07:32:00\nlist = [\n  1, # one\n  2,\n]\n\n[mcp_servers.other]\ncommand = 'x'\n[mcp_servers.\"findspot\"] # this\nargs = [ \"old\",\n] # args\nstartup_timeout_sec = 20\n\n[profiles.a]\ncommand = \"keep\"\n"
	want := strings.Replace(strings.Replace(before, "[ \"old\",\n]", `["mcp"]`, 1), "[mcp_servers.\"findspot\"] # this\n", "[mcp_servers.\"findspot\"] # this\ncommand = \"findspot\"\n", 1)
	got, err := (&tomlText{text: []byte(before)}).set("mcp_servers", "findspot", someEntry)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	again, err := (&tomlText{text: got}).set("mcp_servers", "findspot", someEntry)
	if err != nil || string(again) != string(got) {
		t.Errorf("set again: %v, %s", err, cmp.Diff(string(got), string(again)))
	}
	for before, want := range map[string]string{
		"":      "[mcp_servers.findspot]\ncommand = \"findspot\"\nargs = [\"mcp\"]\n",
		"a = 1": "a = 1\n\n[mcp_servers.findspot]\ncommand = \"findspot\"\nargs = [\"mcp\"]\n",
		"[mcp_servers.findspot]\ncommand = \"x\"\n\n[mcp_servers.findspot.env]\nA = \"b\"\n": "[mcp_servers.findspot]\nargs = [\"mcp\"]\ncommand = \"findspot\"\n\n[mcp_servers.findspot.env]\nA = \"b\"\n",
	} {
		if got, err := (&tomlText{text: []byte(before)}).set("mcp_servers", "findspot", someEntry); err != nil || string(got) != want {
			t.Errorf("%q = %q, %v, want %q", before, got, err, want)
		}
	}
}

func FuzzSet(f *testing.F) {
	for _, s := range []string{"", "{}", "{\"a\": [1, {}], // x\n}", "{\"servers\": {\"findspot\": {}}}", "a = 1\n[b]\nc = \"\"\"x\"\"\"\n", "[mcp_servers.findspot]\nargs = [\"a\"]\n", "{,}", "[[a]]\n"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		for _, c := range []Client{{form: plainJSON, key: "servers"}, {form: looseJSON, key: "servers"}, {form: toml, key: "mcp_servers"}} {
			out, err := c.set(text, someEntry)
			if err != nil {
				continue
			}
			e, _, err := c.find(out)
			if err != nil || e == nil || e.Command != "findspot" || len(e.Args) != 1 {
				t.Errorf("%v: of %q came %q: %+v, %v", c.form, text, out, e, err)
			}
			if c.form == plainJSON && !json.Valid(trimBOM(out)) {
				t.Errorf("of %q came %q, which is not JSON", text, out)
			}
		}
	})
}

func trimBOM(text []byte) []byte {
	if len(text) >= 3 && string(text[:3]) == "\xef\xbb\xbf" {
		return text[3:]
	}
	return text
}
