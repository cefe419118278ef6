package secrets

import (
	"bytes"
	"encoding/json"
)

// JSON masks secrets in the strings of what a value is as JSON, and counts them. It returns v itself when there is nothing.
func JSON(v any) (any, int, error) {
	data, err := json.Marshal(v)
	if err != nil {
		return nil, 0, err
	}
	var plain any
	dec := json.NewDecoder(bytes.NewReader(data))
	dec.UseNumber()
	if err := dec.Decode(&plain); err != nil {
		return nil, 0, err
	}
	n := 0
	if plain = maskStrings(plain, &n); n == 0 {
		return v, 0, nil
	}
	return plain, n, nil
}

func maskStrings(v any, n *int) any {
	switch v := v.(type) {
	case string:
		text, k := MaskString(v)
		*n += k
		return text
	case []any:
		for i := range v {
			v[i] = maskStrings(v[i], n)
		}
	case map[string]any:
		for k := range v {
			v[k] = maskStrings(v[k], n)
		}
	}
	return v
}
