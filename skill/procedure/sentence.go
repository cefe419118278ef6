package procedure

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A sentence is one sentence of the text, or one item of a list.
type sentence struct {
	line    int
	text    string // on one line, without marks
	heading bool   // it is the title of a step
	topic   bool   // it may be one: a few words before what the item says, or above the items below it
	item    bool   // it begins an item of a list, or a heading "Step 1: ..."
	listed  bool   // it stands in an item of a list
	boxed   bool   // it stands in one with a box to be ticked
	number  int    // of the step in which it stands, as written; 0: none
	ordered bool   // it stands in an item with a number or below the title of a step
	title   string // of its section
	looped  bool   // it stands below an item such as "for each paper:"
	asked   string // a question of a few words before it: "not in the manual?"
	place   int    // among the sentences of the text
	orders  string // of a guard "Only when X, do Y": do Y
}

// bullets are signs before items.
const bullets = `-*+•·▪◦‣●○▸►▹▻◆■□☐☑☒✓✔✅➔➤→–`

var (
	fence    = lazyregexp.New("^\\s*(?:```|~~~)")
	heading  = lazyregexp.New(`^\s{0,3}#{1,6}\s+(.*?)\s*#*\s*$`)
	listItem = lazyregexp.New(`^(\s*)(?:[` + bullets + `]|(?:§+ ?)?\(?\d{1,3}[.)]|§+ ?\d{1,3}|\d{1,2}(?:\.\d{1,2}){1,3}[.)]?|\(?(?:[A-Za-z]\d{0,2}|\d{1,2}[a-z]|[ivxIVX]{1,5})[.)]|\d{1,2}[a-z]?\s|\[[ xX]\])\s+(?:\[[ xX]\]\s+)?(.*)$`)
	lettered = lazyregexp.New(`^\s*[A-Z]{1,4}\.\s`)
	// proseItem begins an item or goes on with a sentence: "2.1 Search" or "2.5 mm", "A. Search" or "A. Smith".
	proseItem = lazyregexp.New(`^\s*(?:[–→]|([A-Z]\.)|\d{1,2}(?:\.\d{1,2}){1,3}|\d{1,2}[a-z]?\s)\s`)
	box       = lazyregexp.New(`^\s*(?:(?:\S+\s+)?\[[ xX]\]|[□☐☑☒])\s`)
	bullet    = lazyregexp.New(`^\s*(?:[` + bullets + `]|\[[ xX]\])\s`)
	// boldNumber begins an item: "**2. Reconstruct.** Put ...".
	boldNumber = lazyregexp.New(`^(\s*)\*\*((?:\d{1,3}|[A-Za-z])[.)]\s.*)$`)
	stepTitle  = lazyregexp.New(`(?i)^(?:step|phase|stage|part)\s+(?:\d+|[ivx]+|one|two|three|four|five|six|seven|eight|nine|ten|[a-z])\b\s*[:.)–—-]*\s*(.*)$`)
	// aboutStep is a sentence about a step: "Step 4 is not begun before".
	aboutStep = lazyregexp.New(`(?i)^(?:step|phase|stage|part) \S+ (?:is|are|does|do|must|may|can|cannot|can't|has|should|shall|will|begins?|starts?|waits?|stays?|remains?|comes?|needs?|requires?)\b`)
	// numberedTitle is one of a step where it begins with a verb.
	numberedTitle = lazyregexp.New(`^\(?\d{1,2}[.):]?\s+(\S.*)$`)
	underline     = lazyregexp.New(`^\s*(?:=+|-{3,})\s*$`)
	tableRow      = lazyregexp.New(`^\s*\|`)
	linkTarget    = lazyregexp.New(`!?\[([^\]\n]{0,200})\]\([^)\n]{0,500}\)`)
	comment       = lazyregexp.New(`(?s)<!--.*?-->`)
	// asides are parts of a text that tell about a procedure.
	asides = lazyregexp.New(`(?i)^(?:\d+[.)]?\s+)?(?:(?:background|examples?|notes?|remarks?|about|overview|introduction|when to use|why|rationale|motivation|faq|glossary|see also|further reading|changelog)\b|(?:context|references|terms|definitions|scope|history|licen[cs]e|inputs?|requirements|prerequisites?|tone|style|format|contacts?|tips?)\b(?:\W*$| (?:of|on|for|to|and|about|in|used|you)\b))`)
	// endings of words that end no sentence.
	abbreviation = lazyregexp.New(`(?i)(?:^|[\s(])(?:e\.g|i\.e|etc|vs|cf|fig|figs|eq|eqs|no|nos|dr|mr|mrs|ms|prof|st|sec|ch|approx|resp|incl|p|pp|min|max|al|tbl|ref|vol|ed)\.$`)
)

