// Command samples calls every operation of the contract once. The documentation
// shows the lines between "sample:" and "end sample".
package main

import (
	"context"
	"fmt"
	"log"
	"net"
	"net/http"
	"os"
	"strings"
	"time"

	"assay.example/integration/generated/assay"
)

// tour holds the values that one operation passes to the next.
type tour struct {
	server, email, password string
	resetURL                string // a link to reset the password of another account
	resetEmail, confirmURL  string // its address, and a link that confirms it
	reviewSessionID         string // a session whose gate waits for a person
	lateSessionID           string // a session with an answer that arrived too late
	gradedID                string // an assessment with two answers that wait for grades
	passkeyEmail            string // a person with a passkey, the password of that person, and two recovery codes
	passkeyPassword         string
	recoveryCodes           []string

	person      *assay.ClientWithResponses // signed in
	integration *assay.ClientWithResponses // with an API key
	hooks       string                     // an address that takes every webhook

	assessmentID string
	questionID   string
	sessionID    string // a completed session
	emailBatchID string
	resultToken  string
	webhookID    string
}

func main() {
	log.SetFlags(0)
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	t := &tour{server: os.Getenv("ASSAY_URL"), email: os.Getenv("ASSAY_EMAIL"), password: os.Getenv("ASSAY_PASSWORD"),
		resetURL: os.Getenv("ASSAY_RESET_URL"), resetEmail: os.Getenv("ASSAY_RESET_EMAIL"),
		confirmURL: os.Getenv("ASSAY_CONFIRM_URL"), lateSessionID: os.Getenv("ASSAY_LATE_SESSION"),
		reviewSessionID: os.Getenv("ASSAY_REVIEW_SESSION"), gradedID: os.Getenv("ASSAY_GRADING_ASSESSMENT"),
		passkeyEmail: os.Getenv("ASSAY_PASSKEY_EMAIL"), passkeyPassword: os.Getenv("ASSAY_PASSWORD"),
		recoveryCodes: strings.Fields(os.Getenv("ASSAY_RECOVERY_CODES"))}
	steps := []func(*tour, context.Context) error{
		(*tour).signIn, (*tour).account, (*tour).forgotten, (*tour).leaving, (*tour).apiKeys, (*tour).webhooks,
		(*tour).questions, (*tour).assessments, (*tour).sessions, (*tour).groups, (*tour).take, (*tour).results,
		(*tour).corrections, (*tour).figures, (*tour).grades, (*tour).grading, (*tour).reviews, (*tour).retention,
		(*tour).dashboard, (*tour).deliveries,
		(*tour).keyAuditLog, (*tour).keyWebhooks, (*tour).keyDeliveries, (*tour).events, (*tour).members,
		(*tour).integrations,
		(*tour).people, (*tour).passkeys, (*tour).provider, (*tour).ends,
	}
	if err := t.listen(); err != nil {
		log.Fatal(err)
	}
	for _, step := range steps {
		if err := step(t, ctx); err != nil {
			log.Fatal(err)
		}
	}
	fmt.Println("every operation called")
}

// listen receives webhooks on a free port and ignores them.
func (t *tour) listen() error {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	t.hooks = "http://" + listener.Addr().String() + "/hooks"
	accept := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) }
	accepting := &http.Server{ReadHeaderTimeout: 5 * time.Second, Handler: http.HandlerFunc(accept)}
	go func() { _ = accepting.Serve(listener) }()
	return nil
}
