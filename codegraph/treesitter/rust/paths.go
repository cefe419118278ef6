package rust

import "strconv"

// A paths says what the items and uses of the file bind, and what the first names of paths mean.
type paths struct {
	sketch
	known       map[string]bool           // names that items, uses and modules of the file bind
	invoked     map[string]bool           // macros that the file calls
	fieldParams map[string]map[string]int // by struct: fields whose type is a type parameter, with its number
	mods        map[scopedName]int32      // modules in files of their own, by scope and name
	nested      map[scopedName]int32      // declarations by scope and name
	useNames    map[scopedName]bool       // names that use declarations import, by scope
	globUses    map[int32]bool            // scopes with a glob import
	crates      []string                  // crates whose macros are brought in
}

type scopedName struct {
	scope int32
	name  string
}

// noteFieldParams notes the fields of a struct whose types are its type parameters.
func (p *paths) noteFieldParams(n int32) {
	params := map[string]int{}
	for c := range p.Children(p.Field(n, "type_parameters")) {
		if name := p.typeParam(c); name != "" {
			params[name] = len(params)
		}
	}
	if len(params) == 0 {
		return
	}
	note := func(field string, t int32) {
		for k := p.Kind(t); k == "reference_type" || k == "generic_type"; k = p.Kind(t) {
			if k == "reference_type" {
				t = p.Field(t, "type")
				continue
			}
			if !holders[p.Text(p.lastName(t))] {
				return
			}
			t = p.First(p.Field(t, "type_arguments"), "type_identifier", "generic_type", "reference_type")
		}
		if i, ok := params[p.Text(t)]; ok {
			name := p.Text(p.Field(n, "name"))
			if p.fieldParams[name] == nil {
				p.fieldParams[name] = map[string]int{}
			}
			p.fieldParams[name][field] = i
		}
	}
	i := 0
	for c := range p.Children(p.Field(n, "body")) {
		switch {
		case p.Kind(c) == "field_declaration":
			note(p.Text(p.Field(c, "name")), p.Field(c, "type"))
		case p.FieldName(c) == "type":
			note(strconv.Itoa(i), c)
			i++
		}
	}
}

// scan gathers the names that the file binds outside of functions' variables, and the macros it calls.
func (p *paths) scan() {
	for n := range int32(len(p.Nodes)) {
		switch k := p.Kind(n); k {
		case "mod_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item", "function_item", "const_item", "static_item":
			p.known[p.Text(p.Field(n, "name"))] = true
			if k == "struct_item" {
				p.noteFieldParams(n)
			}
		case "extern_crate_declaration":
			p.known[p.Text(p.Field(n, "name"))] = true
			p.known[p.Text(p.Field(n, "alias"))] = true
		case "use_declaration":
			p.useTree(p.Field(n, "argument"), nil, func(l useLeaf) { p.known[l.alias] = true })
		case "macro_invocation":
			p.invoked[lastSegment(p.Text(p.Field(n, "macro")))] = true
		case "identifier": // in token trees a macro call is a name before a mark
			if p.at(p.End(n)) == '!' {
				p.invoked[p.Text(n)] = true
			}
		}
	}
}
