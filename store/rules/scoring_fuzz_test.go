package rules

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strconv"
	"testing"
	"time"
)

// The following must hold for any stage and any valid answers. Points are between 0
// and the maximum. The score is between 0 and 100 and has two decimals. Neither
// depends on the order of questions or choices. No answers give 0. All correct
// answers give 100.
func FuzzGradeStage(f *testing.F) {
	for kind := range byte(5) {
		f.Add([]byte{kind, 1, 100, 1, 1}, []byte{1, 2, 3}) // one question of one point
	}
	// Three questions of 0.1 points, each with three correct options.
	thirds := []byte{1, 1, 10, 3, 0b111, 1, 1, 10, 3, 0b111, 1, 1, 10, 3, 0b111}
	f.Add(thirds, []byte{1, 0b001, 1, 0b011, 1, 0b001})
	f.Add(thirds, []byte{0, 1, 0b111, 0})
	f.Add([]byte{0, 0, 0x3f, 0xf0, 0, 0, 0, 0, 0, 1, 2}, []byte{1, 1})                         // points close to 1
	f.Add([]byte{1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 5, 0b11111}, []byte{1, 0b1111})                 // points close to 0
	f.Add([]byte{2, 1, 200, 3, 0x3f, 0xb9, 0x99, 0x99, 0x99, 0x99, 0x99, 0x9a}, []byte{1, 77}) // 0.1 with a tolerance
	// A free text and a choice, and a free text that gives no points.
	f.Add([]byte{4, 1, 100, 0, 1, 100, 1, 1}, []byte{1, 1, 2, 3})
	f.Add([]byte{4, 1, 0, 4, 1, 50}, []byte{0, 1})
	f.Fuzz(func(t *testing.T, made, given []byte) {
		stage := drawnStage((*drawnBytes)(&made))
		answers, correct := map[string]Answer{}, map[string]Answer{}
		for _, question := range stage.Questions {
			correct[question.ID] = correctAnswer(question)
			if d := (*drawnBytes)(&given); d.below(4) > 0 {
				answers[question.ID] = drawnAnswer(d, question)
			}
			for _, answer := range []Answer{correct[question.ID], answers[question.ID]} {
				if fault := ValidAnswer(question, answer); fault != nil && !answer.empty() {
					t.Fatalf("%+v is not a valid answer to %+v: %+v", answer, question, *fault)
				}
			}
		}

		graded := gradeStage(stage, answers)
		checkGraded(t, stage, graded)
		checkOrder(t, stage, answers, graded)
		checkTwoStages(t, stage, answers, graded)

		if none := gradeStage(stage, nil); none.Points != 0 || none.Score != 0 {
			t.Errorf("no answers give %v points, %v percent: %+v", none.Points, none.Score, stage)
		}

		full := gradedFully(stage, correct)
		checkGraded(t, stage, full)
		if full.Points != stage.MaxPoints() || (full.Points > 0) != (full.Score == 100) {
			t.Errorf("all correct answers give %v of %v points, %v percent: %+v", full.Points, full.MaxPoints, full.Score, stage)
		}
	})
}

// gradedFully scores a stage in which a person has given all points to each free text.
func gradedFully(stage Stage, answers map[string]Answer) StageScore {
	s := Scoring{Definition: Definition{Stages: []Stage{stage}}, Answers: answers, Grades: map[string]Grade{}}
	for _, id := range s.Pending(0) {
		question, _ := stage.QuestionByID(id)
		s.Grades[id] = Grade{Points: &question.Points}
	}
	return s.Stage(0)
}

// checkGraded checks the limits and the decimals of points and score.
func checkGraded(t *testing.T, stage Stage, graded StageScore) {
	t.Helper()
	most := 0.0
	for i, question := range stage.Questions {
		got := graded.Questions[i]
		most += question.Points
		if !(got.Points >= 0 && got.Points <= question.Points) || (got.Correct && got.Points != question.Points) {
			t.Errorf("%v points, correct %t, for %+v", got.Points, got.Correct, question)
		}
		if shown := RoundPoints(got.Points); !twoDecimals(shown) || math.Abs(shown-got.Points) > 0.005+1e-9 {
			t.Errorf("%v points are shown as %v", got.Points, shown)
		}
	}
	if graded.MaxPoints != most || !(graded.Points >= 0 && graded.Points <= graded.MaxPoints) {
		t.Errorf("%v of %v points, want a maximum of %v: %+v", graded.Points, graded.MaxPoints, most, stage)
	}
	if !(graded.Score >= 0 && graded.Score <= 100) || !twoDecimals(graded.Score) {
		t.Errorf("%v percent: %+v", graded.Score, stage)
	}
}

// checkTwoStages checks the points and the score of an assessment that has the stage
// twice, the second time without answers. The score is half of the stage's score.
func checkTwoStages(t *testing.T, stage Stage, answers map[string]Answer, graded StageScore) {
	t.Helper()
	empty := stage
	empty.Questions = slices.Clone(stage.Questions)
	for i := range empty.Questions {
		empty.Questions[i].ID += "-second"
	}
	whole := Definition{Stages: []Stage{stage, empty}}
	progress := StartProgress(whole, Limits{}, time.UnixMilli(0))
	for range whole.Stages {
		progress.Submit(Scoring{Definition: whole, Answers: answers, Unattended: true}, time.UnixMilli(1))
	}

	half := graded.Score / 2
	if *progress.Points != graded.Points || !twoDecimals(*progress.Score) || math.Abs(*progress.Score-half) > 0.0075+1e-9 {
		t.Errorf("the assessment has %v points, %v percent; its first stage has %v points, %v percent", *progress.Points,
			*progress.Score, graded.Points, graded.Score)
	}
}

