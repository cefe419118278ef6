package lspclient

import (
	"encoding/json"
	"reflect"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/lspclient/internal/registry"
)

// TestSpecIsWhole: the registry gets every field of an entry.
func TestSpecIsWhole(t *testing.T) {
	var s ServerSpec
	fill(reflect.ValueOf(&s).Elem())
	want, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	got, err := json.Marshal(s.spec())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), string(got)); diff != "" {
		t.Errorf("spec (-want +got):\n%s", diff)
	}
	if a, b := reflect.TypeFor[ServerSpec]().NumField(), reflect.TypeFor[registry.Spec]().NumField(); a != b {
		t.Errorf("%d fields, and %d in the registry", a, b)
	}
}

// fill sets everything to something that is not zero.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.String:
		v.SetString("x")
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int:
		v.SetInt(7)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i))
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		value := reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.SetMapIndex(reflect.ValueOf("k"), value)
	case reflect.Interface:
		v.Set(reflect.ValueOf("y"))
	}
}
