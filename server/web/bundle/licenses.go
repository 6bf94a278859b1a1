package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// licenses returns the license texts of the packages in the bundle, which the first words name. The licenses
// require that every copy contains them.
func licenses(metafile, bundle string) ([]byte, error) {
	var meta struct {
		Inputs map[string]struct{} `json:"inputs"`
	}
	if err := json.Unmarshal([]byte(metafile), &meta); err != nil {
		return nil, err
	}

	var folders []string
	for path := range meta.Inputs {
		if folder := packageFolder(path); folder != "" && !slices.Contains(folders, folder) {
			folders = append(folders, folder)
		}
	}
	slices.Sort(folders)

	var out bytes.Buffer
	out.WriteString(bundle + " these packages.\n")
	for _, folder := range folders {
		text, err := license(folder)
		if err != nil {
			return nil, err
		}
		out.WriteString("\n" + text)
	}
	return out.Bytes(), nil
}

// packageFolder returns the folder of the npm package that contains the file, or "".
func packageFolder(path string) string {
	const packages = "node_modules/"
	at := strings.LastIndex(path, packages)
	if at < 0 {
		return ""
	}
	parts := strings.Split(path[at+len(packages):], "/")
	length := 1
	if strings.HasPrefix(parts[0], "@") {
		length = 2
	}
	return path[:at+len(packages)] + strings.Join(parts[:length], "/")
}

// license returns the name, the version, and the license text of a package.
func license(folder string) (string, error) {
	content, err := os.ReadFile(filepath.Join(folder, "package.json"))
	if err != nil {
		return "", err
	}
	var manifest struct{ Name, Version string }
	if err := json.Unmarshal(content, &manifest); err != nil {
		return "", err
	}
	text, err := os.ReadFile(filepath.Join(folder, "LICENSE"))
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("=== %s %s\n\n%s\n", manifest.Name, manifest.Version, bytes.TrimSpace(text)), nil
}