// twoDecimals reports whether a number is the float64 nearest to a decimal with
// two places.
func twoDecimals(number float64) bool {
	parsed, err := strconv.ParseFloat(strconv.FormatFloat(number, 'f', 2, 64), 64)
	return err == nil && parsed == number
}

// checkOrder grades the questions, options, and choices in reverse order. The result
// must be the same.
func checkOrder(t *testing.T, stage Stage, answers map[string]Answer, graded StageScore) {
	t.Helper()
	reversed, reversedAnswers := stage, map[string]Answer{}
	reversed.Questions = slices.Clone(stage.Questions)
	slices.Reverse(reversed.Questions)
	for id, answer := range answers {
		answer.OptionIDs = slices.Clone(answer.OptionIDs)
		slices.Reverse(answer.OptionIDs)
		reversedAnswers[id] = answer
	}
	for i := range reversed.Questions {
		reversed.Questions[i].Options = slices.Clone(reversed.Questions[i].Options)
		slices.Reverse(reversed.Questions[i].Options)
	}

	other := gradeStage(reversed, reversedAnswers)
	slices.Reverse(other.Questions)
	for i := range graded.Questions {
		if got, want := other.Questions[i], graded.Questions[i]; got.Points != want.Points || got.Correct != want.Correct {
			t.Errorf("in another order %+v, want %+v", got, want)
		}
	}
	if other.Score != graded.Score {
		t.Errorf("in another order %v percent, want %v: %+v", other.Score, graded.Score, stage)
	}
}

// drawnBytes draws values from the bytes of the fuzzer. When no bytes are left, it
// draws 0.
type drawnBytes []byte

// below draws a number from 0 to n-1.
func (d *drawnBytes) below(n int) int {
	if len(*d) == 0 {
		return 0
	}
	drawn := int((*d)[0]) % n
	*d = (*d)[1:]
	return drawn
}

// number draws a number from 0 to most, with any number of decimals, because
// openapi.yaml does not limit them.
func (d *drawnBytes) number(most float64) float64 {
	if d.below(2) == 1 {
		return min(float64(d.below(256))/100, most)
	}
	var bits [8]byte
	*d = (*d)[copy(bits[:], *d):]
	drawn := math.Abs(math.Float64frombits(binary.BigEndian.Uint64(bits[:])))
	if !finite(drawn) {
		return most
	}
	return min(drawn, most)
}

func drawnStage(d *drawnBytes) Stage {
	stage := Stage{ID: "stage"}
	for len(*d) > 0 && len(stage.Questions) < 50 {
		stage.Questions = append(stage.Questions, drawnQuestion(d, fmt.Sprint("q", len(stage.Questions))))
	}
	return stage
}

func drawnQuestion(d *drawnBytes, id string) Question {
	kind := d.below(5)
	q := Question{ID: id, Prompt: "?", Points: d.number(1000)}
	switch kind {
	case 0:
		q.Type, q.Options = SingleChoice, choices(2+d.below(19))
		q.CorrectOptionID = &q.Options[d.below(len(q.Options))].ID
	case 1:
		q.Type, q.PartialCredit = MultipleChoice, true
		q.Options = choices(max(2, d.below(21)))
		if q.CorrectOptionIDs = drawnOptions(d, q.Options); len(q.CorrectOptionIDs) == 0 {
			q.CorrectOptionIDs, q.PartialCredit = []string{"a"}, false
		}
	case 2:
		q.Type, q.Tolerance = Numeric, d.number(1e15)
		q.Answer = new(d.number(1e15))
	case 3:
		q.Type, q.CaseSensitive = ShortText, d.below(2) == 1
		q.AcceptedAnswers = []string{"x" + string(rune(d.below(256)*d.below(256))), "Straße"}
	case 4:
		q.Type = FreeText
	}
	return q
}

// drawnOptions draws a subset of the options. Each option takes one bit.
func drawnOptions(d *drawnBytes, options []Option) []string {
	ids, bits := []string{}, 0
	for i, option := range options {
		if i%8 == 0 {
			bits = d.below(256)
		}
		if bits>>(i%8)&1 == 1 {
			ids = append(ids, option.ID)
		}
	}
	return ids
}

func drawnAnswer(d *drawnBytes, q Question) Answer {
	switch q.Type {
	case SingleChoice:
		return Answer{OptionID: &q.Options[d.below(len(q.Options))].ID}
	case MultipleChoice:
		return Answer{OptionIDs: drawnOptions(d, q.Options)}
	case Numeric:
		return Answer{Number: new(*q.Answer + (float64(d.below(3))-1)*d.number(1e15))}
	case FreeText:
		length := d.below(30)
		return Answer{Text: new(string((*d)[:min(len(*d), length)]))}
	default:
		text := string((*d)[:min(len(*d), maxTextAnswer)])
		if d.below(2) == 1 {
			text = " " + q.AcceptedAnswers[d.below(2)] + "\t"
		}
		return Answer{Text: &text}
	}
}
