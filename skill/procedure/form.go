package procedure

import (
	"strings"
	"sync"
)

// base gives the verb of a form or of its noun ("writing", "written", "deployment", "deletion"), or "".
func base(w string) string {
	if v := irregular()[w]; v != "" {
		w = v
	}
	if _, ok := verbs()[w]; ok {
		return w
	}
	for _, e := range [...]struct{ end, instead string }{{"s", ""}, {"es", ""}, {"ies", "y"}, {"d", ""}, {"ed", ""}, {"ied", "y"}, {"ing", "e"}, {"ing", ""}, {"ment", ""}, {"ments", ""}, {"ation", ""}, {"ation", "e"}, {"ion", ""},
		{"ion", "e"}, {"ions", ""}, {"ions", "e"}, {"ication", "y"}, {"ications", "y"}, {"al", "e"}, {"als", "e"}} {
		if stem, ok := strings.CutSuffix(w, e.end); ok {
			for _, v := range [...]string{stem + e.instead, doubled(stem)} {
				if _, ok := verbs()[v]; ok {
					return v
				}
			}
		}
	}
	return ""
}

// doubled takes the doubled letter of "stopped" off.
func doubled(w string) string {
	if n := len(w); n > 2 && w[n-1] == w[n-2] {
		return w[:n-1]
	}
	return w
}

var irregular = sync.OnceValue(func() map[string]string {
	return map[string]string{"written": "write", "sent": "send", "paid": "pay", "begun": "start", "built": "build", "found": "find", "sought": "seek", "drawn": "draw", "given": "give", "taken": "take", "chosen": "choose", "held": "hold",
		"put": "put", "seen": "see", "shown": "show", "told": "tell", "broken": "break", "withdrawn": "withdraw", "ran": "run", "met": "meet", "made": "make", "done": "do", "publication": "publish", "submission": "submit", "payment": "pay",
		"payments": "pay", "conclusion": "conclude", "explanation": "explain", "announcement": "announce", "unread": "read", "unverified": "verify", "unchecked": "check", "untested": "test", "left": "leave", "sold": "sell",
		"bought": "buy", "rewritten": "rewrite", "rebuilt": "rebuild", "known": "find", "analysis": "analyse", "reproduction": "reproduce"}
})
