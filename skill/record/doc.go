// Package record is the event log of a run: one JSON object a line, written while the run happens.
//
// A runner and an agent write records; [Read] returns their events in order, each a pointer to a type of this package, such as
// [Call], [Result] or [Outcome].
//
//	for e, err := range record.Read(file) {
//		if err != nil {
//			return err
//		}
//		if c, ok := e.(*record.Call); ok {
//			fmt.Println(c.N, c.Tool, c.By)
//		}
//	}
//
// [Measure] computes the numbers of a run from its events, and [Diff] shows where two runs differ. A host that has its own loop
// writes a record with a [Writer].
//
// A record is self-contained: a run can be replayed from it without a model, tools or network. Reading ends with an [*Error] at
// the first line that is damaged, missing, out of order or cut off by a crash, after the events before it. Records of format 2
// are read; docs/formats.md describes the lines.
package record
