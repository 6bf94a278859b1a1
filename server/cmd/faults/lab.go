package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"

	"assay/server/cmd/internal/rig"
)

// lab is a database, and how the service runs on it.
type lab struct {
	kind    string // "sqlite" or "postgres"
	service rig.Service
	cluster *rig.Cluster // nil on SQLite
}

// newLab makes an empty database in a folder of its own.
func newLab(ctx context.Context, binary, dir, kind string) (*lab, error) {
	l := &lab{kind: kind, service: rig.Service{
		Binary: binary, Dir: filepath.Join(dir, "data"), Secret: rig.RandomSecret(), LogLevel: "error",
		DatabaseURL: "sqlite:" + filepath.Join(dir, "assay.db"),
	}}
	if err := os.MkdirAll(dir, 0o755); err != nil { //nolint:gosec // PostgreSQL runs as another user where we are root
		return nil, err
	}
	if kind == "sqlite" {
		return l, nil
	}
	var err error
	if l.cluster, err = rig.NewCluster(ctx, filepath.Join(dir, "cluster")); err != nil {
		return nil, err
	}
	l.service.DatabaseURL = l.cluster.URL()
	return l, nil
}

// close ends the database.
func (l *lab) close() error {
	if l.cluster == nil {
		return nil
	}
	return l.cluster.Stop()
}

const (
	ownerEmail    = "ada@faults.example"
	ownerPassword = "a pass phrase for breaking things"
)

// world is an organization with all that the load works on.
type world struct {
	api          *rig.Client
	owner        http.Header
	key          http.Header
	assessmentID string
	questionID   string // of a SHORT_TEXT
	candidates   []candidate
}

// candidate is at work on the one stage of the assessment.
type candidate struct{ sessionID, token string }

// newWorld makes it over HTTP.
func newWorld(ctx context.Context, addr string, candidates int) (*world, error) {
	w := &world{api: rig.NewClient([]string{addr}, 8)}
	var registered struct{ AccessToken string }
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/auth/register", nil, rig.Object{
		"organizationName": "Analytical Engines", "name": "Ada Lovelace", "email": ownerEmail, "password": ownerPassword,
	}, &registered); err != nil {
		return nil, err
	}
	w.owner = rig.Bearer(registered.AccessToken)
	var key struct{ Key string }
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/api-keys", w.owner, newKey("load"), &key); err != nil {
		return nil, err
	}
	w.key = rig.APIKey(key.Key)
	var created struct {
		ID     string
		Stages []struct{ Questions []struct{ ID string } }
	}
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/assessments", w.owner, newAssessment("Endurance"), &created); err != nil {
		return nil, err
	}
	w.assessmentID, w.questionID = created.ID, created.Stages[0].Questions[0].ID
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/assessments/"+created.ID+"/publish", w.owner, nil, nil); err != nil {
		return nil, err
	}
	for n := range candidates {
		if err := w.addCandidate(ctx, fmt.Sprintf("candidate-%d", n)); err != nil {
			return nil, err
		}
	}
	return w, nil
}

// addCandidate invites one, who starts.
func (w *world) addCandidate(ctx context.Context, name string) error {
	var invited struct{ ID, InviteURL string }
	if _, err := w.api.Call(ctx, http.MethodPost, "/v1/public/candidate-sessions", w.key, w.invite(name), &invited); err != nil {
		return err
	}
	_, token, found := strings.Cut(invited.InviteURL, "#")
	if !found {
		return errors.New("the invite has no token")
	}
	w.candidates = append(w.candidates, candidate{invited.ID, token})
	_, err := w.api.Call(ctx, http.MethodPost, "/v1/candidate/session/start", rig.Bearer(token), nil, nil)
	return err
}

// signIn signs the owner in anew.
func (w *world) signIn(ctx context.Context) error {
	var signedIn struct{ AccessToken string }
	_, err := w.api.Call(ctx, http.MethodPost, "/v1/auth/login", nil, rig.Object{"email": ownerEmail, "password": ownerPassword}, &signedIn)
	w.owner = rig.Bearer(signedIn.AccessToken)
	return err
}

// invite is the body of an invite.
func (w *world) invite(name string) rig.Object {
	return rig.Object{"assessmentId": w.assessmentID, "candidateName": "Grace Hopper", "candidateEmail": name + "@faults.example"}
}

func newKey(name string) rig.Object {
	return rig.Object{"name": name, "scopes": []string{"assessments:read", "candidates:read", "candidates:write"}}
}

func newAssessment(title string) rig.Object {
	return rig.Object{"title": title, "stages": []rig.Object{{"title": "Yard", "questions": []rig.Object{
		{"type": "SHORT_TEXT", "prompt": "Why?", "points": 1, "acceptedAnswers": []string{"because"}},
	}}}}
}
