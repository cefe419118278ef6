package value

import (
	"testing"

	"github.com/findspot/findspot/codegraph/internal/model"
)

func TestUnion(t *testing.T) {
	strong, weak := Value{Kind: Func, A: 1, Level: model.LevelScope}, Value{Kind: Func, A: 1, Level: model.LevelFlow, Bound: true}
	held := []Value{weak}
	got := Union(held, strong)
	if len(got) != 1 || got[0].Level != model.LevelScope || !got[0].Bound {
		t.Errorf("Union of a value known twice = %+v, want it once, by the stronger level", got)
	}
	if held[0] != weak {
		t.Errorf("Union changed the set that it was given: %+v", held)
	}
	if got := Union(Union(nil, strong), Value{Kind: Class, A: 1}); len(got) != 2 {
		t.Errorf("Union of two kinds = %+v, want both", got)
	}
}

// A set of too many values says nothing, whatever comes before or after; containers count twice.
func TestUnionOfTooMany(t *testing.T) {
	for _, tt := range []struct {
		kind Kind
		most int
	}{{Func, MaxValues}, {Box, MaxValues / 2}} {
		var set []Value
		for i := range tt.most {
			set = Union(set, Value{Kind: tt.kind, A: int32(i)})
		}
		if len(set) != tt.most {
			t.Fatalf("kind %d: %d values, want %d", tt.kind, len(set), tt.most)
		}
		set = Union(set, Value{Kind: tt.kind, A: -1})
		if !Equal(set, TooMany()) {
			t.Errorf("kind %d: one value more gives %+v, want TooMany", tt.kind, set)
		}
		if set = Union(set, Value{Kind: Class}); !Equal(set, TooMany()) {
			t.Errorf("kind %d: TooMany with a value = %+v", tt.kind, set)
		}
		if set = Union([]Value{{Kind: Class}}, set...); !Equal(set, TooMany()) {
			t.Errorf("kind %d: a value with TooMany = %+v", tt.kind, set)
		}
	}
}

func TestWeaken(t *testing.T) {
	set := []Value{{Kind: Func, Level: model.LevelScope}, {Kind: Class, Level: model.LevelName}}
	got := Weaken(set, model.LevelMember)
	if got[0].Level != model.LevelMember || got[1].Level != model.LevelName {
		t.Errorf("Weaken = %+v", got)
	}
	if set[0].Level != model.LevelScope {
		t.Error("Weaken changed the set that it was given")
	}
}

func TestEqual(t *testing.T) {
	a, b := Value{Kind: Func, A: 1}, Value{Kind: Func, A: 2}
	if !Equal([]Value{a, b}, []Value{b, a}) {
		t.Error("the order of a set counts")
	}
	if Equal([]Value{a}, []Value{a, b}) || Equal([]Value{a}, []Value{b}) {
		t.Error("sets of other values are equal")
	}
}
