// Package javascript reads JavaScript and TypeScript, with JSX, for package codegraph: it finds the facts of a file, and the module that an
// import names. It needs cgo, and links the grammars of these two languages alone.
//
//	g, err := codegraph.Build(ctx, os.DirFS("repo"), javascript.Frontends(), nil)
//
// The names of each scope are gathered before its statements are walked, because declarations are hoisted; a name of a block that its
// function also has gets a unique name in the facts. Functions with a prototype are classes, and so are objects with methods; exports are
// those of ES modules and of CommonJS. Types of TypeScript are read where they are written.
//
// Modules are found through relative paths, tsconfig.json (paths, rootDirs, references), package.json (workspaces, exports) and folders that
// are built from sources. The package reads each file alone; package codegraph links them.
package javascript
