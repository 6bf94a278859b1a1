package main

import (
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"strings"
	"time"

	"assay/server/request"
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
// 2022, chapter 3. It shows what the candidate page can do: each type of question,
// a gate, and a stage whose clock the candidate starts.
//
//go:embed demo.json
var demoDefinition []byte

type demoCommand struct {
	Addr       string   `env:"ASSAY_ADDR" default:"127.0.0.1:8080" help:"Address to listen on."`
	Public     bool     `help:"Permit an address that other machines can reach: its clients know the password."`
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
		WebhookBackoff: []string{"5s", "30s"}, WebhookTimeout: "10s", WebhookAllowInsecure: "true", EventRetention: "720h",
		DeadlineGrace: "10s", Registration: "open",
		mailConfig: mailConfig{MailFrom: "Assay <assay@demo.example>", MailRate: "10"},
	}.check(os.Stderr)
	if err != nil {
		return err
	}
	if err := c.checkPublic(); err != nil {
		return err
	}
	tuneGC()
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", set.addr)
	if err != nil {
		return err
	}
	set.baseURL = "http://" + listener.Addr().String()
	mailbox := &demoMailbox{}
	set.mail.sender = mailbox
	set.hidePrivate = true // each client of the demo can add a webhook
	clock := &demoClock{}
	answers := request.LoopbackHosts
	if c.Public {
		answers = request.AddressHosts
	}
	var database *store.Store
	var sample demoData
	return service{
		settings: set, listener: listener, dispatcher: true, demoMail: mailbox.list, answers: answers,
		open: func(ctx context.Context) (*store.Store, error) {
			var err error
			if database, err = openStoreAt(ctx, set, clock.now); err != nil {
				return nil, err
			}
			if sample, err = seed(ctx, database, clock); err != nil {
				return nil, errors.Join(err, database.Close())
			}
			return database, nil
		},
		announce: func(context.Context, *store.Store) error { return sample.print(stdout, set.baseURL) },
		demoSignIn: func(ctx context.Context, scope store.Scope) (store.SignedIn, error) {
			return database.Login(ctx, scope, store.Credentials{Email: demoEmail, Password: demoPassword})
		},
	}.run(ctx)
}

// checkPublic refuses an address that other machines can reach, without --public.
func (c demoCommand) checkPublic() error {
	addr, err := net.ResolveTCPAddr("tcp", c.Addr)
	if err != nil || c.Public || addr.IP.IsLoopback() {
		return err
	}
	return fmt.Errorf("other machines can reach %s, the demo's password is public, and anyone can register: "+
		"choose an address such as 127.0.0.1:8080, or add --public", c.Addr)
}

// demoData is what the demo prints.
type demoData struct {
	apiKey, assessmentID string
	inviteURLs           [2]string // one of Mei and one of Theo; Theo has 25 percent more time
}

