package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

// imported finds the import() of a part of the dashboard, which is loaded when it is opened.
var imported = regexp.MustCompile(`\bimport\('(\.[^']+\.tsx?)'\)`)

// parts lets each part of the dashboard begin with an import of the app, which is loaded before it. esbuild makes a
// file of the modules that the same parts need. Without this import, a part that needs only some modules of the first
// load divides them: the first load then had 24 files in place of 10, and 5 KB more.
var parts = api.Plugin{
	Name: "parts",
	Setup: func(build api.PluginBuild) {
		folder := filepath.Join(build.InitialOptions.AbsWorkingDir, source, "app")
		app := filepath.Join(folder, "app.tsx")
		found, err := partsIn(folder)
		build.OnLoad(api.OnLoadOptions{Filter: `/src/app/.*\.tsx?$`}, func(file api.OnLoadArgs) (api.OnLoadResult, error) {
			if err != nil || !found[file.Path] {
				return api.OnLoadResult{}, err
			}
			content, err := os.ReadFile(file.Path)
			// The names of files depend on this path, and must be the same on each machine.
			path, _ := filepath.Rel(filepath.Dir(file.Path), app)
			whole := "import './" + filepath.ToSlash(path) + "';" + string(content)
			loader := api.LoaderTS
			if strings.HasSuffix(file.Path, ".tsx") {
				loader = api.LoaderTSX
			}
			return api.OnLoadResult{Contents: &whole, Loader: loader, ResolveDir: filepath.Dir(file.Path)}, err
		})
	},
}

// partsIn returns the files that the modules in the folder load with import().
func partsIn(folder string) (map[string]bool, error) {
	found := map[string]bool{}
	err := filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasPrefix(filepath.Ext(path), ".ts") {
			return err
		}
		content, err := os.ReadFile(path) //nolint:gosec // the files are part of the repository
		for _, match := range imported.FindAllSubmatch(content, -1) {
			found[filepath.Join(filepath.Dir(path), string(match[1]))] = true
		}
		return err
	})
	return found, err
}
