package secrets

import (
	"path"
	"slices"
	"strings"
)

// folders hold secrets, or what belongs to a tool alone.
var folders = []string{".git", ".hg", ".svn", ".bzr", ".jj", ".ssh", ".gnupg", ".aws", ".azure", ".gcloud", ".kube", ".docker", ".password-store", ".terraform.d"}

// names are files that hold secrets.
var names = []string{
	"id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_ecdsa_sk", "id_ed25519_sk", ".netrc", "_netrc", ".npmrc", ".yarnrc.yml", ".pypirc", ".pgpass", "pgpass.conf", ".my.cnf",
	".htpasswd", ".git-credentials", ".dockercfg", ".dockerconfigjson", ".vault-token", ".terraformrc", "terraform.rc", "terraform.tfvars", ".s3cfg", ".boto", "rclone.conf",
	"credentials", "credentials.json", "credentials.toml", "credentials.xml", "secrets.yml", "secrets.yaml", "secrets.json", "secrets.toml", "master.key", "wp-config.php",
	".bash_history", ".zsh_history", ".python_history", ".psql_history", ".mysql_history", ".node_repl_history", "kubeconfig", ".envrc", "shadow", "gshadow",
}

// endings are of files that hold keys, or states with keys in them.
var endings = []string{".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".kdb", ".ppk", ".ovpn", ".tfstate", ".tfstate.backup", ".agekey"}

// templates are files like .env that show what to put there.
var templates = []string{"example", "sample", "template", "dist", "defaults", "schema"}

// Name reports whether the file of a slash path is known to hold secrets, and why. Letter case does not count, nor do dots and blanks at the end of a
// name, since some file systems take them as nothing.
func Name(p string) (reason string, secret bool) {
	parts := strings.Split(strings.ToLower(strings.ReplaceAll(p, "\\", "/")), "/")
	for i, part := range parts {
		part, _, _ = strings.Cut(part, ":") // a stream of NTFS
		parts[i] = strings.TrimRight(part, ". ")
		if parts[i] == "" && strings.HasPrefix(part, ".") {
			parts[i] = part // "." and ".."
		}
	}
	for _, d := range parts[:len(parts)-1] {
		if slices.Contains(folders, d) || strings.HasPrefix(d, "git~") {
			return "it lies in " + d, true
		}
	}
	base := parts[len(parts)-1]
	tries := []string{base}
	if o := original(base); o != base {
		tries = append(tries, o, strings.TrimPrefix(o, ".")) // vim puts a dot before the name
	}
	for _, name := range tries {
		if reason, secret := known(name); secret {
			return reason, true
		}
	}
	return "", false
}

// known is Name for a name without folders.
func known(base string) (reason string, secret bool) {
	switch ext := path.Ext(base); {
	case slices.Contains(folders, base) || strings.HasPrefix(base, "git~"):
		return "it is " + base, true
	case slices.Contains(names, base):
		return "it is named " + base, true
	case ext == ".env" && !slices.Contains(templates, strings.TrimSuffix(base, ext)), strings.HasPrefix(base, ".env.") && !slices.Contains(templates, strings.TrimPrefix(ext, ".")):
		return "it is named " + base, true
	case strings.HasPrefix(base, "client_secret") && ext == ".json", (strings.HasPrefix(base, "service-account") || strings.HasPrefix(base, "service_account")) && ext == ".json":
		return "it is named " + base, true
	case ext == "" && (strings.HasSuffix(base, "_rsa") || strings.HasSuffix(base, "_ed25519") || strings.HasSuffix(base, "_ecdsa")):
		return "it is named as a private key", true
	}
	for _, e := range endings {
		if strings.HasSuffix(base, e) {
			return "its name ends in " + e, true
		}
	}
	return "", false
}

// backups are endings of copies that editors and people make beside a file.
var backups = []string{"~", ".bak", ".old", ".orig", ".save", ".swp", ".swo", ".tmp"}

// original is the name of the file that a backup is of.
func original(base string) string {
	for _, e := range backups {
		if b, ok := strings.CutSuffix(base, e); ok && b != "" {
			return original(b)
		}
	}
	return strings.Trim(base, "#") // Emacs
}

// Glob is a pattern of what Name knows by whole names and endings, with alternatives in braces, for programs that leave files out by one.
func Glob() string {
	all := slices.Concat(folders, names, []string{"*.env", ".env.*", "client_secret*.json", "service-account*.json", "service_account*.json", "*_rsa", "*_ed25519", "*_ecdsa"})
	for _, e := range endings {
		all = append(all, "*"+e)
	}
	for _, name := range slices.Clone(all) {
		for _, e := range backups {
			all = append(all, name+e)
		}
	}
	return "{" + strings.Join(all, ",") + "}"
}
