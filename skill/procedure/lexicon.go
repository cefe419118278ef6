package procedure

import (
	"strings"
	"sync"
)

// verbs are those that tell somebody to do something, with the kind that they mean by themselves, also of several words ("look up" is written look_up). What a clause
// is of is learned, and this is a part of what it is learned from (verbTags). A verb that means many things is [Other].
var verbs = sync.OnceValue(func() map[string]Kind {
	m := map[string]Kind{}
	for _, v := range []struct {
		kind  Kind
		words string
	}{
		{SearchDocs, `search find locate seek hunt identify pinpoint discover browse trawl scour google query survey scan consult comb look look_up look_for look_in look_into look_through
			find_out go_through go_over dig dig_up dig_out hunt_down track_down seek_out gather mine rummage_through rummage_in work_through go_looking_for get_hold_of leaf_back_through pin_down spot collect leaf_through check_in pull`},
		{SearchCode, `grep ripgrep`},
		{ReadOne, `read open study retrieve fetch view re-read reread examine inspect skim peruse look_at look_over take_a_look have_a_look read_through go_to turn_to pull_up open_up jump_to revisit review_again`},
		{Plan, `plan outline design propose sketch suggest`},
		{Approve, `approve await`},
		{Write, `write implement edit change fix add create update rename delete remove patch commit refactor port merge apply modify rewrite replace insert migrate bump adjust translate code program draft
			extend move squash rebase tag push revert correct document mock annotate fill fill_in redact compose restore strip convert append repair undo overwrite reword amend shorten backport cherry-pick deprecate
			inline rework restructure reorganise reorganize hardcode touch optimise optimize adapt alter tweak rephrase reformat tidy simplify upgrade downgrade pin override swap comment_out uncomment wire wire_up hook_up clean_up introduce inject wrap_in delete_from type_in cut trim write_to write_out open_a_pr open_a_pull raise_a_pr raise_a_pull`},
		{Run, `run execute build compile recompile rebuild deploy redeploy benchmark launch start restart rerun re-run profile bisect reproduce rollout roll_out roll_back rollback install test retest measure train
			retrain plot simulate release ship invoke lint fuzz vet regenerate rehearse replay re-execute exercise load-test time carry_out flash boot switch_over kick_off fire_up spin_up trigger power_up power_on`},
		{Check, `check verify validate compare ensure confirm double-check double_check cross-check reconcile diff assert prove audit match review recheck re-check revalidate falsify corroborate substantiate back-test proofread proof-read make_sure make_certain see_if see_whether
			see_that judge_whether be_sure look_whether find_out_whether test_whether test_that test_if test_for spot-check scrutinise scrutinize sanity-check check_off`},
		{Answer, `answer report return summarise summarize present reply respond publish deliver send submit state tell explain describe quote hand_over hand_in hand_back output give hand post conclude announce declare
			recommend file send_back send_off send_out write_up sum_up mail email e-mail list comment cite claim distribute communicate disclose circulate issue share broadcast paraphrase`},
		{Stop, `stop end abort quit halt finish give_up break_off call_off`},
		{Other, `see roll carry power obtain note note_down write_down set_down jot_down record mark decide classify group sort compute calculate estimate determine choose repeat go keep take use split pick set set_up set_out set_aside make ask
			wait get show say count tally drop extract map break define assign rank order select filter clean prepare agree discuss invite book pay call schedule archive store save put label compile_list tabulate cluster follow
			trace work work_out figure figure_out think consider remember restate phrase formulate turn turn_on turn_off switch switch_on switch_off leave skip continue proceed wrap close attach name enter copy paste import export
			download upload reduce isolate try do let have bring come assess judge weigh evaluate analyse analyze derive sum highlight flag separate print draw draw_up watch log rate score sample notify inform contact phone ring register
			transfer withdraw deposit produce generate provide put_together put_on prioritise prioritize number throw throw_out throw_away take_out pull_out pick_out discard exclude include ignore resolve settle handle treat process
			screen interview visit observe monitor track load lock unlock escalate delegate assemble collate combine join connect disconnect mount calibrate align normalise normalize scale round multiply divide subtract solve
			interpolate initialise initialize configure enable disable activate deactivate grant revoke reject refuse decline accept cancel postpone pause resume expect imagine bear begin transcribe request pass
			clear warn remind advise pack sign countersign acknowledge negotiate purchase buy sell hire charge invoice reimburse refund renew throw consent authorise authorize vote forward give_back
			hang measure_out treat admit discharge administer tick type listen_to familiarise familiarize acquaint satisfy convince assure fit kick put_in map_out lay_out come_up_with establish ascertain lay look_out pause hold weigh bring_up call_up get_rid_of give_rise split split_up prescribe dose terminate sack appoint cluster talk speak meet reserve
			research secure devise spin_up recalculate ping jot format wash type-check stub specify scaffold replicate reindex purge perform pair fact-check eyeball explore dump drain display develop back_up warm walk unplug
			tighten sweep stress-test stamp solicit staple seal scrape rotate revise retry resample reload refresh refit recreate reboot investigate integrate enumerate encode clarify cease capture backfill acquire harvest digest
			invert eliminate black_out shortlist unload redraft categorise categorize telephone pseudonymise pseudonymize anonymise anonymize shred`},
	} {
		for w := range strings.FieldsSeq(v.words) {
			w = strings.ReplaceAll(w, "_", " ")
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
	// docWords are documents, where they are kept and what stands in them.
	docWords = words(`paper papers specification specifications spec specs manual manuals doc docs document documents documentation literature standard standards policy policies record records web archive archives
		minutes ticket tickets article articles publication publications handbook guideline guidelines guide guides report reports library libraries datasheet datasheets rfc clause clauses law statute statutes case cases file
		files log logs evidence source sources prior history wiki notes book books register registers database databases correspondence regulation regulations protocol protocols section sections studies study changelog
		mailing forum chapter chapters passage passages sentence sentences paragraph textbook textbooks survey surveys review trial trials patent patents precedent precedents ruling rulings judgment judgments contract
		contracts lease form forms invoice invoices receipt receipts offer offers bibliography citation citations reference references collection corpus internet intranet news press mail e-mail emails letter letters
		transcript transcripts interview recording recordings drawings drawing survey catalogue catalog leaflet information instruction instructions glossary dictionary encyclopedia appendix annex abstract equation
		equations formula formulas theorem limit limits value values threshold thresholds price prices deadline deadlines symptom symptoms attack attacks postmortem postmortems incident incidents issue issues statistics
		index compendium folder shelf drive memo memos notice notices advisory advisories licence licences conditions terms rules criteria requirement requirements objection candidates arxiv pubmed fact facts
		list lists questionnaire thesis dissertation preprint preprints brochure statement statements agenda inventory ledger newspaper magazine blog post posts thread threads faq tutorial runbook playbook checklist dossier prescription certificate permit permits
		deed warranty quotation quotations treaty act acts decree directive opinion opinions manuscript manuscripts paragraphs article bibliography introduction text texts chart charts card sheet sheets plan plans data`)
	codeWords = words(`code repo repository repositories codebase function functions method methods class classes module modules package packages identifier identifiers symbol symbols variable variables constant
		constants implementation implementations tests test usage usages occurrence occurrences string strings endpoint endpoints handler handlers struct structs interface interfaces type types macro macros header headers enum enums
		hook hooks route routes component components api apis call calls import imports script scripts template templates field fields flag flags config parameter argument arguments todo codeowners maintainers literal
		literals query queries metric schema migration migrations fixture fixtures annotation annotations decorator decorators pattern branch tree names shader kernel callback event events listener middleware widget css html sql regex dependency dependencies binary parser driver plugin dockerfile makefile diff commit commits prototype declaration
		declarations wrapper wrappers getter getters setter setters serializer enum callee dto stub stubs`)
	planWords   = words(`plan plans outline design designs proposal proposals sketch approach roadmap schema draft-plan concept strategy layout timetable architecture protocol-plan blueprint`)
	personWords = words(`owners reviewers maintainers users clients customers me user owner maintainer reviewer supervisor engineer solicitor head manager person client customer team lead editor board committee counsel lawyer
		director author authors pi professor boss traveller colleague colleagues researcher operator requester reporter tenant claimant partner doctor editor-in-chief chair chairman chairwoman chairperson architect dpo officer
		controller us council human physician patient vet pharmacist nurse applicant investigator conservator adjuster management legal finance purchasing procurement compliance qa hr department office union judge
		notary treasurer accountant auditor secretary teacher parents student students member members stakeholder stakeholders sponsor expert experts co-author co-authors coauthors curator librarian inspector
		developer programmer administrator admin superior principal ceo cto group analyst landlord captain foreman coordinator clerk registrar nurse surgeon therapist examiner examiners tutor instructor trainer captain contractor supplier vendor donor heir executor trustee minister mayor dean rector chancellor provost
		commander chef buyer guild ethics operations marketing engineering sales everyone everybody somebody someone anyone them her him`)
	// texts are what is written for somebody: the result where nothing is done with it afterwards.
	texts = words(`answer report summary conclusion verdict memo table list reply overview recommendation recommendations statement explanation assessment review evaluation briefing synthesis letter finding findings
		result results matrix response opinion digest note decision abstract commentary postmortem bulletin`)
	// wares are what is neither a text nor code.
	wares = words(`account accounts badge laptop booking room payment balance calendar meeting access appointment permission permissions subscription stock money sum row rows duplicate duplicates outlier
		outliers sample samples column columns unit units everything power lid valve machine device instrument user users profile password ticket-number entry entries case equipment cable part parts reminder
		mailbox animal animals patient patients member vote criterion values value numbers amount amounts currency date dates term terms first`)
	// programs are what is started.
	programs = words(`test tests suite command script benchmark build program migration canary linter formatter server service container simulation generator job pipeline notebook experiment tool application app training
		process simulator emulator load-test load analysis`)
)

var (
	// moves are verbs that tell of a thing only that it comes somewhere.
	moves = words(`go leave come appear get enter stand start begin happen make do take put move proceed continue exist pass keep let use set turn become end follow accept allow permit tolerate attempt undertake perform conduct`)
	// fillers carry no meaning before the verb that tells what is done.
	fillers = words(`may can must should shall will do does have has to you we i it ever even just yet also already start starts begin begins started starting beginning try trying attempt continue proceed proceeding go going think of with on under any circumstances simply ahead and
		single a an the more further skip ahead jump straight into rush dive move allowed permitted free no any not never nothing nobody be until before`)
)

// ends of an object; an "of" ends its head alone.
var ends = words(`of in on for from with by to at into onto against about per through throughout across within inside that which who whose where when if as using until before after so because under over between via
	during unless while whether how and or but not instead according what again too first one-by-one twice up down out off away`)

// verbAt gives the verb with which the words begin, its kind, and of how many words it is: 0: they begin with none.
func verbAt(f []string) (string, Kind, int) {
	for n := min(3, len(f)); n > 0; n-- {
		w := strings.Trim(strings.Join(f[:n], " "), ",:.;()\"'!?")
		if k, ok := verbs()[w]; ok {
			return w, k, n
		}
	}
	return "", "", 0
}
