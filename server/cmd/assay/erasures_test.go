package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"assay/store/storetest"
)

// restoring is a service with a candidate, and a restored copy of its database.
type restoring struct {
	t                *testing.T
	live, restored   string // folders
	liveURL, copyURL string // of the databases
	journal          string // the file of the live service
	variables        []string
	texts            []string // the candidate's name, address, external id, and answer
	session, erased  string   // the candidate's, and when it was erased
	other            string   // another organization, which is deleted after the backup
	backup           string
}

const otherSignIn = `{"email":"bo@pier.example","password":"a long enough pass phrase"}`

func newRestoring(t *testing.T, database string, variables ...string) *restoring {
	t.Helper()
	r := &restoring{
		t: t, live: filepath.Join(t.TempDir(), "live"), restored: filepath.Join(t.TempDir(), "restored"),
		texts:     []string{"Name " + random(t), random(t) + "@candidate.example", "ext-" + random(t), "answer " + random(t)},
		variables: append(variables, "ASSAY_SECRET="+testSecret, "ASSAY_REGISTRATION=open", "ASSAY_LOG_FORMAT=json"),
	}
	if err := os.MkdirAll(r.live, 0o700); err != nil {
		t.Fatal(err)
	}
	r.liveURL, r.copyURL = "sqlite:"+filepath.Join(r.live, "assay.db"), "sqlite:"+filepath.Join(r.restored, "assay.db")
	r.journal = filepath.Join(r.live, "assay.db.erasures")
	if database == "postgres" {
		r.liveURL, r.copyURL = storetest.URL(t, database), storetest.URL(t, database)
		storetest.Empty(t, r.copyURL)
	}
	return r
}

// serve runs a service on a database, and returns its address.
func (r *restoring) serve(databaseURL string, flags ...string) (*process, string) {
	r.t.Helper()
	p := start(r.t, append(r.variables, "ASSAY_DATABASE_URL="+databaseURL),
		append([]string{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "off", "--data-dir", r.live}, flags...)...)
	return p, p.printed(`listens on (\S+)`)
}

// ask sends a request, and returns what the group of the expression matches in the response.
func (r *restoring) ask(method, url, body, expression string, header ...string) string {
	r.t.Helper()
	got := send(r.t, method, url, body, append(header, "Content-Type", "application/json")...)
	match := regexp.MustCompile(expression).FindStringSubmatch(got.body)
	if got.status >= 300 || match == nil {
		r.t.Fatalf("%s %s: %d %s", method, url, got.status, got.body)
	}
	return match[1]
}

func (r *restoring) signIn(base string) []string {
	r.t.Helper()
	return []string{"Authorization", "Bearer " + r.ask("POST", base+"/v1/auth/login", signIn, `"accessToken":"([^"]+)"`)}
}

// work lets a candidate answer, copies the database by the documented commands, and erases the candidate's data.
func (r *restoring) work() (log string) {
	r.t.Helper()
	p, base := r.serve(r.liveURL)
	r.ask("POST", base+"/v1/auth/register", `{"organizationName":"Quay","name":"Ana",`+signIn[1:], `(org_\w+)`)
	r.other = r.ask("POST", base+"/v1/auth/register",
		`{"organizationName":"Pier","name":"Bo",`+otherSignIn[1:], `(org_\w+)`)
	owner := r.signIn(base)
	assessment := r.ask("POST", base+"/v1/assessments", `{"title":"Knots","stages":[{"title":"One","questions":[
		{"type":"SHORT_TEXT","prompt":"Which knot?","points":1,"acceptedAnswers":["bowline"]}]}]}`,
		`"id":"(asm_\w+)"`, owner...)
	r.ask("POST", base+"/v1/assessments/"+assessment+"/publish", "", `(PUBLISHED)`, owner...)
	invited := r.ask("POST", base+"/v1/candidate-sessions",
		`{"assessmentId":"`+assessment+`","candidateName":"`+r.texts[0]+`","candidateEmail":"`+r.texts[1]+
			`","externalId":"`+r.texts[2]+`"}`, `(?s)(.*)`, owner...)
	r.session = regexp.MustCompile(`"id":"(ses_\w+)"`).FindStringSubmatch(invited)[1]
	candidate := []string{"Authorization", "Bearer " + regexp.MustCompile(`#(inv_[^"]+)"`).FindStringSubmatch(invited)[1]}
	r.ask("POST", base+"/v1/candidate/session/start", "", `(IN_PROGRESS)`, candidate...)
	stage := r.ask("GET", base+"/v1/candidate/session/stage", "", `(?s)(.*)`, candidate...)
	r.ask("PUT", base+"/v1/candidate/session/answers/"+regexp.MustCompile(`qst_\w+`).FindString(stage),
		`{"text":"`+r.texts[3]+`"}`, `(revision)`, candidate...)
	r.ask("POST", base+"/v1/candidate/session/stage/submit",
		`{"stageId":"`+regexp.MustCompile(`stg_\w+`).FindString(stage)+`"}`, `(COMPLETED)`, candidate...)
	r.copy()

	if got := send(r.t, http.MethodDelete, base+"/v1/candidate-sessions/"+r.session+"/candidate-data", "",
		owner...); got.status != http.StatusNoContent {
		r.t.Fatalf("the erasure: %d %s", got.status, got.body)
	}
	r.erased = r.ask("GET", base+"/v1/candidate-sessions/"+r.session, "", `"erasedAt":"([^"]+)"`, owner...)
	p.signal()
	p.wait()
	return p.stderr.String()
}