// sentences cuts a Markdown text. Code, tables and comments are left out; so are sections that tell about the procedure, but for what
// they forbid. m counts the lines.
func sentences(text string, m *measure) []sentence {
	text = comment.Get().ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	var out []sentence
	var block strings.Builder // of the paragraph or item that is read
	var lines []int           // the line of each byte of it
	item, boxed, aside, inFence := false, false, false, false
	above := ""             // the title of the section
	titled := false         // the section is that of a step
	loopAt := -1            // the indentation of an item such as "for each paper:", in whose list we are
	indent := 0             // of the item that is read
	section, number := 0, 0 // as written: of the heading "Step 2", of the item "2."
	counted := false        // the item is "a)" or "IV."
	flush := func() {
		whole := block.String()
		for _, s := range cut(whole, lines, item, aside) {
			s.number = cmp.Or(section, number)
			s.looped = loopAt >= 0
			s.title, s.ordered, s.boxed = above, titled || number > 0 || counted, boxed
			out = append(out, s)
		}
		if item && strings.HasSuffix(whole, ":") && each.MatchString(firstWords(whole, 3)) {
			loopAt = indent
		}
		block.Reset()
		lines = lines[:0]
		item, boxed = false, false
	}
	add := func(s string, n int) {
		s = strings.TrimSpace(s)
		if block.Len() > 0 {
			s = " " + s
		}
		block.WriteString(s)
		for range len(s) {
			lines = append(lines, n)
		}
	}
	all := strings.Split(text, "\n")
	m.all = len(all)
	whole := titleOfAll(all)
	for i, l := range all {
		l = strings.TrimSuffix(l, "\r")
		if m := boldNumber.FindStringSubmatch(l); m != nil {
			l = m[1] + strings.Replace(m[2], "**", "", 1)
		}
		n := i + 1
		if strings.TrimSpace(l) != "" {
			m.lines++
		}
		switch {
		case fence.MatchString(l):
			flush()
			inFence = !inFence
			m.code++
		case strings.TrimSpace(l) == "":
			flush()
		case inFence:
			m.code++
		case tableRow.MatchString(l):
			flush()
			m.code++
		case heading.MatchString(l), i+1 < len(all) && underline.MatchString(all[i+1]) && block.Len() == 0, stepTitle.MatchString(l) && !aboutStep.MatchString(l):
			flush()
			title := l
			if m := heading.FindStringSubmatch(l); m != nil {
				title = m[1]
			}
			title = plainText(title)
			above = title
			aside = asides.MatchString(title) && !(i == whole && strings.Count(title, " ") > 2) // "Note to self: how to print" stands above all of it
			section, number, counted, titled, loopAt = 0, 0, false, false, -1
			m := stepTitle.FindStringSubmatch(title)
			if n := numberedTitle.FindStringSubmatch(title); n != nil {
				if word, _, ok := verbOf(n[1]); ok && (!nounLike()[word] || startsWithVerb2(n[1])) {
					m = n // "1. Search the papers"
				}
			}
			if m != nil {
				aside, titled = false, true
				section = firstNumber(title)
				if m[1] != "" {
					add(m[1], n)
					item = true
					before := len(out)
					flush()
					if before < len(out) && (heading.MatchString(l) || !strings.HasSuffix(m[1], ".") || i+1 == len(all) || strings.TrimSpace(all[i+1]) == "") {
						out[before].heading = true
					}
				}
			}
		case underline.MatchString(l):
			flush()
		case beginsItem(all, i, l, block.Len() > 0):
			m := listItem.FindStringSubmatch(l)
			topic := item && len(m[1]) > indent && strings.Count(block.String(), " ") < 3 // "1. Preparation", with items below it
			flush()
			if n := len(out); topic && n > 0 {
				out[n-1].heading, out[n-1].topic = true, true
			}
			if loopAt >= 0 && len(m[1]) <= loopAt {
				loopAt = -1
			}
			item, boxed = true, box.MatchString(l)
			if m[1] == "" {
				number, counted = cmp.Or(firstNumber(l), number), !bullet.MatchString(l)
			}
			indent = len(m[1])
			add(plainText(m[2]), n)
		default:
			if s := plainText(strings.TrimLeft(l, "> ")); s != "" {
				if block.Len() > 0 && !item && endsEarly(all, i) {
					flush()
				}
				if block.Len() == 0 && isTitle(s, all, i) {
					aside = asides.MatchString(s)
					above = s
					continue
				}
				if block.Len() == 0 && !strings.HasPrefix(l, " ") && !strings.HasPrefix(l, "\t") {
					number, counted, loopAt = 0, false, -1 // a paragraph of its own
				}
				add(s, n)
			}
		}
	}
	flush()
	if len(out) > maxSentences {
		m.beyond = out[maxSentences].line
		out = out[:maxSentences]
	}
	return out
}

