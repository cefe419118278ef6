package procedure

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A ban is a prohibition as its sentence has it: what is not to be done, and what lifts that.
type ban struct {
	who    string // what must not act, or is not to be acted on; empty: the reader must not act
	act    string
	joint  string // the word between act and cond: "before", "without", ...
	cond   string
	tells  bool   // it may only tell how something is: "is not written before", "does not stop unless"
	alone  bool   // "only do X when": may be a matter of when to do X
	bare   bool   // the act is told after a verb like "avoid", which takes a noun as well as an act
	named  bool   // the act is told by a noun alone, which must be known: "no patch before", "merging requires"
	orders string // what the sentence orders besides
}

// What forbids. A prohibition is what a clause begins with, or stands between its subject and its verb; a "not" elsewhere forbids nothing ("make sure
// that it is not empty before ...").
const (
	never    = `(?:(?:please|pls|kindly) )?(?:you |we |i(?:'d| would) rather you )?(?:do not|don't|dont|did not|didn't|will not|won't|don't you dare|do never|never,? ever|never|must not|mustn't|may not|should not|shouldn't|shall not|can not|cannot|can't|are not to|are not allowed to|are never to|not to|` + noWay + `|it (?:won't|will not) do to|refrain from|avoid|nor (?:may|must|should|shall|can|do)|resist (?:the urge|the temptation) to|hold off(?: on)?|hold back(?: with| on)?|(?:keep )?(?:your )?(?:hands|fingers) off|stay away from|keep (?:away|clear) from|keep off)`
	noWay    = `(?:under no (?:circumstances?|conditions?)|on no account|in no (?:case|event|way)|at no (?:point|time)|by no means)`
	finished = `reviewed|approved|verified|checked|tested|signed|confirmed|validated|accepted|read`
	nobody   = `(?:there (?:is|are|will be|shall be|must be|can be|is to be) |(?:please|pls) )?(?:absolutely |strictly )?(?:no|nothing|nobody|no one|no-one|none of|neither|not (?:a|an|one|even)(?: single)?)`
	// not is a negation that forbids rather than tells: "must not", "is not to", "are never to", and of what is done habitually "is not filed", "does not go out".
	not = `((?:must|may|shall|should|can|is|are|do|does|will|ought)(?: not| never|n't)|cannot|can't|won't|mustn't)((?: to)?)(?: yet)?`
	// joints stand between what is not to be done and what lifts that.
	joints  = `before|until|till|unless|without|as long as|so long as|while|whilst|prior to|ahead of|pending|absent|in the absence of|for (?:lack|want) of|lacking|with no|(?:with|on|from|based on|on the basis of) (?:fewer|less) than|with (?:an? |any )?(?:open|failing|failed|unresolved|unanswered|missing|pending)|except (?:after|when|once|with)|other than after|` + lacking
	lacking = `if (?:no|neither|none) (?:\w+ ){1,3}?(?:has|have|is|are|was|were)|if (?:you|we|i|it|they|there|nobody|no one|the \w+(?: \w+)?) (?:has|have|had|is|are|was|were|could|can|did)(?:n't|not| not| no| never)`
	closed  = `(?:untouched|unchanged|as (?:it|they) (?:is|are|was|were)|closed|locked|frozen|off limits|off-limits|alone|on hold|in (?:draft|place)|out of (?:bounds|reach)|taboo|a no-go|untouchable|read-only|premature|confidential|secret|suspended|embargoed|under wraps|on ice|to (?:yourself|ourselves)|blocked|gated|held up|disabled|shut|off|pending|unmerged|unpublished|unsent|withheld|held back)`
	barred  = `(?:forbidden|prohibited|banned|(?:not|never) (?:allowed|permitted|acceptable|ok|okay|possible|an option)|off[ -]limits|out of bounds|out of the question|unthinkable|taboo|a no-go|unacceptable|ruled out|a mistake|a waste of time|pointless|premature|too early)`
	granted = `(?:allowed|permitted|possible|ok|okay|acceptable|fine|free to|done|made|given|written|sent|taken|due|started|used)`
)

