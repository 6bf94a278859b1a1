package exchange

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"assay/store/rules"
)

// qtiVersion is what differs between the versions of QTI that are written.
type qtiVersion struct {
	isKebab            bool // qti-assessment-item and response-identifier instead of assessmentItem and responseIdentifier
	namespace, schema  string
	manifest           string // the namespace of the manifest
	schemaName, number string // of the package
	types              string // the end of the types of resources
	templates          string // the address of the templates of response processing
}

var (
	qti22 = qtiVersion{
		namespace:  "http://www.imsglobal.org/xsd/imsqti_v2p2",
		schema:     "http://www.imsglobal.org/xsd/qti/qtiv2p2/imsqti_v2p2p2.xsd",
		manifest:   "http://www.imsglobal.org/xsd/imscp_v1p1",
		schemaName: "QTIv2.2 Package", number: "1.0.0", types: "xmlv2p2",
		templates: "http://www.imsglobal.org/question/qti_v2p2/rptemplates/",
	}
	qti30 = qtiVersion{
		isKebab:    true,
		namespace:  "http://www.imsglobal.org/xsd/imsqtiasi_v3p0",
		schema:     "https://purl.imsglobal.org/spec/qti/v3p0/schema/xsd/imsqti_asiv3p0p1_v1p0.xsd",
		manifest:   "http://www.imsglobal.org/xsd/qti/qtiv3p0/imscp_v1p1",
		schemaName: "QTI Package", number: "3.0.0", types: "xmlv3p0",
		templates: "https://purl.imsglobal.org/spec/qti/v3p0/rptemplates/",
	}
)

func writeQTI22(a Assessment) (File, error) { return writeQTI(qti22, a) }
func writeQTI30(a Assessment) (File, error) { return writeQTI(qti30, a) }

// element is an element to write, with the names of QTI 2.2. Its children are elements and XHTML.
type element struct {
	name     string
	attrs    []string // names and values in turn
	children []any    // *element or string
}

func el(name string, attrs []string, children ...any) *element {
	return &element{name, attrs, children}
}

// write writes the element with the names of the version.
func (v qtiVersion) write(out *strings.Builder, e *element) {
	name := v.name(e.name)
	if v.isKebab && name != "div" { // <div> is XHTML
		name = "qti-" + name
	}
	out.WriteString("<" + name)
	for i := 0; i < len(e.attrs); i += 2 {
		attribute := e.attrs[i]
		if !strings.Contains(attribute, ":") {
			attribute = v.name(attribute)
		}
		out.WriteString(" " + attribute + `="` + escapedXML(e.attrs[i+1]) + `"`)
	}
	if len(e.children) == 0 {
		out.WriteString("/>")
		return
	}
	out.WriteString(">")
	for _, child := range e.children {
		switch child := child.(type) {
		case *element:
			v.write(out, child)
		case string:
			out.WriteString(child)
		}
	}
	out.WriteString("</" + name + ">")
}

// name returns a name of QTI 2.2 as the version writes it.
func (v qtiVersion) name(name string) string {
	if !v.isKebab {
		return name
	}
	var out strings.Builder
	for _, r := range name {
		if r >= 'A' && r <= 'Z' {
			out.WriteByte('-')
			r += 'a' - 'A'
		}
		out.WriteRune(r)
	}
	return out.String()
}

// document returns a file with the element as its root.
func (v qtiVersion) document(root *element) string {
	root.attrs = append([]string{
		"xmlns", v.namespace, "xmlns:xsi", "http://www.w3.org/2001/XMLSchema-instance",
		"xsi:schemaLocation", v.namespace + " " + v.schema,
	}, root.attrs...)
	var out strings.Builder
	out.WriteString(`<?xml version="1.0" encoding="UTF-8"?>` + "\n")
	v.write(&out, root)
	return out.String() + "\n"
}

// qtiWriter writes the files of a package.
type qtiWriter struct {
	version  qtiVersion
	html     *htmlWriter
	locale   string
	zip      *zip.Writer
	manifest strings.Builder
	items    int
	err      error // of the items
}

// writeQTI writes a package: a test with a part for each stage, and an item for each question.
func writeQTI(v qtiVersion, a Assessment) (File, error) {
	var content bytes.Buffer
	w := &qtiWriter{version: v, locale: a.Locale, zip: zip.NewWriter(&content)}
	w.html = newHTMLWriter(a, func(name string) string { return "../images/" + name })
	test := w.test(a)
	w.resource("test", "imsqti_test_"+v.types, "test.xml", nil, w.items)
	files := []struct{ name, content string }{{"test.xml", v.document(test)}, {"imsmanifest.xml", w.manifestFile(a)}}
	for _, file := range files {
		if err := w.file(file.name, []byte(file.content)); err != nil {
			return File{}, err
		}
	}
	for _, picture := range w.html.pictures {
		if err := w.file("images/"+picture.Name, picture.Content); err != nil {
			return File{}, err
		}
	}
	if err := errors.Join(w.err, w.zip.Close()); err != nil {
		return File{}, err
	}
	return File{Content: content.Bytes(), Extension: ".zip", MediaType: "application/zip"}, nil
}

