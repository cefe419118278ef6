package questions

import "strings"

// dollars are the languages with $ in identifiers.
var dollars = map[string]bool{
	"javascript": true, "javascriptreact": true, "typescript": true, "typescriptreact": true, "java": true, "php": true,
}

// keywordsOf returns the words of a language that cannot name anything, from the languages' references: Go spec, Python
// 3.14 (soft keywords are names), ECMAScript with the words that strict code reserves, C23 and C++23, Rust 2024, Java 25.
func keywordsOf(language string) string {
	const c = " auto break case char const continue default do double else enum extern float for goto if inline int long " +
		"register return short signed sizeof static struct switch typedef union unsigned void volatile while "
	switch language {
	case "go":
		return " break case chan const continue default defer else fallthrough for func go goto if import interface map " +
			"package range return select struct switch type var "
	case "python":
		return " False None True and as assert async await break class continue def del elif else except finally for from " +
			"global if import in is lambda nonlocal not or pass raise return try while with yield "
	case "javascript", "javascriptreact", "typescript", "typescriptreact":
		return " arguments await break case catch class const continue debugger default delete do else enum eval export " +
			"extends false finally for function if implements import in instanceof interface let new null package private " +
			"protected public return static super switch this throw true try typeof var void while with yield "
	case "c", "objective-c":
		return c + "restrict "
	case "cpp", "objective-cpp", "cuda-cpp":
		return c + "alignas alignof and and_eq asm bitand bitor bool catch char16_t char32_t char8_t class co_await co_return " +
			"co_yield compl concept const_cast consteval constexpr constinit decltype delete dynamic_cast explicit export " +
			"false friend mutable namespace new noexcept not not_eq nullptr operator or or_eq private protected public " +
			"reinterpret_cast requires static_assert static_cast template this thread_local throw true try typeid typename " +
			"using virtual wchar_t xor xor_eq "
	case "rust":
		return " Self abstract as async await become box break const continue crate do dyn else enum extern false final fn for " +
			"gen if impl in let loop macro match mod move mut override priv pub ref return self static struct super trait " +
			"true try type typeof unsafe unsized use virtual where while yield "
	case "java":
		return " abstract assert boolean break byte case catch char class const continue default do double else enum extends " +
			"false final finally float for goto if implements import instanceof int interface long native new null package " +
			"private protected public return short static strictfp super switch synchronized this throw throws transient true " +
			"try void volatile while "
	}
	return ""
}

// reserved reports whether a word is a keyword of the language.
func reserved(language, word string) bool {
	return strings.Contains(keywordsOf(language), " "+word+" ")
}

// answered are keywords that stand for something, so that servers answer about them.
var answered = map[string]bool{"this": true, "super": true, "self": true, "Self": true, "crate": true, "arguments": true, "eval": true}

// nameless reports whether a word is a keyword that stands for nothing a server could be asked about.
func nameless(language, word string) bool { return reserved(language, word) && !answered[word] }