var (
	tellsOnly  = lazyregexp.New(`(?i)\b(?:is|are)$`)
	onlyThen   = lazyregexp.New(`(?i)^only then (?:may|can|should|do|does|must|is|are|will) (.+)$`)
	emphasis   = lazyregexp.New(`(?i),? \(?(?:under any circumstances|ever|at all|at any (?:time|point)|even)\b\)?,?|, (?:not even|including|least of all) [^,]+,`)
	turns      = lazyregexp.New(`(?i)[,;:] | (?:there (?:is|are) no|no|nothing|nobody|never|do not|don't|(?:you|we|the \w+) (?:must not|may not|should not|shall not|can not|cannot|can't|stays?|remains?))\b`)
	onlyOnce   = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,6}?(?:may|can|is|are|must|should|will|to)) only ((?:be )?.+?) (once|after|when|if|with)\s+(.+)$`)
	onlyDone   = lazyregexp.New(`(?i)^only ((?:` + finished + `)) (\w+s .+)$`)
	onlyWhat   = lazyregexp.New(`(?i)^(?:you may |you can )?only (\w+ (?:what|[^,]{1,40}? (?:that|which)|[^,]{1,30}?)) (?:you|we|i) (?:have|has) ((?:` + finished + `|seen|opened|found|run|\w+ed)\b.*)$`)
	doNone     = lazyregexp.New(`(?i)^(\w+(?: out| in| up)?) (?:no|nothing|none(?: of)?|not (?:a|one)(?: single)?|neither)\b ?(.*)$`)
	mustFirst  = lazyregexp.New(`(?i)^([^,]+? (?:must|has to|have to|needs? to|needs?|requires?) [^,]+?) before (.+)$`)
	lead       = lazyregexp.New(`(?i)^(?:<[\w-]+>\s*|[❌✅⚠️🚫*•>\s-]+|(?:and|but|so,|also|please|note that|no matter [^,]+,|however \w+ [^,]+,|whatever [^,]+,|remember(?: that)?|above all|in particular|again|therefore|at this point|then|now|otherwise|in any case),?\s+|(?:hard |golden |iron |strict |first |second )?(?:rule|law|note|important|warning|caution|remember|critical|attention|constraint|gate|hard-gate|limit|never|must|careful)s?(?: \w+)?[:.]\s+)+`)
	piece      = lazyregexp.New(`(?i)(?:[,;:]|\s[-–—])\s+(?:and |but |so |or )?|\s(?:and|but|that|why)\s`)
	midNever   = lazyregexp.New(`(?i)^(?:(?:you |we )?(?:do not|don't|never|(?:must|may|should|shall) not)|nothing|nobody|no one|not (?:a|one) |no |under no circumstances|on no account|only (?:then|once|after) |(?:may|can|must) only )`)
	fronted    = lazyregexp.New(`(?i)^(` + joints + `)\s+`)
	withNever  = lazyregexp.New(`(?i)^` + never + `\s+(.+)$`)
	withNone   = lazyregexp.New(`(?i)^` + nobody + `\s+(.+)$`)
	withNot    = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,14}?[^\s,;:()]+) ` + not + ` (.+)$`)
	nounPhrase = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,5}?[^\s,;:()]+) ((?:may|can|must|should|shall|will|is|are|be|gets?|leaves?|goes|enters?|appears?|starts?|begins?|happens?)\b.*)$`)
	withBar    = lazyregexp.New(`(?i)^(?:it (?:is|'s) (?:strictly )?` + barred + ` to (.+)|((?:[^\s,;:()]+ ){0,9}?[^\s,;:()]+) (?:(?:is|are|remains?|stays?) (?:strictly )?` + barred + `|(?:has|have) no (?:business|place) in)(.*))$`)
	withHold   = lazyregexp.New(`(?i)^(?:(?:wait|hold) with|postpone|defer|delay|put off|keep back|hold back|hold|save|leave)\s+(.+?)(?: ` + closed + `)?\s+(until|till|pending)\s+(.+)$`)
	keepShut   = lazyregexp.New(`(?i)^(?:keep|leave)\s+(.+?) ` + closed + `\b(?: (until|till|unless|pending|as long as|while)\s+(.+))?$`)
	withState  = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,9}?[^\s,;:()]+) (?:(?:stays?|remains?|is (?:left|kept|to stay|to remain)|are (?:left|kept|to stay|to remain)|must (?:stay|remain|be left)|is|are|keeps?) ` + closed + `|(?:must )?(?:stays?|remains?) (?:in|inside|within|with|on|at) (?:[\w-]+ ){0,2}?[\w-]+)\b.{0,40}? (until|till|unless|before|pending|as long as|so long as|while|whilst|without)\s+(.+)$`)
	lasts      = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,9}?[^\s,;:()]+) (?:stays?|remains?|(?:is|are) kept) ((?:an? )?\w+) (until|till|unless|pending|before|as long as|while)\s+(.+)$`) // "the keyboard stays cold until"
	withWait   = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,9}?[^\s,;:()]+?)(?: (?:must|has to|have to|needs? to|should|will|shall) wait| waits|s wait) (for|until|till)\s+(.+)$`)
	onlyFront  = lazyregexp.New(`(?i)^(?:it(?: is|'s) )?(only (?:once|after|when|if|with)|not (?:until|before)) (.+)$`)
	onlyTurn   = lazyregexp.New(`(?i)^(.+?),?\s+(?:may|can|should|do|does|must|is|are|will|shall|that (?:you|we|i) (?:may|can|should)|am) (.+)$`)
	onlyBack   = lazyregexp.New(`(?i)^(.*?\b(?:may|can|` + granted + `|happens?|begins?|starts?|comes?|follows?|goes?|leaves?|be|is|are)\b.*?)\s(?:and )?(only (?:once|after|when|if|with|on))\s+(.+)$`)
	onlyDo     = lazyregexp.New(`(?i)^(\w+(?: .+?)?) (only (?:once|after|with|if|when))\s+(.+)$`)
	onceNot    = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,8}?[^\s,;:()]+) (once|as soon as|after|when|with|on|upon)\s+(.+?),? (?:and |but )?(?:not|never|no) (?:(?:an?|one) \w+ )?(?:before|earlier|sooner|until)\b.*$`)
	butNot     = lazyregexp.New(`(?i)^(.+?)(?:[,:]| [-–—])? (?:but |and )?(?:not|never) (before|until|till|without|prior to|ahead of)\s+(.+)$`)
	noNo       = lazyregexp.New(`(?i)^no ([^,]+?)(?:,| [-–—]|:) no ([^,]+)$`)
	onlyEnd    = lazyregexp.New(`(?i)^(.+) (with|after) ([^,]+) only$`)
	hasNo      = lazyregexp.New(`(?i)^(.*?)\b(?:that|which|what|whatever) (?:(?:has|have|carry|carries|gives?|names?) no|lacks?) (.+)$`)
	cannotBe   = lazyregexp.New(`(?i)^(.*?)\b(?:that|which|who) (?:cannot|can not|can't|could not) be (.+)$|^(.*?\b(?:anything|something|thing|figure|claim|number|value|statement|line)) (?:that |which )?(?:you|we|i) (?:cannot|can not|can't|could not) (.+)$`)
	byYourself = lazyregexp.New(`(?i)^(.+) (?:on your own|by yourself|single-handed(?:ly)?|unilaterally)$`)
	unknown    = lazyregexp.New(`(?i)^(.*?)\bwhose (.+?) (?:is|are) (?:still )?(?:unknown|missing|unclear|open|outstanding|pending)\b(.*)$`)
	midNoWay   = lazyregexp.New(`(?i)\b(must|may|shall|should|can|is to|are to) ` + noWay + `\b`)
	freeTo     = lazyregexp.New(`(?i)^(?:you|we)(?: are|'re) (?:only )?(?:free|allowed|permitted|welcome) to (.+?) (?:only )?(once|after|when|as soon as)\s+(.+?)(?:,? (?:and )?(?:not|never) .*)?$`)
	failing    = lazyregexp.New(`(?i)^(?:if|should|when) ((?:[\w-]+ ){1,5}?(?:fails?|(?:is|are) red|objects?|refuses?|declines?|disagrees?|says no|(?:cannot|can't|could not) be \w+)),? (.+)$`)
	mustHave   = lazyregexp.New(`(?i)^([^,]+), ([^,]+? (?:must|has to|have to|needs? to) (?:have|be) .+)$`)
	getsNone   = lazyregexp.New(`(?i)^(?:the |our |my |your )?(?:[\w-]+ ){1,4}?(?:hears?|gets?|sees?|receives?|learns?|(?:is|are) (?:told|shown|sent|given)) (?:nothing|no \w+|not an? \w+)\b(.*)$`) // "the client hears nothing until"
	youDo      = lazyregexp.New(`(?i)^(?:you|we) (?:will )?`)
	onlyThat   = lazyregexp.New(`(?i)^only ((?:[\w-]+ ){1,3}?)(?:that|which) (?:has|have|is|are)(?: been)? (\w+ed|read|seen|found|run)\b(?: .{1,40}?)? ((?:may|can|must|should|will|are|is|go|goes|enter|enters)\b.*)$`)
	mustBeBy   = lazyregexp.New(`(?i)^(.+?) (?:must|has to|have to|needs? to) be ((?:approved|reviewed|signed|confirmed|accepted|agreed|authori[sz]ed)\b.*?),? (?:first|beforehand|in advance)$`)
	noneHas    = lazyregexp.New(`(?i)^(.*?)\b(?:that|which) (?:nobody|no one) (?:has|have) (\w+)\b(.*)$`)
	kept       = lazyregexp.New(`(?i)\b(?:untouched|unchanged|as (?:it|they) (?:is|are|was|were)|frozen)\b`)
	whoever    = lazyregexp.New(`(?i)^(?:whoever|who|anyone who|anybody who|those who) (?:has|have)(?: not| never|n't) (.+?) (?:may|must|should|can|shall)(?: not| never|n't) (.+)$`)
	onlyVerb   = lazyregexp.New(`(?i)^only (\w+(?: [^,]+?)?) (when|if|once|after)\s+(.+)$`)
	perfect    = lazyregexp.New(`(?i) (?:must|has to|have to|needs? to) have `)
	counted    = lazyregexp.New(`(?i) (?:both|the following|(?:two|three|four) things)(?: first)?: `)
	ordinal    = lazyregexp.New(`(?i)\b(?:the )?(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth) (?:step|phase|stage|point|(?:one )?(?:has|is))\b`)
	intro      = lazyregexp.New(`(?i)^(?:in|on|at|for|under|from|during|as|by|with) (?:[A-Za-z'’-]+ ){1,5}?((?:nothing|nobody|no one|never|no|do not|don't|you (?:may|must|should|shall) not)\b.*)$`) // "in this office nothing"
	heldBy     = lazyregexp.New(`(?i)\b(blocked|held up|gated|locked) (?:on|by|behind) `)                                                                                                             // "is blocked on the sign-off"
	nowhere    = lazyregexp.New(`(?i) goes nowhere\b`)
	contracted = lazyregexp.New(`(?i)\b(you|we|they)['’]re\b`)
	onlyIf     = lazyregexp.New(`(?i)(?:if|when|once),? and only (?:if|when|once),?`)
	needs      = lazyregexp.New(`(?i)^((?:[^\s,;:()]+ ){0,7}?[^\s,;:()]+) (requires?|needs?|presupposes?|depends on|hinges on|(?:is|are) subject to|must be preceded by|(?:must|has to|have to|needs? to) have)\s+(.+)$`)
	neededFor  = lazyregexp.New(`(?i)^(.+?) (?:is|are) (?:(?:a |the |an )?(?:absolute |strict |hard )?(?:precondition|prerequisite|condition)s? (?:for|of|to)|(?:required|needed|mandatory|necessary|obligatory) (?:before|for|prior to))\s+(.+)$`)
	precedes   = lazyregexp.New(`(?i)^(.+?) (?:must|has to|have to) (?:precede|come before|happen before)\s+(.+)$`)
	rejected   = lazyregexp.New(`(?i)^(.+?)(?: made| done)? (without|with no|lacking|before) (.+?) (?:is|are|will be|gets?|counts as|means|has|have|does|do) (.+)$`)
	undoes     = lazyregexp.New(`(?i)^(?:thrown|reverted|rejected|undone|discarded|refused|void|sent back|struck|deleted|ignored|forbidden)\b`)
	usable     = lazyregexp.New(`(?i)^(?:open|on|up|there|valid|visible|active|available|warm|running|in|with|at|\w+able)$`)
	welcome    = lazyregexp.New(`(?i)^(?:fine|ok|okay|allowed|acceptable|enough|possible|better|permitted|welcome|usual|normal|common|easy|simple|rare|good|best|\w+er|more|less|still|only|not|what|how|where)\b`)
	joint      = lazyregexp.New(`(?i)(?:^|[, ])(` + joints + `)\s+`)
	lacks      = lazyregexp.New(`(?i)^(.*?)\b(?:(?:whose|that|which|who|where|when|for which|with)\b(.{0,60}?)\b(?:has|have|had|is|are|was|were)|(?:you|we|i|(?:the|your|our|my) \w+(?: \w+)?) (?:have|has))(?: not| never|n't)(?: yet)?(?: been)? (\w+.*)$`)
	pronoun    = lazyregexp.New(`(?i)^(?:(?:you|we|i|they|it|this|that|these|those|may|might|can|which|there|then)(?: \w+)?)$`)
	undone     = lazyregexp.New(`(?i)\b(un(?:signed|approved|read|tested|verified|checked|reviewed|confirmed|sourced|validated)|red|failing|broken)\b`)
	boundary   = lazyregexp.New(`(?i)[;(]|\s[-–—]\s|—|: |, (?:but|so|because|since|as|which|otherwise|or else) | because `)
)

