package complete

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"slices"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// Projects says why symbols of the workspace may be missing, "" when there is at most one project.
func Projects(s *session.Session) string {
	names := s.Server.Spec.Reach.Projects
	if len(names) == 0 {
		return ""
	}
	folders := map[string]bool{}
	for path := range s.Documents.Snapshot().Files {
		if slices.Contains(names, filepath.Base(path)) && source.Below(s.Server.Folder, path) {
			folders[filepath.Dir(path)] = true
		}
	}
	if len(folders) < 2 {
		return ""
	}
	return fmt.Sprintf("%s lists the symbols of one project only, and there are %d", s.Server.Spec.Name, len(folders))
}

// BeyondReach says why references to an identifier may lie farther than the server looks, "" when they cannot. It counts
// files as such servers do, hidden ones too, and stops at the first bound that is passed.
func BeyondReach(ctx context.Context, s *registry.Spec, r serverspec.ReachRule, dir, ident string) string {
	if r.Files <= 0 && r.Holding <= 0 && r.Shortest <= 0 {
		return ""
	}
	if r.Shortest > 0 && utf8.RuneCountInString(ident) < r.Shortest {
		return fmt.Sprintf("%s looks for names of less than %d characters in the same file only", s.Name, r.Shortest)
	}
	files, holding, why := 0, 0, ""
	budget := int64(session.MaxRead)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil:
			return nil // the server cannot read it either
		case d.IsDir():
			if path != dir && slices.Contains(r.Skip, d.Name()) {
				return fs.SkipDir
			}
			return nil
		case s.LanguageOf(path) == "":
			return nil
		}
		if files++; r.Files > 0 && files > r.Files {
			why = fmt.Sprintf("%s looks at no more than %d files, and %s has more", s.Name, r.Files, filepath.Base(dir))
			return fs.SkipAll
		}
		if r.Holding <= 0 {
			return nil
		}
		text, _, err := source.ReadFile(path)
		if err != nil {
			return nil
		}
		if budget -= int64(len(text.Bytes)); budget < 0 {
			why = fmt.Sprintf("the files are too large to tell whether %s looked at all that hold %q", s.Name, ident)
			return fs.SkipAll
		}
		if source.HoldsWord(text.Bytes, ident) {
			holding++
		}
		if holding > r.Holding {
			why = fmt.Sprintf("%s looks at no more than %d files that hold %q, and there are more", s.Name, r.Holding, ident)
			return fs.SkipAll
		}
		return nil
	})
	if err != nil {
		return fmt.Sprintf("there was no time to see whether %s looked at all files that hold %q", s.Name, ident)
	}
	return why
}
