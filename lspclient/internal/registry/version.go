package registry

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// The values of serverspec.Lack.Effect.
const (
	noteOnly      = "note"
	EffectMissing = "missing"
	EffectDegrade = "degraded"
)

var (
	versionPattern = lazyregexp.New(`v?\d+(\.\d+)+[-+.\w]*`)
	numbersPattern = lazyregexp.New(`^v?(\d+(?:[.-]\d+)*)`)
)

// versionIn returns the version in a probe's output, "" when it tells none.
func versionIn(out, pattern string) string {
	if pattern == "" {
		return versionPattern.FindString(out)
	}
	if m := regexp.MustCompile(pattern).FindStringSubmatch(out); len(m) > 1 {
		return m[1]
	}
	return ""
}

// numbers returns the numbers of a version, nil when it begins with none. See serverspec.VersionRule.
func numbers(version string) []int {
	m := numbersPattern.FindStringSubmatch(version)
	if m == nil {
		return nil
	}
	var list []int
	for part := range strings.FieldsFuncSeq(m[1], func(r rune) bool { return r == '.' || r == '-' }) {
		n, err := strconv.Atoi(part)
		if err != nil { // too large to be one
			return nil
		}
		list = append(list, n)
	}
	for len(list) > 0 && list[len(list)-1] == 0 { // 15.0 is 15
		list = list[:len(list)-1]
	}
	return list
}

// holds reports whether a rule is one for a version; "" is older than all.
func holds(rule serverspec.VersionRule, version string) bool {
	v := numbers(version)
	return (rule.From == "" || v != nil && slices.Compare(v, numbers(rule.From)) >= 0) &&
		(rule.Below == "" || slices.Compare(v, numbers(rule.Below)) < 0)
}

// at returns the entry as it is for one version: the rules that hold are laid over it. Args are what they add to the command's.
func (s *Spec) at(version string) (own *Spec, args []string) {
	own = &Spec{s.Spec, nil}
	for _, rule := range s.Versions {
		if !holds(rule, version) {
			continue
		}
		args = append(args, rule.Args...)
		own.InitOptions = Merged(own.InitOptions, rule.InitOptions)
		own.Settings = Merged(own.Settings, rule.Settings)
		if rule.Freshness != "" {
			own.Freshness = rule.Freshness
		}
		if rule.MarkerFreshness != "" {
			own.MarkerFreshness = rule.MarkerFreshness
		}
		if rule.Ready != nil {
			own.Ready = *rule.Ready
		}
		own.Lacks = append(own.Lacks, rule.Lacks...)
	}
	return own, args
}

// Missing returns why the server does not offer a question, "" when nothing is known to keep it from that.
func (s *Spec) Missing(method string) string { return s.lack(method, EffectMissing) }

// Degrades returns why answers to a question are degraded, "" when they are not.
func (s *Spec) Degrades(method string) string { return s.lack(method, EffectDegrade) }

// Notes returns what is said with answers to a question, "" for nothing.
func (s *Spec) Notes(method string) string { return s.lack(method, noteOnly) }

func (s *Spec) lack(method, effect string) string {
	var why []string
	for _, l := range s.Lacks {
		if slices.Contains(l.Methods, method) && (l.Effect == effect || l.Effect == "" && effect == noteOnly) {
			why = append(why, l.Why)
		}
	}
	return strings.Join(why, "; it ")
}

// Merged returns base with the values of over, objects merged. Neither is changed; the result is not nil.
func Merged(base, over map[string]any) map[string]any {
	out := map[string]any{}
	maps.Copy(out, base)
	for k, v := range over {
		if m, ok := v.(map[string]any); ok {
			if have, ok := out[k].(map[string]any); ok {
				v = Merged(have, m)
			}
		}
		out[k] = v
	}
	return out
}

// checkVersions reports what is wrong with the rules for versions.
func checkVersions(s *serverspec.Spec, wrong func(format string, args ...any)) {
	for i, rule := range s.Versions {
		name := fmt.Sprintf("versions from %q below %q", rule.From, rule.Below)
		if rule.From == "" && rule.Below == "" {
			wrong("rule %d of its versions has neither from nor below", i+1)
		}
		for _, v := range []string{rule.From, rule.Below} {
			if v != "" && numbers(v) == nil {
				wrong("%s: %q is no version", name, v)
			}
		}
		if rule.From != "" && rule.Below != "" && slices.Compare(numbers(rule.From), numbers(rule.Below)) >= 0 {
			wrong("%s: there are none", name)
		}
		for _, l := range rule.Lacks {
			if l.Why == "" || len(l.Methods) == 0 {
				wrong("%s: a lack needs why and methods", name)
			}
			if !slices.Contains([]string{"", noteOnly, EffectMissing, EffectDegrade}, l.Effect) {
				wrong("%s: effect %q is none of note, missing and degraded", name, l.Effect)
			}
		}
		over := *s
		over.Freshness, over.MarkerFreshness = rule.Freshness, rule.MarkerFreshness
		if rule.Ready != nil {
			over.Ready = *rule.Ready
		}
		checkBehaviour(&over, wrong)
	}
}
