package form

import (
	"bytes"
	"encoding/json"
)

// Lines gives a result as JSON, a line each without its end: of a list each of what it holds; of an answer each of what it found, and at the end
// {"summary": {...}} with all else that it says; of anything else the whole. The values are those of its JSON.
func Lines(v any) ([][]byte, error) {
	data, err := marshal(v)
	if err != nil {
		return nil, err
	}
	var out [][]byte
	if bytes.HasPrefix(data, []byte("[")) {
		var all []json.RawMessage
		err := json.Unmarshal(data, &all)
		for _, x := range all {
			out = append(out, x)
		}
		return out, err
	}
	n, err := parse(v)
	if err != nil {
		return nil, err
	}
	rows, rest := n.rows()
	if rows == nil {
		return [][]byte{data}, nil
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(data, &fields); err != nil {
		return nil, err
	}
	for _, r := range rows {
		var all []json.RawMessage
		if err := json.Unmarshal(fields[r.name], &all); err != nil {
			return nil, err
		}
		for _, x := range all {
			out = append(out, x)
		}
	}
	var b bytes.Buffer
	b.WriteString(`{"summary":{`)
	for i, f := range rest {
		if i > 0 {
			b.WriteByte(',')
		}
		name, err := marshal(f.name)
		if err != nil {
			return nil, err
		}
		b.Write(name)
		b.WriteByte(':')
		b.Write(fields[f.name])
	}
	b.WriteString("}}")
	return append(out, b.Bytes()), nil
}
