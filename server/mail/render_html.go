package mail

import (
	"embed"
	"html/template"
	"strings"
	"sync"
)

//go:embed templates/email.html
var templateFiles embed.FS

var emailTemplate = sync.OnceValues(func() (*template.Template, error) {
	part := func(l *letter, b block) map[string]any { return map[string]any{"Letter": l, "Block": b} }
	made := template.New("email.html").Funcs(template.FuncMap{"part": part})
	return made.ParseFS(templateFiles, "templates/email.html")
})

// html returns the letter as HTML.
func (l *letter) html() (string, error) {
	parsed, err := emailTemplate()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	if err := parsed.Execute(&out, l); err != nil {
		return "", err
	}
	return out.String(), nil
}

// Start is the side where lines begin. Not every mail program knows "start".
func (l *letter) Start() string {
	if l.Dir == "rtl" {
		return "right"
	}
	return "left"
}
