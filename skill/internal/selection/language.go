package selection

import (
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/text"
)

// People give tasks in their own language, with the names and terms of an English source. What is wanted is told by few words: those are
// read as English ones, in a text that has at least two of the small words of such a language.

// smallWords are frequent in German, Spanish or French, and no English words.
var smallWords = wordSet(`ich bitte und der ist wird werden für von mit nicht wenn dem den die das einen eine ein auf zum zur wir mir bei oder auch muss soll
	wer wo wie warum el la los las de del en un para por una este esta que qué cómo quién dónde con sin cuando si su
	le les des du une est dans pour cette avec nous ce ces sur quoi où comment pourquoi`)

// englishWords are what words of tasks mean, as "word word ... = English".
var englishWords = sync.OnceValue(func() map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(`
wer quién quien quiénes qui = who
wo dónde donde où = where
wie cómo como comment = how
warum wieso weshalb pourquoi = why
was qué quoi = what
welche welcher welches welchen cuál cuáles quel quelle quels quelles = which
wenn falls si = if
wann cuándo cuando quand = when
ruft rufen llama llaman appelle appellent = calls
aufgerufen llamada llamado appelé appelée = called
aufrufer aufrufe aufrufstellen llamadas appels = callers
verwendet benutzt genutzt verwendung utilizada utilizado usada usado utilisé utilisée = used
nutzt verwenden benutzen nutzen usa usan utiliza utilizan utilise utilisent = uses
überall = everywhere
erkläre erklär erklären erklärung explica explicar explícame explique expliquer explication = explain
verstehe verstehen entender entiendo comprendre comprends = understand
funktioniert funktionieren funciona funcionan fonctionne fonctionnent = works
passiert geschieht pasa ocurre arrive = happens
verhalten verhält comportamiento comportement = behaviour
ändere ändern änderung änderungen cambio cambiar cambia changer changement modifier = change
entferne entfernen entfernt eliminar elimino quitar quito supprimer supprime = remove
lösche löschen borrar borro effacer = delete
umbenenne umbenennen renombrar renombro renommer renomme = rename
bricht rompe rompería casse = breaks
betroffen afecta afectado affecté affecte = affected
abhängt abhängig depende dependen dépend dépendent = depends
vergleiche vergleichen vergleich compara comparar comparación comparer comparaison = compare
übersicht überblick resumen aperçu = overview
tabelle tabla tableau = table
zeile fila ligne = row
spalte columna colonne = column
unterscheiden unterschiede difieren diferencias diffèrent différences = differ
aufsatz artículo artikel veröffentlichung = paper
aufsätze artículos veröffentlichungen = papers
autoren autores auteurs = authors
implementiere implementieren reimplementa implementa implementar implémente implémenter réimplémente = implement
reproduziere reproduzieren nachbauen reproducir reproduis reproduire = reproduce
verfahren methode método méthode = method
ergebnisse resultados résultats = results
simuliere simulieren simula simular simule simuler = simulate
synchronisation sincronización rahmensynchronisation = synchronization
wortlaut = wording
abschnitt sección section = section
klausel cláusula = clause
norm norma estándar norme = standard
spezifikation especificación spécification = specification
sagt dice dit = says
zitiere zitieren cita citar cite citer = quote
anforderung requisito exigence = requirement
signatur firma signature = signature
funktion función fonction = function
klasse clase classe = class
typ tipo = type
schnittstelle interfaz = interface
kanal canal = channel
zwischenspeicher caché = cache
`) {
		words, english, ok := strings.Cut(strings.TrimSpace(line), " = ")
		for w := range strings.FieldsSeq(words) {
			if ok {
				m[w] = english
			}
		}
	}
	return m
})

// inEnglish reads the words of a German, Spanish or French text that englishWords knows as English ones and leaves
// the small ones out. Other texts stay as they are.
func inEnglish(s string) string {
	small := map[string]bool{}
	tokens := text.Tokens(s)
	for _, t := range tokens {
		if w := strings.ToLower(s[t.Start:t.End]); smallWords()[w] {
			small[w] = true
		}
	}
	if len(small) < 2 {
		return s
	}
	var b strings.Builder
	at := 0
	for _, t := range tokens {
		w := strings.ToLower(s[t.Start:t.End])
		if english, ok := englishWords()[w]; ok || smallWords()[w] {
			b.WriteString(s[at:t.Start])
			b.WriteString(english)
			at = t.End
		}
	}
	b.WriteString(s[at:])
	return b.String()
}
