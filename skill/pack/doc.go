// Package pack installs skills that come together, from a folder or an archive, into a project, and pins them by digest.
//
//	c, err := pack.Read("methods-1.2.tar.gz")
//	in := pack.Dir(project)
//	err = in.Add(c, nil)
//	reports, err := in.Verify()
//
// Skills go into .agents/skills/NAME, where findspot and other programs find skills. The file packs.lock there says which files of which pack
// they are, with their digests. It is JSON, and meant to be committed with the skills.
//
// An archive is a .zip, .tar, .tar.gz or .tgz. It is read as hostile: files and folders alone, no links, no path that leaves the pack or that some
// system would read differently, an archive of at most 16 MB, at most 2,000 files of 4 MB and 64 MB in all, and no archive that unpacks to more than 200 times its size. Hidden files are
// left out. All skills of a pack must load, with the skills that they use.
//
// Nothing here is safe for use by several processes at once.
package pack
