package entail

import (
	"strings"
	"testing"
	"time"
)

func TestJudge(t *testing.T) {
	const (
		radio = "The KR-240S is the same receiver with a preselector. IF rejection is at least 85 dB in the KR-240 and at least 100 dB in the KR-240S. Neither variant transmits."
		plans = "| Plan | Buckets | Transfer per month | Support answer within |\n|---|---|---|---|\n| Free | 3 | 20 GB | - |\n| Team | 50 | 2 TB | 2 working days |\n| Business | 500 | 25 TB | 4 hours |\n"
		money = "| Item | 2023 (€ million) | 2024 (€ million) |\n|---|---|---|\n| Roads | 4.2 | 3.9 |\n| Schools | 11.5 | 12.8 |\n"
	)
	for _, tt := range []struct {
		sentence string
		evidence string
		want     Verdict
	}{
		// numbers and units
		{"The timeout is 1,500 ms.", "A timeout of 1.5 seconds applies.", Supported},
		{"The timeout is 15 ms.", "A timeout of 1.5 seconds applies.", Unsupported},
		{"About 31 % of the requests failed.", "31.2 % of the requests failed.", Supported},
		{"Sixteen banks hold the channels.", "The channels are held in 16 banks.", Supported},
		{"The dose is 12 kg per hectare.", "The dose is 12 kg/ha.", Supported},
		{"The grant was €4.2 million.", "The grant was 4,200,000 euros.", Supported},
		{"Half of the samples were wet.", "50 % of the samples were wet.", Supported},
		{"The trip takes an hour and five minutes.", "The trip takes 65 minutes.", Supported},
		{"The oven reaches 250 °C.", "The oven reaches 220 °C.", Unsupported},
		{"It fires at a threshold of 17 times the floor.", "Three steps follow. It fires at a threshold of 14 times the floor.", Undecided}, // 14 + 3, but "times" says no sum
		{"It fires when the value exceeds 17 times the floor.", "Three steps follow. It fires when the value exceeds 14 times the floor.", Undecided},
		{"The north exceeds the south by 17 m.", "The north has 40 m, the south 23 m.", Supported},
		{"Sales are three times those of 2022.", "Sales were 4,100 in 2022, and 12,300 since.", Supported},
		{"The detector uses 12 times the floor.", "The detector of HS-12 uses 14 times the floor.", Undecided},
		// bounds
		{"At most eight clients may connect.", "No more than 8 clients may connect.", Supported},
		{"At least eight clients may connect.", "No more than 8 clients may connect.", Unsupported},
		{"The key may not be longer than 64 bytes.", "The key has at most 64 bytes.", Supported},
		{"Values below 1,000 are cut to 1,000.", "Values above 1,000 are cut to 1,000.", Unsupported},
		// negation and opposites
		{"The option is available for the small model.", "The option is not available for the small model.", Unsupported},
		{"The option is not available for the small model.", "The option is not available for the small model.", Supported},
		{"Images are still created in the folder.", "Images are no longer created in the folder.", Unsupported},
		{"Reads grow faster with the cache.", "Reads grow slower with the cache.", Unsupported},
		// names and what belongs to them
		{"IF rejection is at least 100 dB in the KR-240S.", radio, Supported},
		{"The KR-500 does not transmit.", radio, Unsupported},
		{"Primary batteries are covered by Part 4, chargers by Part 3.", "Primary batteries are covered by Part 3, and chargers are covered by Part 4.", Unsupported},
		{"Weber from the cart team noticed two connections at noon.", "Weber leads the team. At noon J. Brandt from the cart team noticed two connections.", Unsupported},
		// tables
		{"The Team plan has 50 buckets and 2 TB of transfer per month.", plans, Supported},
		{"The Free plan has 50 buckets.", plans, Unsupported},
		{"On the Team plan support answers within 4 hours.", plans, Unsupported},
		{"Schools cost 12.8 million euros in 2024.", money, Supported},
		// all and some, plans, conditions, causes
		{"All samples were dry.", "Most samples were dry.", Unsupported},
		{"A repeater was installed in autumn.", "The authority plans to install a repeater in autumn.", Unsupported},
		{"A repeater is to be installed in autumn.", "The authority plans to install a repeater in autumn.", Supported},
		{"Replaced objects are kept as old versions.", "Replaced objects are kept as old versions only if versioning is enabled.", Unsupported},
		{"The pump failed because the valve was stuck.", "The valve was stuck because the pump failed.", Unsupported},
		// quotations
		{"The text says that “the module keeps the time”.", "If there is a fix, the module keeps the time.", Supported},
		{"The text says that “the module keeps the time”.", "The module keeps the time, but only while it is warm.", Unsupported},
		{"It is plain that “option A is […] available”.", "Option A is not available.", Unsupported},
		{"It says: “The first is red. … The third is blue.”", "The first is red. The second is green. The third is blue.", Supported},
		{"It says: “The first is red. … The fourth is white.”", "The first is red. The second is green. The third is blue. The fourth is white.", Unsupported},
		{"After nine seconds the relay drops the link to the mast.", "The relay drops the link to the mast after nine seconds unless a beacon has been heard.", Unsupported},
		{"The valve closes at 8 bar, even if the pump is off.", "The valve closes at 8 bar unless the pump is off.", Unsupported},
		{"The margin was 12.5 %.", "Without the costs of the new plant the margin would have been 12.5 %.", Unsupported},
		{"The pump failed because the fuse was old.", "The pump failed because the valve was stuck. The fuse was old.", Unsupported},
		// who does what, and what is left out
		{"The mast was removed by the operator.", "The City removed the mast after the storm. The operator paid for it.", Unsupported},
		{"Deleted objects of a bucket cannot be recovered by the owner.", "Deleted objects of a frozen bucket cannot be recovered by the owner.", Undecided},
		{"The small cable of the pump lies under the large wall of the station.", "The large cable of the pump lies under the small wall of the station.", Undecided},
		// words that the ends of lines divide
		{"Each block has four symbols of 240 subcarriers.", "Each block has four sym- bols of 240 sub-\ncarriers.", Supported},
		{"A two- and three-way split is tested.", "A two- and three-way split is tested.", Supported},
		// words that the evidence does not have
		{"Whoever lingers pays a fine to the harbour master.", "Ships that stay too long are charged.", Undecided},
		{"", "Ships that stay too long are charged.", Supported},
	} {
		got := Judge(tt.sentence, tt.evidence)
		if got.Verdict != tt.want || (got.Reason == "") != (got.Verdict == Supported) {
			t.Errorf("%q by %q: %s (%s), want %s", tt.sentence, tt.evidence, got.Verdict, got.Reason, tt.want)
		}
	}
}

