package infer

import (
	"strings"

	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// externals numbers the types that are not in the repository.
type externals struct {
	outsides  []outsideType
	outsideOf map[outsideType]int32
}

// An outsideType is a type that is not in the repository.
type outsideType struct {
	rules *lang.Rules
	name  string
}

func (t outsideType) isNull() bool { return t.rules.Outside != nil && t.name == t.rules.Outside.Null }

// outside gives a value of the type called name, or the type itself, that is not in the repository; "" says nothing of it.
func (xs *externals) outside(rules *lang.Rules, name string) value.Value {
	if name == "" || rules.Outside == nil || rules.VarMark != "" && strings.HasPrefix(name, rules.VarMark) {
		return value.Value{Kind: value.External}
	}
	k := outsideType{rules, name}
	n, ok := xs.outsideOf[k]
	if !ok {
		xs.outsides = append(xs.outsides, k)
		n = int32(len(xs.outsides))
		xs.outsideOf[k] = n
	}
	return value.Value{Kind: value.External, A: n}
}

// outsideMember gives what a member of something outside is, or gives when it is called.
func (xs *externals) outsideMember(rules *lang.Rules, v value.Value, name string) value.Value {
	if rules.Outside != nil {
		switch t := rules.Outside.Results[name]; t {
		case "":
		case "=":
			return v
		default:
			w := xs.outside(rules, t)
			w.Level = v.Level
			return w
		}
	}
	return value.Value{Kind: value.External, Level: v.Level}
}
