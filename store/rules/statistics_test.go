package rules

import (
	"encoding/json"
	"math"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"
)

// finish takes a session with the answers, and returns its end as a result shows it.
func finish(r *rand.Rand, d Definition, answers map[string]Answer) Finished {
	p := StartProgress(d, Limits{}, minute(0))
	for at := 0.0; p.Status == SessionInProgress; {
		at += 1 + r.Float64()*30
		p.StartStage(Scoring{Definition: d, Answers: answers, PassingScore: new(50.0)}, minute(at))
		p.Submit(Scoring{Definition: d, Answers: answers, PassingScore: new(50.0)}, minute(at))
	}
	finished := Finished{Status: p.Status, Points: RoundPoints(*p.Points), Passed: p.Passed,
		DurationSeconds: int(p.ClosedAt.Sub(p.StartedAt).Seconds()), CloseReason: string(*p.CloseReason),
		Seconds: map[string]int{}}
	for i, stage := range d.Stages {
		end := FinishedStage{ID: stage.ID, Status: p.Stages[i].Status, Score: p.Stages[i].Score}
		scored := answers
		if end.Score == nil {
			scored = nil
		} else {
			end.Duration = new(int(p.Stages[i].ClosedAt.Sub(*p.Stages[i].StartedAt).Seconds()))
		}
		for _, question := range gradeStage(stage, scored).Questions {
			end.Questions = append(end.Questions, FinishedQuestion{
				ID: question.QuestionID, Answer: question.Answer, Points: RoundPoints(question.Points), MaxPoints: question.MaxPoints})
			if r.IntN(3) > 0 {
				finished.Seconds[question.QuestionID] = r.IntN(300)
			}
		}
		r.Shuffle(len(end.Questions), func(i, j int) {
			end.Questions[i], end.Questions[j] = end.Questions[j], end.Questions[i]
		})
		finished.Stages = append(finished.Stages, end)
	}
	return finished
}

// Statistics to which sessions are added one by one, stored in between, must equal those computed from
// the list of all sessions. Sessions that were removed again must leave nothing.
func TestStatisticsEqualTheExactComputation(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 200 {
		d := randomDefinition(r)
		var all, removed []Finished
		var statistics Statistics
		for range 1 + r.IntN(60) {
			finished := finish(r, d, randomAnswers(r, d))
			statistics = stored(t, statistics)
			statistics.Add(d, finished)
			if r.IntN(4) > 0 {
				all = append(all, finished)
			} else {
				removed = append(removed, finished)
			}
		}
		for _, finished := range removed {
			statistics = stored(t, statistics)
			statistics.Remove(d, finished)
		}
		compareStatistics(t, d, statistics, all)
		compareReliability(t, d, statistics, all)
		if t.Failed() {
			return
		}
	}
}

func randomAnswers(r *rand.Rand, d Definition) map[string]Answer {
	answers := map[string]Answer{}
	for _, stage := range d.Stages {
		for _, question := range stage.Questions {
			if r.IntN(5) > 0 {
				answers[question.ID] = randomAnswer(r, question)
			}
		}
	}
	return answers
}

func stored(t *testing.T, s Statistics) (again Statistics) {
	t.Helper()
	encoded, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &again); err != nil {
		t.Fatal(err)
	}
	return again
}

