package contract

import (
	"archive/zip"
	"bytes"
	"cmp"
	"encoding/base64"
	"fmt"
	"slices"
	"strings"
	"testing"

	"assay/store"
)

// noteTexts returns "code text" of each note of an import.
func noteTexts(r response) (notes []string) {
	r.t.Helper()
	lists := []string{"data.report.notes"}
	for i := range r.list("data.report.questions") {
		lists = append(lists, fmt.Sprintf("data.report.questions.%d.notes", i))
	}
	for _, list := range lists {
		for i := range r.list(list) {
			note := fmt.Sprintf("%s.%d", list, i)
			notes = append(notes, r.text(note+".code")+" "+r.text(note+".text"))
		}
	}
	return notes
}

// A file of another organization brings its texts, keys, and formulas. What the organization does not have is dropped:
// pictures, the links to the bank, and filled pools. The report names it. A file of the same organization keeps its
// pictures.
func TestImportFromAnotherOrganization(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		media := a.putPicture(o.owner, pngImage(t, 30, 20)).want(201).text("data.id")
		for range 2 {
			a.do("POST", "/v1/questions", o.owner, drawnText(media, "Which $x^2$?")).want(201)
		}
		body := pooled("drawn", 1)
		body["instructions"] = "See ![a map](media:" + media + ") and $z$."
		path := "/v1/assessments/" + a.do("POST", "/v1/assessments", o.owner, body).want(201).text("data.id")
		a.do("POST", path+"/publish", o.owner, nil).want(200)
		file := a.do("GET", path+"/export", o.owner, nil).want(200).body

		for _, query := range []string{"dryRun=true", ""} {
			status := map[string]int{"dryRun=true": 200, "": 201}[query]
			moved := a.importFile(importPath, other.owner, query, file).want(status)
			notes := noteTexts(moved)
			for _, want := range []string{
				"picture_dropped " + media + ": The organization does not have this picture.",
				"bank_reference_dropped /stages/0/pools/0", "bank_reference_dropped /stages/0/questions/1/bankQuestionId",
			} {
				if !slices.Contains(notes, want) {
					t.Errorf("%q: the notes lack %q: %q", query, want, notes)
				}
			}
			moved.wantShown("data.stages.0.questions.1.promptHtml", 0, 1)
			moved.wantFields(object{"data.stages.0.questions.1.prompt": "Which $x^2$? A store"})
			if query == "" {
				copied := "/v1/assessments/" + moved.text("data.assessmentId")
				a.do("GET", copied, other.owner, nil).want(200).wantFields(object{"data.instructions": "See a map and $z$."})
				a.do("POST", copied+"/publish", other.owner, nil).want(200)
			}

			kept := a.importFile(importPath, o.owner, query, file).want(status)
			kept.wantShownQuestion("data.stages.0.questions.1")
			if slices.ContainsFunc(noteTexts(kept), func(note string) bool { return strings.HasPrefix(note, "picture") }) {
				t.Errorf("%q: pictures are dropped: %q", query, noteTexts(kept))
			}
		}
		a.do("GET", "/v1/media/"+media, o.owner, nil).want(200).wantFields(object{"data.used": 2.0})
	})
}

func moodleWithPicture(content []byte) []byte {
	return []byte(`<quiz><question type="essay"><name><text>n</text></name><questiontext format="html">` +
		`<text><![CDATA[<p>See <img src="@@PLUGINFILE@@/a.png" alt="a plan"></p>]]></text><file name="a.png" path="/" ` +
		`encoding="base64">` + base64.StdEncoding.EncodeToString(content) + `</file></questiontext></question></quiz>`)
}

