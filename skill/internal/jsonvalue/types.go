package jsonvalue

import "math"

func HasType(v any, typ string) bool {
	switch typ {
	case "string":
		_, ok := v.(string)
		return ok
	case "number":
		switch v.(type) {
		case int, float64:
			return true
		}
		return false
	case "integer":
		f, ok := v.(float64)
		_, whole := v.(int)
		return whole || ok && f == math.Trunc(f)
	case "boolean":
		_, ok := v.(bool)
		return ok
	case "list":
		_, ok := v.([]any)
		return ok
	case "object":
		_, ok := v.(map[string]any)
		return ok
	}
	return true
}
