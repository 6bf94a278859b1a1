package exchange

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strings"

	"golang.org/x/text/encoding"
	"golang.org/x/text/encoding/htmlindex"
	"golang.org/x/text/encoding/unicode"
)

// The bounds of an XML file.
const (
	maxXMLDepth      = 200
	maxXMLNodes      = 400_000
	maxXMLAttributes = 100 // of an element
)

// xmlFile is an XML file that has been read. A file that ends in the middle, or is not well-formed, has the elements
// before the fault.
type xmlFile struct {
	root  *node
	fault *Note // NotClosed or NotUnderstood; nil if the file is well-formed
	notes []Note
	nodes int // with the ends of elements
}

// declaredEntity matches the declaration of an entity in a document type.
var declaredEntity = regexp.MustCompile(`<!ENTITY\s+([A-Za-z_][\w.-]*)\s`)

// readXML reads an XML file. External entities are never loaded, and entities that the file declares are not expanded:
// they stay as &name;, and are reported.
func readXML(content []byte) xmlFile { return readXMLUpTo(content, maxXMLNodes) }

func readXMLUpTo(content []byte, nodes int) xmlFile {
	content, isDecoded := decodeUnicode(content)
	content = beforeLargeTag(content)
	decoder := xml.NewDecoder(bytes.NewReader(content))
	entities := map[string]string{}
	decoder.Entity = entities
	for name, value := range xml.HTMLEntity {
		entities[name] = value
	}
	decoder.CharsetReader = func(charset string, input io.Reader) (io.Reader, error) {
		if isDecoded {
			return input, nil
		}
		found, err := htmlindex.Get(charset)
		if err != nil {
			return nil, fmt.Errorf("the encoding %q is not known", charset)
		}
		return found.NewDecoder().Reader(input), nil
	}
	p := xmlParser{most: nodes, decoder: decoder, entities: entities, open: []*node{{}}}
	err := p.parse()
	file := xmlFile{notes: p.notes, nodes: p.nodes}
	for _, n := range p.open[0].children {
		if n.name != "" {
			file.root = n
			break
		}
	}
	if err != nil {
		line, _ := decoder.InputPos()
		code := NotUnderstood
		if len(p.open) > 1 {
			code = NotClosed
		}
		file.fault = &Note{Code: code, Line: line, Text: excerptOf(err.Error())}
	}
	return file
}

// maxEqualSigns is how many equals signs can stand between two elements: attributes, or signs of a text. A prompt has
// at most 10,000 characters.
const maxEqualSigns = 50_000

// beforeLargeTag returns the content before an element with more attributes than fit in memory, because the decoder
// reads each element as a whole. The file then ends in the middle, which is reported.
func beforeLargeTag(content []byte) []byte {
	for at := 0; ; {
		next := bytes.IndexByte(content[at:], '<')
		if next < 0 {
			next = len(content) - at
		}
		if bytes.Count(content[at:at+next], []byte("=")) > maxEqualSigns {
			return content[:max(at-1, 0)]
		}
		if at += next + 1; at >= len(content) {
			return content
		}
	}
}

// decodeUnicode returns content in UTF-8 if it begins with a mark of UTF-8 or UTF-16, or is plainly UTF-16.
func decodeUnicode(content []byte) (decoded []byte, isDecoded bool) {
	var from encoding.Encoding
	switch {
	case bytes.HasPrefix(content, []byte("\xef\xbb\xbf")):
		return content[3:], true
	case bytes.HasPrefix(content, []byte("\xff\xfe")), bytes.HasPrefix(content, []byte("<\x00")):
		from = unicode.UTF16(unicode.LittleEndian, unicode.UseBOM)
		if content[0] == '<' {
			from = unicode.UTF16(unicode.LittleEndian, unicode.IgnoreBOM)
		}
	case bytes.HasPrefix(content, []byte("\xfe\xff")), bytes.HasPrefix(content, []byte("\x00<")):
		from = unicode.UTF16(unicode.BigEndian, unicode.IgnoreBOM)
		content = bytes.TrimPrefix(content, []byte("\xfe\xff"))
	default:
		return content, false
	}
	decoded, err := from.NewDecoder().Bytes(content)
	if err != nil {
		return content, false
	}
	return decoded, true
}

type xmlParser struct {
	decoder  *xml.Decoder
	entities map[string]string
	open     []*node // from the document to the innermost element
	nodes    int
	most     int // nodes
	notes    []Note
}

var (
	errXMLDeep  = errors.New("the elements are nested too deep")
	errXMLNodes = errors.New("the file has too many elements")
)

func (p *xmlParser) parse() error {
	for {
		line, _ := p.decoder.InputPos()
		token, err := p.decoder.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if p.nodes++; p.nodes > p.most {
			return errXMLNodes
		}
		top := p.open[len(p.open)-1]
		switch token := token.(type) {
		case xml.StartElement:
			if len(p.open) > maxXMLDepth {
				return errXMLDeep
			}
			n := &node{name: canonical(token.Name.Local), line: line}
			for _, a := range token.Attr[:min(len(token.Attr), maxXMLAttributes)] {
				n.attrs = append(n.attrs, attr{canonical(a.Name.Local), a.Value})
			}
			top.children = append(top.children, n)
			p.open = append(p.open, n)
		case xml.EndElement:
			p.open = p.open[:len(p.open)-1]
		case xml.CharData:
			p.text(top, string(token), line)
		case xml.Directive:
			p.declare(string(token), line)
		}
	}
}

// text adds a text to an element. Texts that follow each other are one text.
func (p *xmlParser) text(top *node, text string, line int) {
	if last := len(top.children) - 1; last >= 0 && top.children[last].name == "" && strings.TrimSpace(text) == "" &&
		strings.TrimSpace(top.children[last].text) == "" {
		return
	}
	top.children = append(top.children, &node{text: text, line: line})
}

// declare lets the names of declared entities stand for themselves.
func (p *xmlParser) declare(directive string, line int) {
	for _, match := range declaredEntity.FindAllStringSubmatch("<!"+directive, maxEntries) {
		p.entities[match[1]] = "&" + match[1] + ";"
		if len(p.notes) < maxHTMLNotes {
			p.notes = append(p.notes, Note{Code: MarkupChanged, Line: line, Text: "<!ENTITY " + excerptOf(match[1]) + ">"})
		}
	}
}