// seed creates an organization with a user, an assessment, candidates of the past, an API
// key, a webhook, and two candidates with open invites.
func seed(ctx context.Context, database *store.Store, clock *demoClock) (demoData, error) {
	scope, assessmentID, err := seedHistory(ctx, database, clock)
	if err != nil {
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
	moreTime := 25 // percent
	made := demoData{apiKey: key.Secret, assessmentID: assessmentID}
	for i, candidate := range []store.Invite{
		{CandidateName: "Mei Lindqvist", CandidateEmail: "mei@candidate.example"},
		{CandidateName: "Theo Marsh", CandidateEmail: "theo@candidate.example", ExtraTimePercent: &moreTime},
	} {
		candidate.AssessmentID = assessmentID
		invited, err := database.CreateCandidateSession(ctx, scope, candidate)
		if err != nil {
			return demoData{}, err
		}
		made.inviteURLs[i] = *database.InviteURL(invited.Session)
	}
	return made, nil
}

// seedHistory creates what is older than today.
func seedHistory(
	ctx context.Context, database *store.Store, clock *demoClock,
) (scope store.Scope, assessmentID string, err error) {
	var assessment *store.Assessment
	err = clock.at(14*24*time.Hour, func() error {
		signedIn, err := database.Register(ctx, store.Scope{}, store.Registration{
			OrganizationName: "Harbour Kitchens", Name: "Samin Okafor", Email: demoEmail, Password: demoPassword,
		})
		if err != nil {
			return err
		}
		if scope, err = database.UnscopedLogin(ctx, store.Origin{}, signedIn.Login.ID); err != nil {
			return err
		}
		if err := seedOrganization(ctx, database, scope); err != nil {
			return err
		}
		assessment, err = seedAssessment(ctx, database, scope)
		return err
	})
	if err != nil {
		return scope, "", err
	}
	return scope, assessment.ID, seedPast(ctx, database, clock, scope, assessment.ID)
}

// seedOrganization sets what candidates see of the organization. It sends invites by email,
// so that the page of the demo's emails shows each.
func seedOrganization(ctx context.Context, database *store.Store, scope store.Scope) error {
	email, color, notice := "jobs@harbour-kitchens.example", "#0f766e",
		"We keep your answers for **six months**, and show them only to the people who hire for this position."
	sendInviteEmail := true
	_, err := database.UpdateOrganization(ctx, scope, store.OrganizationChange{
		SendInviteEmail: &sendInviteEmail,
		SupportEmail:    store.Change[string]{Set: true, Value: &email},
		AccentColor:     store.Change[string]{Set: true, Value: &color},
		PrivacyNotice:   store.Change[string]{Set: true, Value: &notice},
	})
	return err
}

// seedAssessment creates and publishes the assessment. It has no redirect, because the
// invented organization has no page to go to.
func seedAssessment(ctx context.Context, database *store.Store, scope store.Scope) (*store.Assessment, error) {
	var definition rules.Definition
	if err := json.Unmarshal(demoDefinition, &definition); err != nil {
		return nil, fmt.Errorf("demo.json: %w", err)
	}
	description, passingScore, minutes := "Food safety for cooks.", 70.0, 20
	inviteMessage := "We look forward to **your answers**."
	instructions := "You need about 15 minutes and a quiet place. A pocket calculator is allowed.\n\n" +
		"- You can go back to each question of a stage until you hand the stage in.\n" +
		"- Your answers are saved while you work."
	closing := "Thank you for your time. We answer within a week."
	assessment, err := database.CreateAssessment(ctx, scope, store.NewAssessment{
		Title: "Line cook: food safety", Description: &description, PassingScore: &passingScore, TimeLimitMinutes: &minutes,
		Instructions: &instructions, ClosingMessage: &closing, InviteMessage: &inviteMessage,
		Definition: definition,
	})
	if err != nil {
		return nil, err
	}
	return database.PublishAssessment(ctx, scope, assessment.ID)
}

func (d demoData) print(w io.Writer, baseURL string) error {
	_, token, _ := strings.Cut(d.inviteURLs[0], "#")
	_, err := fmt.Fprintf(w, `Assay %s, demo: all data is in memory and lost when the process ends.

Open the dashboard, signed in as the owner of an invented restaurant:

  %s/demo/sign-in

Open the assessment as a candidate; the second link has 25 percent more time:

  %s
  %s

The emails that the demo would have sent, such as the two invites:

  %s/demo/mail

Or read it as an integration, and start the first session as its candidate:

  curl -H 'X-API-Key: %s' %s/v1/public/assessments/%s
  curl -X POST -H 'Authorization: Bearer %s' %s/v1/candidate/session/start

  address    %s
  sign-in    %s
  password   %s
  API key    %s
  candidate  %s

In another terminal, "assay listen" prints each webhook.
The documentation is at %s/docs, the contract at %s/openapi.yaml

`, versionText(), baseURL, d.inviteURLs[0], d.inviteURLs[1], baseURL,
		d.apiKey, baseURL, d.assessmentID, token, baseURL,
		baseURL, demoEmail, demoPassword, d.apiKey, token, baseURL, baseURL)
	return err
}
