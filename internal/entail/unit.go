package entail

import (
	"strings"
	"sync"
)

// A unit is a factor of a base unit; quantities with the same base can be compared.
type unit struct {
	base   string
	factor float64
}

// prefixes are those of the SI, with their names.
var prefixes = []struct {
	sign, name string
	factor     float64
}{{"p", "pico", 1e-12}, {"n", "nano", 1e-9}, {"µ", "micro", 1e-6}, {"m", "milli", 1e-3}, {"c", "centi", 1e-2}, {"d", "deci", 1e-1}, {"", "", 1}, {"h", "hecto", 1e2}, {"k", "kilo", 1e3}, {"M", "mega", 1e6}, {"G", "giga", 1e9}, {"T", "tera", 1e12}}

// units are by their spellings; words are in lower case.
var units = sync.OnceValue(func() map[string]unit {
	m := map[string]unit{}
	add := func(base string, factor float64, spellings string) {
		for w := range strings.FieldsSeq(spellings) {
			m[w] = unit{base, factor}
		}
	}
	// The base, the signs and the names of units that take prefixes; without those that mean something else or that nobody writes.
	for _, line := range strings.Split(`s=s sec=second seconds
Hz=Hz=hertz
B=B=byte bytes
bit=bit=bit bits
bit/s=bit/s bps b/s=
B/s=B/s Bps=
S/s=S/s sps SPS=
g=g=gram grams gramme grammes
m=m=metre metres meter meters
m²=m²=
m³=m³=
W=W=watt watts
V=V=volt volts
A=A=ampere amperes amp amps
Ah=Ah=
Pa=Pa=pascal pascals
bar=bar=bar bars
J=J=joule joules
Wh=Wh=watt-hour watt-hours
N=N=newton newtons
l=l L=litre litres liter liters
Ω=Ω=ohm ohms
F=F=farad farads
eV=eV=
mol=mol=mole moles
M=mol/l=
Sv=Sv=sievert sieverts
Bq=Bq=becquerel becquerels
T=T=tesla
pc=pc=parsec parsecs
Jy=Jy=
lx=lx=lux
K=K=kelvin kelvins`, "\n") {
		parts := strings.Split(line, "=")
		for _, p := range prefixes {
			for sign := range strings.FieldsSeq(parts[1]) {
				factor := p.factor
				switch parts[0] {
				case "m²":
					factor *= p.factor
				case "m³":
					factor *= p.factor * p.factor
				}
				if w := p.sign + sign; m[w].base == "" {
					m[w] = unit{parts[0], factor}
				}
			}
			if p.name != "" && (p.name == "hecto" || p.name == "deci") && parts[0] != "l" {
				continue
			}
			for name := range strings.FieldsSeq(parts[2]) {
				m[p.name+name] = unit{parts[0], p.factor}
			}
		}
	}
	for _, w := range strings.Fields("T pT nT cT dT hT kT MT GT TT cm³ ha Mpc dB cK dK hK kK MK GK TK pm cd hs ds ps cs F cF dF hF kF MF GF TF M cM dM hM kM MM GM TM") { // hours of day and such are no units with prefixes
		delete(m, w)
	}
	add("m³", 1e-6, "cm³ cc")
	add("m", 1e-6, "micron microns")
	add("m", 0.0254, "inch inches")
	add("m", 0.3048, "ft foot feet")
	add("m", 1609.344, "mi mile miles")
	add("m", 1852, "nmi NM")
	add("pc", 1e6, "Mpc")
	add("s", 1e-12, "ps")
	add("m", 1e-12, "pm")
	add("s", 1e-6, "us")
	add("s", 60, "min mins minute minutes")
	add("s", 3600, "h hr hrs hour hours")
	add("s", 86400, "d day days")
	add("s", 7*86400, "week weeks wk")
	add("month", 1, "month months")
	add("month", 3, "trimester trimesters")
	add("month", 12, "year years yr yrs")
	add("month", 120, "decade decades")
	add("B", 1e3, "KB")
	add("B", 1<<10, "KiB kibibyte kibibytes")
	add("B", 1<<20, "MiB mebibyte mebibytes")
	add("B", 1<<30, "GiB gibibyte gibibytes")
	add("B", 1<<40, "TiB tebibyte tebibytes")
	add("g", 1e3, "kilo kilos")
	add("g", 1e6, "t tonne tonnes ton tons")
	add("g", 453.592, "lb lbs")
	add("°C", 1, "°C ℃")
	add("°F", 1, "°F ℉")
	add("°", 1, "° degree degrees deg")
	add("dB", 1, "dB decibel decibels")
	add("cent", 1, "cent cents")
	for _, c := range []struct{ code, spellings string }{{"€", "€ euro euros EUR"}, {"$", "$ dollar dollars USD"}, {"£", "£ pound pounds GBP"}, {"SEK", "SEK kronor krona"}, {"NOK", "NOK"}, {"DKK", "DKK"}, {"CHF", "CHF franc francs"}, {"JPY", "JPY ¥ yen"}, {"INR", "INR ₹ rupee rupees"}, {"CNY", "CNY yuan"}} {
		add(c.code, 1, c.spellings)
		if code := strings.Fields(c.spellings); len(code[len(code)-1]) == 3 || len(c.code) == 3 {
			name := c.code
			if len(name) != 3 {
				name = code[len(code)-1]
			}
			add(c.code, 1e3, "T"+name+" k"+name)
			add(c.code, 1e6, "M"+name)
			add(c.code, 1e9, "B"+name)
		}
	}
	add("%", 1, "% percent pct pp")
	add("%", 0.1, "‰")
	add("ha", 1, "ha hectare hectares")
	add("ppm", 1, "ppm")
	add("ppm", 1e-3, "ppb")
	for _, u := range strings.Fields("dBm dBi dBc dBµV/m dBµV dBFS dBW mmHg arcsec mag rpm AU knots kn") {
		m[u] = unit{u, 1}
	}
	return m
})

// unitOf finds a unit by its spelling.
func unitOf(s string) (unit, bool) {
	if u, ok := units()[s]; ok {
		return u, true
	}
	if len(s) > 3 {
		u, ok := units()[strings.ToLower(s)]
		return u, ok
	}
	return unit{}, false
}

func unitLike(s string) bool { _, ok := unitOf(s); return ok }
