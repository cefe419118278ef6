package main

import (
	"bufio"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
	"github.com/findspot/findspot/skill/pack"
)

func skillPack(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "pack",
		Short: "Install packs of skills, pinned by digest",
		Long: `Install skills that come together, from a folder or an archive (.zip, .tar, .tar.gz, .tgz), into .agents/skills. The file
packs.lock there pins every file by its digest. Nothing is fetched from a network.`,
		Example: "  findspot skill pack add methods-1.2.zip\n  findspot skill pack verify",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(packAdd(a), packList(a), packUpdate(a), packRemove(a), packVerify(a))
	return c
}

// packs are those of the project.
func (a *app) packs() (*pack.Installation, error) {
	place, err := a.place()
	return pack.Dir(a.env.Path(place.Root)), err
}

// readPack reads a pack. name is that of the pack when it is not that of the source.
func readPack(a *app, source, name string) (*pack.Content, error) {
	c, err := pack.Read(a.env.Path(source))
	if err != nil {
		return nil, a.env.AsWritten(source, err)
	}
	c.Source = source
	if name != "" {
		c.Name = name
	}
	return c, nil
}

// shippedSkills are the names that a pack must not take, since a skill of the project takes the place of a shipped one.
func shippedSkills() (names []string, err error) {
	skills, err := skill.Load(library.Skills())
	for _, s := range skills {
		names = append(names, s.Name)
	}
	return names, err
}

func packAdd(a *app) *cobra.Command {
	var name string
	c := &cobra.Command{
		Use:   "add FOLDER|ARCHIVE",
		Short: "Install a pack",
		Long: `Install all skills of a folder or archive. Nothing is installed if one of them cannot be loaded, or has the name of a skill
that is already there. Read the skills and run skill lint before you rely on their guards.`,
		Example: "  findspot skill pack add methods-1.2.zip --name methods",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			content, err := readPack(a, args[0], name)
			if err != nil {
				return err
			}
			in, err := a.packs()
			if err != nil {
				return err
			}
			shipped, err := shippedSkills()
			if err != nil {
				return err
			}
			if err := in.Add(content, shipped); err != nil {
				return err
			}
			return show(&a.console, content.Pin(), nil, func(p pack.Pack) error { printPack(&a.console, p); return nil })
		},
	}
	c.Flags().StringVar(&name, "name", "", "name of the pack (default: from the folder or archive)")
	return c
}

func printPack(con *console, p pack.Pack) {
	con.printf("%-26s %s  %s\n", clean(p.Name), p.Digest[:min(len(p.Digest), 16)], clean(p.Source))
	for _, s := range p.Skills {
		con.printf("  %-24s %s  %s\n", clean(s.Name), s.Digest[:min(len(s.Digest), 16)], count(len(s.Files), "file", "files"))
	}
}

func packList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the installed packs, their skills and digests",
		Example: "  findspot skill pack list",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			in, err := a.packs()
			if err != nil {
				return err
			}
			list, err := in.List()
			if err != nil {
				return err
			}
			if a.json && list == nil {
				list = []pack.Pack{}
			}
			return show(&a.console, list, nil, func(list []pack.Pack) error {
				for _, p := range list {
					printPack(&a.console, p)
				}
				return nil
			})
		},
	}
}

func packUpdate(a *app) *cobra.Command {
	var from string
	var yes, force bool
	c := &cobra.Command{
		Use:   "update PACK",
		Short: "Show what a newer pack changes, and install it",
		Long: `Read the pack again, from where it came or from --from, and show what would change: skills and files by digest, and what
guards deny or wait for no more. It is installed after a yes on the terminal, or with --yes. Files that were changed here
are replaced only with --force.`,
		Example: "  findspot skill pack update methods --from methods-1.3.zip",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := a.packs()
			if err != nil {
				return err
			}
			if from == "" {
				list, err := in.List()
				if err != nil {
					return err
				}
				for _, p := range list {
					if p.Name == args[0] {
						from = p.Source
					}
				}
				if from == "" {
					return fmt.Errorf("pack %q is not installed; skill pack list prints those that are", args[0])
				}
			}
			content, err := readPack(a, from, args[0])
			if err != nil {
				return err
			}
			shipped, err := shippedSkills()
			if err != nil {
				return err
			}
			u, err := in.PlanUpdate(content, shipped)
			if err != nil {
				return err
			}
			err = show(&a.console, u, nil, func(u *pack.Update) error { printPackUpdate(&a.console, u); return nil })
			if err != nil || u.Empty() {
				return err
			}
			if !yes {
				ask := &asker{con: &a.console, in: bufio.NewReader(a.stdin), quiet: a.json || !env.IsTerminal(a.stdin)}
				answer, err := ask.about("Install it? yes or no", "no")
				if err != nil {
					return err
				}
				if answer != "yes" {
					fmt.Fprintf(a.stderr, "findspot: nothing was installed; --yes installs it\n")
					return errNo
				}
			}
			return in.Update(u, force)
		},
	}
	f := c.Flags()
	f.StringVar(&from, "from", "", "folder or archive of the newer pack (default: where it came from)")
	f.BoolVarP(&yes, "yes", "y", false, "install without a question")
	f.BoolVar(&force, "force", false, "replace files that were changed here")
	return c
}

func printPackUpdate(con *console, u *pack.Update) {
	if u.Empty() {
		con.printf("%s is up to date\n", clean(u.Pack))
		return
	}
	con.printf("%s %.16s -> %.16s\n", clean(u.Pack), u.From, u.To)
	for _, s := range u.Added {
		con.printf("added    %s\n", clean(s))
	}
	for _, s := range u.Removed {
		con.printf("removed  %s\n", clean(s))
	}
	for _, s := range u.Changed {
		con.printf("changed  %s %.16s -> %.16s: %s\n", clean(s.Skill), s.From, s.To, clean(strings.Join(s.Files, ", ")))
	}
	for _, w := range u.Weakened {
		con.printf("weaker   %s\n", clean(w))
	}
}

func packRemove(a *app) *cobra.Command {
	var force bool
	c := &cobra.Command{
		Use:     "remove PACK",
		Short:   "Remove a pack with its skills",
		Example: "  findspot skill pack remove methods",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			in, err := a.packs()
			if err != nil {
				return err
			}
			p, err := in.Remove(args[0], force)
			if err != nil {
				return err
			}
			return show(&a.console, p, nil, func(p pack.Pack) error {
				a.printf("removed %s: %s\n", clean(p.Name), count(len(p.Skills), "skill", "skills"))
				return nil
			})
		},
	}
	c.Flags().BoolVar(&force, "force", false, "also remove files that were changed here")
	return c
}

func packVerify(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "verify",
		Short:   "Compare the installed packs with their digests",
		Long:    "Compare every file of every installed pack with packs.lock. The exit status is 1 if one differs.",
		Example: "  findspot skill pack verify",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			in, err := a.packs()
			if err != nil {
				return err
			}
			differ, err := in.Verify()
			if err != nil {
				return err
			}
			err = show(&a.console, map[string]any{"as_pinned": len(differ) == 0, "differences": differ}, nil, func(map[string]any) error {
				for _, d := range differ {
					a.printf("%-10s %s: %s\n", d.State, clean(d.Pack), clean(filepath.ToSlash(filepath.Join(d.Skill, filepath.FromSlash(d.File)))))
				}
				if len(differ) == 0 {
					a.printf("all files are as pinned\n")
				}
				return nil
			})
			if err == nil && len(differ) > 0 {
				err = errNo
			}
			return err
		},
	}
}