func (w *qtiWriter) file(name string, content []byte) error {
	file, err := w.zip.Create(name)
	if err != nil {
		return err
	}
	_, err = file.Write(content)
	return err
}

func (w *qtiWriter) manifestFile(a Assessment) string {
	v := w.version
	return `<?xml version="1.0" encoding="UTF-8"?>` + "\n" + `<manifest xmlns="` + v.manifest +
		`" identifier="MANIFEST"><metadata><schema>` + v.schemaName + "</schema><schemaversion>" + v.number +
		"</schemaversion></metadata><organizations/><resources>\n" + w.manifest.String() + "</resources></manifest>\n"
}

// resource adds a file to the manifest, with its pictures and with the items that it depends on.
func (w *qtiWriter) resource(id, kind, href string, pictures []string, items int) {
	m := &w.manifest
	m.WriteString(`<resource identifier="` + id + `" type="` + kind + `" href="` + href + `"><file href="` + href + `"/>`)
	seen := map[string]bool{}
	for _, name := range pictures {
		if !seen[name] {
			m.WriteString(`<file href="images/` + name + `"/>`)
		}
		seen[name] = true
	}
	for i := range items {
		m.WriteString(`<dependency identifierref="item` + strconv.Itoa(i+1) + `"/>`)
	}
	m.WriteString("</resource>\n")
}

// test writes the items and returns the test.
func (w *qtiWriter) test(a Assessment) *element {
	test := el("assessmentTest", []string{"identifier", "test", "title", firstOf(oneLine(a.Title), "Assessment")},
		el("outcomeDeclaration", []string{"identifier", "SCORE", "cardinality", "single", "baseType", "float"}))
	for i, stage := range a.Stages {
		number := strconv.Itoa(i + 1)
		part := el("testPart", []string{
			"identifier", "part" + number, "navigationMode", "nonlinear", "submissionMode", "simultaneous",
		})
		if stage.TimeLimitMinutes != nil {
			part.children = append(part.children,
				el("timeLimits", []string{"maxTime", strconv.Itoa(60 * *stage.TimeLimitMinutes)}))
		}
		section := el("assessmentSection", []string{
			"identifier", "section" + number, "title", firstOf(stage.Title, "Stage "+number), "visible", "true",
		})
		if stage.Description != nil && *stage.Description != "" {
			section.children = append(section.children, w.rubricBlock("candidate", *stage.Description, nil))
		}
		for _, q := range stage.Questions {
			section.children = append(section.children, w.itemRef(q))
		}
		part.children = append(part.children, section)
		test.children = append(test.children, part)
	}
	total := el("sum", nil, el("testVariables", []string{"variableIdentifier", "SCORE", "weightIdentifier", "POINTS"}))
	test.children = append(test.children,
		el("outcomeProcessing", nil, el("setOutcomeValue", []string{"identifier", "SCORE"}, total)))
	return test
}

// itemRef writes an item and returns its place in the test. The test has the points as a weight, because the templates
// of response processing give 0 or 1.
func (w *qtiWriter) itemRef(q rules.Question) *element {
	w.items++
	number := strconv.Itoa(w.items)
	item, pictures := w.item(q, "item"+number)
	name := fmt.Sprintf("items/item%s.xml", number)
	w.resource("item"+number, "imsqti_item_"+w.version.types, name, pictures, 0)
	w.err = errors.Join(w.err, w.file(name, []byte(w.version.document(item))))
	return el("assessmentItemRef", []string{"identifier", "item" + number, "href", name},
		el("weight", []string{"identifier", "POINTS", "value", formatNumber(q.Points)}))
}

// rubricBlock returns a text for some readers. QTI 3 wraps it.
func (w *qtiWriter) rubricBlock(view, markdown string, pictures *[]string) *element {
	xhtml, used := w.html.write(markdown)
	if pictures != nil {
		*pictures = append(*pictures, used...)
	}
	use := []string{"view", view}
	if w.version.isKebab {
		return el("rubricBlock", append(use, "use", map[string]string{"candidate": "instructions"}[view]+
			map[string]string{"scorer": "scoring"}[view]), el("contentBody", nil, xhtml))
	}
	return el("rubricBlock", use, xhtml)
}
