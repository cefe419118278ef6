package complete

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/internal/ctxlock"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// Some servers know only what can be reached from the files that they were shown: of a repository with several projects
// those projects, and of files outside of every project only these and what they import. Asked for references they leave
// out the rest without a word. So the files that can hold a reference are shown to them first: those that hold the name,
// and then those that hold the other names that references turned up under.

const (
	// maxMentionRounds bounds how often an answer is asked for again because it turned up another name.
	maxMentionRounds = 5
	// maxOpenBytes bounds the text of the files that are shown because they hold a name.
	maxOpenBytes = 64 << 20
	// maxWords bounds the names whose files are remembered.
	maxWords = 200
)

// Mentions shows a server the files that hold a name, for servers that know only what can be reached from the files that they
// were shown.
type Mentions struct {
	sess  *session.Session
	lock  ctxlock.Mutex // held while files are read, guards what follows
	snap  *filetree.Snapshot
	found map[string]wordFiles // in that snapshot, by what was searched for
}

// wordFiles are files that hold a word.
type wordFiles struct {
	paths []string
	left  int // so many more were too many
}

// remember returns what find lists of the files that the server reads, for as long as they do not change.
func (c *Mentions) remember(ctx context.Context, key string, find func(files []string) (wordFiles, error)) (wordFiles, error) {
	files, err := c.sess.Server.Files(ctx)
	if err != nil {
		return wordFiles{}, err
	}
	snap, err := c.sess.Server.Pool.Tree.Scan(ctx)
	if err != nil {
		return wordFiles{}, err
	}
	if err := c.lock.Lock(ctx); err != nil {
		return wordFiles{}, err
	}
	defer c.lock.Unlock()
	if c.snap != snap || len(c.found) >= maxWords {
		c.snap, c.found = snap, map[string]wordFiles{}
	}
	list, ok := c.found[key]
	if !ok {
		if list, err = find(files); err == nil {
			c.found[key] = list
		}
	}
	return list, err
}

// crossFile are the questions whose answers lie in other files than the one that is asked about.
var crossFile = []string{
	protocol.MethodTextDocumentReferences, protocol.MethodTextDocumentImplementation, protocol.MethodTextDocumentRename,
	protocol.MethodCallHierarchyIncomingCalls,
}

// mustOpen reports whether the server wants to be shown the files that hold a name before a question of the method.
func (c *Mentions) mustOpen(method string) bool {
	if c.sess.Server.Spec.Mentions.Most == 0 || !slices.Contains(crossFile, method) && !c.sess.Database.Unknown() {
		return false
	}
	count, all := c.Counted()
	return count < all
}

// Counted returns how many of the files of its folder the server reads by itself, and how many there are; 0 and 1 where
// it does not say.
func (c *Mentions) Counted() (count, all int) {
	if !c.sess.Server.Spec.Mentions.Counted {
		return 0, 1
	}
	return c.sess.Ready.FileCount(), c.sess.Documents.Sources()
}

// OpenMentions shows the server the files that hold a word; for the empty word all of its folder, and for one that begins with a
// slash the files that name such a module. It reports whether any of them was new to it, and how many were too many to show.
func (c *Mentions) OpenMentions(ctx context.Context, word string) (fresh bool, left int, err error) {
	list, err := c.mentioning(ctx, word)
	if err != nil {
		return false, 0, err
	}
	fresh, err = c.open(ctx, list.paths, c.sess.Server.Spec.Mentions.Settle)
	return fresh, list.left, err
}

// OpenUncertain shows the server the files that hold a word and of which it is not certain that it knows them by itself: a
// header counts as known, but nobody may include it yet. It reports whether any of them was new to the server.
func (c *Mentions) OpenUncertain(ctx context.Context, word string) (fresh bool, err error) {
	if c.sess.Database == nil || c.sess.Server.Spec.Mentions.Most == 0 {
		return false, nil
	}
	files, err := c.sess.Server.Files(ctx)
	if err != nil {
		return false, err
	}
	var paths []string
	for _, path := range files {
		if err := ctx.Err(); err != nil {
			return false, err
		}
		if c.sess.Database.Files[path] || c.sess.Documents.Opened(path) != nil {
			continue
		}
		if text, err := c.sess.Documents.Text(path); err == nil && source.HoldsWord(text.Bytes, word) {
			paths = append(paths, path)
		}
	}
	return c.open(ctx, paths[:min(len(paths), c.sess.Server.Spec.Mentions.Most)], true)
}

