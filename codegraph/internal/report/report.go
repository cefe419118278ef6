package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxReport bounds what is read of a report, in bytes; what stands first says most.
const maxReport = 100_000

// leadBytes is how much of the sentences of a report counts as its beginning.
const leadBytes = 600

// A Part is a kind of text in a report.
type Part uint8

// The kinds of text in a report. What people say of a problem stands in the first ones.
const (
	partTitle   Part = iota // the first line
	partProse               // sentences
	partLater               // those that come late in a long text
	partInline              // code between backticks in them
	partMessage             // what an error says
	partCode                // blocks of code, examples, commands
	partOutput              // what programs printed: tracebacks, logs
	parts
)

// A stretch is text of one kind.
type stretch struct {
	part Part
	text string
}

// A Report is the text of an issue, a message of a commit or any other request, taken apart.
type Report struct {
	title     string
	stretches []stretch
	lines     []string // of the last stretch, while the text is read
	Frames    []Frame
	places    []string // paths, as far as they were written
	Scopes    []string // what the title begins with, as "parser: " or "fix(parser): ", in lower case
	said      int      // bytes of sentences
	dropped   int      // lines that say nothing about the code: templates, environments, comments, trailers
}

var (
	htmlComment = lazyregexp.New(`(?s)<!--.*?(?:-->|\z)`)
	htmlTag     = lazyregexp.New(`</?(?:details|summary|br|p|b|i|em|strong|sub|sup|code|pre|kbd|img|a|div|span|table|t[hdr]|tbody|thead|ul|ol|li|h\d)(?:\s[^<>]*)?/?>`)
	fence       = lazyregexp.New("^\\s{0,8}(?:[-*>]\\s+)?(```+|~~~+)\\s*([\\w+.-]*)")
	heading     = lazyregexp.New(`^\s{0,3}#{1,6}\s+(.*?)\s*#*$`)
	boldHeading = lazyregexp.New(`^\s*(?:\*\*|__)([^*_]{3,60})(?:\*\*|__):?\s*$`)
	titleScope  = lazyregexp.New(`^(?:\[[^\]]*\]\s*)?(?:[a-zA-Z]+\(([\w/., @-]{2,60})\)!?|([\w./-]{2,50}(?:\s*,\s*[\w./-]{2,50}){0,3})!?):\s+\S`)
	asking      = lazyregexp.New(`^\s*(?:_No response_|(?:_|\*|>)?(?i:a (?:clear and )?(?:concise|clear|short) description of|please (?:provide|describe|include|fill|complete|search|make sure|tell us|note that the following)|if applicable, add|add any other context|replace this (?:text|line)|(?:describe|explain) (?:what|the (?:issue|bug))|n/a\s*$|none\s*$).*)`)
	checkbox    = lazyregexp.New(`^\s*[-*]\s*\[[ xX]\]`)
	trailer     = lazyregexp.New(`^\s*(?i:signed-off-by|co-authored-by|reviewed-by|reviewed-on|reviewed|acked-by|tested-by|reported-by|suggested-by|change-id|cr-original-commit-position|cherry-picked from|cc|approved-by|auto-submit|commit-queue|run-trybot|trybot-result|tryBot-bypass|git-svn-id|changelog-\w+|bug|pr-url|refs|release-note|gitorigin-revid|lucI-\w+|issue|ticket)\s*:\s*\S`)
	reference   = lazyregexp.New(`^\s*(?i:fix(?:e[sd])?|close[sd]?|resolve[sd]?|updates?|for|see|re|ref|refs|related to|part of)[:\s]+(?:issue\s*|bug\s*|ticket\s*)?(?:[\w./-]*#\d+|https?://\S+)(?:[\s,;]+(?:and\s+)?(?:[\w./-]*#\d+|https?://\S+))*\s*\.?\s*$`)
	issueNumber = lazyregexp.New(`(?:\b[\w.-]+/[\w.-]+)?#\d+\b|\bGH-\d+\b`)
	address     = lazyregexp.New(`\b(?:https?|ftp|git)://[^\s<>()\x60"']+`)
	blobAddress = lazyregexp.New(`^https?://[^/\s]+/[^/\s]+/[^/\s]+/(?:-/)?(?:blob|tree|blame|raw)/[^/\s]+/([^\s#?]+)(?:[^\s#]*#L(\d+))?`)
	versionLine = lazyregexp.New(`^\s*(?:[-*|+>]\s*)*(?:\*\*|__|\x60)?[\w .()/+@\-]{1,40}?(?:\*\*|__|\x60)?\s*(?::|=|==|\||\s)\s*\|?\s*\x60?[<>=~^v]*\s?\d+(?:\.\d+)+[\w.+~:-]*(?:[\s|,(;\x60].{0,60})?$`)
	environment = lazyregexp.New(`^\s*(?:[-*|+>]\s*)*(?i:os|os name|operating system|platform|python(?: version)?|python-bits|processor|machine|byteorder|LC_ALL|LANG|LOCALE|commit|libhdf5|libnetcdf|kernel|arch(?:itecture)?|browser|node(?:\.js)?(?: version)?|npm|yarn|pnpm|rustc?(?: version)?|cargo|go version|goos|goarch|goroot|gopath|go(?:cache|env|flags|proxy|sumdb|exe|hostarch|hostos|tooldir|private|noproxy|nosumdb|vcs|amd64|mod|work)|cgo_\w+|cc|cxx|ar|pkg_config|shell|terminal|editor|toolchain|compiler|version|versions|environment|system|cpu|memory|distro|docker|java version|jdk|\w+ version)(?:\*\*|__)?\s*[:=|]\s*\S`)
	emphasis    = lazyregexp.New(`(\*\*|__)(\S(?:.*?\S)?)(\*\*|__)`)
	inlineCode  = lazyregexp.New("(`+)([^`\n]+)(`+)")
	mdLink      = lazyregexp.New(`!?\[([^\]\n]*)\]\(([^)\s]*)[^)\n]*\)`)
	listMark    = lazyregexp.New(`^\s*(?:[-*+•]|\d{1,2}[.)])\s+`)
	quoteMark   = lazyregexp.New(`^\s{0,3}>(?:\s|$)`)
	doctest     = lazyregexp.New(`^\s*(?:>>>|\.\.\.|In ?\[\d*\]:|Out ?\[\d*\]:|\$ |% |irb.*> )\s*`)
	codeLine    = lazyregexp.New(`^\s*(?:from\s+[\w.]+\s+import\s+[\w.*, ()]+|import\s+[\w.]+(?:\s+as\s+\w+)?;?|class\s+\w+\s*[({:<].*|(?:async\s+)?def\s+\w+\s*\(.*|@\w[\w.]*(?:\(.*\))?|` +
		`[\w.\[\]'"]+\s*[-+*/|&]?=\s*\S.*|(?:return|raise|assert|print|yield|del)\b.*[()\[\]=].*|(?:if|for|while|with|elif|else|try|except|finally)\b.*[^\w\s]:|[\w.]+\(.*\)[;,]?|[)}\]]+[;,]*|` +
		`(?:let|const|var|fn|func|pub|use|package|public|private|static)\s+\S.*[;{(=].*|.*[;{])$`)
	diffPath  = lazyregexp.New(`^(?:diff --git a/(\S+) b/\S+|(?:\+\+\+|---) [ab]/(\S+))`)
	rule      = lazyregexp.New(`^\s*[-=*_~]{3,}\s*$`)
	errorLine = lazyregexp.New(`^\s*(?:E\s+)?(?:[\w.]*(?:Error|Exception|Warning|Exit|Interrupt|Failure|Fault)\b(?:\s*\[[^\]]*\])?\s*(?::|$)|(?i:error|panic|fatal|fatal error|uncaught [\w.]+|caused by|assertion failed|segmentation fault|exception in thread)\b.{0,40}?:|thread '[^']*' panicked at)`)
)

