package exchange

import (
	"errors"
	"path"
	"slices"
	"strings"
)

// qtiRoots has the root elements of files that contain questions.
var qtiRoots = []string{"assessmentitem", "assessmenttest", "assessmentsection", "questestinterop"}

// readQTI reads an item, a test, or a package of QTI 1.2, 2.0, 2.1, 2.2, or 3.0.
func readQTI(source Source) (Imported, error) {
	r := &qti{language: source.Options.Language, readItems: map[string]bool{}}
	if isArchive(source.Content) {
		a, err := openArchive(source.Content)
		if err != nil {
			return Imported{}, err
		}
		r.archive = a
		r.packageFiles()
	} else {
		file := r.readXML(source.Content)
		if file.root == nil || !slices.Contains(qtiRoots, file.root.name) {
			return Imported{}, ErrDamaged
		}
		r.file(file, "")
	}
	r.parsed.pictures = r.pictures.pictures
	return assemble(source, r.parsed)
}

// qti reads the files of a package one after the other.
type qti struct {
	parsed    parsed
	pictures  pictureList
	archive   *archive // nil for a single file
	language  string
	name      string // of the file that is being read; empty for a single file
	stage     string
	titled    bool            // a test has given the title
	weight    float64         // that a test gives to the item; 0 for 1
	nodes     int             // that have been read, of all files
	readItems map[string]bool // the names of the items that a test has contained
}

func (r *qti) note(code NoteCode, line int, text string) {
	r.parsed.note(code, line, text)
}

// readXML reads a file of the package. The bound of elements holds for all files together.
func (r *qti) readXML(content []byte) xmlFile {
	file := readXMLUpTo(content, maxXMLNodes-r.nodes)
	r.nodes += file.nodes
	return file
}

// file reads a file by its root element. It returns false for a file without questions.
func (r *qti) file(file xmlFile, name string) bool {
	if file.root == nil || !slices.Contains(qtiRoots, file.root.name) {
		return false
	}
	outer := r.name
	r.name = name
	defer func() { r.name = outer }()
	for _, n := range append(file.notes, faultOf(file)...) {
		n.Text = excerptOf(strings.TrimSpace(name + " " + n.Text))
		r.parsed.addNotes(n)
	}
	switch file.root.name {
	case "assessmentitem":
		if file.fault == nil { // half an item is none
			r.item(file.root)
		}
	case "assessmenttest":
		r.test(file.root)
	case "assessmentsection":
		r.section(file.root)
	case "questestinterop":
		r.interop(file.root, file.fault != nil)
	}
	return true
}

func faultOf(file xmlFile) []Note {
	if file.fault == nil {
		return nil
	}
	return []Note{*file.fault}
}

// packageFiles reads the files that the manifest names, tests first. Without a manifest, it reads all XML files.
func (r *qti) packageFiles() {
	names := r.manifest()
	var items []string
	for _, name := range names {
		if r.parsed.isFull {
			return
		}
		content, err := r.archive.file(name)
		if err != nil {
			r.unreadable(name, err)
			continue
		}
		switch rootName(content) {
		case "assessmentitem":
			items = append(items, name)
		case "assessmenttest", "questestinterop":
			r.readItems[name] = true
			r.file(r.readXML(content), name)
		}
	}
	r.stage, r.weight = "", 0
	for _, name := range items {
		r.itemFile(name)
	}
}

func (r *qti) unreadable(name string, err error) {
	text := name
	if errors.Is(err, errTooMuch) {
		text += ": " + errTooMuch.Error()
	}
	r.note(NotUnderstood, 0, text)
}

// itemFile reads an item, unless a test has contained it.
func (r *qti) itemFile(name string) {
	if r.readItems[name] || r.parsed.isFull {
		return
	}
	r.readItems[name] = true
	content, err := r.archive.file(name)
	if err != nil {
		r.unreadable(name, err)
		return
	}
	if !r.file(r.readXML(content), name) {
		r.note(NotUnderstood, 0, name)
	}
}

// manifest returns the files of the package that can contain questions, in the order of the manifest.
func (r *qti) manifest() []string {
	at := slices.IndexFunc(r.archive.names, func(name string) bool {
		return strings.EqualFold(path.Base(name), "imsmanifest.xml")
	})
	if at < 0 {
		return r.xmlFiles()
	}
	name := r.archive.names[at]
	content, err := r.archive.file(name)
	if err != nil {
		r.unreadable(name, err)
		return r.xmlFiles()
	}
	file := r.readXML(content)
	if file.fault != nil {
		r.note(file.fault.Code, file.fault.Line, name+": "+file.fault.Text)
	}
	r.parsed.title = file.root.child("metadata").find("title").words()
	var names []string
	isNamed := map[string]bool{}
	for _, resource := range file.root.findAll("resource") {
		// Blackboard names the file in an attribute.
		addresses := []string{resource.attr("href"), resource.attr("file")}
		for _, f := range resource.all("file") {
			addresses = append(addresses, f.attr("href"))
		}
		base := resource.attr("base")
		for _, address := range addresses {
			found := r.archive.find(name, path.Join(base, unescapedPath(address)))
			if address != "" && isXMLName(found) && !isNamed[found] {
				isNamed[found] = true
				names = append(names, found)
			}
		}
	}
	return withoutCopies(names, r.xmlFiles())
}

// withoutCopies adds the files that Canvas keeps beside a cartridge (non_cc_assessments/x.xml.qti), which no manifest
// names and which have what the cartridge cannot say, and removes the file of the cartridge with the same questions.
func withoutCopies(names, all []string) []string {
	full := map[string]bool{}
	for _, name := range all {
		if strings.Contains(name, "non_cc_assessments/") && strings.HasSuffix(name, ".qti") {
			full[strings.TrimSuffix(path.Base(name), ".xml.qti")] = true
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return slices.DeleteFunc(names, func(name string) bool {
		return strings.HasSuffix(name, ".xml") && full[path.Base(path.Dir(name))]
	})
}

func (r *qti) xmlFiles() []string {
	var names []string
	for _, name := range r.archive.names {
		if isXMLName(name) {
			names = append(names, name)
		}
	}
	return names
}

func isXMLName(name string) bool {
	extension := strings.ToLower(path.Ext(name))
	return (extension == ".xml" || extension == ".qti" || extension == ".dat") &&
		!strings.EqualFold(path.Base(name), "imsmanifest.xml")
}
