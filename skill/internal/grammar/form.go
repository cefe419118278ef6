package grammar

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

// A Form is what a value looks like.
type Form struct {
	kind   formKind
	lo, hi int
	enum   []string
	Fields []Field
	of     *Form
	any    []*Form
	least  int // elements of a list
}

// A Field is a key of a mapping, and what it holds.
type Field struct {
	Name     string
	doc      string
	Form     *Form
	required bool
}

// Keys lists the keys of a mapping.
func Keys(fields []Field) []string {
	out := make([]string, len(fields))
	for i, f := range fields {
		out[i] = f.Name
	}
	return out
}

func mapOf(fields ...Field) *Form      { return &Form{kind: formMap, Fields: fields} }
func number(lo, hi int) *Form          { return &Form{kind: formNumber, lo: lo, hi: hi} }
func oneOf(words ...string) *Form      { return &Form{kind: formText, enum: words} }
func listed(words ...string) *Form     { return &Form{kind: formTexts, enum: words} }
func listOf(of *Form, least int) *Form { return &Form{kind: formList, of: of, least: least} }

var (
	aText     = &Form{kind: formText}
	someTexts = &Form{kind: formTexts}
	aBool     = &Form{kind: formBool}
	aTime     = &Form{kind: formDuration}
	anything  = &Form{kind: formAny}
	anObject  = &Form{kind: formObject}
	someSteps = &Form{kind: formSteps, least: 1}

	inputForm = mapOf(
		Field{Name: "type", doc: "What the input is; without it any value.", Form: oneOf(inputTypes...)},
		Field{Name: "required", doc: "A run without it is refused.", Form: aBool},
		Field{Name: "default", doc: "The value when none is given; of the type.", Form: anything},
		Field{Name: "description", doc: "For readers.", Form: aText},
	)
	limitsForm = mapOf(
		Field{Name: "tool_calls", doc: "Most calls of tools; 200 without it.", Form: number(1, 100000)},
		Field{Name: "wall", doc: "Longest time of a run; 15m without it.", Form: aTime},
		Field{Name: "tokens", doc: "Most tokens of the model, in and out together.", Form: number(1, 1<<31-1)},
	)
	guardForm = mapOf(
		Field{Name: "deny", doc: "Tools that are refused until the gates are open; names, or patterns such as lsp_*.", Form: someTexts, required: true},
		Field{Name: "until", doc: "passed.STEP and approved.STEP, joined by &&. Without it the tools are never allowed.", Form: aText},
		Field{Name: "because", doc: "What a refused caller is told.", Form: aText},
	)
	scriptForm = mapOf(
		Field{Name: "path", doc: "The script, in the skill's folder.", Form: aText, required: true},
		Field{Name: "description", doc: "What it does, for the model and the reader.", Form: aText},
		Field{Name: "args", doc: "JSON Schema of its arguments, an object.", Form: anObject},
	)
	blockFields = []Field{
		{Name: "inputs", doc: "Named values that a run takes: a type, or a mapping.", Form: &Form{kind: formDict, of: &Form{kind: formEither, any: []*Form{oneOf(inputTypes...), inputForm}}}},
		{Name: "limits", doc: "Bounds of a run; the host's hold too.", Form: limitsForm},
		{Name: "guards", doc: "Tools that are denied until gates have passed.", Form: listOf(guardForm, 0)},
		{Name: "scripts", doc: "Scripts of the folder that steps may run through run_script, once the host has approved their digests.", Form: listOf(&Form{kind: formEither, any: []*Form{aText, scriptForm}}, 0)},
		{Name: "steps", doc: "What is done, in order.", Form: someSteps, required: true},
		{Name: "telemetry", doc: "Numbers computed when the run has ended, by name: an expression.", Form: &Form{kind: formDict, of: aText}},
	}
	// fileFields are what a workflow that is a file of its own may hold besides: the front matter of SKILL.md.
	fileFields = []Field{
		{Name: "name", doc: "Lower-case letters, digits and single hyphens.", Form: aText},
		{Name: "description", doc: "What the skill does and when to use it.", Form: aText},
		{Name: "license", doc: "Name of a licence, or of its file.", Form: aText},
		{Name: "compatibility", doc: "What it needs around it.", Form: aText},
		{Name: "metadata", doc: "Further texts by name: examples, not-for and triggers are read.", Form: anObject},
		{Name: "allowed-tools", doc: "The tools that the skill may use, with spaces between, or a list.", Form: someTexts},
	}
	stepFields = []Field{
		{Name: "id", doc: "The name under which later steps see its value: lower-case letters, digits and _.", Form: aText, required: true},
		{Name: "when", doc: "Expression; the step is skipped when it is false.", Form: aText},
		{Name: "on_error", doc: "continue without a value, or stop the run.", Form: oneOf("continue", "stop")},
	}
)

