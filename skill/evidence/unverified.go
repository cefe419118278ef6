package evidence

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

const maxMark = 200 // runes of a reason in a mark

var (
	// verdictMark is what MarkUnverified puts into a sentence.
	verdictMark = lazyregexp.New(" ?\\[not (?:supported|verified): `[^`\\n]*`\\]")

	// behindClaim is what may stand behind what a sentence says: its keys, its stop, and the end of a table's row.
	behindClaim = lazyregexp.New(`(?:[\s.,;!?|]|\[[^\[\]]*\])*$`)

	// inMark keeps a reason within its mark. That it is a code span keeps its stops from ending the sentence and its quotation marks from quoting.
	inMark = strings.NewReplacer("`", "'", "[", "(", "]", ")", "|", "/")
)

// MarkUnverified marks each sentence of a text that rests on documents which do not say so by their words, as [Judge] found of this text, with the reason in a code
// span before its keys: "[not supported: `REASON`]" where the evidence speaks against it, and "[not verified: `REASON`]" where words cannot tell. What rests on code or the
// result of a search alone has no mark, as nothing judged it. A sentence is judged without its mark, so that a marked text is judged as it was before.
func MarkUnverified(led *Ledger, text string, judged []Judgement) string {
	for _, j := range slices.Backward(judged) {
		if !j.Unverified(led) || verdictMark.MatchString(j.Sentence.Text) {
			continue
		}
		mark := "verified"
		if j.Verdict == Unsupported {
			mark = "supported"
		}
		at := j.Sentence.Start + behindClaim.FindStringIndex(j.Sentence.Text)[0]
		text = text[:at] + " [not " + mark + ": `" + inMark.Replace(clip(strings.Join(strings.Fields(j.Reason), " "), maxMark)) + "`]" + text[at:]
	}
	return text
}

// Unverified reports whether a sentence rests on documents, and they do not say so by their words.
func (j *Judgement) Unverified(led *Ledger) bool {
	return j.Verdict != Supported && slices.ContainsFunc(j.Keys, func(key string) bool {
		it, ok := led.Get(key)
		return ok && it.IsDocument()
	})
}
