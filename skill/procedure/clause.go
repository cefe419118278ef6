package procedure

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// orders are verbs that no noun before them is taken for.
const orders = `fill|write|read|find|search|note|check|verify|compare|compute|list|look|open|run|give|state|add|create|ask|update|commit|report`

var (
	// order says when a clause is to be done, and stands before it.
	order = lazyregexp.New(`(?i)^(?:(?:and|but|so|or|please|also|always|just|kindly|now|then|next|first(?:ly)?|second(?:ly)?|third(?:ly)?|fourthly|last(?:ly)?|finally|afterwards?|after (?:that|this|which)|in the end|at the end|to (?:begin|start)(?: with)?|to finish|first of all|before (?:anything else|that)|meanwhile|in parallel|in addition|as a (?:first|second|third|last|final|next) step|carefully|briefly|quickly|immediately|again|once more|from there|with (?:that|this)|only then|otherwise|else|(?:if|when) (?:so|not|yes|no)[,:]|(?:try|attempt|remember|be sure|make sure|take care) to|thus|therefore|hence|accordingly|in (?:this|that) case|(?:step|phase) \d+|\(?(?:\d+|[a-z])[.)])\s*[,:–—-]*\s+)+`)
	// must makes an order of a sentence with a subject.
	must = lazyregexp.New(`(?i)^(?:you|we|one|the (?:agent|assistant|reader|author|reviewer|model)|i)(?: should| must| need to| have to| has to| are to| ought to| shall| then| first| always|'d better)+\s+(?:first |then |now |also |always |next )?`)
	// refused is what is not to be done, where nothing lifts that.
	refused = lazyregexp.New(`(?i)^(?:do not|don't|never)\b`)
	// condition begins a clause that says when; it ends at a comma or "then".
	condition = lazyregexp.New(`(?i)^(?:if|when|whenever|where|unless|in case|should|provided|as soon as|once|after|before|until|while|as long as|in the event|with|without|within|for lack of|failing that|depending on)\b`)
	real      = lazyregexp.New(`(?i)^(?:if|when|whenever|where|unless|in case|should|provided|in the event|otherwise|else|failing|on failure|(?:after|upon) (?:\w+ )?(?:\d+|two|three|four|five|six|ten|several) (?:[\w-]+ )?(?:rounds?|tries|attempts|times|cracks|failures|runs|cycles|iterations))\b`)
	trailing  = lazyregexp.New(`(?i)[, ]+((?:if|unless|in case|when|whenever) .*)$`)
	asking    = lazyregexp.New(`(?i)^(?:ask|check|see|verify|test|find out|confirm|decide|tell|look|know|determine)\b`)
	each      = lazyregexp.New(`(?i)\b(?:for (?:each|every|all|any)|(?:in|at|of|through|from|on|with|by) (?:each|every)|each|every|one (?:by|after) (?:one|another|the other)|one at a time|in turn|until|till|repeat(?:ed(?:ly)?)?|again and again|as long as|as often|so long as)\b`)
	eachOf    = lazyregexp.New(`(?i)^for (each|every|all) (?:[\w-]+ ){1,6}?((?:` + orders + `)\b .*)$|^(?:for|after|before|at|in|on|from|under|below|beneath|to) (each|every|all|any|the) (?:[\w-]+ ){1,6}?((?:` + orders + `) (?:the|a|an|it|them|its|their|each|every|all|up|down|for|at|whether|that|what|which|who)\b.*)$`)
	anyCase   = lazyregexp.New(`(?i)^((?:any|no) [^:.;]{3,60}): (.+)$`) // "any hit: stop"
	again     = lazyregexp.New(`(?i)\b(?:again|back to (?:step|the)|next candidate|start over)\b`)
	conj      = lazyregexp.New(`(?i)(?:;\s+|,\s*(?:and\s+|or\s+|but\s+)?(?:then\s+|finally\s+|after that\s+|next\s+)?|\s+and(?:\s+then|\s+also|\s+finally|\s+only then)?\s+|\s+then\s+|\s+–\s+|\s+—\s+|:\s+)`)
	example   = lazyregexp.New(`(?i)^(?:an? )?(?:example|note|tip|hint|remark|for example|for instance|e\.g\.|i\.e\.|that is|this is|these are|here is|here are|there (?:is|are)|it is)\b|^(?:the )?(?:goal|aim|purpose|objective|reason|input)s?:`)
)

