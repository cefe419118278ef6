package rust

import (
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// Containers are sketched as tuples whose parts have fixed numbers: 0 what is inside (an Option's, a Result's or a list's
// value; for a map the pair of key and value), 1 a Result's error, 2 a map's keys, 3 its values. An iterator is as what
// it runs over. Pointers, cells, locks and futures are as what they hold.

// constructed gives the result of the constructors of built-in containers and of what holds one thing, as far as names tell.
func (p *paths) constructed(fun int32, name string, args []lang.Arg) int32 {
	if p.Kind(fun) == "identifier" {
		if p.known[name] || len(args) != 1 {
			return lang.None
		}
		switch name {
		case "Some", "Ok":
			return p.tuple(args[0].X)
		case "Err":
			return p.tuple(lang.None, args[0].X)
		}
		return lang.None
	}
	if p.Kind(fun) != "scoped_identifier" {
		return lang.None
	}
	head := p.Text(p.lastName(p.Field(fun, "path")))
	switch {
	case holders[head] && len(args) == 1 && (name == "new" || name == "pin" || name == "from" || name == "clone" || name == "downgrade"):
		return args[0].X
	case (listTypes[head] || mapTypes[head]) && (name == "new" || name == "with_capacity" || name == "default"):
		return p.tuple()
	case name == "from_iter" && len(args) == 1:
		return args[0].X
	}
	return lang.None
}

// A step says what a method of a built-in container gives, and what its closures take.
type step uint8

const (
	stepSame    step = iota + 1 // the container, or another one of the same things
	stepInside                  // what is in it
	stepError                   // its error, as a value
	stepMap                     // a container of what the closure gives
	stepThen                    // what the closure gives
	stepNumber                  // pairs of a number and what is in it
	stepZip                     // pairs with what is in the argument
	stepPair                    // a pair of containers of the same
	stepFlat                    // a container of what is in what is in it
	stepValue                   // an Option of a map's value
	stepValues                  // a container of a map's values
	stepKeys                    // a container of a map's keys
	stepEntry                   // what is stored under a key of a map
	stepFold                    // what is given first
	stepOutside                 // something from outside, such as a number
	stepSwap                    // an Option of its error
	stepMapErr                  // the same with another error
	stepIf                      // an Option of what the closure gives
	stepChunks                  // a container of containers of the same
)

// stepMethods are the methods of each step.
var stepMethods = map[step]string{
	stepSame: `entry iter iter_mut into_iter clone cloned copied as_ref as_mut as_deref as_deref_mut to_vec to_owned into_boxed_slice collect filter rev skip
		take step_by chain peekable fuse by_ref skip_while take_while inspect next next_back peek peek_mut nth last first first_mut last_mut get_ref
		pop pop_front pop_back front back front_mut back_mut find rfind max min max_by max_by_key min_by min_by_key ok or or_else ok_or ok_or_else filter_ok
		borrow borrow_mut lock read write try_lock try_borrow into into_inner as_slice as_mut_slice drain split_off deref deref_mut
		upgrade context with_context retain sorted sorted_by sorted_by_key unique dedup cycle reduce replace insert_or get_or_init
		as_pin_mut try_into into_vec intersection union difference swap_remove remove_item recv try_recv join or_insert_default load_full unwrap_or_clone
		try_iter into_values_iter zip_eq as_bytes_mut iter_all take_if wrapping as_path map_into boxed`,
	stepInside: `unwrap expect unwrap_or unwrap_or_default unwrap_or_else unwrap_unchecked get_or_insert_with get_or_insert insert_with or_panic sum product
		unwrap_or_exit`,
	stepError:   `unwrap_err expect_err into_err`,
	stepMap:     `map map_ok filter_map map_while flat_map scan`,
	stepThen:    `and_then map_or map_or_else`,
	stepNumber:  `enumerate char_indices`,
	stepZip:     `zip`,
	stepPair:    `partition split_at split_at_mut unzip split_first split_last`,
	stepFlat:    `flatten transpose concat`,
	stepValue:   `get get_mut remove get_or`,
	stepValues:  `values values_mut into_values`,
	stepKeys:    `keys into_keys`,
	stepEntry:   `or_insert or_insert_with or_default`,
	stepFold:    `fold try_fold`,
	stepOutside: `len is_empty count any all position contains contains_key is_some is_none is_ok is_err cmp eq ne lt partial_cmp to_string as_str is_some_and is_ok_and`,
	stepSwap:    `err`,
	stepMapErr:  `map_err`,
	stepIf:      `then then_some`,
	stepChunks:  `chunks windows chunks_exact group_by split chunk_by`,
}

var methodSteps = core.Kinds(stepMethods)

// storeMethods are the methods that put something into a container.
var storeMethods = core.Words(`push push_back push_front insert extend append push_str replace set store or_insert or_insert_with send`)

// methodResult gives the result of a method of a built-in container.
func (p *sketch) methodResult(step step, recv int32, name string, args []lang.Arg) int32 {
	arg := func(i int) int32 { return core.Arg(args, i) }
	result := func(i int) int32 {
		if x := arg(i); x != lang.None {
			return p.B.Call(x, core.Args(p.part(recv, "0")))
		}
		return lang.None
	}
	switch step {
	case stepSame:
		return recv
	case stepInside:
		return p.payload(recv)
	case stepError:
		return p.part(recv, "1")
	case stepMap:
		x := result(len(args) - 1)
		if name != "map" && name != "map_ok" {
			x = p.payload(x)
		}
		return p.tuple(x, p.part(recv, "1"))
	case stepThen:
		return result(len(args) - 1)
	case stepNumber:
		return p.tuple(p.tuple(p.external, p.element(recv)))
	case stepZip:
		return p.tuple(p.tuple(p.element(recv), p.element(arg(0))))
	case stepPair:
		return p.tuple(recv, recv)
	case stepFlat:
		return p.part(recv, "0")
	case stepValue:
		return p.tuple(p.B.Any(p.part(recv, "0"), p.part(recv, "3")))
	case stepValues:
		return p.tuple(p.part(recv, "3"))
	case stepKeys:
		return p.tuple(p.part(recv, "2"))
	case stepEntry:
		return p.part(recv, "3")
	case stepFold:
		return arg(0)
	case stepOutside:
		return p.external
	case stepSwap:
		return p.tuple(p.part(recv, "1"))
	case stepMapErr:
		return p.tuple(p.part(recv, "0"), result(0))
	case stepIf:
		if name == "then_some" {
			return p.tuple(arg(0))
		}
		return p.tuple(result(0))
	case stepChunks:
		return p.tuple(recv)
	}
	return lang.None
}

// closureParams gives what the closures among the arguments of a method take, where it is one of a built-in container.
func (p *sketch) closureParams(recv int32, name string) []int32 {
	if recv == p.unknown || recv == p.external {
		return nil
	}
	switch name {
	case "map_err", "or_else", "unwrap_or_else", "inspect_err", "is_err_and":
		return []int32{p.part(recv, "1")}
	case "sort_by", "max_by", "min_by", "sort_unstable_by", "dedup_by", "reduce", "is_sorted_by", "sorted_by":
		x := p.element(recv)
		return []int32{x, x}
	case "fold", "try_fold", "scan":
		return []int32{p.unknown, p.element(recv)}
	case "map", "filter", "for_each", "try_for_each", "any", "all", "find", "find_map", "position", "rposition", "take_while", "skip_while", "filter_map", "flat_map",
		"and_then", "inspect", "map_while", "max_by_key", "min_by_key", "sort_by_key", "sort_unstable_by_key", "sort_by_cached_key", "partition",
		"retain", "retain_mut", "map_or", "map_or_else", "is_some_and", "is_ok_and", "is_none_or", "and_modify", "binary_search_by", "binary_search_by_key",
		"partition_point", "map_ok", "dedup_by_key", "take_if", "with", "sorted_by_key", "par_iter", "for_each_mut":
		x := p.element(recv)
		if name == "and_modify" {
			x = p.part(recv, "3")
		}
		return []int32{x}
	}
	return nil
}

// storeArgs records what a method puts into a container.
func (p *sketch) storeArgs(recv int32, name string, args []lang.Arg, scope, n int32) {
	x := args[len(args)-1].X
	if op := p.Op(recv); op == lang.OpExternal || op == lang.OpUnknown || !p.says(x) {
		return
	}
	store := func(key string, x int32) { p.B.Set(lang.Store, scope, recv, key, x, p.Line(n)) }
	switch name {
	case "extend", "append":
		store("0", p.part(x, "0"))
		store("3", p.part(p.part(x, "0"), "1"))
	case "insert":
		if len(args) == 2 {
			store("3", x)
			store("2", args[0].X)
			store("0", p.tuple(args[0].X, x))
			break
		}
		store("0", x)
		store("2", x)
	case "or_insert":
		store("3", x)
	case "or_insert_with":
		store("3", p.B.Call(x, nil))
	default:
		store("0", x)
	}
}