// The beginnings of headings, in lower case: of sections about the machine, and of those in templates that only ask.
var (
	machineHeadings = []string{"environment", "your environment", "system", "version", "versions", "software version", "installed", "output of", "package version", "setup", "context (environment)",
		"configuration", "dependencies", "platform", "python version", "sphinx version", "pylint version", "os", "operating system", "additional dependencies", "rust version", "clap version",
		"affected version", "node version", "browser", "tokio version", "app version", "go version", "what version", "runtime", "checklist", "pre-check", "please complete", "prerequisites", "validations",
		"how did you install", "show_versions", "info", "debug output", "vue version", "svelte version", "severity", "is this a regression", "reproduces how often", "extra tools"}
	askingHeadings = []string{"describe the bug", "bug summary", "bug report", "describe", "description", "expected", "actual", "steps to reproduce", "steps/code to reproduce", "how to reproduce", "to reproduce", "reproduc", "minimal", "what happened",
		"what did you", "what do you", "what you", "what is", "what steps", "additional context", "additional info", "anything else", "code for reproduction", "code sample", "mcve", "command used", "pylint output", "expected behavior",
		"summary", "issue", "bug", "feature", "problem", "proposal", "motivation", "alternatives", "describe your use case", "is your feature", "solution", "current behavior", "possible solution", "matplotlib version", "outcome", "logs", "screenshots", "link to", "relevant", "your project", "other", "context", "prior", "details", "question", "traceback", "error", "sample"}
)