func (r *restoring) at(dir, backups string) *strings.Replacer {
	return strings.NewReplacer("/var/lib/assay", dir, "/backup", backups, "-o assay -g assay ", "")
}

// copy makes a backup by the documented command.
func (r *restoring) copy() {
	r.t.Helper()
	copySQLite, copyPostgres, _, _ := backupCommands(r.t)
	backups := r.t.TempDir()
	if storetest.IsSQLite(r.liveURL) {
		shell(r.t, r.at(r.live, backups).Replace(copySQLite))
	} else {
		shell(r.t, r.at(r.live, backups).Replace(copyPostgres), "URL="+r.liveURL)
	}
	r.backup = onlyPrivate(r.t, backups)
}

// restore restores the backup by the documented command, with the journal, and checks that the candidate is back.
func (r *restoring) restore() {
	r.t.Helper()
	_, _, restoreSQLite, restorePostgres := backupCommands(r.t)
	if storetest.IsSQLite(r.copyURL) {
		secret := filepath.Join(r.t.TempDir(), "secret")
		if err := os.WriteFile(secret, []byte(testSecret), 0o600); err != nil {
			r.t.Fatal(err)
		}
		shell(r.t, r.at(r.restored, "").Replace(restoreSQLite),
			"BACKUP="+r.backup, "SECRET_FILE="+secret, "JOURNAL="+r.journal)
	} else {
		shell(r.t, restorePostgres, "URL="+r.copyURL, "BACKUP="+r.backup)
	}
	for _, text := range r.texts {
		if !storetest.Search(r.t, r.copyURL, text).Texts[text] {
			r.t.Fatalf("the backup has no %q, so the test proves nothing", text)
		}
	}
}

// wantErased looks for the candidate in the restored database while it is served.
func (r *restoring) wantErased(base string) {
	r.t.Helper()
	if found := storetest.Search(r.t, r.copyURL, r.texts...); len(found.Texts) > 0 {
		r.t.Errorf("the restored database has %v", found.Texts)
	}
	if at := r.ask("GET", base+"/v1/candidate-sessions/"+r.session, "", `"erasedAt":"([^"]+)"`,
		r.signIn(base)...); at != r.erased {
		r.t.Errorf("erased at %s, want the time of the first erasure, %s", at, r.erased)
	}
	if got := send(r.t, http.MethodPost, base+"/v1/auth/login", otherSignIn,
		"Content-Type", "application/json"); got.status != http.StatusUnauthorized {
		r.t.Errorf("the owner of a deleted organization signs in: %d %s", got.status, got.body)
	}
}

func appendTo(t *testing.T, file, text string) {
	t.Helper()
	opened, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := opened.WriteString(text); err != nil {
		t.Fatal(err)
	}
	if err := opened.Close(); err != nil {
		t.Fatal(err)
	}
}

// erasureOf is a line of the journal for an organization.
func erasureOf(organization string) string {
	return `{"erasure":1,"kind":"organization","organization":"` + organization + `","id":"` + organization +
		`","at":"2026-11-28T18:00:00Z"}` + "\n"
}

const erasedAgain = `"msg":"data that a restored backup had brought back was erased again"`

