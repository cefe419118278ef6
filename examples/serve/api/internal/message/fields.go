package message

import (
	"reflect"
	"strings"
)

// A field of a struct, by its name in JSON.
type field struct {
	name  string
	index []int
	typ   reflect.Type
}

// fieldsOf lists the fields of a message, by the names of its definition.
func fieldsOf(message reflect.Type) []field {
	var out []field
	for i := range message.NumField() {
		f := message.Field(i)
		for part := range strings.SplitSeq(f.Tag.Get("protobuf"), ",") {
			if name, ok := strings.CutPrefix(part, "name="); ok {
				out = append(out, field{name, f.Index, f.Type})
			}
		}
	}
	return out
}

// jsonFields lists the fields of a struct that its JSON has: of two with one name the one that is less deep.
func jsonFields(t reflect.Type) []field {
	var out []field
	at := map[string]int{}
	var walk func(t reflect.Type, before []int)
	walk = func(t reflect.Type, before []int) {
		for i := range t.NumField() {
			f := t.Field(i)
			index := append(append([]int(nil), before...), i)
			tag := f.Tag.Get("json")
			name, _, _ := strings.Cut(tag, ",")
			typ := f.Type
			switch {
			case tag == "-":
			case f.Anonymous && name == "":
				if typ.Kind() == reflect.Pointer {
					typ = typ.Elem()
				}
				walk(typ, index)
			case f.IsExported():
				if name == "" {
					name = strings.ToLower(f.Name)
				}
				if k, there := at[name]; !there {
					at[name] = len(out)
					out = append(out, field{name, index, typ})
				} else if len(out[k].index) > len(index) {
					out[k] = field{name, index, typ}
				}
			}
		}
	}
	walk(t, nil)
	return out
}

// Missing names the fields of results that their messages have no fitting one for, such as "Results.hits.score".
func Missing(from, to reflect.Type) []string {
	return missing(from, to, from.Name(), map[pair]bool{})
}

func missing(from, to reflect.Type, name string, seen map[pair]bool) []string {
	if seen[pair{from, to}] {
		return nil
	}
	seen[pair{from, to}] = true
	if _, ok := build(from, to); !ok {
		return []string{name + " (" + from.String() + " to " + to.String() + ")"}
	}
	switch {
	case to == treeType || to == valueType || to == stampType:
		return nil
	case from.Kind() == reflect.Pointer:
		return missing(from.Elem(), to, name, seen)
	case from.Kind() == reflect.Struct && to.Implements(protoType):
		var out []string
		have := map[string]reflect.Type{}
		for _, f := range fieldsOf(to.Elem()) {
			have[f.name] = f.typ
		}
		for _, f := range jsonFields(from) {
			if t, ok := have[f.name]; ok {
				out = append(out, missing(f.typ, t, name+"."+f.name, seen)...)
			} else {
				out = append(out, name+"."+f.name)
			}
		}
		return out
	case from.Kind() == reflect.Slice && to.Kind() == reflect.Slice, from.Kind() == reflect.Map && to.Kind() == reflect.Map:
		return missing(from.Elem(), to.Elem(), name, seen)
	case (from.Kind() == reflect.Slice || from.Kind() == reflect.Map) && to.Implements(protoType):
		return missing(from, fieldsOf(to.Elem())[0].typ, name, seen)
	}
	return nil
}