// titleOfAll is the line of the heading that all of a text stands below, or -1: none of its level or a higher one comes behind it.
func titleOfAll(all []string) int {
	first := slices.IndexFunc(all, heading.MatchString)
	level := func(l string) int { return len(l) - len(strings.TrimLeft(l, "#")) }
	if first < 0 || slices.ContainsFunc(all[first+1:], func(l string) bool {
		return heading.MatchString(l) && level(strings.TrimSpace(l)) <= level(strings.TrimSpace(all[first]))
	}) {
		return -1
	}
	return first
}

var (
	itemNumber  = lazyregexp.New(`^\(?(\d{1,3})[.)]`)
	titleNumber = lazyregexp.New(`(?i)^(?:step|phase|stage|part) (\d{1,3})\b`)
)

// firstNumber is that of an item ("2. ...") or a title ("Step 2"), or 0.
func firstNumber(s string) int {
	for _, form := range []*lazyregexp.Regexp{itemNumber, titleNumber} {
		if m := form.FindStringSubmatch(s); m != nil {
			n, _ := strconv.Atoi(m[1])
			return n
		}
	}
	return 0
}

// beginsItem reports that line i, which is l without marks, begins an item, and does not go on with what is being read, nor begin with the initial of a name.
func beginsItem(all []string, i int, l string, reading bool) bool {
	m := listItem.FindStringSubmatch(l)
	if m == nil {
		return false
	}
	form := proseItem.FindStringSubmatch(l)
	if form == nil || i > 0 && proseItem.MatchString(all[i-1]) {
		return true
	}
	text := plainText(m[2])
	first, _ := utf8.DecodeRuneInString(text)
	another := form[1] != "" && slices.ContainsFunc(all[max(0, i-around):i], lettered.Get().MatchString)
	if unicode.IsLower(first) && !startsWithVerb(text) && !another {
		return false // "2.5 mm", "E. coli"
	}
	sure := form[1] == "" || startsWithVerb(text) || another || i+1 < len(all) && listItem.MatchString(all[i+1])
	if !reading {
		return sure
	}
	before := strings.TrimSpace(all[i-1])
	return beginsAnew(before, "A") && (sure || strings.LastIndexAny(before, ".!?:;") == len(before)-1)
}

// isTitle reports a short line without an end that stands alone above others.
func isTitle(s string, all []string, i int) bool {
	if len(s) > 60 || strings.ContainsAny(s[len(s)-1:], ".!?,;") || i+1 >= len(all) {
		return false
	}
	next := all[i+1]
	return strings.HasSuffix(s, ":") && strings.Count(s, " ") < 3 || beginsItem(all, i+1, next, true) && !strings.HasSuffix(s, ":") || strings.TrimSpace(next) == "" && i == 0
}

// around is how far one looks for lines of the same paragraph or list.
const around = 30

