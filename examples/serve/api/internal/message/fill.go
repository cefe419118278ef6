package message

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/structpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/findspot/findspot/internal/secrets"
)

// Fill makes a message of type M from a result. mask masks secrets in its texts.
func Fill[M any, P interface {
	*M
	proto.Message
}](from any, mask bool) P {
	to := P(new(M))
	src := reflect.ValueOf(from)
	copierFor(src.Type(), reflect.TypeOf(to))(reflect.ValueOf(&to).Elem(), src, mask)
	return to
}

// Each makes a list of messages from a list of results.
func Each[M any, P interface {
	*M
	proto.Message
}, T any](from []T, mask bool) []P {
	out := make([]P, 0, len(from))
	for i := range from {
		out = append(out, Fill[M, P](&from[i], mask))
	}
	return out
}

// Text is a text as messages may hold it: valid UTF-8, with secrets masked where mask says so.
func Text(s string, mask bool) string {
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "\uFFFD")
	}
	if mask && len(s) >= 8 { // nothing shorter is a secret
		s, _ = secrets.MaskString(s)
	}
	return s
}

// A copier sets to from a value of another type. to can be set and is zero.
type copier func(to, from reflect.Value, mask bool)

type pair struct{ from, to reflect.Type }

var copiers sync.Map // of copier by pair

// copierFor is the copier of a pair of types; one that does nothing where they have nothing in common.
func copierFor(from, to reflect.Type) copier {
	if c, ok := copiers.Load(pair{from, to}); ok {
		return c.(copier)
	}
	// A type that holds itself finds this while its own copier is being made.
	var made copier
	var ready sync.WaitGroup
	ready.Add(1)
	c, loaded := copiers.LoadOrStore(pair{from, to}, copier(func(to, from reflect.Value, mask bool) {
		ready.Wait()
		made(to, from, mask)
	}))
	if loaded {
		return c.(copier)
	}
	made, _ = build(from, to)
	copiers.Store(pair{from, to}, made)
	ready.Done()
	return made
}

var (
	timeType  = reflect.TypeFor[time.Time]()
	stampType = reflect.TypeFor[*timestamppb.Timestamp]()
	valueType = reflect.TypeFor[*structpb.Value]()
	treeType  = reflect.TypeFor[*structpb.Struct]()
	protoType = reflect.TypeFor[proto.Message]()
)

func none(_, _ reflect.Value, _ bool) {}

// build makes a copier. ok is false where the types do not fit.
func build(from, to reflect.Type) (c copier, ok bool) {
	switch {
	case to == treeType || to == valueType:
		return plain(to), true
	case from.Kind() == reflect.Pointer:
		inner := copierFor(from.Elem(), to)
		return func(to, from reflect.Value, mask bool) {
			if !from.IsNil() {
				inner(to, from.Elem(), mask)
			}
		}, true
	case from == timeType && to == stampType:
		return func(to, from reflect.Value, _ bool) {
			if t := from.Interface().(time.Time); !t.IsZero() {
				to.Set(reflect.ValueOf(timestamppb.New(t)))
			}
		}, true
	case to.Implements(protoType):
		return toMessage(from, to)
	}
	switch to.Kind() {
	case reflect.String:
		return func(to, from reflect.Value, mask bool) { to.SetString(Text(from.String(), mask)) }, from.Kind() == reflect.String
	case reflect.Bool:
		return func(to, from reflect.Value, _ bool) { to.SetBool(from.Bool()) }, from.Kind() == reflect.Bool
	case reflect.Int32:
		return func(to, from reflect.Value, _ bool) {
			to.SetInt(min(max(from.Int(), math.MinInt32), math.MaxInt32))
		}, isInt(from)
	case reflect.Float64:
		switch {
		case isInt(from):
			return func(to, from reflect.Value, _ bool) { to.SetFloat(float64(from.Int())) }, true
		case from.Kind() == reflect.Uint64:
			return func(to, from reflect.Value, _ bool) { to.SetFloat(float64(from.Uint())) }, true
		}
		return func(to, from reflect.Value, _ bool) { to.SetFloat(from.Float()) }, from.Kind() == reflect.Float64
	case reflect.Slice:
		return toList(from, to)
	case reflect.Map:
		return toMap(from, to)
	}
	return none, false
}

func isInt(t reflect.Type) bool { return t.Kind() >= reflect.Int && t.Kind() <= reflect.Int64 }

