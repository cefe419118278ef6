package agenttools

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill"
)

// What bounds the arguments of one call. Only write_file takes long ones.
const (
	maxArguments = 8 << 20  // bytes of all
	maxText      = 16 << 10 // bytes of a text that says nothing else
	maxList      = 1000     // values of a list
	maxProblems  = 8        // that one error lists
)

// input describes the arguments of a tool, read off a struct. Beside what encoding/json and the schema read, its fields
// have these tags:
//
//	alias:"a,b"   other names of the argument, taken from other systems; they are accepted and not shown
//	enum:"a,b"    the values there are
//	max:"4096"    bytes of a text, in place of maxText
//	or:"a,b"      arguments that may be given in place of it, where it is required
//	only:"full"   the schema of the compact profile leaves the argument out; it is accepted all the same
//	only:"-"      no schema has it: an argument of other systems that has no equal here
type input struct {
	tool     string
	schema   *jsonschema.Schema // all arguments that are shown
	order    []string           // of the arguments that are shown
	names    map[string]string  // every name that is taken, to the argument's own
	kinds    map[string]reflect.Kind
	elems    map[string]reflect.Kind // of lists
	enums    map[string][]string
	fullOnly map[string]bool
	instead  map[string][]string // of a required argument: what may be given in its place
	most     map[string]int      // bytes of a text, where it is not maxText
}

// inputOf reads a struct. The structs are ours, so that what is wrong with one is a bug.
func inputOf[In any](tool string) *input {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		panic("findspot: input of tool " + tool + ": " + err.Error())
	}
	in := &input{tool: tool, schema: schema, names: map[string]string{}, kinds: map[string]reflect.Kind{}, elems: map[string]reflect.Kind{},
		enums: map[string][]string{}, fullOnly: map[string]bool{}, instead: map[string][]string{}, most: map[string]int{}}
	schema.AdditionalProperties = nil // other systems' names are taken too
	typ := reflect.TypeFor[In]()
	for _, f := range reflect.VisibleFields(typ) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		p := schema.Properties[name]
		if p == nil {
			panic("findspot: input of tool " + tool + ": " + f.Name + " has no JSON name")
		}
		in.names[name] = name
		for other := range strings.SplitSeq(f.Tag.Get("alias"), ",") {
			if other != "" {
				in.names[other] = name
			}
		}
		in.kinds[name] = f.Type.Kind()
		if f.Type.Kind() == reflect.Slice {
			in.elems[name] = f.Type.Elem().Kind()
			p.Type, p.Types = "array", nil // "null" is left out: nobody has to write it, and it is accepted
		}
		if o := f.Tag.Get("or"); o != "" {
			in.instead[name] = strings.Split(o, ",")
		}
		if m := f.Tag.Get("max"); m != "" {
			if in.most[name], err = strconv.Atoi(m); err != nil {
				panic("findspot: input of tool " + tool + ": " + name + ": " + err.Error())
			}
		}
		if e := f.Tag.Get("enum"); e != "" {
			in.enums[name] = strings.Split(e, ",")
			target := p
			if p.Items != nil {
				target = p.Items
			}
			for _, v := range in.enums[name] {
				target.Enum = append(target.Enum, v)
			}
		}
		switch f.Tag.Get("only") {
		case "-":
			delete(schema.Properties, name)
			schema.PropertyOrder = slices.DeleteFunc(schema.PropertyOrder, func(n string) bool { return n == name })
			continue
		case "full":
			in.fullOnly[name] = true
		}
		in.order = append(in.order, name)
	}
	return in
}

// json is the schema; the compact one leaves out what few calls need.
func (in *input) json(compact bool) json.RawMessage {
	s := *in.schema
	if compact {
		s.Properties = maps.Clone(s.Properties)
		s.PropertyOrder = slices.Clone(s.PropertyOrder)
		for name := range in.fullOnly {
			delete(s.Properties, name)
		}
		s.PropertyOrder = slices.DeleteFunc(s.PropertyOrder, func(n string) bool { return in.fullOnly[n] })
	}
	data, err := json.Marshal(&s)
	if err != nil {
		panic("findspot: schema of tool " + in.tool + ": " + err.Error())
	}
	return data
}

// New makes a tool of a function over a struct: the schema comes from the struct's tags, and arguments are checked
// against it before the function sees them.
func New[In any](name, description, guidance string, call func(context.Context, In) (*skill.Result, error)) Definition {
	spec := inputOf[In](name)
	return Definition{
		Tool: skill.Tool{
			Name: name, Description: description, Guidance: guidance, Schema: spec.json(false),
			Call: func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
				var in In
				if err := spec.decode(args, &in); err != nil {
					return nil, err
				}
				return call(ctx, in)
			},
		},
		Compact: spec.json(true),
	}
}

// A Definition is a tool with its schema for the compact profile.
type Definition struct {
	skill.Tool
	Compact json.RawMessage
	Brief   string // what the compact profile says instead of description and guidance; empty: the same
}