// endsEarly reports that line i begins anew, though the line before it has no mark at its end: its first word would have had room there, in lines as long as the longest
// around, or had so elsewhere and three or more lines all begin anew.
func endsEarly(all []string, i int) bool {
	from, to := i, i+1
	for from > max(0, i-around) && strings.TrimSpace(all[from-1]) != "" {
		from--
	}
	for to < min(len(all), i+around) && strings.TrimSpace(all[to]) != "" {
		to++
	}
	width, room, anew := 0, false, to-from > 2
	for _, l := range all[from:to] {
		width = max(width, len(strings.TrimSpace(l)))
	}
	for j := from + 1; j < to; j++ {
		early, begins := len(strings.TrimSpace(all[j-1]))+1+len(firstWords(all[j], 1)) < width, beginsAnew(all[j-1], all[j])
		if j == i && (early || !begins) {
			return begins
		}
		room, anew = room || early, anew && begins
	}
	return room && anew
}

// beginsAnew reports a line that may begin a sentence, behind one that may end one.
func beginsAnew(before, line string) bool {
	before, line = strings.TrimSpace(before), strings.TrimSpace(line)
	last := before[strings.LastIndexByte(before, ' ')+1:]
	first, _ := utf8.DecodeRuneInString(line)
	return (unicode.IsUpper(first) || startsWithVerb(line)) && !strings.HasSuffix(last, ",") && !ends()[strings.ToLower(last)]
}

// plainText takes the marks of Markdown off.
func plainText(s string) string {
	s = linkTarget.Get().ReplaceAllString(s, "$1")
	s = strings.NewReplacer("**", "", "__", "").Replace(s)
	s = stressed.Get().ReplaceAllString(s, "$1$2$3")
	return strings.TrimSpace(s)
}

// stressed is a part between single marks: "_never_".
var stressed = lazyregexp.New(`(^|[\s(])[*_]([^*_` + "`" + `]+)[*_]($|[\s.,;:!?)])`)

// cut cuts a block into its sentences.
func cut(s string, lines []int, item, aside bool) (out []sentence) {
	start := 0
	add := func(end int) {
		from := start
		for from < end && unicode.IsSpace(rune(s[from])) {
			from++
		}
		if text := strings.TrimSpace(s[from:end]); text != "" {
			if !aside || mayBan(text) {
				one := sentence{line: lines[from], text: text, item: item && len(out) == 0, listed: item}
				if len(out) == 1 && item && strings.Count(out[0].text, " ") < 2 && strings.HasSuffix(out[0].text, ".") {
					out[0].heading, out[0].topic = true, true // "Reconstruct. Put everything into one timeline."
				}
				if n := len(out); n > 0 && strings.HasSuffix(out[n-1].text, "?") && strings.Count(out[n-1].text, " ") < 8 {
					one.asked = strings.TrimSuffix(out[n-1].text, "?")
				}
				out = append(out, one)
			}
		}
		start = end
	}
	ticks := false
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '`':
			ticks = !ticks
		case '.', '!', '?', ';':
			if ticks || i+1 < len(s) && s[i+1] != ' ' && !(strings.ContainsRune(`)"'`, rune(s[i+1])) && i+2 < len(s) && s[i+2] == ' ') {
				continue
			}
			if s[i] == '.' && (abbreviation.MatchString(s[max(0, i-10):i+1]) || isInitial(s[start:i]) || i+2 < len(s) && unicode.IsLower(rune(s[i+2])) && !listWord(s[i+2:])) {
				continue
			}
			end := i + 1
			if end < len(s) && s[end] != ' ' {
				end++
			}
			add(end)
		}
	}
	add(len(s))
	return out
}

// isInitial reports that what stands before a point ends in the initial of a name: "A. Smith", "agreed with A. Smith", but not "as told under V".
func isInitial(s string) bool {
	f := strings.Fields(s)
	n := len(f)
	return n > 0 && len(f[n-1]) == 1 && f[n-1][0] >= 'A' && f[n-1][0] <= 'Z' && (n == 1 || ends()[f[n-2]] && !strings.Contains("IVX", f[n-1]))
}

// listWord reports a lower-case word that may begin a sentence: people who write everything small do not get one long one.
func listWord(s string) bool {
	word, _, _ := strings.Cut(s, " ")
	_, ok := verbs()[strings.TrimRight(word, ",:")]
	return ok
}
