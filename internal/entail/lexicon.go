package entail

import (
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/text"
)

// opposites are pairs of words of which one turns what the other says. Of words before a slash any stands against any behind it.
const opposites = `
above over exceed exceeds exceeded exceeding more most greater greatest larger largest bigger biggest higher high highest raised raise raises rise rises rose risen rising increase increases increased increasing grow grows grew grown up upward climbed climb climbs / below under beneath less least fewer fewest smaller smallest lower low lowest lowered lowers fall falls fell fallen falling decrease decreases decreased decreasing shrink shrinks shrank drop drops dropped dropping decline declines declined down downward reduce reduces reduced reducing
ahead early / behind late delayed
longer longest / shorter shortest
faster fastest quicker quickest sooner / slower slowest later
slows slow slowed / speeds speed accelerates accelerate accelerated fast
before earlier preceding precedes prior / since after later afterwards following follows subsequently
first / last
better best improve improves improved improving improvement benefit / worse worst worsen worsens worsened deteriorate deteriorates deteriorated degrade degrades degraded
gain gains gained / loss lost loses
horizontal horizontally / vertical vertically
inner / outer
front / rear back
hard / soft
bright / dark
rural / urban
rich / poor
clean / dirty
manual manually / automatic automatically
local locally / remote remotely global globally
wired / wireless
static / dynamic
passive / active
analogue analog / digital
input inputs / output outputs
source sources / target targets destination
parent parents / child children
temporary temporarily / permanent permanently
partial partially partly / complete completely full fully
single / multiple several
encode encodes encoded / decode decodes decoded
lossless / lossy
coarse / fine
dense / sparse
deep deeper deepest / shallow shallower shallowest
thick / thin
long / short
wide / narrow
tight / loose
rough / smooth
simple simpler / complex complicated
easy easier / difficult harder
cheap cheaper / expensive
domestic / foreign
majority / minority
always / never
forward / backward
clockwise / anticlockwise counterclockwise
upstream / downstream
employer employers / employee employees
winner / loser
male men / female women
teacher teachers / student students pupils
summer / winter
spring / autumn
supply / demand
heavier / lighter
stronger strongest / weaker weakest
cheaper cheapest / dearer dearest costlier
warmer hotter hot warm / colder cooler cold cool
wider broader / narrower
thicker / thinner
younger / older
enabled enable enables active activated activate opened open opens opening / disabled disable disables inactive deactivated deactivate closed close closes closing shut
allow allows allowed permit permits permitted accepted accept accepts grants granted / forbid forbids forbidden prohibit prohibits prohibited refuse refuses refused reject rejects rejected denied deny denies
include includes included including / exclude excludes excluded excluding without
succeed succeeds succeeded success successful passed pass passes / fail fails failed failure unsuccessful
required require requires mandatory compulsory obligatory must / optional unnecessary
present / absent missing
kept keep keeps retained retain retains remains remain stays stay unchanged constant stable same / removed remove removes deleted delete deletes dropped discarded lost changed changes altered alters different replaced modified varied
start starts started begin begins began begun begins / stop stops stopped end ends ended cease ceased finish finished
add adds added / removed remove removes deleted delete
appeared appear appears / disappeared disappear disappears vanished vanish vanishes
connected connect connects / disconnected disconnect disconnects
lock locks locked / unlock unlocks unlocked
loaded / unloaded empty
public / private
safe / unsafe dangerous
synchronous / asynchronous
internal inside indoor indoors / external outside outdoor outdoors
north northern / south southern
east eastern / west western
left / right
upper top / lower bottom
minimum / maximum
positive / negative
known / unknown
possible / impossible
expected / unexpected
significant significantly / insignificant
likely / unlikely
approved approve approves agreed agree agreed / rejected reject rejects disapproved
won win wins / lost lose loses
import imports imported / export exports exported
ascending / descending
odd / even
deprecated / recommended
same identical equal / different differs differ
encrypted / unencrypted
finished completed complete done / unfinished incomplete
true / false
available / unavailable
visible / invisible hidden
serial / parallel
former / latter
profit profits / loss losses
income revenue revenues / expense expenses costs
surplus / deficit
wet / dry
day daytime / night
client clients / server servers
read reads reader readers / write writes writer writers
sender uplink / receiver downlink
`

