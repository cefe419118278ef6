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

// units are by their spellings; words are in lower case.
var units = sync.OnceValue(func() map[string]unit {
	m := map[string]unit{}
	add := func(base string, factor float64, spellings string) {
		for w := range strings.FieldsSeq(spellings) {
			m[w] = unit{base, factor}
		}
	}
	add("s", 1e-9, "ns nanosecond nanoseconds")
	add("s", 1e-6, "µs us microsecond microseconds")
	add("s", 1e-3, "ms millisecond milliseconds")
	add("s", 1, "s sec second seconds")
	add("s", 60, "min minute minutes")
	add("s", 3600, "h hr hour hours")
	add("s", 86400, "d day days")
	add("s", 7*86400, "week weeks wk")
	add("month", 1, "month months")
	add("month", 12, "year years yr")
	add("Hz", 1, "Hz hertz")
	add("Hz", 1e3, "kHz kilohertz")
	add("Hz", 1e6, "MHz megahertz")
	add("Hz", 1e9, "GHz gigahertz")
	add("B", 1, "B byte bytes")
	add("B", 1e3, "kB KB kilobyte kilobytes")
	add("B", 1e6, "MB megabyte megabytes")
	add("B", 1e9, "GB gigabyte gigabytes")
	add("B", 1e12, "TB terabyte terabytes")
	add("B", 1<<10, "KiB kibibyte kibibytes")
	add("B", 1<<20, "MiB mebibyte mebibytes")
	add("B", 1<<30, "GiB gibibyte gibibytes")
	add("B", 1<<40, "TiB tebibyte tebibytes")
	add("bit", 1, "bit bits")
	add("bit/s", 1, "bit/s bps")
	add("bit/s", 1e3, "kbit/s kbps")
	add("bit/s", 1e6, "Mbit/s Mbps")
	add("bit/s", 1e9, "Gbit/s Gbps")
	add("S/s", 1e3, "kS/s")
	add("S/s", 1e6, "MS/s")
	add("S/s", 1e9, "GS/s")
	add("g", 1e-6, "µg microgram micrograms")
	add("g", 1e-3, "mg milligram milligrams")
	add("g", 1, "g gram grams")
	add("g", 1e3, "kg kilogram kilograms kilo kilos")
	add("g", 1e6, "t tonne tonnes")
	add("m", 1e-9, "nm nanometre nanometres nanometer nanometers")
	add("m", 1e-6, "µm micron microns micrometre micrometres micrometer micrometers")
	add("m", 1e-3, "mm millimetre millimetres millimeter millimeters")
	add("m", 1e-2, "cm centimetre centimetres centimeter centimeters")
	add("m", 1, "m metre metres meter meters")
	add("m", 1e3, "km kilometre kilometres kilometer kilometers")
	add("W", 1e-3, "mW milliwatt milliwatts")
	add("W", 1, "W watt watts")
	add("W", 1e3, "kW kilowatt kilowatts")
	add("W", 1e6, "MW megawatt megawatts")
	add("V", 1e-6, "µV microvolt microvolts")
	add("V", 1e-3, "mV millivolt millivolts")
	add("V", 1, "V volt volts")
	add("V", 1e3, "kV kilovolt kilovolts")
	add("A", 1e-3, "mA milliampere milliamperes")
	add("A", 1, "A ampere amperes amp amps")
	add("°C", 1, "°C ℃")
	add("K", 1, "K kelvin kelvins")
	add("°", 1, "° degree degrees deg")
	add("Pa", 1, "Pa pascal pascals")
	add("Pa", 1e3, "kPa kilopascal kilopascals")
	add("Pa", 1e6, "MPa megapascal megapascals")
	add("Pa", 1e9, "GPa gigapascal gigapascals")
	add("Pa", 1e5, "bar bars")
	add("J", 1, "J joule joules")
	add("J", 1e3, "kJ kilojoule kilojoules")
	add("J", 3.6e6, "kWh")
	add("J", 3600, "Wh watt-hour watt-hours")
	add("N", 1, "N newton newtons")
	add("N", 1e3, "kN")
	add("l", 1e-3, "ml millilitre millilitres milliliter milliliters")
	add("l", 1, "l litre litres liter liters")
	add("Ω", 1, "Ω ohm ohms")
	add("dB", 1, "dB decibel decibels")
	add("€", 1, "€ euro euros EUR")
	add("cent", 1, "cent cents")
	add("$", 1, "$ dollar dollars USD")
	add("£", 1, "£ pound pounds GBP")
	add("%", 1, "% percent pct pp")
	add("%", 0.1, "‰")
	add("ha", 1, "ha hectare hectares")
	add("ppm", 1, "ppm")
	add("ppm", 1e-3, "ppb")
	for _, u := range strings.Fields("dBm dBi dBc dBµV/m dBµV mmHg m³ m² mJy arcsec mag rpm Mpc kpc pc AU eV keV MeV GeV") {
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
