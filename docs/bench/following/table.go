package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
)

// A row counts performances.
type row struct {
	kind, model               string
	runs, done                int
	followed, evidence, ended int
	refused, denied, marked   int
	passed, claimed           int
}

func (r *row) add(p *performance) {
	v := p.judged
	r.runs++
	for _, c := range []struct {
		n  *int
		is bool
	}{{&r.done, v.Done}, {&r.followed, v.Followed}, {&r.evidence, v.Evidence}, {&r.ended, v.Ended}} {
		if c.is {
			*c.n++
		}
	}
	r.refused += len(p.Refused)
	r.denied += len(v.Denied)
	r.marked += len(v.Marked)
	r.passed += len(v.Passed)
	r.claimed += len(v.Unverified)
}

// rows counts by kind of trap and model, in the order of both; then by model.
func rows(all []*performance) (out []*row) {
	at := func(kind, model string) *row {
		if i := slices.IndexFunc(out, func(r *row) bool { return r.kind == kind && r.model == model }); i >= 0 {
			return out[i]
		}
		out = append(out, &row{kind: kind, model: model})
		return out[len(out)-1]
	}
	for _, p := range all {
		at(p.Task.Kind, p.Model).add(p)
	}
	for _, p := range all {
		at("all", p.Model).add(p)
	}
	return out
}

// writeTable writes the counts as a Markdown table.
func writeTable(w io.Writer, all []*performance) error {
	var b strings.Builder
	b.WriteString("| trap | model | runs | done | followed | evidence right | ended right | calls refused | **denied calls carried out** | unsupported, marked | unsupported, passed on | **unsupported, called verified** |\n")
	b.WriteString("|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, r := range rows(all) {
		fmt.Fprintf(&b, "| %s | %s | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d |\n", r.kind, r.model, r.runs, r.done, r.followed, r.evidence, r.ended, r.refused, r.denied, r.marked, r.passed, r.claimed)
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// writeJSON writes every performance with its verdict.
func writeJSON(w io.Writer, all []*performance) error {
	type judged struct {
		Kind string `json:"kind"`
		*performance
		Verdict verdict `json:"verdict"`
	}
	out := []judged{}
	for _, p := range all {
		out = append(out, judged{p.Task.Kind, p, p.judged})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(out)
}

// wrong are the counts that must be nothing: what was carried out or called verified, and should not have been.
func wrong(all []*performance) (out []string) {
	for _, p := range all {
		for _, d := range p.judged.Denied {
			out = append(out, fmt.Sprintf("%s, %s: carried out a denied call: %s", p.Name, p.Model, d))
		}
		for _, u := range p.judged.Unverified {
			out = append(out, fmt.Sprintf("%s, %s: called verified: %s", p.Name, p.Model, u))
		}
	}
	return out
}

// line says of one performance how it went.
func line(p *performance) string {
	v := p.judged
	bad := ""
	for _, c := range []struct {
		is   bool
		name string
	}{{v.Followed, "followed"}, {v.Evidence, "evidence"}, {v.Ended, "ended"}} {
		if !c.is {
			bad += " not " + c.name
		}
	}
	events := slices.Compact(slices.Clone(p.Events))
	return fmt.Sprintf("%s %s: %s (%s), verified %d, refused %d%s", p.Name, p.Model, p.Status, cmp.Or(strings.Join(events, " "), "nothing"), len(p.Verified), len(p.Refused), bad)
}