// clausesOf cuts a sentence into the clauses that may be steps, with what is told of them: when they are to be done, and how often.
func clausesOf(s sentence) (out []Step) {
	text := strings.TrimRight(s.text, " .!?;")
	if example.MatchString(text) || strings.HasSuffix(strings.TrimSpace(s.text), "?") && !s.item {
		return nil
	}
	cond := s.asked
	loop := s.looped
	head := text
	// What stands before: order, purposes, conditions and repetitions, in any order.
	for range 6 {
		before := head
		if m := order.Get().FindString(head); m != "" {
			if l := strings.ToLower(m); cond == "" && (strings.Contains(l, "otherwise") || strings.Contains(l, "else") || strings.Contains(l, "if ") || strings.Contains(l, "case")) {
				cond = strings.Trim(l, " ,:")
			}
			head = head[len(m):]
		}
		if m := eachOf.FindStringSubmatch(head); m != nil { // "for every symbol write ..."
			loop, head = loop || !strings.EqualFold(m[3], "the"), m[2]+m[4]
		}
		if _, told := ordered(head); each.MatchString(firstWords(head, 3)) && !startsWithVerb(head) && told.voice == "" {
			if i := strings.IndexAny(head, ",:"); i > 0 && i+2 < len(head) && head[i+1] == ' ' {
				loop = true
				head = head[i+2:]
			}
		}
		if m := anyCase.FindStringSubmatch(head); m != nil && cond == "" && startsWithVerb(m[2]) {
			cond, head = m[1], m[2]
		}
		if condition.MatchString(head) {
			i := strings.Index(head, ", ")
			if j := strings.Index(head, " then "); j > 0 && (i < 0 || j < i) {
				i = j + 4
			}
			if i < 0 {
				i = strings.Index(head, ": ")
			}
			if i < 0 {
				break
			}
			if real.MatchString(head) {
				cond = strings.TrimSpace(head[:i])
			}
			head = strings.TrimSpace(head[i+1:])
		}
		if head == before {
			break
		}
	}
	if m := trailing.FindStringSubmatchIndex(head); m != nil && cond == "" && real.MatchString(head[m[2]:m[3]]) {
		lead := head[:m[0]]
		act := lead
		if !startsWithVerb(lead) && firstIs(head[m[2]:m[3]], "if", "unless") { // "when" tells more often of a time there
			act, _ = ordered(lead)
		}
		if startsWithVerb(act) && !asking.MatchString(act) { // not "the clerk checks if"
			cond = head[m[2]:m[3]]
			head = lead
		}
	}
	if m := arrow.FindStringSubmatch(head); m != nil && cond == "" {
		if startsWithVerb(m[2]) && s.listed {
			cond, head = m[1], m[2]
		}
	}
	var voice telling // of the first clause
	if !startsWithVerb(head) {
		_, voice = ordered(head)
	}
	parts := clauses(head, voice)
	for i, c := range parts {
		c = strings.TrimSpace(c)
		c = c[len(order.Get().FindString(c)):]
		c = c[len(must.Get().FindString(c)):]
		if m := byDoing.FindStringSubmatch(c); m != nil && base(strings.ToLower(m[1]+m[2])) != "" {
			c = base(strings.ToLower(m[1]+m[2])) + c[len(m[0]):]
		}
		if refused.MatchString(c) {
			continue // "do not guess" orders nothing
		}
		var told telling
		if f := strings.Fields(c); i > 0 && voice.voice == active && len(f) > 0 && thirdPerson(strings.ToLower(f[0])) != "" { // "the clerk reads the form and signs it"
			c, told = thirdPerson(strings.ToLower(f[0]))+c[len(f[0]):], voice
		} else if v := participle(c); i > 0 && voice.voice == passive && v != "" { // "the form is read and signed"
			c, told = strings.Join(append([]string{v, voice.object}, f[1:]...), " "), voice
		} else if !startsWithVerb(c) {
			c, told = ordered(c)
		}
		word, _, orders := verbOf(c)
		out = append(out, Step{Line: s.line, Text: c, Sentence: s.text, Condition: cond, Loop: loop,
			title: s.title, origin: origin{at: s.place, index: i, of: len(parts), number: s.number, listed: s.listed, item: s.item, heading: s.heading, topic: s.topic, ordered: s.ordered, asks: strings.HasSuffix(s.text, "?"),
				told: told, orders: told.voice == "" && (orders && !(nounLike()[word] && !startsWithVerb2(c) && nounFirst.MatchString(c)) || s.item && i == 0 && (s.boxed || looksLikeOrder(c)))}})
	}
	return out
}

// looksLikeOrder reports a clause that has the form of an order, whose verb is not known: "ponder it".
func looksLikeOrder(c string) bool {
	return unknownAct.MatchString(c) && !finite.MatchString(c) && !ends()[strings.ToLower(firstWords(c, 1))]
}

var (
	unknownAct = lazyregexp.New(`^[A-Z]?[a-z]+(?:-[a-z]+)? (?:(?:off|on|out|up|down|away|back|in|over|aside) )?(?:the|a|an|each|all|every|your|this|these|it|them|both|any|one|two|three|its|their|that)\b`)
	finite     = lazyregexp.New(`(?i)^\S+ (?:\S+ ){0,6}?(?:is|are|was|were|has|have|must|may|can|takes?|needs?|means?|should|will|does|do)\b`)
	// nounFirst is a noun that looks like a verb, with the verb behind it.
	nounFirst = lazyregexp.New(`(?i)^\w+ (?:\w+ )?(?:has|have|is|are|was|were|stays?|must|should|may|can|will|need|needs|needed|that|of)\b`)
	arrow     = lazyregexp.New(`^([^.;:]{3,80}?) (?:→|⇒|->|=>) (.+)$`)
	rounds    = lazyregexp.New(`(?i)\b(?:until|till|again and again|repeat(?:ed(?:ly)?)?|as long as|as often|so long as)\b|\b(?:twice|(?:\d+|two|three|four|five|six|ten|twenty|fifty|(?:a |two |three )?hundred|several) (?:more |further )?(?:times|rounds))\b`)
	// byDoing is an order in the words of its beginning: "start by running the suite".
	byDoing = lazyregexp.New(`(?i)^(?:start|begin|continue|go on|proceed|start off|keep(?: on)?) (?:(?:(?:off )?(?:by|with) )?(\w+ing)|to (\w+))\b`)
)

