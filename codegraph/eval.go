package codegraph

type eval struct{ exprCount int32 }

type module struct{}

func (l *linker) resolve() error { return nil }
