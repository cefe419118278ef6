package entail

import (
	"strings"
	"testing"
)

// judgedAs checks the verdicts on sentences by one piece of evidence.
func judgedAs(t *testing.T, evidence string, want map[string]Verdict) {
	t.Helper()
	for sentence, v := range want {
		if got := Judge(sentence, evidence); got.Verdict != v {
			t.Errorf("%s\n%s (%s), want %s", sentence, got.Verdict, got.Reason, v)
		}
	}
}

// A page has many numbers, which add up to nearly any other: a sum, a difference or a ratio counts there where the two stand together.
func TestJudgePage(t *testing.T) {
	const page = "At half a subcarrier this is 3.9 dB; at one subcarrier the peak is gone. A crystal with an error of 10 ppm at 3.5 GHz is off by 35 kHz, more than one subcarrier of 30 kHz, so that a receiver has to try several values. " +
		"A finer grid costs more transforms and gains next to nothing. A peak counts as a detection when it is 14 times the noise floor.\n" +
		"Table 1: Share of right detections and identities, and mean error of the frequency offset in subcarriers, 100 trials a row. SNR Detected with Identified Frequency (dB) 1 hyp. 5 hyp. with 5 hyp. error\n" +
		"−12 0.74 0.89 0.14 0.086\n−9 0.95 1.00 0.48 0.067\n−6 1.00 1.00 0.80 0.048\n−3 1.00 1.00 0.97 0.034\n0 1.00 1.00 1.00 0.024\n3 1.00 1.00 1.00 0.017\n" +
		"A buffer of some two thousand lags, three references and five overlapping hypotheses then raises a false alarm in a few of a hundred buffers. The first run took 40 minutes, the second 55 minutes."
	judgedAs(t, page, map[string]Verdict{
		"At half a subcarrier this is 3.9 dB.":                                       Supported,
		"At half a subcarrier this is 2.9 dB.":                                       Unsupported,
		"At half a subcarrier the loss is 3.9 MHz.":                                  Unsupported,
		"A peak counts as a detection when it is 14 times the noise floor.":          Supported,
		"A peak counts as a detection when it is at least 12 times the noise floor.": Undecided,
		"The second run took 15 minutes longer than the first.":                      Supported,
	})
}

// A sentence that is cut out from behind its condition says more than the evidence.
func TestJudgeBehindCondition(t *testing.T) {
	const modem = "We plan to measure the antenna in March. If the link fails, the modem shall wait 30 s before it tries again. It then sends a report."
	judgedAs(t, modem, map[string]Verdict{
		"The modem shall wait 30 s before it tries again.":                          Undecided,
		"It says that \"the modem shall wait 30 s before it tries again\".":         Supported, // as a quotation
		"If the link fails, the modem shall wait 30 s before it tries again.":       Supported,
		"When the link fails, \"the modem shall wait 30 s before it tries again\".": Supported,
		"It then sends a report.": Supported,
	})
}

// A table of a page without its lines is one long sentence, where the nearest number of a kind may be that of a head.
func TestJudgeRunOfNumbers(t *testing.T) {
	const page = "One attempt thus takes 20 ms of listening. Table 2: Listening time for a full search of a band, one frequency after another\nWidth of the\nband Step Places 1 burst set (20\nms) 4 burst sets (80\nms)\n" +
		"20 MHz 1.44 MHz 13 0.26 s 1.04 s\n100 MHz 1.44 MHz 69 1.38 s 5.52 s\n500 MHz 1.44 MHz 347 6.94 s 27.76 s\n3 GHz 17.28 MHz 173 3.46 s 13.84 s\n"
	for _, sentence := range []string{"With one burst set, a full search of a 500 MHz band takes 6.94 s of listening.", "A full search of a 500 MHz band takes 27.76 s with 4 burst sets."} {
		if got := Judge(sentence, page); got.Verdict == Unsupported {
			t.Errorf("%s\n%s (%s)", sentence, got.Verdict, got.Reason)
		}
	}
}

// The reason names the number that is meant, not the first of the evidence.
func TestJudgeNamesTheNumber(t *testing.T) {
	const budget = "The noise figure of the receiver is six decibels. The antenna gain is 12 dBi, and cable losses are 1.5 dB. In 2021 the cables were renewed."
	const schools = "Table 1. Projected numbers for enrollment [In thousands]\nYear Total Public\n2021 58,444 53,113\n"
	for _, tt := range []struct {
		sentence, evidence string
		want               Verdict
		reason             string
	}{
		{"Cable losses are 15 dB.", budget, Unsupported, `which has "1.5 dB"`},
		{"The noise figure is 16 decibels.", budget, Unsupported, `which has "six decibels"`},
		{"Public enrollment is 53,113 thousand in 2021.", schools, Undecided, `as "53,113"`},
		{"Public enrollment is 53,114 thousand in 2021.", schools, Unsupported, "is not in the evidence"},
	} {
		if got := Judge(tt.sentence, tt.evidence); got.Verdict != tt.want || !strings.Contains(got.Reason, tt.reason) {
			t.Errorf("%s\n%s (%s), want %s (%s)", tt.sentence, got.Verdict, got.Reason, tt.want, tt.reason)
		}
	}
}
