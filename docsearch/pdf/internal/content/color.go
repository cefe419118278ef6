package content

import (
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

func cmyk(args []lexer.Operand) (c [3]float64) {
	for i := range c {
		c[i] = (1 - math.Min(1, arg(args, 4, i))) * (1 - math.Min(1, arg(args, 4, 3)))
	}
	return c
}

// tinted reports whether the named colour space has one colorant of which 1 is the most ink (ISO 32000-1, 8.6.6.4).
func tinted(in *interp, args []lexer.Operand, res cos.Dict) bool {
	a := in.f.Array(in.f.Dict(res["ColorSpace"])[lastName(args)])
	return len(a) > 0 && (in.f.Name(a[0]) == "Separation" || in.f.Name(a[0]) == "DeviceN")
}

// anyColor reads a colour by the number of its components; tint says that one component counts ink.
func anyColor(args []lexer.Operand, tint bool) [3]float64 {
	switch {
	case len(args) == 1 && args[0].Kind == lexer.Number && tint:
		return [3]float64{1 - args[0].Num, 1 - args[0].Num, 1 - args[0].Num}
	case len(args) == 1 && args[0].Kind == lexer.Number:
		return [3]float64{args[0].Num, args[0].Num, args[0].Num}
	case len(args) == 3:
		return [3]float64{arg(args, 3, 0), arg(args, 3, 1), arg(args, 3, 2)}
	case len(args) == 4:
		return cmyk(args)
	}
	return [3]float64{.5, .5, .5} // a pattern: not white
}