// toMessage fills a message: from a struct by the names of its fields; from a list, a range or a map as the message's fields in their order.
func toMessage(from, to reflect.Type) (copier, bool) {
	inner := fieldsOf(to.Elem())
	type step struct {
		from []int // of a struct
		to   int
		copy copier
	}
	var steps []step
	switch from.Kind() {
	case reflect.Struct:
		have := map[string]field{}
		for _, f := range inner {
			have[f.name] = f
		}
		for _, f := range jsonFields(from) {
			if t, ok := have[f.name]; ok {
				steps = append(steps, step{f.index, t.index[0], copierFor(f.typ, t.typ)})
			}
		}
		return func(to, from reflect.Value, mask bool) {
			m := reflect.New(to.Type().Elem())
			for _, s := range steps {
				if src, err := from.FieldByIndexErr(s.from); err == nil && !src.IsZero() {
					s.copy(m.Elem().Field(s.to), src, mask)
				}
			}
			to.Set(m)
		}, true
	case reflect.Array: // [2]int is start and end
		for i := range min(from.Len(), len(inner)) {
			steps = append(steps, step{nil, inner[i].index[0], copierFor(from.Elem(), inner[i].typ)})
		}
		return func(to, from reflect.Value, mask bool) {
			m := reflect.New(to.Type().Elem())
			for i, s := range steps {
				s.copy(m.Elem().Field(s.to), from.Index(i), mask)
			}
			to.Set(m)
		}, from.Len() == len(inner)
	case reflect.Slice, reflect.Map: // a list of lists has a message for each inner one
		if len(inner) != 1 {
			return none, false
		}
		c := copierFor(from, inner[0].typ)
		return func(to, from reflect.Value, mask bool) {
			m := reflect.New(to.Type().Elem())
			c(m.Elem().Field(inner[0].index[0]), from, mask)
			to.Set(m)
		}, true
	}
	return none, false
}

func toList(from, to reflect.Type) (copier, bool) {
	switch from.Kind() {
	case reflect.Struct: // of numbers, such as a box
		c := copierFor(reflect.TypeFor[float64](), to.Elem())
		return func(to, from reflect.Value, mask bool) {
			out := reflect.MakeSlice(to.Type(), from.NumField(), from.NumField())
			for i := range from.NumField() {
				c(out.Index(i), from.Field(i), mask)
			}
			to.Set(out)
		}, to.Elem().Kind() == reflect.Float64
	case reflect.Slice, reflect.Array:
		c := copierFor(from.Elem(), to.Elem())
		return func(to, from reflect.Value, mask bool) {
			n := from.Len()
			out := reflect.MakeSlice(to.Type(), n, n)
			for i := range n {
				c(out.Index(i), from.Index(i), mask)
				if e := out.Index(i); e.Kind() == reflect.Pointer && e.IsNil() { // lists of messages have no empty places
					e.Set(reflect.New(e.Type().Elem()))
				}
			}
			to.Set(out)
		}, true
	}
	return none, false
}

func toMap(from, to reflect.Type) (copier, bool) {
	if from.Kind() != reflect.Map || from.Key().Kind() != reflect.String {
		return none, false
	}
	c := copierFor(from.Elem(), to.Elem())
	return func(to, from reflect.Value, mask bool) {
		out := reflect.MakeMapWithSize(to.Type(), from.Len())
		for iter := from.MapRange(); iter.Next(); {
			v := reflect.New(to.Type().Elem()).Elem()
			c(v, iter.Value(), mask)
			if v.Kind() == reflect.Pointer && v.IsNil() {
				v.Set(reflect.New(v.Type().Elem()))
			}
			out.SetMapIndex(reflect.ValueOf(Text(iter.Key().String(), mask)), v)
		}
		to.Set(out)
	}, true
}

// plain makes JSON of a value and reads it as a message for any JSON. What is none, as a schema that is not an object, is left out.
func plain(to reflect.Type) copier {
	return func(dst, from reflect.Value, mask bool) {
		m := Plain(from.Interface(), mask)
		switch {
		case m == nil:
		case to == valueType:
			dst.Set(reflect.ValueOf(m))
		case m.GetStructValue() != nil:
			dst.Set(reflect.ValueOf(m.GetStructValue()))
		}
	}
}

// Plain is a value as JSON has it; nil where it has none.
func Plain(v any, mask bool) *structpb.Value {
	if mask {
		masked, _, err := secrets.JSON(v)
		if err != nil {
			return nil
		}
		v = masked
	}
	data, err := json.Marshal(v)
	if err != nil || string(data) == "null" {
		return nil
	}
	out := &structpb.Value{}
	if protojson.Unmarshal(data, out) != nil {
		return nil
	}
	return out
}