// changeTypes are the kinds of changes that the titles of commits begin with (https://www.conventionalcommits.org), and other words that
// name no part of the code there.
var changeTypes = []string{"fix", "feat", "feature", "bug", "bugfix", "chore", "refactor", "perf", "docs", "doc", "style", "test", "tests", "build", "ci", "revert", "dx", "types", "typing", "hotfix", "deps", "security", "all", "misc",
	"wip", "bug report", "feature request", "request", "proposal", "rfc", "question", "regression", "error", "typeerror", "valueerror", "keyerror", "attributeerror", "warning", "issue", "enh", "maint"}

// isHeading tells whether a heading, in lower case, begins as one of a list; a long one says something of its own.
func isHeading(s string, list []string) bool {
	return len(s) <= 70 && slices.ContainsFunc(list, func(h string) bool {
		return strings.HasPrefix(s, h) && (len(s) == len(h) || s[len(h)] < 'a' || s[len(h)] > 'z' || strings.HasSuffix(h, "reproduc"))
	})
}

// isAsking tells a line that is nothing but what a template asks for.
func isAsking(line string) bool {
	s := strings.ToLower(strings.Trim(line, "*:?_ \t"))
	return len(s) < 40 && (slices.Contains(askingHeadings, s) || slices.Contains(machineHeadings, s))
}

// Read takes a text apart.
func Read(s string) *Report {
	r := &Report{}
	if len(s) > maxReport {
		end := maxReport
		for end > maxReport-utf8.UTFMax && !utf8.RuneStart(s[end]) {
			end--
		}
		s = s[:end]
	}
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u00a0", " ", "\x00", " ", "\ufeff", "").Replace(s)
	s = htmlComment.ReplaceAllStringFunc(s, func(c string) string { r.dropped += 1 + strings.Count(c, "\n"); return "\n" })
	lines := strings.Split(s, "\n")
	r.Frames, lines = cutFrames(lines)
	open, info, machine, before := "", "", false, true // before: the line before was blank
	var block []string
	flush := func() {
		r.block(block, info)
		block, info = nil, ""
	}
	for _, raw := range lines {
		line := strings.TrimRight(raw, " \t")
		if m := fence.FindStringSubmatch(line); m != nil && (open == "" && !closedInLine(line, m[1]) || open != "" && strings.HasPrefix(m[1], open) && m[2] == "") {
			if open == "" {
				open, info = m[1], strings.ToLower(m[2])
			} else {
				open = ""
				if machine && info == "" && !hasCode(block) {
					r.dropped += len(block)
					block = nil
				}
				flush()
			}
			before = false
			continue
		}
		if open != "" {
			block = append(block, line)
			continue
		}
		line = htmlTag.ReplaceAllString(quoteMark.ReplaceAllString(line, ""), " ")
		if strings.TrimSpace(line) == "" {
			before = true
			continue
		}
		title := r.title == ""
		if m := heading.FindStringSubmatch(line); m != nil {
			line = m[1]
			low := strings.ToLower(strings.Trim(line, "*:?_ \t"))
			machine = !title && isHeading(low, machineHeadings)
			if !title && (machine || isHeading(low, askingHeadings)) {
				r.dropped++
				continue
			}
		} else if m := boldHeading.FindStringSubmatch(line); m != nil && !title {
			low := strings.ToLower(strings.Trim(m[1], "*:?_ \t"))
			if machine = isHeading(low, machineHeadings); machine || isHeading(low, askingHeadings) {
				r.dropped++
				continue
			}
		}
		indented := before && (strings.HasPrefix(raw, "    ") || strings.HasPrefix(raw, "\t")) && !listMark.MatchString(line)
		if reference.MatchString(line) {
			for _, a := range address.FindAllString(line, -1) {
				r.blob(a)
			}
		}
		switch {
		case title:
			r.title = strings.TrimSpace(line)
			if m := titleScope.FindStringSubmatch(r.title); m != nil {
				for _, s := range strings.FieldsFunc(strings.ToLower(m[1]+m[2]), func(r rune) bool { return r == ',' || r == ' ' }) {
					if s = strings.Trim(s, "/"); s != "" && !slices.Contains(changeTypes, s) {
						r.Scopes = append(r.Scopes, s)
					}
				}
			}
			r.prose(partTitle, r.title)
			before = false
			continue
		case isAsking(line), asking.MatchString(line), checkbox.MatchString(line), trailer.MatchString(line), reference.MatchString(line), rule.MatchString(line):
			r.dropped++
		case diffPath.MatchString(line):
			m := diffPath.FindStringSubmatch(line)
			r.places = append(r.places, m[1]+m[2])
		case machine && !strings.Contains(line, ". "), environment.MatchString(line), versionLine.MatchString(line) && len(line) < 120:
			r.dropped++
		case doctest.MatchString(line):
			r.add(partCode, doctest.ReplaceAllString(line, ""))
		case errorLine.MatchString(line):
			r.add(partMessage, line)
		case indented:
			r.add(partCode, line)
			continue // what follows may be indented as well
		case codeLine.MatchString(line) && !strings.Contains(line, "`"): // code that nobody marked as such
			r.add(partCode, line)
		default:
			r.prose(partProse, listMark.ReplaceAllString(line, ""))
		}
		before = false
	}
	flush() // a fence that was not closed
	r.join()
	return r
}