func compareStatistics(t *testing.T, d Definition, got Statistics, all []Finished) {
	t.Helper()
	passed, durations, late := int64(0), []float64(nil), int64(0)
	for _, finished := range all {
		if finished.Status == SessionCompleted {
			durations = append(durations, float64(finished.DurationSeconds))
			if *finished.Passed {
				passed++
			}
		}
		if slices.ContainsFunc(finished.Stages, func(s FinishedStage) bool { return ranOutOfTime(d, s) }) {
			late++
		}
	}
	if got.Passed != passed || got.OutOfTime != late {
		t.Errorf("%d passed and %d out of time, want %d and %d", got.Passed, got.OutOfTime, passed, late)
	}
	if got.Durations.Count() != int64(len(durations)) {
		t.Errorf("%d durations, want %d", got.Durations.Count(), len(durations))
	}
	for i, stage := range d.Stages {
		var reached []Finished
		var counts [3]int64
		for _, finished := range all {
			if end := finished.Stages[i]; end.Score != nil {
				reached = append(reached, finished)
				switch end.Status {
				case StagePassed:
					counts[0]++
				case StageFailed:
					counts[1]++
				}
				if ranOutOfTime(d, end) {
					counts[2]++
				}
			}
		}
		tally := got.Stages[i]
		if tally.Reached != int64(len(reached)) || tally.Passed != counts[0] || tally.Failed != counts[1] ||
			tally.OutOfTime != counts[2] || tally.Durations.Count() != tally.Reached {
			t.Errorf("stage %d: %d reached, %d passed, %d failed, %d out of time, %d durations, want %d and %v", i, tally.Reached,
				tally.Passed, tally.Failed, tally.OutOfTime, tally.Durations.Count(), len(reached), counts)
		}
		for j, question := range stage.Questions {
			compareQuestion(t, question, tally.Questions[j], i, reached)
		}
	}
}

func compareQuestion(t *testing.T, question Question, got QuestionTally, stage int, reached []Finished) {
	t.Helper()
	answered, sum, xs, ys, times := int64(0), 0.0, []float64(nil), []float64(nil), Times{}
	choices := make([][]float64, len(question.Options)) // 1 if a completed session chose the option
	chosen := make([]int64, len(question.Options))
	for _, finished := range reached {
		questions := finished.Stages[stage].Questions
		end := questions[slices.IndexFunc(questions, func(q FinishedQuestion) bool { return q.ID == question.ID })]
		sum += end.Points
		if seconds, measured := finished.Seconds[question.ID]; measured {
			times.count(seconds, 1)
		}
		if end.Answer != nil {
			answered++
		}
		for i, option := range question.Options {
			picks := 0.0
			if end.Answer != nil && slices.Contains(append(end.Answer.OptionIDs, optionOf(end.Answer)), option.ID) {
				chosen[i]++
				picks = 1
			}
			if finished.Status == SessionCompleted {
				choices[i] = append(choices[i], picks)
			}
		}
		if finished.Status == SessionCompleted {
			xs, ys = append(xs, end.Points), append(ys, pointsOf(finished)-end.Points)
		}
	}
	if got.Answered != answered || math.Abs(got.Points-sum) > 1e-6 || !slices.Equal(got.Chosen, chosen) {
		t.Errorf("question %s: %+v, want %d answered, %v points, chosen %v", question.ID, got, answered, sum, chosen)
	}
	if !reflect.DeepEqual(got.Times, times) {
		t.Errorf("question %s: times %v, want %v", question.ID, got.Times, times)
	}
	wantSame(t, "discrimination of "+question.ID, got.Pairs.Correlation(), correlation(xs, ys))
	for i := range question.Options {
		wantSame(t, "option of "+question.ID, got.OptionDiscrimination(i), correlation(choices[i], ys))
	}
}

func wantSame(t *testing.T, name string, got, want *float64) {
	t.Helper()
	switch {
	case (got == nil) != (want == nil):
		t.Errorf("%s: %v, want %v", name, got, want)
	case got != nil && math.Abs(*got-*want) > 1e-6*max(1, math.Abs(*want)):
		t.Errorf("%s: %v, want %v", name, *got, *want)
	}
}

// ranOutOfTime reports whether a stage of a session without extra time ended at its limit with an open question.
func ranOutOfTime(d Definition, s FinishedStage) bool {
	defined, _, _ := d.StageByID(s.ID)
	return s.Duration != nil && defined.TimeLimitMinutes != nil && *s.Duration == 60**defined.TimeLimitMinutes &&
		slices.ContainsFunc(s.Questions, func(q FinishedQuestion) bool { return q.Answer == nil })
}

