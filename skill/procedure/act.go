package procedure

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// denials are words of what is forbidden, by kind, looked for in this order where no verb tells.
var denials = []struct {
	kind Kind
	form *lazyregexp.Regexp
}{
	{Write, lazyregexp.New(`(?i)\b(?:code|coding|lines?|files?|repository|repo|branch(?:es)?|pull requests?|source|config\w*|schema|codebase|scripts?|keyboard|keystroke|editor|changes?|action|happens?|programming|package|project|touches|database)\b|\binto (?:main|master|trunk)\b|^ ?(?:any|no|every)thing\b|\b(?:do|start|begin|touch) anything\b|\binto the (?:manuscript|paper|text|thesis|document|page|book)\b`)},
	{Run, lazyregexp.New(`(?i)\b(?:rollout|production|go(?:es)? live|experiments?|simulation|benchmark|migration|job|pipeline)\b`)},
	{Answer, lazyregexp.New(`(?i)\b(?:claims?|conclusions?|letter|number|numbers|figure|figures|verdicts?|explanations?|advice|opinion|results?|table|list|value|values|finding|findings|recommendations?|memo|word|quotations?|records?|minutes|answer|reply|report|press release|offer|summary|statement|document|text|go(?:es)? (?:out|public)|leaves?)\b`)},
	{Plan, lazyregexp.New(`(?i)\b(?:plan|design|outline)\b`)},
	{Write, lazyregexp.New(`(?i)\btickets?\b`)},
}

// denied gives the kinds of what is not to be done; weak as for kindOf.
func denied(b *ban) (out []Kind, weak bool) {
	if calls.MatchString(b.act) {
		return []Kind{Answer}, false
	}
	if firstIs(b.act, "wait", "need", "matter", "mean", "worry", "hesitate", "bother", "expect", "stop", "end", "finish", "quit", "halt", "abort", "forget", "see", "notice") {
		return nil, false
	}
	if (article.MatchString(b.act) || b.named) && !beDone.MatchString(b.act) {
		if k := byNoun(b); len(k) > 0 && k[0] != Other {
			return k, false
		}
	}
	if b.bare && base(strings.ToLower(firstWords(b.act, 1))) == "" {
		return nil, false // "avoid long names until"
	}
	for _, a := range acts(b.act) {
		if k, w := actOf(b.who, a); k != "" {
			out, weak = append(out, k), weak || w
		}
	}
	if len(out) == 0 {
		out = byNoun(b)
	}
	slices.Sort(out)
	return slices.Compact(out), weak
}

// byNoun gives the kind of an act that no verb tells.
func byNoun(b *ban) []Kind {
	for _, d := range denials {
		if d.form.MatchString(b.who + " " + b.act) {
			return []Kind{d.kind}
		}
	}
	if reaches.MatchString(b.act) && mentions(strings.ToLower(b.act), personWords()) {
		return []Kind{Answer}
	}
	if slices.Contains([]string{"begin", "start", "continue", "proceed", "go on", "go ahead", "move on", "carry on"}, strings.ToLower(b.act)) {
		return []Kind{Other}
	}
	if b.named || b.tells || b.bare || b.joint == "without" || b.joint == "unless" {
		return nil
	}
	return []Kind{Other}
}

var (
	calls   = lazyregexp.New(`(?i)^(?:call|calling|declare|consider|mark) .*\b(?:done|finished|complete|fixed|resolved|closed|solved)\b|^(?:call|term|label) (?:a|an|the|it|any|something)\b`)
	reaches = lazyregexp.New(`(?i)^(?:goes?|gets?|reach(?:es)?|comes?|(?:is|be) passed)\b`)
	beDone  = lazyregexp.New(`(?i)^((?:[\w-]+ ){0,5}?[\w-]+) ((?:be|is|are|gets?) \w+.*)$`)
	comes   = lazyregexp.New(`(?i)^(?:[\w-]+ ){1,4}?(?:go|goes|leaves?|appears?|enters?|comes?|waits?)\b`)
)