// closedInLine tells a line such as "```x```", which is code in a sentence, from one that begins a block.
func closedInLine(line, fence string) bool {
	_, behind, _ := strings.Cut(line, fence)
	return fence[0] == '`' && strings.Contains(behind, "`")
}

// maxTitle is how much of a first line [Report.Title] gives, in bytes.
const maxTitle = 1000

// Title gives the first line, or its beginning.
func (r *Report) Title() string {
	return strings.ToValidUTF8(r.title[:min(len(r.title), maxTitle)], "")
}

func (r *Report) add(p Part, text string) {
	if strings.TrimSpace(text) == "" {
		return
	}
	if len(r.stretches) == 0 || r.stretches[len(r.stretches)-1].part != p {
		r.join()
		r.stretches = append(r.stretches, stretch{part: p})
	}
	r.lines = append(r.lines, text)
}

// join gives the last stretch its lines, all at once: there may be as many as bytes.
func (r *Report) join() {
	if n := len(r.stretches); n > 0 {
		r.stretches[n-1].text = strings.Join(r.lines, "\n")
	}
	r.lines = nil
}

// prose takes a line of sentences, with code in them.
func (r *Report) prose(p Part, line string) {
	if r.said += len(line); p == partProse && r.said > leadBytes {
		p = partLater
	}
	line = mdLink.ReplaceAllStringFunc(line, func(l string) string {
		m := mdLink.FindStringSubmatch(l)
		r.blob(m[2])
		return m[1] + " "
	})
	line = address.ReplaceAllStringFunc(line, func(a string) string { r.blob(a); return " " })
	line = issueNumber.ReplaceAllString(line, " ")
	rest := 0
	for _, m := range inlineCode.FindAllStringSubmatchIndex(line, -1) {
		r.add(p, emphasis.ReplaceAllString(line[rest:m[0]], "$2"))
		r.add(partInline, line[m[4]:m[5]])
		if p == partTitle {
			r.add(p, line[m[4]:m[5]])
		}
		rest = m[1]
	}
	r.add(p, emphasis.ReplaceAllString(line[rest:], "$2"))
}

// blob takes the path out of the address of a file on a forge.
func (r *Report) blob(address string) {
	if m := blobAddress.FindStringSubmatch(strings.TrimRight(address, ".,;:")); m != nil {
		p := m[1]
		if m[2] != "" {
			p += ":" + m[2]
		}
		r.places = append(r.places, p)
	}
}

// block takes the lines of a block of code.
func (r *Report) block(lines []string, info string) {
	output := slices.Contains([]string{"console", "shell", "sh", "bash", "text", "txt", "log", "pytb", "none", "output", "traceback", "zsh", "powershell"}, info)
	for _, line := range lines {
		if m := diffPath.FindStringSubmatch(line); m != nil {
			r.places = append(r.places, m[1]+m[2])
			continue
		}
		line = address.ReplaceAllStringFunc(line, func(a string) string { r.blob(a); return " " })
		switch {
		case errorLine.MatchString(line):
			r.add(partMessage, line)
		case versionLine.MatchString(line) && len(line) < 120 && !strings.ContainsAny(line, "()[]{}"), environment.MatchString(line) && !strings.ContainsAny(line, "()[]{}"):
			r.dropped++
		case output:
			r.add(partOutput, line)
		default:
			r.add(partCode, doctest.ReplaceAllString(line, ""))
		}
	}
}

// hasCode tells whether lines look like code rather than a list of versions.
func hasCode(lines []string) bool {
	return slices.ContainsFunc(lines, func(l string) bool {
		return strings.ContainsAny(l, "(){};") && !versionLine.MatchString(l) && !environment.MatchString(l)
	})
}
