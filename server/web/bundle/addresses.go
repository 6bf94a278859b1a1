package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// addresses makes `import url from './de.json?url'` the address of a file of its
// own, relative to the script. Each language is such a file, so
// that a candidate loads one language. A dynamic import() could do the same, but
// browsers remember a failed one, and no retry helps until the page is loaded again.
// `import url from './writing.ts?url'` does the same for a module that imports nothing.
var addresses = api.Plugin{Name: "addresses", Setup: func(build api.PluginBuild) {
	const suffix, namespace = "?url", "address"
	top := build.InitialOptions.AbsWorkingDir

	build.OnResolve(api.OnResolveOptions{Filter: `\.json\?url$`},
		func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			path := filepath.Join(args.ResolveDir, strings.TrimSuffix(args.Path, suffix))
			// The hash in the script's name depends on this path, and must be the same on each machine.
			path, err := filepath.Rel(top, path)
			return api.OnResolveResult{Path: filepath.ToSlash(path), Namespace: namespace}, err
		})
	build.OnLoad(api.OnLoadOptions{Filter: `\.json$`, Namespace: namespace},
		func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := os.ReadFile(args.Path)
			if err != nil {
				return api.OnLoadResult{}, err
			}
			var small bytes.Buffer
			if err := json.Compact(&small, content); err != nil {
				return api.OnLoadResult{}, err
			}
			text := small.String()
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderFile}, nil
		})

	build.OnResolve(api.OnResolveOptions{Filter: `\.ts\?url$`},
		func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			path := filepath.Join(args.ResolveDir, strings.TrimSuffix(args.Path, suffix))
			path, err := filepath.Rel(top, path)
			// The name of the asset ends as this path does.
			path = strings.TrimSuffix(filepath.ToSlash(path), ".ts") + ".js"
			return api.OnResolveResult{Path: path, Namespace: namespace}, err
		})
	build.OnLoad(api.OnLoadOptions{Filter: `\.js$`, Namespace: namespace},
		func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			text, err := script(filepath.Join(top, strings.TrimSuffix(args.Path, ".js")+".ts"))
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderFile}, err
		})
}}

// script is a module that imports nothing, as a script.
func script(path string) (string, error) {
	content, err := os.ReadFile(path)
	if err != nil {
		return "", err
	}
	made := api.Transform(string(content), api.TransformOptions{
		Loader: api.LoaderTS, Target: target, Engines: engines, Charset: api.CharsetUTF8, Sourcefile: path,
		MinifyWhitespace: true, MinifyIdentifiers: true, MinifySyntax: true,
	})
	if len(made.Errors) > 0 {
		return "", errors.New(made.Errors[0].Text)
	}
	return string(made.Code), nil
}