// A service that starts on a backup from before an erasure serves nothing of the erased person, and nothing remains in
// its database.
func TestErasuresSurviveARestore(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		elsewhere := filepath.Join(t.TempDir(), "erasures")
		var variables []string
		if database == "postgres" {
			variables = []string{"ASSAY_ERASURE_JOURNAL=" + elsewhere}
		}
		r := newRestoring(t, database, variables...)
		used := filepath.Join(r.restored, "assay.db.erasures")
		if database == "postgres" {
			r.journal, used = elsewhere, elsewhere
		}
		r.work()
		appendTo(t, r.journal, erasureOf(r.other)+erasureOf("org_unknown")+`{"erasure":1,"kind":"ses`)
		r.restore()

		p, base := r.serve(r.copyURL)
		r.wantErased(base)
		if log := p.stderr.String(); !strings.Contains(log, erasedAgain+`,"sessions":1,"organizations":1`) ||
			!strings.Contains(log, "was cut off by a crash") {
			t.Errorf("the log does not say it: %s", log)
		}
		p.signal()
		p.wait()

		p, base = r.serve(r.copyURL)
		r.wantErased(base)
		if log := p.stderr.String(); strings.Contains(log, erasedAgain) || strings.Contains(log, "was cut off by a crash") ||
			!strings.Contains(log, `"erasures":5,"cutLines":1`) {
			t.Errorf("the second start erases again: %s", log)
		}
		content, err := os.ReadFile(used)
		if err != nil {
			t.Fatal(err)
		}
		for _, text := range r.texts {
			if strings.Contains(string(content), text) {
				t.Errorf("the journal has %q", text)
			}
		}
	})
}

// Without a journal, the lines of the log are one. A copy that no program has opened yet can be erased.
func TestErasuresFromTheLog(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		r := newRestoring(t, database)
		log, more := filepath.Join(t.TempDir(), "log"), filepath.Join(t.TempDir(), "more")
		appendTo(t, log, r.work())
		appendTo(t, more, erasureOf(r.other))
		if database == "postgres" && strings.Count(readLog(t, log), "ASSAY_ERASURE_JOURNAL is not set") != 1 {
			t.Errorf("the start does not warn once: %s", readLog(t, log))
		}
		r.journal = os.DevNull // it is lost
		r.restore()
		for _, want := range []string{
			log + ": 1 erasures; erased again: 1 sessions, 0 organizations. %s\n" +
				more + ": 1 erasures; erased again: 0 sessions, 1 organizations.\n",
			log + ": 1 erasures; erased again: 0 sessions, 0 organizations. %s\n" +
				more + ": 1 erasures; erased again: 0 sessions, 0 organizations.\n",
		} {
			p := start(t, append(r.variables, "ASSAY_DATABASE_URL="+r.copyURL), "erasures", "apply", "--journal", log, more)
			status := p.wait().ExitStatus()
			got := regexp.MustCompile(`\d+ other lines,.*`).ReplaceAllString(p.stdout.String(), "%s")
			if status != 0 || got != want {
				t.Errorf("%d, want\n%s\ngot\n%s%s", status, want, got, &p.stderr)
			}
		}
		_, base := r.serve(r.copyURL)
		r.wantErased(base)
	})
}

// An archive from before an erasure brings nothing back into an installation whose journal has the erasure.
func TestImportsEraseAgain(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		journal := "ASSAY_ERASURE_JOURNAL=" + filepath.Join(t.TempDir(), "erasures")
		r := newRestoring(t, database, journal)
		r.work()
		r.journal = os.DevNull // the old installation has another one
		r.restore()
		file, fresh := filepath.Join(t.TempDir(), "all.age"), storetest.URL(t, database)
		ends(t, archiveVariables(r.copyURL), 0, "has 2 organizations", "export", "--all", "--out", file)
		ends(t, append(archiveVariables(fresh), journal), 0, "the archive had brought back", "import", "--in", file)
		if found := storetest.Search(t, fresh, r.texts...); len(found.Texts) > 0 {
			t.Errorf("the import has brought back %v", found.Texts)
		}
	})
}

func readLog(t *testing.T, file string) string {
	t.Helper()
	content, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(content)
}

