package contract

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"assay/server/spreadsheet"
)

// spreadsheetOf reads the CSV file of a spreadsheet, whose first line has the headings.
func (o *tenant) spreadsheetOf(query string, separator rune) (rows [][]string) {
	o.api.t.Helper()
	file := o.api.do("GET", "/v1/candidate-sessions/spreadsheet?"+query, o.owner, nil).want(200)
	text, marked := strings.CutPrefix(string(file.body), "\uFEFF")
	reader := csv.NewReader(strings.NewReader(text))
	reader.Comma = separator
	rows, err := reader.ReadAll()
	if err != nil || !marked {
		o.api.t.Fatalf("%v, byte order mark %v\n%s", err, marked, file.body)
	}
	return rows
}

func cellOf(rows [][]string, row int, heading string) string {
	i := slices.Index(rows[0], heading)
	if i < 0 {
		return "no heading " + heading
	}
	return rows[row][i]
}

// A line of the file has what a person asks about a candidate, in the language of the person.
func TestSpreadsheet(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		a.setClock(time.Date(2036, 11, 26, 23, 5, 0, 0, time.UTC))
		o, other := a.register(), a.register()
		other.invite(other.publish(oneQuestion()))
		assessmentID := o.publish(twoStages())
		open := o.invite(assessmentID,
			object{"candidateName": "=1+1", "externalId": "@x", "metadata": object{"b": "2", "a": "1"}})
		stopped, done := o.invite(assessmentID), o.invite(assessmentID, object{"candidateName": "Ana; =2"})
		a.do("PUT", "/v1/candidate-sessions/"+open.text("data.id")+"/review/state", o.owner, object{"stateId": "hired"}).
			want(200)
		a.do("PATCH", "/v1/candidate-sessions/"+open.text("data.id")+"/review/tags", o.owner,
			object{"add": []any{"night shift"}}).want(200)
		for rating, who := range map[int]credential{4: o.owner, 5: o.member("MEMBER").who} {
			a.do("PUT", "/v1/candidate-sessions/"+open.text("data.id")+"/review/rating", who, object{"rating": rating}).want(200)
		}
		a.do("POST", "/v1/candidate/session/start", done.candidate(), nil).want(200)
		a.setClock(time.Date(2036, 11, 26, 23, 15, 30, 0, time.UTC))
		for range 2 {
			stage := a.answerStage(done.candidate(), true)
			a.do("POST", "/v1/candidate/session/stage/submit", done.candidate(), object{"stageId": stage}).want(200)
		}
		a.finish(stopped.candidate(), false)

		query := "assessmentId=" + assessmentID + "&language=de&timeZone=Europe/Berlin"
		rows := o.spreadsheetOf(query, ';')
		want := [][]string{
			{"Name", "E-Mail", "Externe Kennung", "Assessment", "Versuch", "Status", "Stand", "Punktzahl (%)", "Bestanden",
				"Prozentrang", "Storage (%)", "Calculation (%)", "Dauer", "Eingeladen", "Beginn spätestens", "Begonnen", "Beendet",
				"Bewertung", "Tags", "Angaben", "Notiz"},
			{"Ana; '=2", done.text("data.candidateEmail"), "", "Night-shift pharmacist", "1", "Abgeschlossen", "Neu", "100",
				"Ja", "", "100", "100", "0:10:30", "27.11.2036 00:05", "", "27.11.2036 00:05", "27.11.2036 00:15", "", "", "",
				""},
			{stopped.text("data.candidateName"), stopped.text("data.candidateEmail"), "", "Night-shift pharmacist", "1",
				"An einer Hürde gestoppt", "Neu", "0", "Nein", "", "0", "", "0:00:00", "27.11.2036 00:05", "",
				"27.11.2036 00:15", "27.11.2036 00:15", "", "", "", ""},
			{"'=1+1", open.text("data.candidateEmail"), "'@x", "Night-shift pharmacist", "1", "Nicht begonnen", "Eingestellt",
				"", "", "", "", "", "", "27.11.2036 00:05", "11.12.2036 00:05", "", "", "4,5", "night shift",
				"a: 1\nb: 2", ""},
		}
		for i := range max(len(want), len(rows)) {
			if i >= len(rows) || i >= len(want) || !slices.Equal(rows[i], want[i]) {
				t.Fatalf("row %d of %q\nwant %q", i, rows, want)
			}
		}
		if got := o.spreadsheetOf(query+"&separator=COMMA", ','); !slices.Equal(got[1][1:], want[1][1:]) {
			t.Errorf("with commas: %q", got)
		}

		// All assessments: the stages have numbers, and there are as many as the largest assessment has.
		o.publish(oneQuestion())
		rows = o.spreadsheetOf("", ',')
		if len(rows) != 4 || cellOf(rows, 1, "Stage 2 (%)") != "100" || cellOf(rows, 1, "Invited") != "2036-11-26 23:05" ||
			slices.Contains(rows[0], "Stage 3 (%)") {
			t.Errorf("rows %q", rows)
		}
		if rows = o.spreadsheetOf("status=DISQUALIFIED&state=new", ','); len(rows) != 2 {
			t.Errorf("rows %q", rows)
		}
		for _, id := range []string{a.unknownID("assessments"), other.publish(oneQuestion())} {
			if rows = o.spreadsheetOf("assessmentId="+id, ','); len(rows) != 1 || slices.Contains(rows[0], "Only (%)") {
				t.Errorf("of another organization: %q", rows)
			}
		}
	})
}