// open shows the server files, and reports whether any of them was new to it. Settle: it reads them behind the scenes, which is
// waited for.
func (c *Mentions) open(ctx context.Context, paths []string, settle bool) (bool, error) {
	var fresh []string
	for _, path := range paths {
		if c.sess.Documents.Opened(path) != nil {
			continue
		}
		if _, err := c.sess.Documents.Open(ctx, path); err == nil {
			fresh = append(fresh, path)
		} else if ctx.Err() != nil || c.sess.Conn.Failure() != nil {
			return false, err
		} // else it is gone since, or nothing to show
	}
	if !settle {
		return len(fresh) > 0, nil
	}
	return len(fresh) > 0, c.sess.Documents.Settle(ctx, fresh)
}

// mentioning lists the files that hold a word and that the server does not know by itself, at most as many as its entry
// allows.
func (c *Mentions) mentioning(ctx context.Context, word string) (wordFiles, error) {
	holds := func(text []byte) bool { return word == "" || source.HoldsWord(text, word) }
	if strings.HasPrefix(word, "/") {
		holds = modulePattern(word).Match
	}
	return c.remember(ctx, "mentioning "+word, func(files []string) (list wordFiles, err error) {
		size := 0
		for _, path := range files {
			if err := ctx.Err(); err != nil {
				return list, err
			}
			if c.sess.Database.Knows(path) {
				continue
			}
			text, err := c.sess.Documents.Text(path)
			if err != nil || !holds(text.Bytes) {
				continue
			}
			if size += len(text.Bytes); len(list.paths) >= c.sess.Server.Spec.Mentions.Most || size > maxOpenBytes {
				list.left++
				continue
			}
			list.paths = append(list.paths, path)
		}
		return list, nil
	})
}

// AskAll asks a question about a name. If the server must be shown the files that hold it, it asks until no answer
// turns up a further name by which files refer to the same symbol. It returns a complaint when not every such file could
// be shown.
func (c *Mentions) AskAll(ctx context.Context, method, word string, ask func() (wire.Locations, error)) (wire.Locations, string, error) {
	if !c.mustOpen(method) {
		list, err := ask()
		return list, "", err
	}
	seen := map[string]bool{}
	words := []string{word}
	left := map[string]int{}
	var list wire.Locations
	for round := 0; ; round++ {
		fresh := round == 0
		for i := 0; i < len(words) && i < maxWords; i++ {
			w := words[i]
			seen[w] = true
			f, more, err := c.OpenMentions(ctx, w)
			if err != nil {
				return list, "", err
			}
			fresh = fresh || f
			if more > 0 {
				left[w] = more
			}
			for _, w := range c.reexported(ctx, w) {
				if !seen[w] && !slices.Contains(words, w) {
					words = append(words, w)
				}
			}
		}
		if !fresh {
			break
		}
		var err error
		if list, err = ask(); err != nil {
			return list, "", err
		}
		words = slices.DeleteFunc(c.aliases(list.List), func(w string) bool { return seen[w] })
		if closed := c.closedSince(ctx, seen); closed != "" { // by another question that needed the room
			words = append(words, closed)
		}
		if len(words) == 0 {
			break
		}
		if round == maxMentionRounds {
			return list, "not all files that hold another name of the symbol could be shown to the server: " + strings.Join(words[:min(len(words), 5)], ", "), nil
		}
	}
	if len(left) > 0 {
		w := slices.Sorted(maps.Keys(left))[0]
		return list, c.tooMany(left[w], w), nil
	}
	return list, "", nil
}

// tooMany complains about files that hold a word and were too many to show.
func (c *Mentions) tooMany(left int, word string) string {
	why := fmt.Sprintf("%d more files hold %q than the %d that the server can be shown", left, strings.Trim(word, "/"), c.sess.Server.Spec.Mentions.Most)
	if c.sess.Server.Spec.Mentions.Counted {
		count, all := c.Counted()
		why += fmt.Sprintf(", which reads only %d of %d by itself: those that its configuration in the repository includes", count, all)
	}
	return why
}

