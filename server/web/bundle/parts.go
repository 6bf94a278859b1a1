package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// imported finds the import() of a part of the dashboard, which is loaded when it is opened.
var imported = regexp.MustCompile(`\bimport\('(\.[^']+\.tsx?)'\)`)

// parts lets each part of the dashboard begin with imports of the files that are loaded before it. esbuild makes a file
// of the modules that the same parts need. Without these imports, a part that needs only some modules of the first load
// divides them: the first load then had 24 files in place of 10, and 5 KB more. The sources cannot have these imports,
// because the files that are loaded before load the part.
var parts = api.Plugin{
	Name: "parts",
	Setup: func(build api.PluginBuild) {
		before, err := partsIn(filepath.Join(build.InitialOptions.AbsWorkingDir, source, "app"))
		build.OnLoad(api.OnLoadOptions{Filter: `/src/app/.*\.tsx?$`}, func(file api.OnLoadArgs) (api.OnLoadResult, error) {
			if err != nil || before[file.Path] == nil {
				return api.OnLoadResult{}, err
			}
			var whole strings.Builder
			for _, earlier := range before[file.Path] {
				// The names of files depend on this path, and must be the same on each machine.
				path, _ := filepath.Rel(filepath.Dir(file.Path), earlier)
				whole.WriteString("import './" + filepath.ToSlash(path) + "';")
			}
			content, err := os.ReadFile(file.Path)
			whole.Write(content)
			text := whole.String()
			loader := api.LoaderTS
			if strings.HasSuffix(file.Path, ".tsx") {
				loader = api.LoaderTSX
			}
			return api.OnLoadResult{Contents: &text, Loader: loader, ResolveDir: filepath.Dir(file.Path)}, err
		})
	},
}

// partsIn returns the files that the modules in the folder load with import(), each with what is loaded before it: the
// app, and for a part of a screen also the screen, <name>/<name>.tsx.
func partsIn(folder string) (map[string][]string, error) {
	before := map[string][]string{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".ts") {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // the files are part of the repository
		for _, match := range imported.FindAllSubmatch(content, -1) {
			part := filepath.Join(filepath.Dir(path), string(match[1]))
			before[part] = []string{filepath.Join(folder, "app.tsx")}
			screen := screenOf(part)
			_, missing := os.Stat(screen)
			if entry.Name() != "screens.ts" && missing == nil && screen != part {
				before[part] = slices.Insert(before[part], 0, screen)
			}
		}
		return err
	})
	return before, err
}

// screenOf returns the path that the screen in the folder of a part has.
func screenOf(part string) string {
	folder := filepath.Dir(part)
	return filepath.Join(folder, strings.ReplaceAll(filepath.Base(folder), "-", "_")+".tsx")
}
