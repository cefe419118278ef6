// Package export writes a skill so that the agent of another house follows it, and enforces its guards there as far as that house allows.
//
//	b, err := export.Export(s, export.Claude, nil)
//	b.Files       // to be written: path and content
//	b.Hooks       // to be merged into the house's file of hooks
//	b.NotEnforced // what stays a text for the model
//
// A [Hook] is the program that the hooks run at each call of a tool. It keeps what the tools of findspot found in this session, opens
// gates by it, and denies what the guards deny until then. Conditions are evaluated by [runner.Gates], as in a run.
//
// # Who may open a gate
//
// A require gate opens by what the house says that findspot's tools returned. An approve gate opens when the person types "approve STEP" as a
// whole prompt, and closes with "withdraw STEP"; "release SKILL" ends the guards for the session, "enforce SKILL" brings them back. The model has none of these: it
// cannot type prompts, and as long as a guard is closed the hook denies what could forge them, which is every shell command that is not known to only
// read, and changes of the folders of findspot and of the houses. Trusted are the house, which says who called and what was returned, the server that it
// calls findspot, and the person's account. Once all guards are open the agent has the account's rights, those on this state included.
//
// # Formats
//
// Claude Code: https://code.claude.com/docs/en/hooks (events, input, output, exit codes), https://code.claude.com/docs/en/skills. Codex, whose hooks have the same
// form: https://developers.openai.com/codex/hooks, https://developers.openai.com/codex/skills. Cursor: https://cursor.com/docs/context/rules. AGENTS.md: https://agents.md.
package export
