package main

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/cookiejar"
	"regexp"
	"strings"
	"testing"
	"time"

	"assay/store/keys"

	"assay/store"
	"assay/store/rules"
)

func TestDemo(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"ASSAY_ADDR=127.0.0.1:0"}, "demo")
	p.printed(`the contract at (\S+)\n`) // the last line
	base := p.printed(`^  address +(http://127\.0\.0\.1:\d+)\n`)
	email, password := p.printed(`^  sign-in +(\S+)\n`), p.printed(`^  password +(\S+)\n`)
	key, token := p.printed(`^  API key +(\S+)\n`), p.printed(`^  candidate +(inv_\S+)\n`)
	poll(t, "readiness", func() bool { return get(t, base+"/readyz").status == 200 })

	// The first link is that of the printed candidate, and both lead to the page.
	if link := p.printed(`^  (http\S+#inv_\S+)\n`); link != base+"/take#"+token {
		t.Errorf("the candidate's link is %s", link)
	}
	links := regexp.MustCompile(`(?m)^  (http\S+/take)#(inv_\S+)$`).FindAllStringSubmatch(p.stdout.String(), -1)
	if len(links) != 2 {
		t.Fatalf("%d links of candidates, want 2", len(links))
	}
	for i, link := range links {
		if got := get(t, link[1]); got.status != 200 || !strings.Contains(got.body, `<script type="module" src="take/`) {
			t.Errorf("link %d: %d %s", i+1, got.status, got.body)
		}
		session := send(t, http.MethodGet, base+"/v1/candidate/session", "", "Authorization", "Bearer "+link[2])
		if want := []string{`"extraTimePercent":0,`, `"extraTimePercent":25,`}[i]; session.status != 200 ||
			!strings.Contains(session.body, want) {
			t.Errorf("link %d: %d %s", i+1, session.status, session.body)
		}
	}

	// The printed lines work if a user pastes them.
	curl := regexp.MustCompile(`(?m)^  curl (?:-X (\w+) )?-H '([^:]+): ([^']+)' (\S+)$`)
	lines := curl.FindAllStringSubmatch(p.stdout.String(), -1)
	if len(lines) != 2 {
		t.Fatalf("%d curl lines, want 2", len(lines))
	}
	wants := []struct{ method, value, path, part string }{
		{"", key, "/v1/public/assessments/", `"title":"Line cook: food safety"`},
		{"POST", "Bearer " + token, "/v1/candidate/session/start", `"IN_PROGRESS"`},
	}
	for i, want := range wants {
		method, header, value, url := lines[i][1], lines[i][2], lines[i][3], lines[i][4]
		if method != want.method || value != want.value || !strings.HasPrefix(url, base+want.path) {
			t.Errorf("line %d is %q", i+1, lines[i][0])
		}
		if method == "" {
			method = http.MethodGet // curl's default
		}
		if got := send(t, method, url, "", header, value); got.status != 200 || !strings.Contains(got.body, want.part) {
			t.Errorf("line %d: %d %s", i+1, got.status, got.body)
		}
	}
	openDashboard(t, base, p.printed(`^  (http\S+/demo/sign-in)\n`))
	login := `{"email":"` + email + `","password":"` + password + `"}`
	if got := send(t, http.MethodPost, base+"/v1/auth/login", login, "Content-Type",
		"application/json"); got.status != 200 {
		t.Errorf("sign-in: %d %s", got.status, got.body)
	}
	if got := get(t, p.printed(`the contract at (\S+)\n`)); got.status != 200 ||
		!strings.HasPrefix(got.body, "openapi: 3.0.3") {
		t.Errorf("the contract: %d %.40q", got.status, got.body)
	}
	if got := get(t, p.printed(`The documentation is at (\S+),`)); got.status != 200 ||
		!strings.Contains(got.body, `<script src="docs/`) {
		t.Errorf("the documentation: %d %.40q", got.status, got.body)
	}
	p.signal()
	if status := p.wait(); !status.Exited() || status.ExitStatus() != 0 {
		t.Errorf("it ended with %d", status)
	}
}

// openDashboard opens the link that the demo prints first. It leads to the dashboard, which
// is signed in.
func openDashboard(t *testing.T, base, link string) {
	t.Helper()
	jar, err := cookiejar.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	browser := &http.Client{Jar: jar}
	page, err := browser.Get(link)
	if err != nil {
		t.Fatal(err)
	}
	_ = page.Body.Close()
	if page.StatusCode != 200 || page.Request.URL.String() != base+"/app" {
		t.Errorf("the link of the dashboard leads to %s: %d", page.Request.URL, page.StatusCode)
	}

	r, err := http.NewRequest(http.MethodPut, base+"/app/session", nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	session, err := browser.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = session.Body.Close() }()
	var got struct{ Data struct{ AccessToken string } }
	if err := json.NewDecoder(session.Body).Decode(&got); err != nil {
		t.Fatal(err)
	}
	me := send(t, http.MethodGet, base+"/v1/me", "", "Authorization", "Bearer "+got.Data.AccessToken)
	if me.status != 200 || !strings.Contains(me.body, demoEmail) {
		t.Errorf("the dashboard is not signed in: %d %s", me.status, me.body)
	}
}