// decode reads arguments. It takes other systems' names, one value for a list, and numbers and truth values in quotes, as models write them.
func (in *input) decode(args json.RawMessage, to any) error {
	if len(args) > maxArguments {
		return fmt.Errorf("%s: arguments: %w: %d bytes, the limit is %d", in.tool, errs.TooLarge, len(args), maxArguments)
	}
	if args = bytes.TrimSpace(args); len(args) == 0 || string(args) == "null" {
		args = json.RawMessage("{}")
	}
	var given map[string]json.RawMessage
	if err := json.Unmarshal(args, &given); err != nil {
		return fmt.Errorf("%s: the arguments are not a JSON object; it takes %s", in.tool, in.describe())
	}
	values := map[string]json.RawMessage{}
	by := map[string]string{}
	var bad []error
	for _, n := range slices.Sorted(maps.Keys(given)) {
		own, ok := in.names[n]
		switch {
		case !ok:
			bad = append(bad, fmt.Errorf("%s: arguments: unknown field %q; it takes %s%s", in.tool, shortened(n), in.describe(), didYouMean(n, slices.Sorted(maps.Keys(in.names)))))
			continue
		case string(given[n]) == "null":
			continue
		case by[own] != "":
			bad = append(bad, fmt.Errorf("%s: %q and %q are one argument: give one of them", in.tool, by[own], n))
			continue
		}
		v, err := in.value(own, given[n])
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %s: %w", in.tool, n, err))
			continue
		}
		by[own], values[own] = n, v
	}
	for _, r := range in.schema.Required {
		other := slices.ContainsFunc(in.instead[r], func(n string) bool { return values[n] != nil })
		if values[r] == nil && !other && len(bad) == 0 {
			bad = append(bad, fmt.Errorf("%s: argument %q is missing; it takes %s", in.tool, r, in.describe()))
		}
	}
	if more := len(bad) - maxProblems; more > 0 {
		bad = append(bad[:maxProblems], fmt.Errorf("%s: %d more arguments are wrong", in.tool, more))
	}
	if len(bad) > 0 {
		return errors.Join(bad...)
	}
	data, err := json.Marshal(values)
	if err == nil {
		err = json.Unmarshal(data, to)
	}
	if err != nil {
		return fmt.Errorf("%s: arguments: %s; it takes %s", in.tool, strings.TrimPrefix(err.Error(), "json: "), in.describe())
	}
	return nil
}

// check looks at the arguments that are shown alone: those of another system, before they are changed to ours.
func (in *input) check(args json.RawMessage) error {
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return nil // the tool itself says so
	}
	for _, name := range in.order {
		if v := given[name]; v != nil && string(v) != "null" {
			if _, err := in.value(name, v); err != nil {
				return fmt.Errorf("%s: %s: %w", in.tool, name, err)
			}
		}
	}
	return nil
}

// missing names a required argument that is not given; "" for none.
func (in *input) missing(args json.RawMessage) string {
	var given map[string]json.RawMessage
	if json.Unmarshal(args, &given) != nil {
		return ""
	}
	for _, name := range in.schema.Required {
		if v := given[name]; v == nil || string(v) == "null" {
			return name
		}
	}
	return ""
}

// value converts one argument to its type.
func (in *input) value(name string, v json.RawMessage) (json.RawMessage, error) {
	if in.kinds[name] == reflect.Slice {
		var list []json.RawMessage
		if json.Unmarshal(v, &list) != nil {
			list = []json.RawMessage{v}
		}
		if len(list) > maxList {
			return nil, fmt.Errorf("%w: %d values, the limit is %d", errs.TooLarge, len(list), maxList)
		}
		for i := range list {
			var err error
			if list[i], err = in.scalar(name, in.elems[name], list[i]); err != nil {
				return nil, err
			}
		}
		return json.Marshal(list)
	}
	return in.scalar(name, in.kinds[name], v)
}

func (in *input) scalar(name string, kind reflect.Kind, v json.RawMessage) (json.RawMessage, error) {
	var s string
	quoted := json.Unmarshal(v, &s) == nil
	got := shortened(string(v))
	switch kind {
	case reflect.String:
		if !quoted {
			if v[0] != '{' && v[0] != '[' { // 38.331, true
				quoted, s = true, string(v)
			} else {
				return nil, fmt.Errorf("it is a text, not %s", got)
			}
		}
		if most := cmp.Or(in.most[name], maxText); len(s) > most {
			return nil, fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, len(s), most)
		}
		if e := in.enums[name]; e != nil && s != "" && !slices.Contains(e, s) {
			return nil, fmt.Errorf("%q: there are %s%s", shortened(s), strings.Join(e, ", "), didYouMean(s, e))
		}
		return json.Marshal(s)
	case reflect.Int:
		if quoted {
			v = json.RawMessage(strings.TrimSpace(s))
		}
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || f != float64(int(f)) || f > 1e9 || f < -1e9 {
			return nil, fmt.Errorf("it is a whole number, not %s", got)
		}
		return json.RawMessage(strconv.Itoa(int(f))), nil
	case reflect.Bool:
		if quoted {
			v = json.RawMessage(strings.ToLower(strings.TrimSpace(s)))
		}
		if string(v) != "true" && string(v) != "false" {
			return nil, fmt.Errorf("it is true or false, not %s", got)
		}
	}
	return v, nil
}

// shortened is the beginning of what a caller wrote, for an error message.
func shortened(s string) string {
	if len(s) > 60 {
		s = strings.ToValidUTF8(s[:60], "") + "..."
	}
	return s
}

// describe lists the arguments of a tool for an error message.
func (in *input) describe() string {
	var out []string
	for _, p := range in.order {
		if slices.Contains(in.schema.Required, p) {
			p += " (required)"
		}
		out = append(out, p)
	}
	if len(out) == 0 {
		return "no arguments"
	}
	return strings.Join(out, ", ")
}

// didYouMean names what is written almost like a word, for an error message; "" for nothing.
func didYouMean(word string, there []string) string {
	best, least := "", max(1, len(word)/3)+1
	for _, t := range there {
		if d := edits(strings.ToLower(word), strings.ToLower(t)); d < least {
			best, least = t, d
		}
	}
	if best == "" {
		return ""
	}
	return fmt.Sprintf("; did you mean %q?", best)
}

// edits counts the bytes to change, to add or to take away between two short words.
func edits(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			d := diagonal
			if a[i] != b[j] {
				d++
			}
			diagonal = row[j+1]
			row[j+1] = min(d, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