// synonyms are groups of words that may stand for one another.
const synonyms = `
use used uses using utilise utilises employ employs employed rely relies via by through
start starts started begin begins began begun launch launches launched commence commences commenced initiate
stop stops stopped end ends ended cease ceased halt halts halted finish finished
show shows showed shown indicate indicates indicated reveal reveals revealed demonstrate demonstrates demonstrated find finds found observe observed
big large huge considerable great
small little minor slight tiny
many numerous several various
need needs needed require requires required requirement necessary must demand demands has have needs
cause causes caused result results led leads lead due because reason produce produces produced trigger triggers triggered owing make makes made
increase increases increased increasing rise rises rose risen grow grows grew grown climb climbs climbed raise raises raised higher more gain gains gained up larger greater
decrease decreases decreased decreasing fall falls fell fallen drop drops dropped decline declines declined reduce reduces reduced reduction lower lowers lowered less shrink shrinks shrank down smaller fewer
allow allows allowed permit permits permitted may can possible let lets able enable enables
forbid forbids forbidden prohibit prohibits prohibited banned
keep keeps kept retain retains retained preserve preserves preserved remain remains remained stay stays stayed hold holds held
remove removes removed delete deletes deleted discard discards discarded drop drops dropped eliminate eliminated
get gets got obtain obtains obtained receive receives received
give gives gave given provide provides provided supply supplies supplied deliver delivers delivered
send sends sent transmit transmits transmitted
pick chose choose chosen select selects selected
build builds built construct constructed make makes made create creates created form forms formed
check checks checked verify verifies verified test tests tested examine examined inspect inspected validate validated
change changes changed alter alters altered modify modifies modified adjust adjusted edit
fix fixed repair repaired mend mended correct corrected resolve resolved
break breaks broke broken fail fails failed failure failures fault faults outage
plan plans planned intend intends intended schedule scheduled propose proposed expect expected expects expectation aim aims
cost costs price prices charge charges charged bill billed fee fees
error errors fault faults mistake mistakes
area areas region regions zone zones
speed rate velocity pace
maximum most max peak highest largest limit ceiling cap
minimum least min lowest smallest floor
average mean averages averaged
total overall altogether sum all
part parts portion share fraction piece
person people patient patients participant participants subject subjects
staff employees employee personnel workers
company firm enterprise
method methods approach approaches technique techniques procedure
value values figure figures number numbers amount amounts quantity level
time times period periods duration interval
size sizes length lengths
begin beginning onset outset start
near close beside adjacent by
between from
device devices unit units receiver equipment apparatus instrument
message messages packet packets frame frames
field fields member entry entries attribute
request requests query queries ask asks asked call calls
answer answers answered reply replies replied response responses respond responds responded return returns returned
store stores stored save saves saved keep keeps kept storage hold holds
wait waits waited delay delays delayed
exceed exceeds exceeded exceeding above over beyond more than surpass surpasses
within inside under below less
happen happens happened occur occurs occurred take takes place took
say says said state states stated report reports reported note notes noted according
enough sufficient adequate
whole entire complete full total
quick quickly fast rapid rapidly soon
also too moreover likewise additionally
separate separately apart individual individually independent independently own
connect connects connected attach attached link links linked join joined
turn turns turned switch switches switched
active activated enabled enable on
inactive disabled disable shut off
big bigger larger greater
old older earlier previous former
new newer recent latest later
buy bought purchase purchased acquire acquired
lost loss lose loses
weight weighs weigh mass heavy heavier
warm warmer heat heated hot temperature
built-in integrated internal inbuilt
disappear disappears disappeared vanish vanishes vanished gone went
twice double doubled two
half halved
carry carries carried bear
replace replaces replaced substitute substituted exchange exchanged swap swapped supersede
consist consists comprise comprises contain contains contained include includes included has have had hold holds
exclude excludes excluded omit omitted except
differ differs differed different difference
same identical equal equals equally alike
each every all per
since because as
until till up
per a an each every
if when once whenever provided case
though although however but yet while whereas
assign assigned allocate allocated
measure measures measured measurement measurements determine determined record recorded
publish published issue issued release released
approve approved approval accept accepted agree agreed
refuse refuses refused reject rejects rejected deny denied decline
version release edition
identify identified recognise recognised detect detects detected detection
choose option options optional
fill fills filled
handle handles handled process processes processed treat treats treated
effect effects impact impacts influence affects affect affected
manage managed run runs ran operate operates operated work works worked operation
evening night
morning early
guard protect protects protected
attempt attempts try tries tried retry retries retried
fewest least
lead leads led head heads headed
doctor doctors physician physicians
trial trials study studies
car vehicle vehicles van
picture image images photo
place places location locations site sites position
mount mounts mounted install installs installed installation fit fitted set
`