// XLSX has the same lines. A test of the package spreadsheet reads such files with another program.
func TestSpreadsheetXLSX(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		session := o.invite(o.publish(oneQuestion(object{"title": "=cmd"})), object{"candidateName": "=1+1"})
		file := a.do("GET", "/v1/candidate-sessions/spreadsheet?format=XLSX&language=ar", o.owner, nil).want(200)
		if got := file.header.Get("Content-Type") + " " + file.header.Get("Content-Disposition"); got !=
			spreadsheet.XLSX.MediaType()+` attachment; filename="candidates.xlsx"` {
			t.Errorf("headers %s", got)
		}
		archive, err := zip.NewReader(bytes.NewReader(file.body), int64(len(file.body)))
		if err != nil {
			t.Fatal(err)
		}
		part, err := archive.Open("xl/worksheets/sheet1.xml")
		if err != nil {
			t.Fatal(err)
		}
		var sheet struct {
			Rows []struct {
				Cells []struct {
					Text string `xml:"is>t"`
				} `xml:"c"`
			} `xml:"sheetData>row"`
		}
		if err := xml.NewDecoder(part).Decode(&sheet); err != nil {
			t.Fatal(err)
		}
		if len(sheet.Rows) != 2 || sheet.Rows[0].Cells[0].Text != "الاسم" || sheet.Rows[1].Cells[0].Text != "=1+1" ||
			sheet.Rows[1].Cells[1].Text != session.text("data.candidateEmail") {
			t.Errorf("rows %+v", sheet.Rows)
		}
		audited := a.do("GET", "/v1/audit-log?action=SESSIONS_EXPORTED", o.owner, nil).want(200)
		if len(audited.list("data")) != 1 {
			t.Errorf("the audit log has %s", audited.body)
		}
	})
}

func TestSpreadsheetParameters(t *testing.T) {
	onAny(t, func(_ *testing.T, a *api) {
		o := a.register()
		for query, fault := range map[string]string{
			"timeZone=Europe/Atlantis": "query timeZone invalid_value", "timeZone=Local": "query timeZone invalid_value",
			"timeZone=../UTC": "query timeZone invalid_format", "language=tlh": "query language invalid_value",
			"format=ODS": "query format invalid_value", "separator=TAB": "query separator invalid_value",
		} {
			a.do("GET", "/v1/candidate-sessions/spreadsheet?"+query, o.owner, nil).blames(fault)
		}
		for _, language := range enumOf(t, "SpreadsheetLanguage") {
			a.do("GET", "/v1/candidate-sessions/spreadsheet?language="+language, o.owner, nil).want(200)
		}
	})
}

// The percentile is that of the result, from 20 completions on.
func TestSpreadsheetPercentiles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		key, assessmentID := o.key(), o.publish(oneQuestion())
		take := func(i int) string {
			s := o.begin(assessmentID)
			a.save(s, map[bool]float64{true: 175, false: 1}[i%4 == 0]).want(200)
			a.submit(s).want(200)
			a.fold()
			return s.id
		}
		for i := range 19 {
			take(i)
		}
		if rows := o.spreadsheetOf("", ','); cellOf(rows, 1, "Percentile") != "" {
			t.Errorf("rows %q", rows)
		}
		id := take(19)
		result := o.result(key, id)
		rows := o.spreadsheetOf("language=de", ';')
		if got := cellOf(rows, 1, "Prozentrang"); got != "37,5" || result.number("data.percentile") != 37.5 {
			t.Errorf("the percentile is %s; the result is %s", got, result.body)
		}
	})
}
