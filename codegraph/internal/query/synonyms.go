package query

import (
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/text"
)

type synonym struct{ stem, written string }

// synonyms gives for the stem of a word those of the words that mean about the same where software is spoken of.
var synonyms = sync.OnceValue(func() map[string][]synonym {
	out := map[string][]synonym{}
	for line := range strings.Lines(thesaurus) {
		words := strings.Fields(line)
		for _, a := range words {
			for _, b := range words {
				if sa, sb := text.Stem(a), text.Stem(b); sa != sb {
					out[sa] = append(out[sa], synonym{sb, b})
				}
			}
		}
	}
	return out
})

// thesaurus has on each line words for one thing: everyday words and those that names in code are made of. The rarely used words are those that it is for, see
// hardlyAny; common ones are there as what these are read as.
const thesaurus = `
check verify validate test ensure assert valid
delete remove drop clear erase discard purge unset unlink
leave omit skip exclude ignore trim
create make build construct generate new add
change modify update alter edit replace set
get fetch retrieve read load find lookup obtain
send emit dispatch transmit write
start begin launch run open init boot
stop end halt abort cancel close shutdown terminate finish exit
join merge combine concat append union
split cut divide partition slice chunk
choose select pick decide resolve determine
compare equal match same cmp diff eq
convert turn transform translate cast
print show display output render dump
copy clone duplicate
wait sleep delay
keep store save persist hold remember cache
hide mask redact obscure safe
refuse forbid deny reject disallow prohibit block
allow permit permission grant authorize access rights
limit max throttle restrict bound quota rate
count number len size length amount total num
sort order rank
repair fix correct clean normalize
guess detect infer sniff discover
escape quote encode
warn warning deprecate
complain error raise throw fail invalid
fail failure error exception
answer response reply respond
ask query request
call invoke execute apply
listen serve bind accept server
elsewhere redirect forward location
link url href uri address
address addr ip host url
site host domain origin website
page view html template
visitor client user browser remote
login auth authenticate credential signin logon
password secret credential passphrase
administrator admin superuser staff root
forgery csrf xsrf
certificate cert tls ssl pem
gateway proxy
verb method
environment env
variable var
setting config option preference configuration default
parameter param argument arg
route path url
folder directory dir
archive zip tar
picture image
colour color
capital upper lower case
letter character char rune
text string str
date time datetime timestamp
speed rate fast
late timeout deadline long
expire stale old expired
list array slice sequence
dictionary dict map mapping
twice again repeat duplicate
last previous before prev old
next following after
dropdown select option choice
mail email
frame iframe
hidden dot
random rand
wildcard placeholder segment
loop cycle circular iterate
background async thread task
coroutine async await
crash panic exception recover
charset encoding utf
content body payload data
upload multipart
permission right
middleware handler
violation integrity
share sharing shared
`