const stops = ` cannot don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't haven't a an the of to in on at by for with from as is are was were be been being am it its this that these those there which who whom whose what and or but if than then so such
 do does did has have had will would shall should may might can could must not no nor neither also too very just only both each all any some one ones into onto over under up down out off about
 between during while when where after before because since until though although however whereas per via within without more most less least other another same own here they them their theirs he she his her we our us you your i my
 according says said say states stated text paper document report reports authors author specification note notes page table lists listed given gives give get gets got come comes came go goes went make makes made take takes took put let lets become becomes became
 yet still even again already once ever else rather quite much many few enough every either none nobody nothing thus therefore hence instead namely respectively altogether overall otherwise likewise besides `

type lexicon struct {
	stop     map[string]bool
	group    map[string][]int // by word: groups of synonyms
	stemmed  map[string][]int // by stem
	opposite map[string]map[string]bool
}

var lex = sync.OnceValue(func() *lexicon {
	l := &lexicon{stop: map[string]bool{}, group: map[string][]int{}, stemmed: map[string][]int{}, opposite: map[string]map[string]bool{}}
	for w := range strings.FieldsSeq(stops) {
		l.stop[w] = true
	}
	for i, line := range strings.Split(strings.TrimSpace(synonyms), "\n") {
		for w := range strings.FieldsSeq(line) {
			l.group[w] = append(l.group[w], i)
			l.stemmed[text.Stem(w)] = append(l.stemmed[text.Stem(w)], i)
		}
	}
	for _, line := range strings.Split(strings.TrimSpace(opposites), "\n") {
		a, b, _ := strings.Cut(line, "/")
		for x := range strings.FieldsSeq(a) {
			for y := range strings.FieldsSeq(b) {
				l.oppose(x, y)
				l.oppose(y, x)
			}
		}
	}
	return l
})

func (l *lexicon) oppose(a, b string) {
	if l.opposite[a] == nil {
		l.opposite[a] = map[string]bool{}
	}
	l.opposite[a][b] = true
}

// like reports whether two words have one stem, or may stand for one another.
func (l *lexicon) like(a, b token) bool {
	if a.stem == b.stem || a.low == b.low {
		return true
	}
	if a.kind == name && b.kind == name {
		return strings.TrimSuffix(a.low, "s") == strings.TrimSuffix(b.low, "s")
	}
	if n := min(len(a.stem), len(b.stem)); n >= 5 && a.stem[:n] == b.stem[:n] && max(len(a.stem), len(b.stem))-n <= 4 { // disturb, disturbance
		return true
	}
	for _, x := range l.groups(a) {
		for _, y := range l.groups(b) {
			if x == y {
				return true
			}
		}
	}
	return false
}

func (l *lexicon) groups(t token) []int {
	if g := l.group[t.low]; g != nil {
		return g
	}
	return l.stemmed[t.stem]
}

// against reports whether two words are opposites: those of the list, and a word with a prefix that denies it.
func (l *lexicon) against(a, b token) bool {
	return l.opposite[a.low][b.low] || a.kind == word && b.kind == word && (denies(a.low, b.low) || denies(b.low, a.low))
}

// denies reports whether a word is another with a prefix such as "un".
func denies(a, b string) bool {
	for _, p := range [...]string{"un", "in", "im", "ir", "il", "non", "dis"} {
		if rest, ok := strings.CutPrefix(a, p); ok && len(rest) > 3 && (rest == b || text.Stem(rest) == text.Stem(b)) {
			return true
		}
	}
	return false
}

// lazy is a set that is made when it is asked for.
func lazy(words string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool { return set(words) })
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[w] = true
	}
	return m
}

var (
	negators   = lazy("not no never none neither nor without cannot n't don't doesn't didn't isn't aren't wasn't weren't can't couldn't won't wouldn't shouldn't hasn't haven't nobody nothing lacks lack lacking unable hardly nowhere")
	partials   = lazy("subset minority some several many most mostly often usually sometimes partly mainly few occasionally generally typically nearly almost largely majority half portion rarely selected certain except apart excluding save unless seldom")
	plans      = lazy("will plan plans planned planning intend intends intended expect expects expected scheduled propose proposed proposes recommend recommends recommended considered aims forthcoming upcoming foreseen envisaged anticipated projected")
	may        = lazy("awaited pending still deprecated should shall must plan means promised due future way tentative may might can could possible possibly perhaps allowed permitted able optional optionally likely probably suggests suggest seems appear appears candidate")
	conditions = lazy("if unless provided only except until when whenever while once as")
)
