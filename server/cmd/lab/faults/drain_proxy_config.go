package faults

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// proxyCommand writes the proxy's configuration to dir, and returns the command
// that starts the proxy. The configuration is the file of .deploy with the
// addresses of this run and without TLS.
func proxyCommand(ctx context.Context, proxy, dir, site string, replicas []string) (*exec.Cmd, error) {
	if proxy == "caddy" {
		config := filepath.Join(dir, "Caddyfile")
		//nolint:gosec // a file of our own folder
		cmd := exec.CommandContext(ctx, program("caddy"), "run", "--adapter", "caddyfile", "--config", config)
		cmd.Env = append(os.Environ(), "HOME="+dir, "XDG_DATA_HOME="+dir, "XDG_CONFIG_HOME="+dir)
		return cmd, configure(ctx, dir, "Caddyfile", [][2]string{
			{"\nassay.example {", "\n{\n\tadmin off\n\tauto_https off\n}\n\nhttp://" + site + " {"},
			{"127.0.0.1:8080 127.0.0.1:8081", strings.Join(replicas, " ")},
		})
	}

	const (
		second = "\tserver 127.0.0.1:8081 max_fails=1 fail_timeout=1s;\n"
		other  = "\t~127\\.0\\.0\\.1:8080$ 127.0.0.1:8081;\n"
	)
	secondOfRun, otherOfRun := "", "" // one replica: without the lines of the second
	if len(replicas) > 1 {
		secondOfRun = strings.Replace(second, "127.0.0.1:8081", replicas[1], 1)
		otherOfRun = "\t~" + strings.ReplaceAll(replicas[0], ".", `\.`) + "$ " + replicas[1] + ";\n"
	}
	if err := configure(ctx, dir, "nginx.conf", [][2]string{
		{"listen 443 ssl;", "listen " + site + ";"},
		{"\tssl_certificate /etc/ssl/assay.crt;\n", ""},
		{"\tssl_certificate_key /etc/ssl/assay.key;\n", ""},
		{"server 127.0.0.1:8080", "server " + replicas[0]},
		{"default 127.0.0.1:8080", "default " + replicas[0]},
		{second, secondOfRun},
		{other, otherOfRun},
	}); err != nil {
		return nil, err
	}
	main := filepath.Join(dir, "main.conf")
	//nolint:gosec // a file of our own folder
	cmd := exec.CommandContext(ctx, program("nginx"), "-p", dir, "-c", main, "-e", filepath.Join(dir, "nginx.log"))
	return cmd, os.WriteFile(main, nginxMain(dir), 0o644) //nolint:gosec // nginx's workers can be another user
}

// configure copies a file of .deploy to dir with some edits. An edit is a
// text, which the file contains exactly once, and its replacement.
func configure(ctx context.Context, dir, file string, edits [][2]string) error {
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), ".deploy", file))
	if err != nil {
		return err
	}
	for _, edit := range edits {
		if bytes.Count(text, []byte(edit[0])) != 1 {
			return fmt.Errorf(".deploy/%s does not contain %q exactly once", file, edit[0])
		}
		text = bytes.Replace(text, []byte(edit[0]), []byte(edit[1]), 1)
	}
	//nolint:gosec // nginx's workers can be another user
	return os.WriteFile(filepath.Join(dir, file), text, 0o644)
}

// program finds a server's program, which can be outside of a user's PATH.
func program(name string) string {
	if path, err := exec.LookPath(name); err == nil {
		return path
	}
	return "/usr/sbin/" + name
}

// nginxMain is the configuration that a distribution has around a file of conf.d.
func nginxMain(dir string) []byte {
	var temp strings.Builder
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		_, _ = fmt.Fprintf(&temp, "\t%s_temp_path %s;\n", kind, filepath.Join(dir, "temp-"+kind))
	}
	return []byte("daemon off;\nworker_processes auto;\npid " + filepath.Join(dir, "nginx.pid") + ";\n" +
		"events {\n\tworker_connections 4096;\n}\n" +
		"http {\n\taccess_log off;\n" + temp.String() + "\tinclude " + filepath.Join(dir, "nginx.conf") + ";\n}\n")
}
