package selection

import "testing"

func TestFrame(t *testing.T) {
	for text, want := range map[string]frame{
		"why does Retry.next() hand back 0 on the first attempt?":                   {acts: actExplain, kinds: kindName | kindCode},
		"who calls `decode_tlv`":                                                    {acts: actUses, kinds: kindName | kindCode},
		"references to type OrderBook, tests included":                              {acts: actUses, kinds: kindName | kindCode},
		"what breaks if I rename flush()":                                           {acts: actEffect, kinds: kindName | kindCode},
		"Rename getUser to fetchUser everywhere, run the formatter and commit.":     {acts: actHands, kinds: kindName | kindCode},
		"please could you fix the crash":                                            {acts: actHands, kinds: kindCode},
		"Add a parameter to formatPrice() and pass it through from all call sites":  {acts: actHands, kinds: kindName | kindCode},
		"quote the requirement of RFC 9110":                                         {acts: actLookUp, kinds: kindSpec},
		"comparsion of the papers":                                                  {acts: actCompare, kinds: kindPaper}, // a slip
		"implment equation 7 of the article":                                        {acts: actBuild, kinds: kindPaper},
		"book a flight to the capital":                                              {acts: actHands, daily: true},
		"How many people live there?":                                               {acts: actFact},
		"is it safe to remove the battery while the laptop is on the kitchen table": {acts: actEffect | actCompare, daily: true},
		"": {},
		"I want to add a parameter to correlate; which code and tests are affected?": {acts: actHands | actEffect, kinds: kindCode},
	} {
		if got := readFrame(text, false); got != want {
			t.Errorf("%q: acts %b, kinds %b, daily %v; want %b, %b, %v", text, got.acts, got.kinds, got.daily, want.acts, want.kinds, want.daily)
		}
	}
}

func TestInEnglish(t *testing.T) {
	for task, want := range map[string]string{
		"Wo überall wird der Typ PatientRecord verwendet?": "where everywhere   type PatientRecord used?",
		"¿Quién llama a parse() en este proyecto?":         "¿who calls a parse()   proyecto?",
		"was it used where it is read":                     "was it used where it is read", // English
		"":                                                 "",
	} {
		if got := inEnglish(task); got != want {
			t.Errorf("%q: %q, want %q", task, got, want)
		}
	}
}
