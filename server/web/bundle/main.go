// Command bundle bundles the pages into server/web/dist, each into a folder, and the script for formulas into
// store/markdown/formulas. It needs the packages in server/web/node_modules; `make web` installs them.
//
// Usage: go run ./server/web/bundle, in the top folder of the repository.
package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/evanw/esbuild/pkg/api"
)

const (
	source = "server/web/src"
	output = "server/web/dist"
)

// What the oldest browsers understand that the pages support.
const target = api.ES2020

var engines = []api.Engine{{Name: api.EngineSafari, Version: "15"}}

// private matches the names of private members, and internal further names on the small page that no text, no request,
// and nothing kept in the browser contains. The bundle shortens them.
const (
	private  = "^_[a-z]"
	internal = "^(blocked|closeStage|conflict|doubt|explain|flush|formats|hasUnsent|inWords|keepTyped|lastSaved|later|" +
		"leftField|messages|network|networkChanged|newest|offlineSince|openStage|received|recovered|refused|retryAfter|" +
		"saveState|sendLast|serverNow|share|storage|surface|surprised|takeOver|towards|unsent|" +
		"is(Here|Quiet|ReadOnly|Repeated|RightToLeft|Theirs|Total))$"
)

// small is the page that candidates load, possibly over a bad connection. test/35-budgets limits its size.
const small = "take"

// pages are the folders in source that become pages. Each has main.tsx and <page>.html.
var pages = []string{"account", "app", "take"}

func main() {
	if err := bundle(); err != nil {
		fmt.Fprintln(os.Stderr, "bundle:", err)
		os.Exit(1)
	}
}

// bundle replaces the files in dist. It writes them only after everything has
// succeeded, so that an error leaves the old files.
func bundle() error {
	files, err := bundleFormulas() // by their names with the folder
	if err != nil {
		return err
	}
	for _, page := range pages {
		made, err := bundlePage(page)
		if err != nil {
			return err
		}
		for name, content := range made {
			files[filepath.Join(output, page, name)] = content
		}
	}

	if err := os.RemoveAll(output); err != nil {
		return err
	}
	for name, content := range files {
		//nolint:gosec // the files are part of the repository
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		//nolint:gosec // the files are part of the repository
		if err := os.WriteFile(name, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}

// bundlePage returns the files of a page.
func bundlePage(page string) (map[string][]byte, error) {
	made, err := build(page)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, file := range made.OutputFiles {
		files[filepath.Base(file.Path)] = file.Contents
	}
	if err := shrink(files, page); err != nil {
		return nil, err
	}
	if files[page+".html"], err = shell(page, files); err != nil {
		return nil, err
	}
	files["LICENSES.txt"], err = licenses(made.Metafile, "The scripts of this page contain")
	return files, err
}

// build bundles the scripts, the styles, the languages, and the icon of a page.
func build(page string) (api.BuildResult, error) {
	top, err := os.Getwd()
	if err != nil {
		return api.BuildResult{}, err
	}
	jsx, alias, mangled := source+"/shared/h.ts", map[string]string{}, private
	if page == small {
		mangled += "|" + internal
		jsx = source + "/shared/signals.ts"
		alias["@preact/signals"] = filepath.Join(top, jsx)
	}
	made := api.Build(api.BuildOptions{
		AbsWorkingDir: top,
		EntryPointsAdvanced: []api.EntryPoint{
			{InputPath: source + "/" + page + "/main.tsx", OutputPath: page},
			{InputPath: source + "/shared/icon.svg", OutputPath: "icon"},
		},
		Bundle:            true,
		Outdir:            output,
		EntryNames:        "[name]-[hash]",
		AssetNames:        "[name]-[hash]",
		ChunkNames:        "part-[name]-[hash]",
		Splitting:         true, // the screens of the dashboard are loaded when they are opened
		Format:            api.FormatESModule,
		Target:            target,
		Engines:           engines,
		MinifyWhitespace:  true,
		MinifyIdentifiers: true,
		MinifySyntax:      true,
		// The classic transform makes smaller code, and constructors that assign fields are smaller than definitions.
		TsconfigRaw: `{"compilerOptions": {"jsx": "react", "jsxFactory": "h", "jsxFragmentFactory": "Fragment",
			"target": "ES2022", "useDefineForClassFields": false, "verbatimModuleSyntax": true}}`,
		Inject:        []string{jsx},
		Alias:         alias,
		MangleProps:   mangled,
		Define:        map[string]string{"window.__PREACT_SIGNALS_DEVTOOLS__": "false"},
		LegalComments: api.LegalCommentsNone, // licenses writes them to a file, to which the page links
		Charset:       api.CharsetUTF8,
		Loader:        map[string]api.Loader{".svg": api.LoaderCopy},
		Plugins:       []api.Plugin{addresses, styleTexts, parts},
		Metafile:      true,
		LogLevel:      api.LogLevelInfo, // prints errors and warnings to standard error
	})
	if len(made.Errors) > 0 {
		return made, errors.New("the sources have errors")
	}
	return made, nil
}

// shell fills the names of the files into the HTML page, and the styles themselves:
// a file of their own would cost one more request before the page shows anything.
func shell(name string, files map[string][]byte) ([]byte, error) {
	page, err := os.ReadFile(filepath.Join(source, name, name+".html"))
	if err != nil {
		return nil, err
	}
	styles, err := only(files, name+"-*.css")
	if err != nil {
		return nil, err
	}
	script, err := only(files, name+"-*.js")
	if err != nil {
		return nil, err
	}
	icon, err := only(files, "icon-*.svg")
	if err != nil {
		return nil, err
	}
	languages, err := pageLanguages(name, files)
	if err != nil {
		return nil, err
	}
	icons, err := os.ReadFile(filepath.Join(source, "shared", "icons.svg"))
	if err != nil {
		return nil, err
	}
	placeholders := map[string][]byte{
		"{{icons}}":  bytes.TrimSpace(icons),
		"{{styles}}": bytes.TrimSpace(files[styles]), "{{script}}": []byte(script), "{{icon}}": []byte(icon),
	}
	if languages != nil {
		placeholders["{{languages}}"] = languages
	}
	for placeholder, content := range placeholders {
		if !bytes.Contains(page, []byte(placeholder)) {
			return nil, fmt.Errorf("%s.html lacks %s", name, placeholder)
		}
		page = bytes.ReplaceAll(page, []byte(placeholder), content)
	}
	delete(files, styles)
	return page, nil
}

// only returns the name of the one file that matches the pattern.
func only(files map[string][]byte, pattern string) (string, error) {
	var found []string
	for name := range files {
		if ok, err := filepath.Match(pattern, name); err != nil {
			return "", err
		} else if ok {
			found = append(found, name)
		}
	}
	if len(found) != 1 {
		return "", fmt.Errorf("the bundle has %d files %s, want one: %s", len(found), pattern, strings.Join(found, " "))
	}
	return found[0], nil
}
