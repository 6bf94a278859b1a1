package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// addresses makes `import url from './de.json?url'` the address of a file of its
// own, relative to the script. Each language is such a file, so
// that a candidate loads one language. A dynamic import() could do the same, but
// browsers remember a failed one, and no retry helps until the page is loaded again.
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
}}
