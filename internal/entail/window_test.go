package entail

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// A page of a manual, whose words are those of many sentences that it does not say.
const manual = `## 1. Start

The controller starts from the inner flash and checks the image. If the check fails, the backup image of slot B is loaded. A start takes 4 s from the flash and 11 s from the network. The green lamp blinks twice while the image is checked, and the fan runs at full speed until the check has ended.

## 2. Power

The module draws 12 W when it is idle and 31 W under load. A supply of 24 V is needed; the pins of the supply are gold plated. Below 18 V the module switches itself off. The battery keeps the clock running for nine days, and the memory is lost after that.

Table 1. Cables of the module
| Cable | Length | Price |
|---|---|---|
| short | 2 m | €14 |
| long | 15 m | €52 |

## 3. Upkeep

The filter is washed every six months by the operator. The seals are replaced by the maker after five years, and the maker keeps a record of it for ten years. Spare filters are kept in the yellow box under the stairs. The operator reads the meter on the first Monday of the month and sends the value to the office in Lund. A module that was opened by anybody else has no warranty.

## 4. Alarms

A red lamp tells of a failure of the supply. The horn sounds for 30 s and then once a minute. An alarm that nobody answers within ten minutes is passed to the guard at the gate. Alarms are kept in the log for 90 days. The log has room for 5,000 entries.
`

func TestJudgeWindow(t *testing.T) {
	if countWords(manual) <= longEvidence {
		t.Fatalf("%d words", countWords(manual))
	}
	for _, tt := range []struct {
		sentence string
		want     Verdict
	}{
		{"The seals are replaced by the maker after five years.", Supported},                         // in the middle
		{"The operator washes the filter every six months.", Supported},                              // in other words
		{"A start takes 4 s from the flash, and alarms are kept in the log for 90 days.", Supported}, // of two places
		{"The long cable is 15 m long and costs €52.", Supported},                                    // a row of the table
		{"The manual says that \"the horn sounds for 30 s and then once a minute\".", Supported},     // a quotation
		{"The long cable is 2 m long and costs €52.", Unsupported},                                   // another row
		{"A start takes 11 s from the flash.", Unsupported},                                          // another number of the sentence
		{"Alarms of the fan are passed to the maker in Lund and kept for nine days.", Undecided},     // of three places and more
		{"The horn sounds when the filter in the yellow box fails and the battery has less than 18 V.", Unsupported},
	} {
		got := Judge(tt.sentence, manual)
		if got.Verdict != tt.want {
			t.Errorf("%s\n%s (%s), want %s", tt.sentence, got.Verdict, got.Reason, tt.want)
		}
	}
}

func TestNearby(t *testing.T) {
	for _, tt := range []struct {
		sentence   string
		want, none []string
	}{
		{"The long cable costs €52.", []string{"Table 1. Cables", "| short | 2 m"}, []string{"gold plated", "Upkeep"}},
		{"The memory is lost after nine days.", []string{"nine days"}, []string{"gold plated", "Table 1"}},
		{"The log has 5,000 entries, and a supply of 24 V is needed.", []string{"5,000", "24 V"}, []string{"Lund", "flash"}},
		{"The horn, it says, sounds for \"30 s and then once a minute. An alarm that nobody answers\".", []string{"The horn sounds for 30 s", "An alarm that nobody"}, []string{"Lund"}},
	} {
		j := &judge{reader: NewReader(), claim: read(tt.sentence)}
		got := strings.Join(j.nearby([]string{"A short piece stays.", manual}), "\n---\n")
		for _, w := range append(tt.want, "A short piece stays.") {
			if !strings.Contains(got, w) {
				t.Errorf("%s: %q is not in\n%s", tt.sentence, w, got)
			}
		}
		for _, w := range tt.none {
			if strings.Contains(got, w) {
				t.Errorf("%s: %q is in\n%s", tt.sentence, w, got)
			}
		}
	}
}

// The reason does not say that a word is missing which stands in another place of the page.
func TestJudgeElsewhere(t *testing.T) {
	got := Judge("A start takes 90 days from the flash and 11 s from the network.", manual)
	if got.Verdict != Unsupported || !strings.Contains(got.Reason, `"90 days" is in the evidence, but not where`) {
		t.Errorf("%s (%s)", got.Verdict, got.Reason)
	}
	if got := Judge("A start takes 6 s from the flash and 11 s from the network.", manual); got.Verdict != Unsupported || !strings.Contains(got.Reason, "is not in the evidence") {
		t.Errorf("%s (%s)", got.Verdict, got.Reason)
	}
}

// A page may be cut anywhere, and be without sentences.
func TestJudgeCutPage(t *testing.T) {
	for at := 0; at < len(manual); at += 7 {
		page := manual[at:] + "\n" + manual[:at]
		Judge("The long cable is 15 m long, and the log says \"μ: the horn sounds\".", page, "| a | b |\n"+page)
	}
	for _, page := range []string{strings.Repeat("| 1 | 2 ", 200), strings.Repeat("#\n\n", 300) + strings.Repeat("7 ", 300), strings.Repeat("word ", 300), strings.Repeat("\xff. ", 900)} {
		for _, sentence := range []string{"It is.", "", "The word is 7 of 2.", "“word word word”"} {
			Judge(sentence, page)
		}
	}
}

func BenchmarkJudgePage(b *testing.B) {
	page := manual + strings.Repeat("A line of the page is about something else, as most of them are. ", 30) // some 4,000 bytes
	for b.Loop() {
		Judge("The seals are replaced by the maker after five years, and a record of it is kept.", page)
	}
}

// TestReader: a reader that has seen a text judges as one that has not, and no sentence leaves anything in what it keeps.
func TestReader(t *testing.T) {
	r := NewReader()
	short, mended := "Volta runs at 12 kHz. The sym-\nbols end at noon.", "Volta runs at 12 kHz. The symbols end at noon."
	kept := map[string]*reading{}
	for _, s := range []string{
		"The Volta and the Symbols end at noon.", "The volta ends at noon.", "The sym-bols end at noon.", "Volta runs at 13 kHz.",
		"The long cable costs €52.", "The memory is lost after nine days.", "The memory is lost after ten days.", "Frogs croak.",
	} {
		if diff := cmp.Diff(Judge(s, short, manual), r.Judge(s, short, manual)); diff != "" {
			t.Errorf("%s (-new +used):\n%s", s, diff)
		}
		for _, e := range []string{mended, manual} {
			x, ok := r.texts.Get(e)
			if !ok || kept[e] != nil && x != kept[e] {
				t.Fatalf("%s: %.20q was not kept, or was read again", s, e)
			}
			kept[e] = x
			if diff := cmp.Diff(read(e).toks, x.toks, cmp.AllowUnexported(token{})); diff != "" {
				t.Errorf("%s changed what is kept (-fresh +kept):\n%s", s, diff)
			}
		}
	}
}

func TestMended(t *testing.T) {
	const text = "slow- and\nthe sym-\nbols and base- line end"
	for _, tt := range [][2]string{
		{"The symbols end.", "slow- and\nthe symbols and baseline end"},
		{"The base-line ends.", "slow- and\nthe symbols and base-line end"},
	} {
		if got := mended(text, tt[0]); got != tt[1] {
			t.Errorf("%s: %q, want %q", tt[0], got, tt[1])
		}
	}
}