// A copy is what words support alone where a model is at hand.
func TestCopy(t *testing.T) {
	const text = "The pump, a small one, has two valves of brass. It was tested in May, and the pipe leaks at night."
	for sentence, want := range map[string]bool{
		"It was tested in May, and the pipe leaks at night.":    true,  // verbatim
		"The pump, a small one, has 2 valves of brass [D1].":    true,  // but for a number's form
		"The pipe leaks at night.":                              true,  // a whole clause
		"The text says that “has two valves of brass”.":         true,  // a quotation
		"The pump has two brass valves.":                        false, // in another order
		"The pump has two valves of brass.":                     false, // something between is left out
		"It has two valves.":                                    false, // something behind is
		"The pipe leaks by night, and it was trialled in May.":  false, // in another order
		"The pump, a tiny one, has two valves of brass.":        false, // another word that says the same
		"The pipe leaks at night and was tested in May.":        false, // of two clauses
		"The pipe leaks at night, and the pump has two valves.": false, // one of two is
	} {
		got := Judge(sentence, text)
		if got.Copy != want || got.Copy && got.Verdict != Supported {
			t.Errorf("%q: %s (%s), copy %v", sentence, got.Verdict, got.Reason, got.Copy)
		}
	}
}

// Of several rows that a claim names before a comparison, the nearest is compared, each time.
func TestNearestRow(t *testing.T) {
	for range 50 {
		if got := Judge("Unlike Alpha, the Beta is heavier than the Gamma, and so is Delta.", "| Model | Weight (kg) |\n|---|---|\n| Alpha | 1 |\n| Beta | 5 |\n| Gamma | 3 |\n| Delta | 6 |\n"); got.Verdict != Supported {
			t.Fatalf("%+v", got)
		}
	}
}

// What is hostile takes no long time.
func TestJudgeBounds(t *testing.T) {
	for _, sentence := range []string{strings.Repeat("5 kg ", 700), strings.Repeat("A 1, ", 700), strings.Repeat("not ", 900), strings.Repeat("“a b c” ", 300)} {
		start := time.Now()
		Judge(sentence, strings.Repeat("A has 5 kg, not 1. ", 3000))
		t.Logf("%.20q: %v", sentence, time.Since(start))
	}
	if j := Judge(strings.Repeat("a ", 3000), "a"); j.Verdict != Undecided {
		t.Errorf("%+v", j)
	}
}

// FuzzJudge judges any text by any other.
func FuzzJudge(f *testing.F) {
	f.Add("The Team plan has 50 buckets, at most.", "| Plan | Buckets |\n|---|---|\n| Team | 50 |\n")
	f.Add("“A … b” is −5 µV or half of `x`", "A is not 1,000.5 kg/ha, and b is.\n\nIf c, d.")
	f.Fuzz(func(t *testing.T, sentence, evidence string) {
		if len(sentence)+len(evidence) > 4000 {
			return
		}
		j := Judge(sentence, evidence)
		if (j.Reason == "") != (j.Verdict == Supported) || j.Copy && j.Verdict != Supported {
			t.Errorf("%+v", j)
		}
	})
}

func BenchmarkJudge(b *testing.B) {
	for b.Loop() {
		Judge("IF rejection is at least 100 dB in the KR-240S, which does not transmit.", "The KR-240S is the same receiver with a preselector. IF rejection is at least 85 dB in the KR-240 and at least 100 dB in the KR-240S. Neither variant transmits.")
	}
}
