package skill

import "slices"

// The form of a workflow: which keys stand where and what they hold. The parser takes its keys from here, and the JSON
// Schema for editors is made from here, so that neither can know a key that the other does not.

type formKind int

const (
	formText     formKind = iota // a text; a number or true is taken as its text
	formTexts                    // a text or a list of texts
	formNumber                   // a whole number from lo to hi
	formBool                     // true or false
	formDuration                 // a time such as 15m
	formAny                      // any value
	formObject                   // a mapping of any values
	formMap                      // a mapping of the fields
	formDict                     // a mapping of names to what of says
	formList                     // a list of what of says
	formSteps                    // a list of steps
	formEither                   // one of the forms in any
)

type form struct {
	kind   formKind
	lo, hi int
	enum   []string
	fields []field
	of     *form
	any    []*form
	least  int // elements of a list
}

type field struct {
	name     string
	doc      string
	form     *form
	required bool
}

// keys lists the keys of a mapping.
func keys(fields []field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.name
	}
	return out
}

func mapOf(fields ...field) *form      { return &form{kind: formMap, fields: fields} }
func number(lo, hi int) *form          { return &form{kind: formNumber, lo: lo, hi: hi} }
func oneOf(words ...string) *form      { return &form{kind: formText, enum: words} }
func listed(words ...string) *form     { return &form{kind: formTexts, enum: words} }
func listOf(of *form, least int) *form { return &form{kind: formList, of: of, least: least} }

var (
	aText     = &form{kind: formText}
	someTexts = &form{kind: formTexts}
	aBool     = &form{kind: formBool}
	aTime     = &form{kind: formDuration}
	anything  = &form{kind: formAny}
	anObject  = &form{kind: formObject}
	someSteps = &form{kind: formSteps, least: 1}

	inputForm = mapOf(
		field{name: "type", doc: "What the input is; without it any value.", form: oneOf(inputTypes...)},
		field{name: "required", doc: "A run without it is refused.", form: aBool},
		field{name: "default", doc: "The value when none is given; of the type.", form: anything},
		field{name: "description", doc: "For readers.", form: aText},
	)
	limitsForm = mapOf(
		field{name: "tool_calls", doc: "Most calls of tools; 200 without it.", form: number(1, 100000)},
		field{name: "wall", doc: "Longest time of a run; 15m without it.", form: aTime},
		field{name: "tokens", doc: "Most tokens of the model, in and out together.", form: number(1, 1<<31-1)},
	)
	guardForm = mapOf(
		field{name: "deny", doc: "Tools that are refused until the gates are open; names, or patterns such as lsp_*.", form: someTexts, required: true},
		field{name: "until", doc: "passed.STEP and approved.STEP, joined by &&. Without it the tools are never allowed.", form: aText},
		field{name: "because", doc: "What a refused caller is told.", form: aText},
	)
	scriptForm = mapOf(
		field{name: "path", doc: "The script, in the skill's folder.", form: aText, required: true},
		field{name: "description", doc: "What it does, for the model and the reader.", form: aText},
		field{name: "args", doc: "JSON Schema of its arguments, an object.", form: anObject},
	)
	blockFields = []field{
		{name: "inputs", doc: "Named values that a run takes: a type, or a mapping.", form: &form{kind: formDict, of: &form{kind: formEither, any: []*form{oneOf(inputTypes...), inputForm}}}},
		{name: "limits", doc: "Bounds of a run; the host's hold too.", form: limitsForm},
		{name: "guards", doc: "Tools that are denied until gates have passed.", form: listOf(guardForm, 0)},
		{name: "scripts", doc: "Scripts of the folder that steps may run through run_script, once the host has approved their digests.", form: listOf(&form{kind: formEither, any: []*form{aText, scriptForm}}, 0)},
		{name: "steps", doc: "What is done, in order.", form: someSteps, required: true},
		{name: "telemetry", doc: "Numbers computed when the run has ended, by name: an expression.", form: &form{kind: formDict, of: aText}},
	}
	// fileFields are what a workflow that is a file of its own may hold besides: the front matter of SKILL.md.
	fileFields = []field{
		{name: "name", doc: "Lower-case letters, digits and single hyphens.", form: aText},
		{name: "description", doc: "What the skill does and when to use it.", form: aText},
		{name: "license", doc: "Name of a licence, or of its file.", form: aText},
		{name: "compatibility", doc: "What it needs around it.", form: aText},
		{name: "metadata", doc: "Further texts by name: examples, not-for and triggers are read.", form: anObject},
		{name: "allowed-tools", doc: "The tools that the skill may use, with spaces between, or a list.", form: someTexts},
	}
	stepFields = []field{
		{name: "id", doc: "The name under which later steps see its value: lower-case letters, digits and _.", form: aText, required: true},
		{name: "when", doc: "Expression; the step is skipped when it is false.", form: aText},
		{name: "on_error", doc: "continue without a value, or stop the run.", form: oneOf("continue", "stop")},
	}
)

// A stepForm is what a kind of step looks like: what stands behind the key of its kind, and the keys it takes besides id,
// when and on_error.
type stepForm struct {
	kind    Kind
	doc     string
	subject *form
	fields  []field
}

var retryForm = mapOf(
	field{name: "max", doc: "Most repetitions.", form: number(1, 20)},
	field{name: "on", doc: "The error code, state or verdict to repeat on; any error without it.", form: aText},
	field{name: "wait", doc: "Time before each repetition.", form: aTime},
)

