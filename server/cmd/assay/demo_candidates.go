package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync/atomic"
	"time"

	"assay/store"
	"assay/store/rules"
)

// demoClock is the time of the demo. While the past is written, it is behind.
type demoClock struct{ behind atomic.Int64 }

func (c *demoClock) now() time.Time { return time.Now().Add(-time.Duration(c.behind.Load())) }

// at runs the function at a time before now.
func (c *demoClock) at(ago time.Duration, run func() error) error {
	c.behind.Store(int64(ago))
	defer c.behind.Store(0)
	return run()
}

// demoPast are invented candidates of the last two weeks, so that the dashboard has
// results to show. Each has the day of the invite and the probability of a correct answer.
// A candidate without skill has not started.
var demoPast = []struct {
	name    string
	daysAgo int
	skill   float64
}{
	{"Amina Diallo", 13, 0.65}, {"Jonas Weber", 13, 0.49}, {"Lin Qiang", 13, 0.85}, {"Rosa Delgado", 12, 0.18},
	{"Tomasz Nowak", 12, 0.57}, {"Noor Haddad", 12, 0}, {"Freya Lund", 11, 0.71}, {"Marco Bellini", 11, 0.41},
	{"Hana Sato", 11, 0.91}, {"Oluwaseun Ade", 10, 0.54}, {"Priya Raman", 10, 0.68}, {"Ben Carter", 10, 0.15},
	{"Claire Dubois", 9, 0.47}, {"Yusuf Kaya", 9, 0.62}, {"Ines Moreira", 8, 0.87}, {"Dmitri Orlov", 8, 0},
	{"Grace Mwangi", 7, 0.59}, {"Liam O'Brien", 6, 0.37}, {"Sofia Rossi", 6, 0.66}, {"Ahmed Farouk", 5, 0.84},
	{"Elif Demir", 4, 0.52}, {"Kofi Mensah", 3, 0.7}, {"Ana Petrovic", 3, 0}, {"Viktor Hansen", 2, 0.44},
	{"Maya Cohen", 1, 0.89}, {"Diego Alvarez", 1, 0.63},
	{"Leila Rahimi", 12, 0.81}, {"Oscar Nilsson", 11, 0.72}, {"Fatima Zahra", 9, 0.94}, {"Peter Novak", 9, 0.66},
	{"Chloe Martin", 8, 0.78}, {"Samuel Boateng", 7, 0.86}, {"Irina Popescu", 7, 0.59}, {"Hugo Silva", 6, 0.9},
	{"Nadia Benali", 5, 0.75}, {"Erik Johansen", 4, 0.83}, {"Zoe Papadakis", 2, 0.88}, {"Arjun Mehta", 2, 0.7},
}

// seedPast invites the candidates, and works through the assessment as they would have.
func seedPast(
	ctx context.Context, database *store.Store, clock *demoClock, scope store.Scope, assessmentID string,
) error {
	// The same candidates have the same results each time.
	chance := rand.New(rand.NewPCG(7, 11)) //nolint:gosec // not a secret
	for _, candidate := range demoPast {
		invitedAgo := time.Duration(candidate.daysAgo) * 24 * time.Hour
		var token string
		err := clock.at(invitedAgo, func() error {
			first, _, _ := strings.Cut(candidate.name, " ")
			address := strings.ToLower(strings.ReplaceAll(first, "'", "")) + "@candidate.example"
			sendEmail := false
			invited, err := database.CreateCandidateSession(ctx, scope, store.Invite{
				AssessmentID: assessmentID, CandidateName: candidate.name, CandidateEmail: address, SendEmail: &sendEmail,
			})
			if err != nil {
				return err
			}
			_, token, _ = strings.Cut(*database.InviteURL(invited.Session), "#")
			return nil
		})
		if err != nil {
			return err
		}
		if candidate.skill == 0 {
			continue
		}
		started := invitedAgo - time.Duration(2+chance.IntN(18))*time.Hour
		if err := takePast(ctx, database, clock, chance, token, started, candidate.skill); err != nil {
			return fmt.Errorf("%s: %w", candidate.name, err)
		}
	}
	return nil
}

// takePast starts a session and submits stages until it ends.
func takePast(
	ctx context.Context, database *store.Store, clock *demoClock, chance *rand.Rand, token string, ago time.Duration,
	skill float64,
) error {
	var scope store.Scope
	err := clock.at(ago, func() (err error) {
		if scope, err = database.UnscopedCandidate(ctx, token); err != nil {
			return err
		}
		_, err = database.StartTaking(ctx, scope, true, "")
		return err
	})
	for err == nil {
		var stage store.CurrentStage
		done := false
		begin := ago
		ago -= time.Duration(100+chance.IntN(160)) * time.Second
		err = clock.at(begin, func() (err error) {
			if stage, err = database.RetrieveCurrentStage(ctx, scope); err != nil || stage.Status != rules.StageReady {
				return err
			}
			_, err = database.StartStage(ctx, scope, stage.Stage.ID)
			return err
		})
		if err != nil {
			return err
		}
		err = clock.at(ago, func() error {
			for _, question := range stage.Stage.Questions {
				answer := demoAnswer(chance, question, skill)
				if _, err := database.SaveAnswer(ctx, scope, question.ID, answer); err != nil {
					return err
				}
			}
			outcome, err := database.SubmitStage(ctx, scope, store.StageAnswers{StageID: stage.Stage.ID})
			done = outcome.Taking.Session.CurrentStageID == nil
			return err
		})
		if done {
			return err
		}
	}
	return err
}

// demoAnswer answers a question, correctly with the probability.
func demoAnswer(chance *rand.Rand, q rules.Question, skill float64) rules.Answer {
	isRight := chance.Float64() < skill
	switch q.Type {
	case rules.SingleChoice:
		option := *q.CorrectOptionID
		for !isRight && option == *q.CorrectOptionID {
			option = q.Options[chance.IntN(len(q.Options))].ID
		}
		return rules.Answer{OptionID: &option}
	case rules.MultipleChoice:
		options := q.CorrectOptionIDs
		if !isRight {
			options = options[:1]
		}
		return rules.Answer{OptionIDs: options}
	case rules.Numeric:
		number := *q.Answer
		if !isRight {
			number += float64(3 + chance.IntN(20))
		}
		return rules.Answer{Number: &number}
	case rules.ShortText:
		if isRight {
			return rules.Answer{Text: &q.AcceptedAnswers[0]}
		}
	case rules.FreeText:
	}
	return rules.Answer{Text: new("I am not sure")}
}
