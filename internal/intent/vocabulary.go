package intent

import "strings"

func set(s string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(s) {
		m[w] = true
	}
	return m
}

var (
	auxiliary = set("is are was were be been being am do does did has have had can could would will might may should shall must get gets got gotten")
	beForms   = set("is are was were be been being")
	adverbs   = set("still ever actually really currently also directly indirectly else all now already explicitly transitively even only just exactly possibly ultimately internally themselves itself anywhere any in-turn typically normally usually often ")
	// The verbs of calling and using, by their form.
	baseVerbs = set("call calls invoke invokes use uses import imports reference references mention mentions instantiate instantiates reads utilize utilizes utilise utilises consume consumes access accesses construct constructs subclass subclasses extend extends")
	ingVerbs  = set("calling invoking using importing referencing mentioning instantiating utilizing utilising consuming accessing constructing subclassing extending")
	pastVerbs = set("called invoked used imported referenced mentioned instantiated utilized utilised consumed accessed constructed subclassed extended touched")
	// twoWord verbs: the second word by the first.
	twoWord = map[string]string{"depend": "on", "depends": "on", "depended": "on", "depending": "on", "rely": "on", "relies": "on", "relied": "on", "relying": "on",
		"refer": "to", "refers": "to", "referred": "to", "referring": "to", "inherit": "from", "inherits": "from", "inheriting": "from", "derive": "from", "derives": "from"}
	threeWord = map[string]bool{"make use of": true, "makes use of": true, "made use of": true, "making use of": true}
	// callVerbs say that what they are about runs: their object is code even as a plain word.
	callVerbs = set("call calls called calling invoke invokes invoked invoking import imports imported importing instantiate instantiates instantiated instantiating reference references referenced referencing")

	interrogative = set("who what which whom")
	indefinite    = set("anyone anybody anything someone somebody something everyone everybody everything nobody nothing")
	// codeNouns are what calls and uses.
	codeNouns = set("code codebase function functions method methods class classes file files module modules package packages place places part parts test tests line lines " +
		"spot spots location locations component components service services endpoint endpoints handler handlers command commands script scripts program programs caller callers " +
		"helper helpers hook hooks struct structs trait traits interface interfaces type types symbol symbols entity entities member members constructor constructors " +
		"sites site subsystem subsystems crate crates layer layers job jobs task tasks worker workers route routes controller controllers view views macro macros binary binaries " +
		"library libraries repository repositories project app application suite example examples notebook notebooks routine routines subroutine subroutines procedure procedures object objects callsite callsites")
	// refNouns are the callers and uses themselves.
	refNouns = set("callers users usages uses references consumers dependents dependants occurrences invocations importers calls callsites xrefs cross-references back-references mentions instantiations call-sites")
	// singular ones need a word before them that looks for something.
	refSingular = set("caller user usage use reference consumer dependent occurrence invocation importer call callsite mention")
	// symbolNouns stand beside a name and say what it is.
	symbolNouns = set("function functions method methods class classes type types symbol constant constants interface variable field fields enum struct trait module package helper decorator macro hook component property attribute object routine procedure singleton alias typedef namespace component constructor file")

	articles = set("the a an our my your this that these those its their")
	// openers may stand before the noun of a request: what is asked for is then callers, not something else about them.
	openWords = set("find show list give get print count search look lookup enumerate display tell fetch locate identify collect grep see know check determine name report figure out up for me us please pls " +
		"can could would will you i we let lets let's want need like i'd to want wanted would be is are was were there do does have any some all every each the a an what who which where how many much " +
		"full complete exact list lists of number in code now just also and or then so but existing current known direct indirect other remaining real actual possible hey hi ok okay well " +
		"hello quickly kindly go run do it mean help with information about whether if by still any got ever actually really test production internal external different various those these are")
	// stopAfter may not begin or be a plain word of an object.
	objectStops = set("and or but in on at by from for with when where who what which how why is are was were be been being do does did has have had to of as if while after before than then because since " +
		"anywhere somewhere elsewhere ever still get gets got directly there here not so about into over under inside within outside without instead during per via across throughout it's i whom whose most more much at left right today")
	pronounWords = set("it this that them these those him her us me you itself themselves one ones anyone anything everything something nothing someone each other")
	// documentWords say that a text is looked at, not code.
	documentWords = set("standard standards spec specs specification specifications clause clauses section sections paper papers document documents literature book books article articles thesis chapter chapters " +
		"rfc ts tr pdf annex figure table tables release theory author authors publication publications report reports page pages patent patents")
	// worldWords say that people or things outside of code are meant.
	worldWords = set("industry practice world academia companies company market life deployments deployment lte nr 5g 4g 6g wifi networks operators history business school schools europe china general research")
	codeWords  = set("code codebase base tests test repo repository project package module modules file files class classes function functions method methods app application program programs source sources backend frontend library folder directory directories " +
		"folders tree here component components suite examples example workspace crate script scripts")
	// genericNouns with "this" or "our" mean the whole, which is no symbol.
	genericNouns = set("library project tool product software repository repo code codebase package paper approach algorithm technique technology method system app application framework standard program language model signal feature")
	// products are written like names and are none of the code asked about.
	products = set("github gitlab javascript typescript youtube openai linkedin iphone ipad macos pytorch tensorflow numpy scipy mysql postgresql mongodb graphql latex bibtex facebook whatsapp paypal powerpoint " +
		"chatgpt devops wifi ios node.js vue.js next.js")
)

// IsArticle reports whether a word in small letters only points at the noun behind it: "the", "our".
func IsArticle(w string) bool { return articles[w] }

// IsSymbolNoun reports whether a word in small letters says what kind of symbol the name beside it is: "function", "helper".
func IsSymbolNoun(w string) bool { return symbolNouns[w] }
