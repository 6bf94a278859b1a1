package markdown

import (
	"html"
	"regexp"
	"strconv"
	"strings"

	"github.com/microcosm-cc/bluemonday"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// PictureScheme is before the id of a picture, as in ![A cold store](media:med_…).
const PictureScheme = "media:"

// Picture is what HTML needs to show a picture. Its place is reserved before it has loaded.
type Picture struct {
	URL           string
	Width, Height int // pixels
}

// Pictures are the pictures that a text can show, by id. Other images are shown as their alternative text.
type Pictures map[string]Picture

// HTMLWith is HTML with pictures.
func (r *Renderer) HTMLWith(source string, pictures Pictures) string {
	if len(pictures) == 0 || !strings.Contains(source, PictureScheme) {
		return r.HTML(source)
	}
	context := parser.NewContext()
	context.Set(picturesKey, pictures)
	return r.render(source, parser.WithContext(context))
}

// PictureUse is an image of a text whose address has the scheme of pictures.
type PictureUse struct {
	ID          string // as written: it can be anything
	Alternative string
}

// Pictures returns the pictures that a text names, in their order. A text that exceeds the limits of HTML shows none.
func (r *Renderer) Pictures(source string) []PictureUse {
	if !strings.Contains(source, PictureScheme) || exceeds(source) {
		return nil
	}
	var uses []PictureUse
	document := r.markdown.Parser().Parse(text.NewReader([]byte(source)))
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		if image, ok := node.(*ast.Image); ok && entering {
			if id, ok := strings.CutPrefix(string(image.Destination), PictureScheme); ok {
				uses = append(uses, PictureUse{ID: id, Alternative: alternative(image, []byte(source))})
			}
		}
		return ast.WalkContinue, nil
	})
	return uses
}

// alternative is the text inside an image, in one line.
func alternative(image ast.Node, source []byte) string {
	w := textWriter{source: source, left: len(source) + minBound}
	return strings.Join(strings.Fields(w.inline(image)), " ")
}

var picturesKey = parser.NewContextKey()

// pictureNode is an image that is shown.
type pictureNode struct {
	ast.BaseInline

	picture     Picture
	alternative string
}

var kindPicture = ast.NewNodeKind("Picture")

// Kind implements ast.Node.
func (*pictureNode) Kind() ast.NodeKind { return kindPicture }

// Dump implements ast.Node.
func (n *pictureNode) Dump(source []byte, level int) { ast.DumpHelper(n, source, level, nil, nil) }

// pictureFinder replaces the images that the text can show.
type pictureFinder struct{}

// Transform implements parser.ASTTransformer.
func (pictureFinder) Transform(document *ast.Document, reader text.Reader, pc parser.Context) {
	pictures, ok := pc.Get(picturesKey).(Pictures)
	if !ok {
		return
	}
	shown := map[*ast.Image]*pictureNode{}
	_ = ast.Walk(document, func(node ast.Node, entering bool) (ast.WalkStatus, error) {
		image, ok := node.(*ast.Image)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		id, ok := strings.CutPrefix(string(image.Destination), PictureScheme)
		if picture, known := pictures[id]; ok && known {
			shown[image] = &pictureNode{picture: picture, alternative: alternative(image, reader.Source())}
			return ast.WalkSkipChildren, nil // images inside the alternative text are text
		}
		return ast.WalkContinue, nil
	})
	for image, picture := range shown {
		image.Parent().ReplaceChild(image.Parent(), image, picture)
	}
}

// pictureRenderer writes the images that are shown.
type pictureRenderer struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (pictureRenderer) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(kindPicture, func(w util.BufWriter, _ []byte, node ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		shown := node.(*pictureNode)
		_, err := w.WriteString(`<img src="` + html.EscapeString(shown.picture.URL) +
			`" width="` + strconv.Itoa(shown.picture.Width) + `" height="` + strconv.Itoa(shown.picture.Height) +
			`" alt="` + html.EscapeString(shown.alternative) + `" loading="lazy">`)
		return ast.WalkContinue, err
	})
}

// allowPictures permits what pictureRenderer writes. Only pictureFinder makes addresses of images.
func allowPictures(p *bluemonday.Policy) {
	size := regexp.MustCompile(`^[0-9]{1,5}$`)
	p.AllowAttrs("src").Matching(regexp.MustCompile(`^https?://[^\s"'<>]+/media/[0-9a-f]{32}$`)).OnElements("img")
	p.AllowAttrs("width", "height").Matching(size).OnElements("img")
	p.AllowAttrs("loading").Matching(regexp.MustCompile(`^lazy$`)).OnElements("img")
	p.AllowAttrs("alt").OnElements("img")
}