// repeated reports a clause that tells of several times, or of each of something.
func repeated(c string) bool {
	return rounds.MatchString(c) || each.MatchString(c) || again.MatchString(c)
}

// firstIs reports that a text begins with one of some words.
func firstIs(s string, words ...string) bool {
	return slices.Contains(words, strings.ToLower(strings.Trim(firstWords(s, 1), ",:.")))
}

func firstWords(s string, n int) string {
	f := strings.Fields(s)
	return strings.Join(f[:min(n, len(f))], " ")
}

// verbOf is the verb with which a clause begins, in lower case.
func verbOf(c string) (string, Kind, bool) {
	v, k, n := verbAt(strings.Fields(strings.ToLower(firstWords(c, 3))))
	return v, k, n > 0
}

func startsWithVerb(c string) bool { _, _, ok := verbOf(c); return ok }

// clauses cuts what a sentence orders where a new verb begins.
func clauses(s string, voice telling) (out []string) {
	start := 0
	for _, m := range conj.Get().FindAllStringIndex(s, 60) {
		rest := s[m[1]:]
		rest = rest[len(order.Get().FindString(rest)):]
		rest = rest[len(must.Get().FindString(rest)):]
		if m[0] <= start || inQuotes(s, m[0]) {
			continue
		}
		if voice.voice != "" && begins(s[start:m[0]], rest, voice) {
			out = append(out, s[start:m[0]])
			start = m[1]
			continue
		}
		if !startsWithVerb(rest) {
			continue
		}
		word, _, _ := verbOf(rest)
		if nounLike()[word] && !startsWithVerb2(rest) {
			continue
		}
		out = append(out, s[start:m[0]])
		start = m[1]
	}
	return append(out, s[start:])
}

// begins reports that a clause begins behind another that is told in the same voice, or in that of another subject.
func begins(before, s string, voice telling) bool {
	f := strings.Fields(s)
	if len(f) > 0 && voice.voice == active && thirdPerson(strings.ToLower(f[0])) != "" {
		return true
	}
	if voice.voice == passive && participle(s) != "" {
		_, t := ordered(before)
		return t.voice == passive || participle(before) != ""
	}
	_, t := ordered(s)
	return t.voice != "" && anybody()[strings.ToLower(f[0])]
}

// nounLike are verbs that are nouns as often: between "and" and no article, "name and test results" has one.
var nounLike = words(`test report list note record mark name order set map count use study plan design sketch outline change patch search query answer build run check review release state file end fix draft code
	document figure call log table source rate score sample match group sort split cause move merge commit update reply model scale lease charge invoice phone ring mail email comment quote export import download upload
	print cut trim watch process screen interview visit monitor track load lock sign mount pack deposit transfer rent refund survey form abstract benchmark profile launch post hand hire label look vote trace audit mine
	format dump capture stamp seal sweep digest walk pair program diff rollback number time repair rank restart claim brief override issue share exercise upgrade downgrade swap pin broadcast replay power cut act reply cluster combine`)

// startsWithVerb2 reports a verb with an object: an article, a pronoun or a determiner follows.
func startsWithVerb2(c string) bool {
	f := strings.Fields(c)
	return len(f) == 1 || len(f) > 1 && slices.Contains([]string{"the", "a", "an", "it", "them", "this", "that", "these", "those", "each", "every", "all", "any", "what", "which", "who", "how", "where", "whether", "its", "their", "our", "your", "my", "one", "two", "for", "to", "in", "with", "again", "if", "no", "both", "here", "there", "me", "us", "only", "everything", "anything", "everyone"}, strings.ToLower(strings.Trim(f[1], ",;:."))) || len(f) > 1 && strings.HasPrefix(f[1], "`")
}

func inQuotes(s string, at int) bool {
	return strings.Count(s[:at], "`")%2 == 1 || strings.Count(s[:at], `"`)%2 == 1 || strings.Count(s[:at], "(") > strings.Count(s[:at], ")")
}

// joins brings a step together with the one before it where both are one, and reports whether it stands for itself.
func joins(before, st *Step) bool {
	switch {
	case repeats.MatchString(st.Text):
		st.Kind, st.Loop = before.Kind, true
	case st.Kind == Approve && before.Kind == Approve && (before.at == st.at || before.Line == st.Line && firstIs(st.Text, "wait", "await", "get", "obtain", "collect", "seek")):
		return false // "show it to her and wait for her yes"
	}
	return true
}