// signs are parts of words without one of which nothing is forbidden until something: most sentences have none, and are read quickly.
var signs = []string{" no", "not", "n't", "never", "until", "till ", "before", "unless", "without", "only", "wait", "long as", "while", "whilst", "prior to", "ahead of", "pending", "absent", "except", "if ", "after", "need", "requir", "presuppos", "depend",
	"hinge", "blocked", "gated", "held up", "locked", "subject to", "must have", "condition", "prerequisite", "preced", "mandatory", " first", "object", "unsigned", "unapproved", "unread", "untested", "unverified", "unchecked", "unreviewed", "unconfirmed"}

// mayBan reports one of the signs.
func mayBan(text string) bool {
	low := " " + strings.ToLower(text)
	return slices.ContainsFunc(signs, func(sign string) bool { return strings.Contains(low, sign) })
}

// banOf reads the prohibition of a sentence.
func banOf(text string) (ban, bool) {
	if !mayBan(text) {
		return ban{}, false
	}
	text = emphasis.Get().ReplaceAllString(text[len(lead.Get().FindString(text)):], "")
	text = contracted.Get().ReplaceAllString(text, "$1 are")
	text = ordinal.Get().ReplaceAllStringFunc(text, stepOf)
	text = nowhere.Get().ReplaceAllString(text, " does not go out")
	text = heldBy.Get().ReplaceAllString(text, "$1 until ")
	text = counted.Get().ReplaceAllString(text, " ")
	text = onlyIf.Get().ReplaceAllString(text, "only when")
	text = midNoWay.Get().ReplaceAllString(text, "$1 not")
	text = onlyEnd.Get().ReplaceAllString(text, "$1 only $2 $3")
	if b, ok := clauseBan(text); ok {
		b.joint = sameAs(b.joint)
		return b, true
	}
	if m := intro.FindStringSubmatch(text); m != nil {
		if b, ok := clauseBan(m[1]); ok {
			b.joint = sameAs(b.joint)
			return b, true
		}
	}
	for _, m := range piece.Get().FindAllStringIndex(text, 12) {
		if strings.Contains(text[m[0]:m[1]], "that") && startsWithVerb(text) {
			continue // "make sure that nothing"
		}
		if rest := text[m[1]:]; mayBan(rest) && (midNever.MatchString(rest) || strings.ContainsAny(text[m[0]:m[0]+1], ",;:")) && !inQuotes(text, m[0]) {
			if b, ok := clauseBan(rest); ok {
				b.orders, b.joint = strings.TrimSpace(text[:m[0]]+". "+b.orders), sameAs(b.joint)
				return b, true
			}
		}
	}
	return ban{}, false
}

