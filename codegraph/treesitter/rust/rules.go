package rust

import (
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

var rules = lang.Rules{
	AllExported: true,
	Extends:     true,
	Config:      []string{"Cargo.toml"},
	Builtins:    prelude,
	Common: core.Words(`new len is_empty push pop get get_mut insert remove contains iter iter_mut into_iter next map filter collect unwrap expect clone
		to_string to_owned as_ref as_mut as_str as_bytes into from default fmt eq cmp hash drop deref deref_mut index write read flush lock join
		send recv clear extend first last take replace min max find any all count sum fold rev zip chain skip sort sort_by split trim parse
		starts_with ends_with is_some is_none is_ok is_err ok err map_err and_then or_else unwrap_or unwrap_or_else unwrap_or_default borrow
		borrow_mut with_capacity append drain retain keys values entry chars bytes lines path name args arg build run start stop id kind add sub
		mul div not neg as_slice as_path display to_vec to_str exists is_file is_dir is_dir open create close seek position set swap finish`),
}
