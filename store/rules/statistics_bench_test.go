package rules

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// A fold adds sessions to a document that it reads and writes once for at most 100 of them: 500 sessions per second are
// five times reading and writing, and 500 times Add.
func BenchmarkStatistics(b *testing.B) {
	r := rand.New(rand.NewPCG(45, 0))
	d := Definition{}
	for i := range 3 {
		stage := Stage{ID: "stg_" + string(rune('a'+i))}
		for j := range 15 {
			question := Question{ID: stage.ID + string(rune('A'+j)), Type: SingleChoice, Points: 1, Options: choices(4)}
			question.CorrectOptionID = &question.Options[r.IntN(4)].ID
			stage.Questions = append(stage.Questions, question)
		}
		d.Stages = append(d.Stages, stage)
	}
	sessions := make([]Finished, 1000)
	for i := range sessions {
		sessions[i] = finish(r, d, randomAnswers(r, d))
	}
	var s Statistics
	for i := range 100_000 {
		s.Add(d, sessions[i%len(sessions)])
	}
	document, err := json.Marshal(s)
	if err != nil {
		b.Fatal(err)
	}
	b.Run("Add", func(b *testing.B) {
		for i := range b.N {
			s.Add(d, sessions[i%len(sessions)])
		}
	})
	b.Run("Remove", func(b *testing.B) {
		for i := range b.N {
			s.Remove(d, sessions[i%len(sessions)])
		}
	})
	b.Run("Read", func(b *testing.B) {
		for b.Loop() {
			var read Statistics
			if err := json.Unmarshal(document, &read); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("Write", func(b *testing.B) {
		for b.Loop() {
			if _, err := json.Marshal(s); err != nil {
				b.Fatal(err)
			}
		}
		b.ReportMetric(float64(len(document)), "B/document")
	})
	b.Run("Figures", func(b *testing.B) {
		for b.Loop() {
			s.Reliability(d)
			for i, stage := range d.Stages {
				for j := range stage.Questions {
					s.AlphaWithout(d, i, j)
				}
			}
		}
	})
}