func optionOf(a *Answer) string {
	if a.OptionID == nil {
		return ""
	}
	return *a.OptionID
}

// pointsOf is the sum of the rounded points of all questions that the session reached.
func pointsOf(finished Finished) (sum float64) {
	for _, stage := range finished.Stages {
		for _, question := range stage.Questions {
			if stage.Score != nil {
				sum += question.Points
			}
		}
	}
	return sum
}

// correlation is Pearson's coefficient in two passes.
func correlation(xs, ys []float64) *float64 {
	mean := func(list []float64) (m float64) {
		for _, number := range list {
			m += number / float64(len(list))
		}
		return m
	}
	meanX, meanY, xx, yy, xy := mean(xs), mean(ys), 0.0, 0.0, 0.0
	for i := range xs {
		xx += (xs[i] - meanX) * (xs[i] - meanX)
		yy += (ys[i] - meanY) * (ys[i] - meanY)
		xy += (xs[i] - meanX) * (ys[i] - meanY)
	}
	if xx < 1e-9 || yy < 1e-9 {
		return nil
	}
	return new(xy / math.Sqrt(xx*yy))
}

// The correlation of pairs that a person can compute by hand.
func TestCorrelation(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		pairs [][2]float64
		want  *float64
	}{
		"none":            {nil, nil},
		"one":             {[][2]float64{{1, 0.5}}, nil},
		"same x":          {[][2]float64{{0.1, 0.2}, {0.1, 0.9}, {0.1, 0.4}}, nil},
		"same y":          {[][2]float64{{0.2, 0.3}, {0.9, 0.3}}, nil},
		"rising together": {[][2]float64{{0, 0.2}, {1, 0.7}}, new(1.0)},
		"opposite":        {[][2]float64{{0, 0.7}, {1, 0.2}}, new(-1.0)},
		"point-biserial":  {[][2]float64{{0, 0.1}, {0, 0.3}, {1, 0.3}, {1, 0.5}}, new(math.Sqrt(0.5))},
		"almost equal y":  {[][2]float64{{0, 0.91005}, {0.9, 0.9101}}, new(1.0)},
		"independent":     {[][2]float64{{0, 0.1}, {0, 0.3}, {1, 0.1}, {1, 0.3}}, new(0.0)},
	} {
		var sums Pairs
		for _, pair := range test.pairs {
			sums.count(pair[0], pair[1])
		}
		got := sums.Correlation()
		if (got == nil) != (test.want == nil) || got != nil && math.Abs(*got-*test.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// The document of the largest assessment must stay small, however many sessions it
// contains.
func TestStatisticsAreBounded(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	d := Definition{}
	for range 10 {
		stage := randomStage(r, "stg")
		stage.ID, stage.Questions = "stg_"+string(rune('a'+len(d.Stages))), nil
		for i := range 50 {
			question := Question{ID: stage.ID + string(rune('A'+i)), Type: MultipleChoice, Points: 1}
			question.Options = choices(20)
			stage.Questions = append(stage.Questions, question)
		}
		d.Stages = append(d.Stages, stage)
	}
	var statistics Statistics
	for range 300 {
		finished := Finished{Status: SessionCompleted, DurationSeconds: r.IntN(1e6)}
		for _, stage := range d.Stages {
			end := FinishedStage{ID: stage.ID, Status: StagePassed, Score: new(float64(r.IntN(10001)) / 100)}
			for _, question := range stage.Questions {
				end.Questions = append(end.Questions, FinishedQuestion{ID: question.ID, Points: r.Float64()})
			}
			finished.Stages = append(finished.Stages, end)
		}
		statistics.Add(d, finished)
	}
	encoded, err := json.Marshal(statistics)
	if err != nil {
		t.Fatal(err)
	}
	if len(encoded) > 512<<10 {
		t.Errorf("the document has %d bytes, want at most 512 KiB", len(encoded))
	}
	t.Logf("%d bytes", len(encoded))
}
