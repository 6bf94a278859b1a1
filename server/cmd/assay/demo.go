package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"os"
	"strings"

	"assay/store"
	"assay/store/rules"
)

// The demo's sign-in. It protects nothing: the database is in memory, and the
// address is local by default.
const (
	demoEmail    = "chef@harbour-kitchens.example"
	demoPassword = "a-demo-only-pass-phrase"
	demoSecret   = "whsec_ZGVtbyBvbmx5OiBhc3NheSBsaXN0ZW4ga25vd3MgaXQ="
)

// demoDefinition is a rules.Definition. Its facts are from the FDA Food Code
// 2022, chapter 3.
//
//go:embed demo.json
var demoDefinition []byte

type demoCommand struct {
	Addr       string   `env:"ASSAY_ADDR" default:"127.0.0.1:8080" help:"Address to listen on."`
	RateLimits []string `env:"ASSAY_RATE_LIMITS" help:"'off', or changed limits."`
	LogLevel   string   `env:"ASSAY_LOG_LEVEL" default:"info" help:"debug, info, warn, or error."`
	LogFormat  string   `env:"ASSAY_LOG_FORMAT" default:"text" help:"text or json."`
}

// Run serves the sample data until the context ends.
func (c demoCommand) Run(ctx context.Context, stdout io.Writer) error {
	set, err := config{
		Addr: c.Addr, AdminAddr: "off", DatabaseURL: "sqlite::memory:",
		RateLimits: c.RateLimits, LogLevel: c.LogLevel, LogFormat: c.LogFormat,
		Secret: "demo only: this database is gone when the process ends",
		// Short waits, so that the user can watch a retry.
		WebhookBackoff: []string{"5s", "30s"}, WebhookTimeout: "10s", WebhookAllowInsecure: true, EventRetention: "720h",
		DeadlineGrace: "10s",
	}.check(os.Stderr)
	if err != nil {
		return err
	}
	tuneGC()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.addr)
	if err != nil {
		return err
	}
	set.baseURL = "http://" + listener.Addr().String()
	database, err := openStore(ctx, set)
	if err != nil {
		return err
	}
	defer func() { _ = database.Close() }()
	sample, err := seed(ctx, database)
	if err != nil {
		return err
	}
	if err := sample.print(stdout, set.baseURL); err != nil {
		return err
	}
	return service{settings: set, database: database, listener: listener, dispatcher: true}.run(ctx)
}

// demoData is what the demo prints.
type demoData struct {
	apiKey, inviteURL, assessmentID string
}

// seed creates an organization with a user, an assessment, an API key, a webhook, and a candidate.
func seed(ctx context.Context, database *store.Store) (demoData, error) {
	signedIn, err := database.Register(ctx, store.Scope{}, store.Registration{
		OrganizationName: "Harbour Kitchens", Name: "Samin Okafor", Email: demoEmail, Password: demoPassword,
	})
	if err != nil {
		return demoData{}, err
	}
	scope, err := database.UnscopedLogin(ctx, signedIn.Login.ID)
	if err != nil {
		return demoData{}, err
	}
	var definition rules.Definition
	if err := json.Unmarshal(demoDefinition, &definition); err != nil {
		return demoData{}, fmt.Errorf("demo.json: %w", err)
	}
	description, passingScore, minutes := "Food safety for cooks.", 70.0, 20
	redirect := "https://harbour-kitchens.example/thank-you"
	assessment, err := database.CreateAssessment(ctx, scope, store.NewAssessment{
		Title: "Line cook: food safety", Description: &description, PassingScore: &passingScore, TimeLimitMinutes: &minutes,
		RedirectURL: &redirect, Definition: definition,
	})
	if err != nil {
		return demoData{}, err
	}
	if _, err := database.PublishAssessment(ctx, scope, assessment.ID); err != nil {
		return demoData{}, err
	}
	key, err := database.CreateAPIKey(ctx, scope, store.NewAPIKey{
		Name: "Demo integration", Scopes: []string{"assessments:read", "candidates:read", "candidates:write", "results:read"},
	})
	if err != nil {
		return demoData{}, err
	}
	secret := demoSecret
	if _, err := database.CreateWebhook(ctx, scope, store.NewWebhook{
		URL: "http://" + listenAddr + "/", Secret: &secret,
		Events: []string{
			string(store.EventCandidateInvited), string(store.EventCandidateCompleted), string(store.EventCandidateDisqualified),
		},
	}); err != nil {
		return demoData{}, err
	}
	invited, err := database.CreateCandidateSession(ctx, scope, store.Invite{
		AssessmentID: assessment.ID, CandidateName: "Mei Lindqvist", CandidateEmail: "mei@candidate.example",
	})
	if err != nil {
		return demoData{}, err
	}
	return demoData{
		apiKey: key.Secret, inviteURL: *database.InviteURL(invited.Session), assessmentID: assessment.ID,
	}, nil
}

func (d demoData) print(w io.Writer, baseURL string) error {
	_, token, _ := strings.Cut(d.inviteURL, "#")
	_, err := fmt.Fprintf(w, `Assay %s, demo: all data is in memory and lost when the process ends.

  address    %s
  sign-in    %s
  password   %s
  API key    %s
  candidate  %s

Read the assessment as an integration, and start the session as the candidate:

  curl -H 'X-API-Key: %s' %s/v1/public/assessments/%s
  curl -X POST -H 'Authorization: Bearer %s' %s/v1/candidate/session/start

In another terminal, "assay listen" prints each webhook.
The documentation is at %s/docs, the contract at %s/openapi.yaml

`, versionText(), baseURL, demoEmail, demoPassword, d.apiKey, token,
		d.apiKey, baseURL, d.assessmentID, token, baseURL, baseURL, baseURL)
	return err
}