// A Step is what a kind of step looks like: what stands behind the key of its kind, and the keys it takes besides id,
// when and on_error.
type Step struct {
	kind    string
	doc     string
	Subject *Form
	Fields  []Field
}

var retryForm = mapOf(
	Field{Name: "max", doc: "Most repetitions.", Form: number(1, 20)},
	Field{Name: "on", doc: "The error code, state or verdict to repeat on; any error without it.", Form: aText},
	Field{Name: "wait", doc: "Time before each repetition.", Form: aTime},
)

var stepForms = []Step{
	{"expand", "Makes search queries of a task.", aText, []Field{
		{Name: "add", doc: "Queries to add.", Form: someTexts},
		{Name: "glossary", doc: "A file in the skill's folder: term, tab, expansion.", Form: aText},
		{Name: "keep", doc: "Most queries; 8 without it.", Form: number(1, 100)},
		{Name: "by", doc: "Where else queries come from: corpus asks the documents for words, model asks the model.", Form: listed(QueryWays()...)},
	}},
	{"refine", "Makes the next queries of what was found.", mapOf(
		Field{Name: "from", doc: "What was found.", Form: aText},
		Field{Name: "task", doc: "The task.", Form: aText},
		Field{Name: "keep", doc: "Most queries; 8 without it.", Form: number(1, 100)},
		Field{Name: "by", doc: "model asks the model first.", Form: listed(ByModel)},
	), nil},
	{"search", "Searches documents, code or both.", mapOf(
		Field{Name: "in", doc: "docs without it.", Form: oneOf("docs", "code", "both")},
		Field{Name: "for", doc: "Queries, or lists of them.", Form: someTexts, required: true},
		Field{Name: "where", doc: "Further arguments of the search tool.", Form: anObject},
		Field{Name: "tiers", doc: "Document tiers; all without it.", Form: someTexts},
		Field{Name: "keep", doc: "Most results; 10 without it.", Form: number(1, 200)},
		Field{Name: "merge", doc: "Adds to what the same step found before.", Form: aBool},
	), nil},
	{"call", "Calls a tool.", aText, []Field{
		{Name: "args", doc: "Its arguments; ${...} in them is evaluated once.", Form: anObject},
		{Name: "retry", doc: "Repeats a failed call.", Form: retryForm},
		{Name: "fallback", doc: "The call to make when this one failed.", Form: mapOf(
			Field{Name: "call", doc: "The tool.", Form: aText, required: true},
			Field{Name: "args", doc: "Its arguments.", Form: anObject},
		)},
	}},
	{"ask", "Asks the model.", aText, []Field{
		{Name: "from", doc: "Steps whose values are shown.", Form: someTexts},
		{Name: "schema", doc: "JSON Schema of the answer; text without it.", Form: anObject},
		{Name: "with", doc: "Tools the model may call.", Form: someTexts},
	}},
	{"write", "Writes a text from evidence, or files.", aText, []Field{
		{Name: "with", doc: "Tools the model may call.", Form: someTexts},
		{Name: "from", doc: "Steps whose values it is written from.", Form: someTexts},
		{Name: "sections", doc: "Headings, in order.", Form: someTexts},
		{Name: "cite", doc: "Every sentence carries the key of its evidence.", Form: oneOf("every_claim")},
		{Name: "check", doc: "What the text must hold to: the model is asked whether it does.", Form: aText},
		{Name: "holds", doc: "Expressions over it, which has text, files, calls and sections, that must be true.", Form: someTexts},
	}},
	{"each", "Runs steps for each element of a list.", aText, []Field{
		{Name: "as", doc: "The element's name; it without one.", Form: aText},
		{Name: "max", doc: "Most elements; 20 without it.", Form: number(1, 1000)},
		{Name: "steps", doc: "What is done for each.", Form: someSteps, required: true},
	}},
	{"loop", "Repeats steps until a condition holds.", mapOf(
		Field{Name: "max", doc: "Most rounds.", Form: number(1, 100), required: true},
		Field{Name: "until", doc: "Expression, looked at after each round.", Form: aText},
	), []Field{
		{Name: "steps", doc: "What is repeated.", Form: someSteps, required: true},
	}},
	{"require", "A gate: the condition holds, or the run ends.", aText, []Field{
		{Name: "because", doc: "What a reader is told.", Form: aText},
		{Name: "else", doc: "How the run ends; insufficient without it.", Form: oneOf("insufficient", "stopped")},
	}},
	{"approve", "A gate: a person is shown the text and chooses.", aText, []Field{
		{Name: "choices", doc: "approve must be among them; approve and stop without it.", Form: someTexts},
		{Name: "unattended", doc: "The choice when nobody can be asked; stop without it. approve stops the run too, unless the host's policy names the skill's digest.", Form: aText},
	}},
	{"synthesize", "Writes the answer from steps.", someTexts, []Field{
		{Name: "verify", doc: "What of the answer is checked against the sources.", Form: oneOf("quotes", "locations")},
		{Name: "style", doc: "How it is written.", Form: aText},
	}},
	{"use", "Runs another skill within this run's limits and guards.", aText, []Field{
		{Name: "inputs", doc: "The inputs of that skill.", Form: anObject},
	}},
	{"finish", "Ends the run.", oneOf("nothing_found", "insufficient", "stopped", "done"), nil},
}

