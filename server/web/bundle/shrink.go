package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/base32"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
)

// shrink minifies the script of a page with terser, after esbuild: the result is 2 % smaller when it is compressed.
// The page must have one script only, because the script gets a new name for its content.
func shrink(files map[string][]byte, page string) error {
	name, err := only(files, page+"-*.js")
	if err != nil {
		return err
	}
	terser := filepath.Join("server", "web", "node_modules", "terser", "bin", "terser")
	//nolint:gosec // the arguments are constants
	command := exec.CommandContext(context.Background(), "node", terser,
		"--module", "--ecma", "2020", "--compress", "passes=3,inline=1", "--mangle", "--comments", "/Licenses/")
	command.Stdin = bytes.NewReader(files[name])
	command.Stderr = os.Stderr
	script, err := command.Output()
	if err != nil {
		return fmt.Errorf("terser: %w", err)
	}
	delete(files, name)
	files[hashed(page, ".js", script)] = script
	return nil
}

// hashed is a name that changes with the content, so that browsers can keep the file forever.
func hashed(name, extension string, content []byte) string {
	sum := sha256.Sum256(content)
	return name + "-" + base32.StdEncoding.EncodeToString(sum[:5]) + extension
}
