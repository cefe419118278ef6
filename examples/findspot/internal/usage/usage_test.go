package usage

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func program() *cobra.Command {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "findspot", Run: run}
	docs := &cobra.Command{Use: "docs", Run: run}
	code := &cobra.Command{Use: "code", Run: run}
	docs.AddCommand(&cobra.Command{Use: "search", Run: run}, &cobra.Command{Use: "list", Run: run})
	code.AddCommand(&cobra.Command{Use: "search", Run: run}, &cobra.Command{Use: "grep", Run: run})
	root.AddCommand(docs, code)
	root.PersistentFlags().Bool("json", false, "")
	root.PersistentFlags().String("docs", "", "")
	return root
}

func TestNear(t *testing.T) {
	root := program()
	for _, tt := range []struct {
		at   *cobra.Command
		word string
		want []string
	}{
		{root, "serch", []string{"code search", "docs search"}},
		{root, "dcos", []string{"docs"}},
		{root.Commands()[1], "saerch", []string{"docs search"}},
		{root.Commands()[1], "gerp", []string{"code grep"}},
		{root, "sea", []string{"code search", "docs search"}},
		{root, "nothing", nil},
		{root, "x", nil},
	} {
		if diff := cmp.Diff(tt.want, Commands(tt.at, tt.word)); diff != "" {
			t.Errorf("Commands(%s, %q) (-want +got):\n%s", tt.at.Name(), tt.word, diff)
		}
	}
	if err := root.ParseFlags(nil); err != nil {
		t.Fatal(err)
	}
	for word, want := range map[string]string{"--jsn": "--json", "--dox": "", "--dosc": "--docs", "--zzz": ""} {
		if got := Flag(root, word); got != want {
			t.Errorf("Flag(%q) = %q, want %q", word, got, want)
		}
	}
}

func TestDistance(t *testing.T) {
	for _, tt := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a", "", 1}, {"serch", "search", 1}, {"gerp", "grep", 1}, {"abc", "xyz", 3}, {"list", "lits", 1}} {
		if got := distance(tt.a, tt.b); got != tt.want {
			t.Errorf("distance(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
	}
}

func TestWrap(t *testing.T) {
	if diff := cmp.Diff([]string{"one two", "three", "four"}, wrap("one two three four", 8)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
