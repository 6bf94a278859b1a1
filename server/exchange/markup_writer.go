package exchange

import (
	"bytes"
	"encoding/xml"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/renderer/html"
	"github.com/yuin/goldmark/util"

	"assay/store/markdown"
)

// htmlWriter writes Markdown as XHTML for other systems: pictures are files beside the text, and formulas are in the
// marks of MathJax. It is for one assessment.
type htmlWriter struct {
	markdown goldmark.Markdown
	picture  func(id string) (Picture, bool)
	address  func(name string) string // of a picture, as the format writes it
	names    map[string]string        // of the pictures in the file, by their ids
	pictures []Picture                // in the order of the texts, with their names in the file
	used     []string                 // the names in the text that is being written
}

func newHTMLWriter(a Assessment, address func(name string) string) *htmlWriter {
	w := &htmlWriter{picture: a.Picture, address: address, names: map[string]string{}}
	w.markdown = goldmark.New(goldmark.WithParser(markdown.Parser()), goldmark.WithRendererOptions(
		html.WithXHTML(),
		renderer.WithNodeRenderers(
			util.Prioritized(w, 100),
			util.Prioritized(extension.NewTableHTMLRenderer(extension.WithTableCellAlignMethod(extension.TableCellAlignNone)),
				500),
		),
	))
	return w
}

// write returns Markdown as blocks of XHTML, and the names of the pictures in it.
func (w *htmlWriter) write(source string) (xhtml string, used []string) {
	w.used = nil
	var out bytes.Buffer
	if err := w.markdown.Convert([]byte(source), &out); err != nil {
		return escapedXML(source), nil // bytes.Buffer returns no errors
	}
	return strings.TrimSpace(out.String()), w.used
}

// inline is write without the paragraph around a text of one paragraph.
func (w *htmlWriter) inline(source string) (xhtml string, used []string) {
	xhtml, used = w.write(source)
	inner, begins := strings.CutPrefix(xhtml, "<p>")
	inner, ends := strings.CutSuffix(inner, "</p>")
	if begins && ends && !strings.Contains(inner, "<p>") {
		return inner, used
	}
	return xhtml, used
}

// RegisterFuncs implements renderer.NodeRenderer.
func (w *htmlWriter) RegisterFuncs(to renderer.NodeRendererFuncRegisterer) {
	to.Register(ast.KindImage, w.image)
	to.Register(markdown.FormulaKind, formula)
}

// formula writes a formula in the marks that MathJax reads by default.
func formula(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	tex, isDisplay := markdown.TeXOf(n, source)
	opens, closes := `\(`, `\)`
	if isDisplay {
		opens, closes = `\[`, `\]`
	}
	_, err := out.WriteString(opens + escapedXML(tex) + closes)
	return ast.WalkContinue, err
}

// image writes a picture of the assessment. A picture that is missing is its alternative text.
func (w *htmlWriter) image(out util.BufWriter, source []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	image := n.(*ast.Image)
	alt := escapedXML(plainNodes(image, source))
	id, isMedia := strings.CutPrefix(string(image.Destination), "media:")
	name := ""
	if isMedia {
		name = w.name(id)
	}
	if name == "" {
		_, err := out.WriteString(alt)
		return ast.WalkSkipChildren, err
	}
	w.used = append(w.used, name)
	_, err := out.WriteString(`<img src="` + escapedXML(w.address(name)) + `" alt="` + alt + `" />`)
	return ast.WalkSkipChildren, err
}

// name returns the name of a picture in the file, or "" if it is missing.
func (w *htmlWriter) name(id string) string {
	if name, known := w.names[id]; known {
		return name
	}
	w.names[id] = ""
	if w.picture == nil {
		return ""
	}
	picture, known := w.picture(id)
	extension, _ := pictureType(picture.Content)
	if !known || extension == "" {
		return ""
	}
	name := strings.Map(func(r rune) rune {
		if r < 0x80 && (isAlnum(r) || r == '-') {
			return r
		}
		return '-'
	}, id) + extension
	picture.Name = name
	w.pictures = append(w.pictures, picture)
	w.names[id] = name
	return name
}

// plainNodes returns the texts in a node.
func plainNodes(n ast.Node, source []byte) string {
	var out strings.Builder
	for child := n.FirstChild(); child != nil; child = child.NextSibling() {
		switch child := child.(type) {
		case *ast.Text:
			out.Write(util.UnescapePunctuations(child.Segment.Value(source)))
			if child.SoftLineBreak() || child.HardLineBreak() {
				out.WriteByte(' ')
			}
		case *ast.String:
			out.Write(child.Value)
		default:
			out.WriteString(plainNodes(child, source))
		}
	}
	return out.String()
}

// escapedXML returns a text for XML. Characters that XML cannot contain are replaced.
func escapedXML(source string) string {
	var out strings.Builder
	if err := xml.EscapeText(&out, []byte(source)); err != nil {
		return ""
	}
	return out.String()
}