var either = lazyregexp.New(`(?i),? (?:or|nor|and) (?:to )?|, `)

// acts cuts what is not to be done where another verb begins: "write code or send the report".
func acts(act string) (out []string) {
	start := 0
	for _, m := range either.Get().FindAllStringIndex(act, 12) {
		rest := act[m[1]:]
		if word, _, _ := verbOf(rest); startsWithVerb(rest) && (!nounLike()[word] || startsWithVerb2(rest)) {
			out = append(out, act[start:m[0]])
			start = m[1]
		}
	}
	return append(out, act[start:])
}

var article = lazyregexp.New(`(?i)^(?:the|a|an|any|your|our|this|that|these|those) `)

// moves are verbs that tell of a thing only that it comes somewhere: the thing tells what is done.
var moves = words(`go leave come appear get enter stand start begin happen make do take put move proceed continue exist pass keep let use set turn become end follow accept allow permit tolerate attempt undertake perform conduct`)

// actOf reads an act as the order that it would be: "writing any code", "be published" of the advert; "" when no verb tells.
func actOf(who, act string) (kind Kind, weak bool) {
	if comes.MatchString(act) && !startsWithVerb2(act) {
		return "", false
	}
	if m := beDone.FindStringSubmatch(act); m != nil && who == "" {
		who, act = m[1], m[2]
	}
	if pronoun.MatchString(who) {
		who = ""
	}
	var f []string
	if act = strings.TrimPrefix(strings.TrimSpace(act), "to "); headed(act) != "" { // not "for everyone"
		f = strings.Fields(act)
	}
	passive := false
	for len(f) > 0 {
		w := strings.ToLower(strings.Trim(f[0], ",.:"))
		if w == "be" || w == "is" || w == "are" || w == "been" || w == "gets" || w == "get" {
			passive = true
		} else if !fillers()[w] {
			break
		}
		f = f[1:]
	}
	if len(f) == 0 {
		f, who, passive = strings.Fields(article.Get().ReplaceAllString(who, "")), "", false
	}
	if len(f) == 0 {
		return "", false
	}
	verb := base(strings.ToLower(strings.Trim(f[0], ",.:")))
	rest, _, _ := strings.Cut(strings.Join(f[1:], " "), ",")
	if verb == "" && passive && who != "" || moves()[verb] && (!passive || verb != "move" && verb != "set" && verb != "start") {
		verb, passive = "", false
		if f = strings.Fields(rest); who != "" {
			f, who = strings.Fields(article.Get().ReplaceAllString(who, "")), ""
		}
	}
	if verb == "" && !passive { // "data extraction", "any implementation": a noun of an act
		for w := range strings.FieldsSeq(headed(strings.Join(f, " "))) {
			if v := base(w); v != "" && !moves()[v] {
				verb, rest = v, ""
			}
		}
	}
	order := verb + " " + rest
	if who != "" && (passive || rest == "") {
		order = verb + " the " + article.Get().ReplaceAllString(who, "") + " " + rest
	}
	k, weak, ok := kindOf(strings.TrimSpace(order), sentence{})
	if k == Approve && slices.Contains(strings.Fields(handings), verb) {
		k = Answer // shown to somebody
	}
	if !ok || k == Approve || k == Stop {
		return "", false
	}
	return k, weak
}

// headed is a phrase up to its first preposition, in lower case.
func headed(s string) string {
	var out []string
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if w = strings.Trim(w, ",;:."); ends()[w] {
			break
		}
		out = append(out, w)
	}
	return strings.Join(out, " ")
}

// fillers stand before the verb that tells what is done.
var fillers = words(`may can must should shall will do does have has to you we i it ever even just yet also already start starts begin begins started starting beginning try trying attempt continue proceed proceeding go going think of with on under any circumstances simply ahead and
	single a an the more further skip ahead jump straight into rush dive move allowed permitted free no any`)