// stepOf writes "the third step" as "step 3", "the third has" as "step 3 has".
func stepOf(s string) string {
	f := strings.Fields(strings.TrimPrefix(strings.ToLower(s), "the "))
	n := slices.Index([]string{"first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"}, f[0]) + 1
	last := f[len(f)-1]
	if last != "has" && last != "is" {
		last = ""
	}
	return strings.TrimSpace(fmt.Sprintf("step %d %s", n, last))
}

// sameAs is the joint that means the same as a rarer one.
func sameAs(joint string) string {
	switch {
	case joint == "whilst":
		return "while"
	case joint == "pending":
		return "until"
	case joint == "absent", joint == "lacking", joint == "with no", strings.HasPrefix(joint, "in the absence"), strings.HasPrefix(joint, "for "):
		return "without"
	case strings.HasSuffix(joint, " than"):
		return "with fewer than"
	case strings.HasPrefix(joint, "with "): // "with open questions"
		return "with failing"
	}
	return joint
}

// clauseBan reads a prohibition with which a text begins.
func clauseBan(text string) (b ban, ok bool) {
	text = short(text)
	if m := whoever.FindStringSubmatch(text); m != nil {
		return ban{act: m[2], joint: "until", cond: m[1]}, true
	}
	if m := onlyVerb.FindStringSubmatch(text); m != nil && startsWithVerb(m[1]) {
		return ban{act: m[1], joint: "only " + strings.ToLower(m[2]), cond: m[3], orders: m[1], tells: true, alone: true}, true
	}
	if m := noNo.FindStringSubmatch(text); m != nil {
		return ban{act: m[2], joint: "without", cond: m[1], named: true}, true
	}
	if m := failing.FindStringSubmatch(text); m != nil {
		if f, ok := forbidden(m[2]); ok {
			f.act, f.joint, f.cond = upTo(f.act), "if not", m[1]
			return f, true
		}
	}
	if m := fronted.FindStringSubmatch(text); m != nil {
		rest := text[len(m[0]):]
		places := turns.Get().FindAllStringIndex(rest, 12)
		slices.SortStableFunc(places, func(a, b []int) int { return cmp.Compare(marked(rest[b[0]]), marked(rest[a[0]])) })
		for _, at := range places {
			if _, main, ok := strings.Cut(rest[:at[0]], ", "); ok && startsWithVerb(main) {
				continue // "before concluding, verify that nothing is left"
			}
			tail := strings.TrimSpace(strings.TrimLeft(rest[at[0]:], ",;:"))
			tail = tail[len(lead.Get().FindString(tail)):]
			if f, ok := forbidden(tail); ok {
				f.act, f.joint, f.cond = upTo(f.act), strings.ToLower(m[1]), rest[:at[0]]
				return f, true
			}
		}
		if m := mustHave.FindStringSubmatch(rest); m != nil {
			return ban{act: m[1], joint: "need", cond: m[2]}, true
		}
		return ban{}, false
	}
	if b, ok := forbidden(text); ok {
		act := upTo(b.act)
		if m := joint.FindStringSubmatchIndex(" " + act); m != nil {
			b.act, b.joint, b.cond = strings.TrimRight(act[:max(0, m[0]-1)], ", "), strings.ToLower(act[m[2]-1:m[3]-1]), act[m[1]-1:]
			return b, true
		}
		b.act, b.joint = act, "until"
		if m := joint.FindStringSubmatchIndex(b.who); m != nil { // "claims without a source must not appear"
			b.joint, b.cond, b.who = strings.ToLower(b.who[m[2]:m[3]]), b.who[m[1]:], b.who[:m[0]]
			return b, true
		}
		for _, s := range []*string{&b.who, &b.act} {
			if m := lacks.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.tells = m[1], m[3], false
				if thing := strings.TrimSpace(m[2]); thing != "" { // "whose clause has not been read"
					b.cond = thing + " has " + m[3]
				}
				return b, true
			}
			if m := byYourself.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.tells = m[1], "a colleague agrees", false
				return b, true
			}
			if m := cannotBe.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.tells = m[1]+m[3], m[2]+m[4], false
				return b, true
			}
			if m := unknown.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.tells = m[1]+m[3], m[2]+" is known", false
				return b, true
			}
			if m := hasNo.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.joint, b.tells = m[1], m[2], "without", false
				return b, true
			}
			if m := noneHas.FindStringSubmatch(*s); m != nil {
				*s, b.cond, b.tells = m[1]+m[3], m[2], false
				return b, true
			}
			if m := undone.FindStringSubmatch(*s); m != nil {
				b.cond = strings.TrimPrefix(m[1], "un")
				return b, true
			}
		}
	}
	if m := butNot.FindStringSubmatch(text); m != nil {
		b := ban{act: m[1], joint: strings.ToLower(m[2]), cond: upTo(m[3])}
		if startsWithVerb(b.act) {
			b.orders = b.act
		}
		return b, true
	}
	text = upTo(text)
	if m := onlyThat.FindStringSubmatch(text); m != nil {
		return ban{who: strings.TrimSpace(m[1]), act: m[3], joint: "until", cond: m[2]}, true
	}
	for _, f := range []struct {
		form            *lazyregexp.Regexp
		act, joint, con int
	}{
		{onceNot, 1, 2, 3}, {withHold, 1, 2, 3}, {keepShut, 1, 2, 3}, {onlyOnce, 2, 3, 4}, {mustFirst, 2, 0, 1}, {onlyDone, 2, 0, 1}, {onlyWhat, 1, 0, 2}, {withState, 1, 2, 3}, {lasts, 1, 3, 4}, {withWait, 1, 2, 3}, {rejected, 1, 2, 3}, {onlyBack, 1, 2, 3}, {freeTo, 1, 2, 3}, {mustBeBy, 1, 0, 2}, {precedes, 2, 0, 1}, {neededFor, 2, 0, 1},
		{needs, 1, 2, 3}, {onlyDo, 1, 2, 3},
	} {
		m := f.form.FindStringSubmatch(text)
		if m == nil || f.form == keepShut && m[2] == "" || f.form == rejected && (welcome.MatchString(m[4]) || strings.EqualFold(m[2], "before") && !undoes.MatchString(m[4])) || f.form == lasts && usable.MatchString(m[2]) {
			continue
		}
		b := ban{act: m[f.act], joint: "until", cond: m[f.con]}
		if m := tellsOnly.FindStringSubmatch(m[1]); f.form == onlyOnce && m != nil {
			b.tells = true
		}
		if f.form == onlyOnce {
			b.who = m[1]
		}
		if f.form == needs || f.form == mustFirst && !perfect.MatchString(b.cond) {
			b.joint = "need"
		}
		if verb, _, ok := verbOf(b.act); (f.form == withState || f.form == lasts || f.form == withWait || f.form == needs || f.form == rejected) && ok && (!nounLike()[verb] || strings.Contains(b.act, " ") && startsWithVerb2(b.act)) {
			continue // "look at it and keep it closed until"
		}
		if (f.form == onlyBack || f.form == onlyDo) && startsWithVerb(b.act) && (strings.HasSuffix(m[2], "if") || strings.HasSuffix(m[2], "when")) {
			if b.alone, b.orders = true, b.act; !hasBeen.MatchString(b.cond) { // "skip it only if it is empty": a condition
				continue
			}
		}
		if pronoun.MatchString(b.act) && (f.form != onlyBack || strings.EqualFold(b.act, "it is")) {
			continue
		}
		if f.form == withState && kept.MatchString(text) {
			b.act = "change the " + article.Get().ReplaceAllString(b.act, "")
		}
		b.named = f.form == neededFor || f.form == precedes || f.form == rejected || f.form == lasts || f.form == withWait || f.form == needs && !gerund.MatchString(b.act)
		if f.joint > 0 && f.form != needs {
			b.joint = strings.ToLower(m[f.joint])
		}
		if f.form == needs {
			if b.cond, _, _ = strings.Cut(b.cond, " to "); real.MatchString(b.act) || strings.HasPrefix(b.cond, "to ") || pronoun.MatchString(b.cond) {
				continue
			}
		}
		if f.form == onlyDo {
			if !startsWithVerb(b.act) {
				continue
			}
			b.orders = b.act
		}
		return b, true
	}
	if m := onlyThen.FindStringSubmatch(text); m != nil {
		return ban{act: m[1], joint: "until", cond: "then"}, true
	}
	if m := onlyFront.FindStringSubmatch(text); m != nil {
		b.joint = strings.ToLower(m[1])
		for at := 0; ; { // "only once X, do Y" orders Y, too
			i := strings.Index(m[2][at:], ", ")
			if i < 0 {
				break
			}
			at += i + 2
			if rest := m[2][at:]; startsWithVerb(rest) {
				b.cond, b.act, b.orders = m[2][:at-2], rest, rest
				return b, true
			}
		}
		if m := onlyTurn.FindStringSubmatch(m[2]); m != nil {
			b.cond, b.act = m[1], m[2]
			return b, true
		}
	}
	return ban{}, false
}