// OpenAll shows the server every file of its folder, if it must be shown files. It returns a complaint when there are too
// many.
func (c *Mentions) OpenAll(ctx context.Context) (string, error) {
	if c.sess.Server.Spec.Mentions.Most == 0 {
		return "", nil
	}
	if count, all := c.Counted(); count >= all {
		return "", nil
	}
	_, left, err := c.OpenMentions(ctx, "")
	if err != nil || left == 0 {
		return "", err
	}
	return fmt.Sprintf("%d more files were not shown to the server, which lists only the symbols of what it was shown and of its projects", left), nil
}

// exported finds what gives a file's own name a meaning for others: they then name the file and not the symbol.
var exported = lazyregexp.New(`\bexport\s+default\b|\bas\s+default\b|\bmodule\s*\.\s*exports\b|\bexport\s*=|^\s*export\s*\*|\bexports\s*=`)

// aliases lists the identifiers at the places, and "/module" for files that hand the symbol on under their own name.
func (c *Mentions) aliases(list []wire.Location) []string {
	const most = 50
	conv := c.sess.Converter()
	names := map[string]bool{}
	for _, p := range list {
		abs, ok := source.PathOf(p.URI)
		if !ok || !source.Below(c.sess.Server.Folder, abs) || len(names) >= most {
			continue
		}
		at, ok := conv.Location(p.URI, p.Range)
		if !ok || at.Line != at.EndLine {
			continue
		}
		line, _ := conv.Text(abs).Line(at.Line)
		if start, end, ok := source.NextIdentAt(line, at.Col-1); ok && end-start > 1 {
			if w := string(line[start:end]); !notNames[w] {
				names[w] = true
			}
		}
		if exported.Match(line) {
			names[moduleWord(abs)] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}

// notNames are words at places of references that are no names.
var notNames = map[string]bool{"default": true, "constructor": true, "import": true, "export": true, "require": true, "super": true, "this": true, "module": true, "exports": true, "new": true}

// reexports finds a module that is another module under its own name.
var reexports = lazyregexp.New(`\bexports\s*=\s*require\s*\(|^\s*export\s*\*`)

// reexported lists, for the word of a module, those of the modules that are made of it.
func (c *Mentions) reexported(ctx context.Context, word string) []string {
	if !strings.HasPrefix(word, "/") {
		return nil
	}
	list, err := c.mentioning(ctx, word)
	if err != nil {
		return nil // the next step fails with it
	}
	var words []string
	for _, path := range list.paths {
		if text, err := c.sess.Documents.Text(path); err == nil && reexports.Match(text.Bytes) {
			words = append(words, moduleWord(path))
		}
	}
	return words
}

// closedSince returns a word of which not all files that the server can be shown are open now, "" when there is none.
func (c *Mentions) closedSince(ctx context.Context, words map[string]bool) string {
	for _, w := range slices.Sorted(maps.Keys(words)) {
		list, err := c.mentioning(ctx, w)
		if err != nil {
			return w
		}
		for _, path := range list.paths {
			if c.sess.Documents.Opened(path) == nil {
				if _, _, err := source.ReadFile(path); err == nil {
					return w
				}
			}
		}
	}
	return ""
}

// moduleWord is the word by which the files are found that import a file: its name without the extension behind a slash;
// for the index of a folder the folder's name between two.
func moduleWord(abs string) string {
	stem := strings.TrimSuffix(filepath.Base(abs), filepath.Ext(abs))
	stem = strings.TrimSuffix(stem, ".d")
	if stem == "index" {
		return "/" + filepath.Base(filepath.Dir(abs)) + "/"
	}
	return "/" + stem
}

// modulePattern matches the strings that can mean a module: those whose last part is its name. The index of a folder is
// also meant by dots alone.
func modulePattern(word string) *regexp.Regexp {
	name := strings.Trim(word, "/")
	last := regexp.QuoteMeta(name) + `(?:\.\w{1,4})?`
	if strings.HasSuffix(word, "/") {
		last = regexp.QuoteMeta(name) + `/?|\.{1,2}/?|index(?:\.\w{1,4})?`
	}
	return regexp.MustCompile("['\"`](?:[^'\"`\\n]{0,300}/)?(?:" + last + ")['\"`]")
}
