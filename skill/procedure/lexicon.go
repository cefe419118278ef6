package procedure

import (
	"strings"
	"sync"
)

// verbs are those that tell somebody to do something, with the kind that they mean by themselves. Objects decide where several kinds are
// possible (kindOf).
var verbs = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, v := range []struct {
		kind  Kind
		words string
	}{
		{SearchDocs, `search look find locate consult browse gather collect scan skim google query survey trawl hunt seek identify pull dig mine`},
		{SearchCode, `grep`},
		{ReadOne, `read open study retrieve fetch load view re-read reread examine inspect`},
		{Plan, `plan outline design propose sketch suggest`},
		{Approve, `approve await`},
		{Write, `write implement edit change fix add create update rename delete remove patch commit refactor port merge apply modify rewrite replace insert migrate
			bump adjust translate code draft extend move squash rebase tag push revert correct document mock annotate fill redact compose restore convert append generate repair`},
		{Run, `run execute build compile deploy benchmark launch start restart rerun re-run profile bisect reproduce rollout roll install test measure train plot simulate release ship`},
		{Check, `check verify validate compare ensure confirm double-check cross-check reconcile diff assert prove audit judge match review recheck re-check`},
		{Answer, `answer report return summarise summarize give present reply publish deliver send submit state list respond tell explain describe quote file hand post output`},
		{Stop, `stop end abort quit halt finish`},
		{Other, `see obtain note record mark jump decide classify group sort compute calculate estimate determine choose repeat go keep take use split pick set make ask wait get show say count
			cite drop extract map break define assign rank order select filter clean prepare agree discuss invite book pay call schedule archive store save put label compile tabulate cluster trace follow
			work figure think consider remember restate phrase formulate turn leave skip continue proceed return wrap close attach name enter copy paste convert import export download upload watch
			convert reduce isolate try do let have bring come assess judge weigh evaluate analyse analyze derive extract tally sum highlight flag separate match draw plot print log
			rate score sample order wait read-back notify inform contact mail email phone ring`},
	} {
		for w := range strings.FieldsSeq(v.words) {
			if _, ok := m[w]; !ok {
				m[w] = v.kind
			}
		}
	}
	return m
})

func words(s string) func() map[string]bool {
	return sync.OnceValue(func() map[string]bool {
		m := map[string]bool{}
		for w := range strings.FieldsSeq(s) {
			m[w] = true
		}
		return m
	})
}

// Words of objects.
var (
	docWords = words(`paper papers specification specifications spec specs manual manuals doc docs document documents documentation literature standard standards policy policies record records web archive
		minutes ticket tickets article articles publication publications handbook guideline guidelines report reports library libraries datasheet rfc clause clauses law statute case cases file files log logs
		evidence source sources prior history wiki notes book books register database correspondence regulation regulations protocol protocols section sections studies study changelog export mailing forum chapter`)
	codeWords   = words(`code source repo repository codebase function functions method methods class classes module modules identifier symbol variable implementation tests usage usages occurrences constant string`)
	planWords   = words(`plan outline design proposal sketch approach roadmap schema draft-plan concept strategy`)
	personWords = words(`owners reviewers maintainers users clients customers me user owner maintainer reviewer supervisor engineer solicitor head manager person client customer team lead editor board committee counsel lawyer director author pi professor boss traveller
		colleague researcher operator requester reporter tenant claimant partner doctor editor-in-chief chair architect dpo officer controller us`)
	// deciders are persons whose doing lifts a prohibition: "until I have looked at it".
	deciders = words(`i user owner owners maintainer maintainers reviewer reviewers supervisor engineer solicitor head manager client customer team lead editor board committee council counsel lawyer director professor boss
		operator requester partner doctor chair architect officer controller legal author chief colleague`)
)