// The invented candidates are of each kind, and none of their times is in the future.
func TestDemoPast(t *testing.T) {
	t.Parallel()
	p := start(t, []string{"ASSAY_ADDR=127.0.0.1:0"}, "demo")
	base := p.printed(`^  address +(http://127\.0\.0\.1:\d+)\n`)
	login := send(t, http.MethodPost, base+"/v1/auth/login",
		`{"email":"`+demoEmail+`","password":"`+demoPassword+`"}`, "Content-Type", "application/json")
	var signedIn struct{ Data struct{ AccessToken string } }
	if err := json.Unmarshal([]byte(login.body), &signedIn); err != nil {
		t.Fatal(err)
	}
	list := send(t, http.MethodGet, base+"/v1/candidate-sessions?limit=100", "",
		"Authorization", "Bearer "+signedIn.Data.AccessToken)
	var sessions struct {
		Data []struct {
			Status, CandidateName string
			UpdatedAt             time.Time
		}
	}
	if err := json.Unmarshal([]byte(list.body), &sessions); err != nil {
		t.Fatal(err)
	}
	found := map[string]int{}
	for _, session := range sessions.Data {
		found[session.Status]++
		if session.UpdatedAt.After(time.Now()) {
			t.Errorf("%s was changed at %v", session.CandidateName, session.UpdatedAt)
		}
	}
	if found["COMPLETED"] < 10 || found["DISQUALIFIED"] < 3 || found["INVITED"] < 2 {
		t.Errorf("the sessions are %v", found)
	}
}

// The correct answers of demo.json get all points.
func TestDemoCanBeSolved(t *testing.T) {
	ctx := context.Background()
	keys, err := keys.New(testSecret)
	if err != nil {
		t.Fatal(err)
	}
	clock := &demoClock{}
	database, err := openStoreAt(ctx, settings{ // the demo's webhook has a loopback address
		databaseURL: "sqlite::memory:", keys: keys, webhookAllowInsecure: true, log: slog.New(slog.DiscardHandler),
	}, clock.now)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = database.Close() }()
	sample, err := seed(ctx, database, clock)
	if err != nil {
		t.Fatal(err)
	}
	_, token, _ := strings.Cut(sample.inviteURLs[0], "#")
	scope, err := database.UnscopedCandidate(ctx, token)
	if err != nil {
		t.Fatal(err)
	}
	taking, err := database.StartTaking(ctx, scope, false, "")
	if err != nil {
		t.Fatal(err)
	}
	stages := taking.Assessment.Definition.Stages
	if len(stages) != 3 {
		t.Errorf("the demo has %d stages, want 3", len(stages))
	}
	types := map[rules.QuestionType]bool{}
	for _, stage := range stages {
		// A candidate starts the clock of a stage. Starting a stage that has started changes nothing.
		if _, err := database.StartStage(ctx, scope, stage.ID); err != nil {
			t.Fatalf("%s: %v", stage.Title, err)
		}
		for _, question := range stage.Questions {
			checkExplanation(t, question)
			types[question.Type] = true
			if _, err := database.SaveAnswer(ctx, scope, question.ID, correctAnswer(question)); err != nil {
				t.Fatalf("%s: %v", question.Prompt, err)
			}
		}
		if _, err := database.SubmitStage(ctx, scope, store.StageAnswers{StageID: stage.ID}); err != nil {
			t.Fatalf("%s: %v", stage.Title, err)
		}
	}
	if len(types) != 4 {
		t.Errorf("the demo has the types %v, want all four", types)
	}
	document, err := database.RetrieveCandidateSessionResult(ctx, scope, scope.SessionID)
	if err != nil {
		t.Fatal(err)
	}
	var result struct {
		Status rules.SessionStatus
		Score  float64
		Passed *bool
	}
	if err := json.Unmarshal(document.Data(), &result); err != nil {
		t.Fatal(err)
	}
	if result.Status != rules.SessionCompleted || result.Score != 100 || result.Passed == nil || !*result.Passed {
		t.Errorf("every answer is right, and the result is %s", document.Body)
	}
}

func correctAnswer(question rules.Question) rules.Answer {
	switch question.Type {
	case rules.SingleChoice:
		return rules.Answer{OptionID: question.CorrectOptionID}
	case rules.MultipleChoice:
		return rules.Answer{OptionIDs: question.CorrectOptionIDs}
	case rules.Numeric:
		return rules.Answer{Number: question.Answer}
	default:
		return rules.Answer{Text: &question.AcceptedAnswers[0]}
	}
}

// checkExplanation reports an explanation that does not contain the correct answer.
func checkExplanation(t *testing.T, question rules.Question) {
	t.Helper()
	if question.Explanation == nil {
		t.Errorf("%s: no explanation", question.Prompt)
		return
	}
	explanation := strings.ToLower(*question.Explanation)
	var wants []string
	switch question.Type {
	case rules.SingleChoice:
		for _, option := range question.Options {
			if option.ID == *question.CorrectOptionID {
				wants = []string{strings.ToLower(option.Text)}
			}
		}
	case rules.MultipleChoice:
		for _, id := range question.CorrectOptionIDs {
			wants = append(wants, strings.ToLower(id)) // the ids are the foods' own words
		}
	case rules.Numeric:
		wants = []string{map[float64]string{74: "74 °c", 2: "two hours", 7.5: "7.5 kg"}[*question.Answer]}
	default:
		wants = question.AcceptedAnswers[:1]
	}
	for _, want := range wants {
		if want == "" || !strings.Contains(explanation, want) {
			t.Errorf("%s: the key is %q, the explanation %q", question.Prompt, want, *question.Explanation)
		}
	}
}
