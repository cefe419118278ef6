// Package training turns records of runs into data that a model can be trained on, and measures what the runs found.
//
//	run, err := training.Read("runs/flask-1.jsonl", file)
//	x := training.NewExporter(train, validation, &training.Options{Format: training.OpenAIChat, Status: []string{"done"}})
//	err = x.Add(run, nil)
//	fmt.Println(x.Report().Written)
//
// # What an example is
//
// A conversation of a record is what a model was sent and what it answered, so that a trained model sees what it will see. A request
// that rewrites the messages before it, as compaction does, begins another example. A run of steps without a model has no conversation:
// only the format [JSONL] keeps it, as a list of calls.
//
// # Guarantees
//
// The same records in the same order give the same bytes. Secrets are masked by internal/secrets; absolute paths and the names of home
// folders are replaced, the same path of a run by the same word. A line that [Check] refuses is not written. Runs of one repository are
// all in one of the two parts. An [Exporter] and a [Run] are for one goroutine.
//
// # Limits
//
// A record is bounded by package record, an example by 8 MB. Secrets without a form of their own, such as a password in a sentence, and
// names of people in the text are not found.
package training