var stepForms = []stepForm{
	{KindExpand, "Makes search queries of a task.", aText, []field{
		{name: "add", doc: "Queries to add.", form: someTexts},
		{name: "glossary", doc: "A file in the skill's folder: term, tab, expansion.", form: aText},
		{name: "keep", doc: "Most queries; 8 without it.", form: number(1, 100)},
		{name: "by", doc: "Where else queries come from: corpus asks the documents for words, model asks the model.", form: listed(queryWays()...)},
	}},
	{KindRefine, "Makes the next queries of what was found.", mapOf(
		field{name: "from", doc: "What was found.", form: aText},
		field{name: "task", doc: "The task.", form: aText},
		field{name: "keep", doc: "Most queries; 8 without it.", form: number(1, 100)},
		field{name: "by", doc: "model asks the model first.", form: listed(byTheModel)},
	), nil},
	{KindSearch, "Searches documents, code or both.", mapOf(
		field{name: "in", doc: "docs without it.", form: oneOf("docs", "code", "both")},
		field{name: "for", doc: "Queries, or lists of them.", form: someTexts, required: true},
		field{name: "where", doc: "Further arguments of the search tool.", form: anObject},
		field{name: "tiers", doc: "Document tiers; all without it.", form: someTexts},
		field{name: "keep", doc: "Most results; 10 without it.", form: number(1, 200)},
		field{name: "merge", doc: "Adds to what the same step found before.", form: aBool},
	), nil},
	{KindCall, "Calls a tool.", aText, []field{
		{name: "args", doc: "Its arguments; ${...} in them is evaluated once.", form: anObject},
		{name: "retry", doc: "Repeats a failed call.", form: retryForm},
		{name: "fallback", doc: "The call to make when this one failed.", form: mapOf(
			field{name: "call", doc: "The tool.", form: aText, required: true},
			field{name: "args", doc: "Its arguments.", form: anObject},
		)},
	}},
	{KindAsk, "Asks the model.", aText, []field{
		{name: "from", doc: "Steps whose values are shown.", form: someTexts},
		{name: "schema", doc: "JSON Schema of the answer; text without it.", form: anObject},
		{name: "with", doc: "Tools the model may call.", form: someTexts},
	}},
	{KindWrite, "Writes a text from evidence, or files.", aText, []field{
		{name: "with", doc: "Tools the model may call.", form: someTexts},
		{name: "from", doc: "Steps whose values it is written from.", form: someTexts},
		{name: "sections", doc: "Headings, in order.", form: someTexts},
		{name: "cite", doc: "Every sentence carries the key of its evidence.", form: oneOf("every_claim")},
		{name: "check", doc: "What the text must hold to: the model is asked whether it does.", form: aText},
		{name: "holds", doc: "Expressions over it, which has text, files, calls and sections, that must be true.", form: someTexts},
	}},
	{KindEach, "Runs steps for each element of a list.", aText, []field{
		{name: "as", doc: "The element's name; it without one.", form: aText},
		{name: "max", doc: "Most elements; 20 without it.", form: number(1, 1000)},
		{name: "steps", doc: "What is done for each.", form: someSteps, required: true},
	}},
	{KindLoop, "Repeats steps until a condition holds.", mapOf(
		field{name: "max", doc: "Most rounds.", form: number(1, 100), required: true},
		field{name: "until", doc: "Expression, looked at after each round.", form: aText},
	), []field{
		{name: "steps", doc: "What is repeated.", form: someSteps, required: true},
	}},
	{KindRequire, "A gate: the condition holds, or the run ends.", aText, []field{
		{name: "because", doc: "What a reader is told.", form: aText},
		{name: "else", doc: "How the run ends; insufficient without it.", form: oneOf(StatusInsufficient, StatusStopped)},
	}},
	{KindApprove, "A gate: a person is shown the text and chooses.", aText, []field{
		{name: "choices", doc: "approve must be among them; approve and stop without it.", form: someTexts},
		{name: "unattended", doc: "The choice when nobody can be asked; stop without it. approve stops the run too, unless the host's policy names the skill's digest.", form: aText},
	}},
	{KindSynthesize, "Writes the answer from steps.", someTexts, []field{
		{name: "verify", doc: "What of the answer is checked against the sources.", form: oneOf("quotes", "locations")},
		{name: "style", doc: "How it is written.", form: aText},
	}},
	{KindUse, "Runs another skill within this run's limits and guards.", aText, []field{
		{name: "inputs", doc: "The inputs of that skill.", form: anObject},
	}},
	{KindFinish, "Ends the run.", oneOf("nothing_found", StatusInsufficient, StatusStopped, StatusDone), nil},
}

func formOf(k Kind) stepForm {
	i := slices.IndexFunc(stepForms, func(f stepForm) bool { return f.kind == k })
	if i < 0 {
		return stepForm{kind: k, subject: aText}
	}
	return stepForms[i]
}

// keys lists the keys that a step of the kind takes.
func (f stepForm) keys() []string {
	return slices.Concat(keys(stepFields), []string{string(f.kind)}, keys(f.fields))
}

// in returns the form of a field that is a mapping.
func (f stepForm) in(name string) *form {
	for _, x := range f.fields {
		if x.name == name {
			return x.form
		}
	}
	return f.subject
}