// A service that cannot read, apply, or write its journal does not serve.
func TestServiceWithoutItsJournal(t *testing.T) {
	t.Parallel()
	storetest.Each(t, func(t *testing.T, database string) {
		r := newRestoring(t, database)
		if database == "postgres" {
			r.journal = filepath.Join(t.TempDir(), "erasures")
			r.variables = append(r.variables, "ASSAY_ERASURE_JOURNAL="+r.journal)
		}
		r.work()
		r.restore()
		good := readLog(t, r.journal)
		file := filepath.Join(t.TempDir(), "erasures")
		for _, of := range []struct {
			path, content, want string
			status              int
			prepare             func() (end func())
		}{
			{path: file, content: good, status: 1, want: "it would serve erased data", // first: the others erase
				prepare: func() func() { return storetest.Refuse(t, r.copyURL, "pending_erasures") }},
			{path: t.TempDir(), status: 2, want: "it is not a regular file"},
			{path: filepath.Join(t.TempDir(), "none", "erasures"), status: 2, want: "ASSAY_ERASURE_JOURNAL: stat "},
			{path: file, content: good + "to do: buy paint\n", status: 2, want: "line 2: the erasure cannot be read"},
			{path: file, content: strings.Replace(good, `"erasure":1`, `"erasure":2`, 1), status: 2, want: "it has version 2"},
		} {
			_ = os.Remove(file)
			if of.path == file {
				appendTo(t, file, of.content)
			}
			end := func() {}
			if of.prepare != nil {
				end = of.prepare()
			}
			p := start(t, append(r.variables, "ASSAY_DATABASE_URL="+r.copyURL), "serve", "--addr", "127.0.0.1:0",
				"--admin-addr", "off", "--data-dir", r.live, "--erasure-journal", of.path)
			if status := p.wait().ExitStatus(); status != of.status || !strings.Contains(p.stderr.String(), of.want) ||
				p.stdout.String() != "" {
				t.Errorf("want %q, it ended with %d: %s%s", of.want, status, &p.stdout, &p.stderr)
			}
			end()
		}
	})
}

// A dispatcher must not send what a restored backup has brought back, also if it starts first.
func TestDispatcherAppliesTheJournal(t *testing.T) {
	t.Parallel()
	journal := filepath.Join(t.TempDir(), "erasures")
	r := newRestoring(t, "postgres", "ASSAY_ERASURE_JOURNAL="+journal)
	r.work()
	r.restore()
	start(t, append(r.variables, "ASSAY_DATABASE_URL="+r.copyURL), "dispatch", "--admin-addr", "off").
		printed(`(delivers webhooks)`)
	if found := storetest.Search(t, r.copyURL, r.texts...); len(found.Texts) > 0 {
		t.Errorf("the restored database has %v", found.Texts)
	}
}

// The drill of a restore applies the journal of the service, and adds nothing to it.
func TestDrillLeavesTheJournal(t *testing.T) {
	t.Parallel()
	r := newRestoring(t, "sqlite")
	r.work()
	r.restore()
	before := readLog(t, r.journal)
	p, base := r.serve(r.copyURL, "--no-outgoing", "--erasure-journal", r.journal)
	if found := storetest.Search(t, r.copyURL, r.texts...); len(found.Texts) > 0 {
		t.Errorf("the copy has %v", found.Texts)
	}
	r.signIn(base)
	p.signal()
	p.wait()
	if after := readLog(t, r.journal); after != before || before == "" {
		t.Errorf("the journal was\n%s\nand is\n%s", before, after)
	}
}

// A database with organizations whose journal is new may be a restored one.
func TestNewJournalOfAnOldDatabase(t *testing.T) {
	t.Parallel()
	r := newRestoring(t, "sqlite")
	const warning = "the journal of erasures did not exist"
	if log := r.work(); strings.Contains(log, warning) {
		t.Errorf("the first start warns: %s", log)
	}
	if err := os.Remove(r.journal); err != nil {
		t.Fatal(err)
	}
	if p, _ := r.serve(r.liveURL); !strings.Contains(p.stderr.String(), warning) {
		t.Errorf("no warning: %s", &p.stderr)
	}
}

func TestListErasures(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "erasures")
	appendTo(t, file, erasureOf("org_1")+"{\"msg\":\"x\"}\n"+erasureOf("org_2"))
	status, stdout, stderr := runText("erasures", "list", "--journal", file)
	if want := "TIME                      KIND          ORGANIZATION  ID\n" +
		"2026-11-28T18:00:00.000Z  organization  org_1         org_1\n" +
		"2026-11-28T18:00:00.000Z  organization  org_2         org_2\n"; status != 0 || stdout != want || stderr != "" {
		t.Errorf("%d\n%s%s", status, stdout, stderr)
	}
	status, stdout, stderr = runText("erasures", "list", "--journal", filepath.Join(t.TempDir(), "none"))
	if status != 1 || stdout != "" || !strings.Contains(stderr, "no such file") {
		t.Errorf("%d %s%s", status, stdout, stderr)
	}
}
