package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// styleTexts makes `import styles from './report.css?text'` the text of a file of styles. The styles of the first load
// are in the HTML, which each visit loads. Screens that few people open have their styles in their own script.
var styleTexts = api.Plugin{Name: "styles", Setup: func(build api.PluginBuild) {
	const suffix, namespace = "?text", "styles"
	top := build.InitialOptions.AbsWorkingDir

	build.OnResolve(api.OnResolveOptions{Filter: `\.css\?text$`},
		func(args api.OnResolveArgs) (api.OnResolveResult, error) {
			path := filepath.Join(args.ResolveDir, strings.TrimSuffix(args.Path, suffix))
			// The hash in the script's name depends on this path, and must be the same on each machine.
			path, err := filepath.Rel(top, path)
			return api.OnResolveResult{Path: filepath.ToSlash(path), Namespace: namespace}, err
		})
	build.OnLoad(api.OnLoadOptions{Filter: `\.css$`, Namespace: namespace},
		func(args api.OnLoadArgs) (api.OnLoadResult, error) {
			content, err := os.ReadFile(filepath.Join(top, args.Path))
			if err != nil {
				return api.OnLoadResult{}, err
			}
			made := api.Transform(string(content), api.TransformOptions{
				Loader: api.LoaderCSS, Engines: engines, Charset: api.CharsetUTF8, Sourcefile: args.Path,
				MinifyWhitespace: true, MinifySyntax: true,
			})
			if len(made.Errors) > 0 {
				return api.OnLoadResult{}, errors.New(made.Errors[0].Text)
			}
			text := string(made.Code)
			return api.OnLoadResult{Contents: &text, Loader: api.LoaderText}, nil
		})
}}