// marked is 1 for a mark of punctuation.
func marked(c byte) int {
	if strings.IndexByte(",;:", c) >= 0 {
		return 1
	}
	return 0
}

// forbidden reads a clause that forbids: who must not act, or be acted on, and the act with what follows.
func forbidden(text string) (ban, bool) {
	if m := withNone.FindStringSubmatch(text); m != nil {
		if n := nounPhrase.FindStringSubmatch(m[1]); n != nil && !joint.MatchString(n[1]+" ") {
			return ban{who: n[1], act: n[2]}, true
		}
		return ban{act: m[1], named: !firstIs(text, "nobody", "no-one", "nothing") && !strings.HasPrefix(strings.ToLower(text), "no one ")}, true
	}
	if m := withNever.FindStringSubmatch(text); m != nil {
		return ban{act: m[1], bare: firstIs(text, "avoid", "stay", "keep", "hold", "resist")}, true
	}
	if m := withBar.FindStringSubmatch(text); m != nil {
		return ban{who: m[2], act: m[1] + m[3]}, true
	}
	if m := getsNone.FindStringSubmatch(text); m != nil {
		return ban{act: "send it" + m[1]}, true
	}
	for _, m := range [][]string{keepShut.FindStringSubmatch(text), withState.FindStringSubmatch(text + " until x")} {
		if m != nil {
			return ban{who: m[1], act: changed(text)}, true
		}
	}
	text = youDo.Get().ReplaceAllString(text, "")
	if m := doNone.FindStringSubmatch(text); m != nil && startsWithVerb(text) {
		return ban{act: m[1] + " " + m[2]}, true
	}
	if m := withNot.FindStringSubmatch(text); m != nil {
		word, _, _ := strings.Cut(strings.ToLower(m[2]), " ")
		tells := m[3] == "" && slices.Contains([]string{"is", "are", "do", "does", "will", "can", "cannot"}, strings.TrimSuffix(word, "n't"))
		if real.MatchString(m[1]) {
			return ban{}, false // "if it is not there, look before ..."
		}
		if verb, _, ok := verbOf(m[1]); ok && !nounLike()[verb] && strings.Contains(m[1], " ") {
			return ban{}, false // "make sure that it is not ..."
		}
		return ban{who: m[1], act: m[4], tells: tells}, true
	}
	return ban{}, false
}

// changed is the act of a thing that stays as it is.
func changed(text string) string {
	if kept.MatchString(text) {
		return "be changed"
	}
	return ""
}

// short cuts what is longer than any clause, so that a long sentence takes no long time.
func short(s string) string {
	const most = 400
	if len(s) > most {
		s = s[:most]
		s = s[:max(0, strings.LastIndexByte(s, ' '))]
	}
	return s
}

// upTo cuts a text where another clause begins.
func upTo(s string) string {
	if m := boundary.Get().FindStringIndex(s); m != nil && m[0] > 0 {
		return s[:m[0]]
	}
	return s
}