// Kinds lists the kinds of steps in the order of the documentation.
func Kinds() []string {
	out := make([]string, len(stepForms))
	for i, f := range stepForms {
		out[i] = f.kind
	}
	return out
}

// FormOf is the form of a kind of steps.
func FormOf(kind string) Step {
	i := slices.IndexFunc(stepForms, func(f Step) bool { return f.kind == kind })
	if i < 0 {
		return Step{kind: kind, Subject: aText}
	}
	return stepForms[i]
}

// Keys lists the keys that a step of the kind takes.
func (f Step) Keys() []string {
	return slices.Concat(Keys(stepFields), []string{f.kind}, Keys(f.Fields))
}

// In returns the form of a field that is a mapping.
func (f Step) In(name string) *Form {
	for _, x := range f.Fields {
		if x.Name == name {
			return x.Form
		}
	}
	return f.Subject
}

// MaxSteps is the most steps of a workflow, those within others included.
const MaxSteps = 500

// MaxUses is how deep skills may use one another.
const MaxUses = 16

// inputTypes are the types of inputs.
var inputTypes = []string{"string", "number", "integer", "boolean", "list", "object"}

// Where queries may come from besides the task, the glossary and what the skill adds.
const (
	ByCorpus = "corpus" // the documents' own words
	ByModel  = "model"
)

// QueryWays lists them.
func QueryWays() []string { return []string{ByCorpus, ByModel} }

// BlockKeys are those of a workflow.
func BlockKeys() []string { return Keys(blockFields) }

// FileKeys are those that a workflow that is a file of its own may hold besides.
func FileKeys() []string { return Keys(fileFields) }

// StepKeys are those of every step.
func StepKeys() []string { return Keys(stepFields) }

// InputKeys are those of an input.
func InputKeys() []string { return Keys(inputForm.Fields) }

// LimitsKeys are those of the limits.
func LimitsKeys() []string { return Keys(limitsForm.Fields) }

// GuardKeys are those of a guard.
func GuardKeys() []string { return Keys(guardForm.Fields) }

// ScriptKeys are those of a script.
func ScriptKeys() []string { return Keys(scriptForm.Fields) }

// InputTypes are the types of inputs.
func InputTypes() []string { return inputTypes }
