package procedure

import "testing"

// TestOrdered: what is told in the third person or the passive is the order that it would be; what tells of something else stays.
func TestOrdered(t *testing.T) {
	for text, want := range map[string]string{
		"The clerk reads the form":                            "active clerk: read the form",
		"It opens the card of the series":                     "active it: open the card of the series",
		"Two persons compare 30 fares":                        "active persons: compare 30 fares",
		"We search the code":                                  "active we: search the code",
		"The section chief puts the stamp on it":              "active chief: put the stamp on it",
		"The form is read by the clerk":                       "passive form: read the form by the clerk",
		"The paragraphs are to be looked up in the manual":    "passive paragraphs: look up the paragraphs in the manual",
		"A dated note shall be added at its foot":             "passive note: add a dated note at its foot",
		"Assignment letter to be read":                        "passive letter: read assignment letter",
		"The changes must then be written down":               "passive changes: write down the changes",
		"The archive is carefully unpacked":                   "", // no verb of the lexicon
		"The lamp is green":                                   "",
		"The server that runs the tests":                      "",
		"The form is not read":                                "",
		"The list of reports":                                 "",
		"The reports":                                         "",
		"Read the form":                                       "",
		"The report is what the clerk reads when she is done": "",
		"The state is set":                                    "passive state: set the state",
		"":                                                    "",
		"Élan is opened":                                      "passive élan: open élan",
		"Élise carries out the tests":                         "active élise: carry out the tests",
		"§ is read":                                           "passive §: read §",
		"SQL is tested":                                       "passive sql: test SQL",
		"Nobody edits the file":                               "", // it would be the opposite
		"None of the files is changed":                        "",
		"Neither clerk reads the form":                        "",
		"The clerk rarely reads the form":                     "",
		"The form is hardly read":                             "",
		"What is found is written into the table":             "",
		"The form could be read":                              "",
		"Two reports list the dose":                           "active reports: list the dose",
		"The editor copies the tables":                        "active editor: copy the tables",
		"The clerk watches the screen":                        "active clerk: watch the screen",
		"The tests are carried out in full":                   "passive tests: carry out the tests in full",
	} {
		got, told := ordered(text)
		if told.voice != "" {
			got = told.voice + " " + told.subject + ": " + got
		} else if got == text {
			got = ""
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestTold: steps that are told, and signs before items that are not Markdown's.
func TestTold(t *testing.T) {
	for text, want := range map[string][]Kind{
		"1. The clerk reads the manual and runs the tests.\n2. The change is written.\n3. The result is sent to the editor.": {ReadOne, Run, Write, Answer},
		"1. The form is read, then checked against the register, and signed.":                                                {ReadOne, Check, Approve},
		"1. The papers are searched and written copies are filed.":                                                           {SearchDocs},
		"☐ Run the tests.\n☐ Write the report.\n":                                                                            {Run, Write},
		"▸ search the papers\n▸ run the tests":                                                                               {SearchDocs, Run},
		"§ 1. Search the papers.\n§ 2. Run the tests.":                                                                       {SearchDocs, Run},
		"# About the change of a table\n\nSearch the papers.":                                                                {SearchDocs},
		"# About\n\nSearch the papers.":                                                                                      nil,
		"# About the change of a table\n\nSearch the papers.\n# Work":                                                        nil,
		"Step 1: Search the papers.\nRun the tests.":                                                                         {SearchDocs, Run},
	} {
		var got []Kind
		for _, st := range Read(text, 1).Steps {
			got = append(got, st.Kind)
		}
		if len(got) != len(want) {
			t.Errorf("%q: %v, want %v", text, got, want)
			continue
		}
		for i := range got {
			if got[i] != want[i] {
				t.Errorf("%q: %v, want %v", text, got, want)
			}
		}
	}
}
