// Package record is what is written of a run while it happens: an event log with one JSON object a line.
//
// A runner and an agent write records; [Read] gives their events back, of which each is a pointer to a type of this package, such
// as [Call], [Result] or [Outcome].
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
// [Measure] computes the numbers of a run from its events, and [Diff] shows where two runs part. [Writer] writes the record
// of a loop that is a host's own.
//
// A record is whole: with it a run is done again without model, tools or network. A line that is damaged, missing or moved is an
// [*Error] with its number. Records of format 2 are read; docs/formats.md describes the lines.
package record