// The pictures of a file are stored with its draft, unless there is no room for them. A dry run stores none.
func TestImportPictures(t *testing.T) {
	const limit = 4000
	onQuotas(t, store.Quotas{MediaBytes: limit}, func(t *testing.T, a, b *api) {
		o := a.register()
		file := moodleWithPicture(pngImage(t, 25, 25))
		a.importFile(importPath, o.owner, "dryRun=true", file).want(200)
		o.wantUsage("mediaBytes", 0, limit)
		for range 2 {
			made := b.importFile(importPath, o.owner, "", file).want(201)
			made.wantShown("data.stages.0.questions.0.promptHtml", 1, 0)
			a.do("POST", "/v1/assessments/"+made.text("data.assessmentId")+"/publish", o.owner, nil).want(200)
		}
		if stored := a.do("GET", "/v1/media", o.owner, nil).want(200).list("data"); len(stored) != 1 {
			t.Errorf("%d pictures are stored", len(stored))
		}
		before := len(o.assessmentIDs())
		large := moodleWithPicture(withNoise(t, 60, 60))
		a.importFile(importPath, o.owner, "", large).is(409, "media_quota_exceeded")
		b.importFile(publicImportPath, o.key("assessments:write"), "", large).is(409, "media_quota_exceeded")
		if now := len(o.assessmentIDs()); now != before {
			t.Errorf("refused imports stored %d assessments", now-before)
		}
		broken := a.importFile(importPath, o.owner, "", moodleWithPicture(pngImage(t, 25, 25)[:40])).want(201)
		if notes := noteTexts(broken); !slices.ContainsFunc(notes, func(note string) bool {
			return strings.HasPrefix(note, "picture_dropped")
		}) {
			t.Errorf("a broken picture is not reported: %q", notes)
		}
	})
}

// zipped returns a package with files of so many zero bytes.
func zipped(t *testing.T, files, bytesEach int) []byte {
	t.Helper()
	var out bytes.Buffer
	archive := zip.NewWriter(&out)
	for i := range files {
		name := fmt.Sprint("items/", i, ".xml")
		if i == 0 {
			name = "imsmanifest.xml"
		}
		file, err := archive.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := file.Write(make([]byte, bytesEach)); err != nil {
			t.Fatal(err)
		}
	}
	if err := archive.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

// Hostile files of each format are refused, or imported with notes. None is an error of the server.
func TestImportHostileFiles(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		deep := func(open, close string) []byte {
			return []byte(strings.Repeat(open, 100_000) + strings.Repeat(close, 100_000))
		}
		bomb := zipped(t, 2, 64<<20)
		files := map[string][]byte{
			"bomb": bomb, "many files": zipped(t, 6000, 1), "half a package": bomb[:len(bomb)/2],
			"deep XML": deep("<a>", "</a>"), "deep JSON": append([]byte(`{"stages":`), deep("[", "]")...),
			"deep braces": deep("{", "}"), "entities": []byte(`<!DOCTYPE q [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>` +
				`<quiz><question type="essay"><questiontext><text>&b;</text></questiontext></question></quiz>`),
			"not UTF-8": bytes.Repeat([]byte("\xff\xfe\x80"), 1000), "NUL": []byte("1. Which\x00?\nA) x\x00\nB) y\nAnswer: A\n"),
		}
		for _, format := range enumOf(t, "ImportFormat") {
			for name, file := range files {
				r := a.importFile(importPath, o.owner, "format="+format, file)
				r.name += " " + format + ": " + name
				if r.status != 201 && r.status != 413 && r.status != 422 {
					t.Errorf("%s: %d %.300s", r.name, r.status, r.body)
				}
			}
			part := cmp.Or(map[string]string{
				"TEXT": "\n- [x] ", "GIFT": "{=~", "CSV": "\"a\",", "MOODLE_XML": "<a ", "ASSAY_JSON": `{"a":`,
			}[format], "x")
			file := []byte(strings.Repeat(part, 10<<20/len(part)))
			r := a.importFile(importPath, o.owner, "dryRun=true&format="+format, file)
			if r.status != 200 && r.status != 413 && r.status != 422 {
				t.Errorf("%s of %q: %d %.300s", format, part, r.status, r.body)
			}
		}
	})
}
