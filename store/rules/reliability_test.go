package rules

import (
	"math"
	"testing"
)

// responses has a row for each completed session and a column for each of the questions that `in` chooses. Questions
// that were not reached have 0 points.
func responses(d Definition, all []Finished, in func(stage, question int) bool) [][]float64 {
	var rows [][]float64
	for _, finished := range all {
		if finished.Status != SessionCompleted {
			continue
		}
		var row []float64
		for i, stage := range d.Stages {
			for j, question := range stage.Questions {
				if in(i, j) {
					row = append(row, pointsIn(finished.Stages[i], question.ID))
				}
			}
		}
		rows = append(rows, row)
	}
	return rows
}

func pointsIn(stage FinishedStage, questionID string) float64 {
	for _, question := range stage.Questions {
		if question.ID == questionID && stage.Score != nil {
			return question.Points
		}
	}
	return 0
}

// exactAlpha is Cronbach's alpha from the responses.
func exactAlpha(rows [][]float64) *float64 {
	if len(rows) < 2 {
		return nil
	}
	totals, within, k := make([]float64, len(rows)), 0.0, 0.0
	for j := range rows[0] {
		column := make([]float64, len(rows))
		for i, row := range rows {
			column[i] = row[j]
			totals[i] += row[j]
		}
		if squares := squaresOf(column); squares > 1e-9 {
			within, k = within+squares, k+1
		}
	}
	total := squaresOf(totals)
	if k < 2 || total < 1e-9 {
		return nil
	}
	return new(k / (k - 1) * (1 - within/total))
}

func squaresOf(numbers []float64) (sum float64) {
	mean := 0.0
	for _, number := range numbers {
		mean += number / float64(len(numbers))
	}
	for _, number := range numbers {
		sum += (number - mean) * (number - mean)
	}
	return sum
}

func compareReliability(t *testing.T, d Definition, got Statistics, all []Finished) {
	t.Helper()
	if got.Version == 0 {
		return // no session was ever added
	}
	alpha := exactAlpha(responses(d, all, func(int, int) bool { return true }))
	wantSame(t, "alpha", got.Reliability(d).Alpha, alpha)
	for i, stage := range d.Stages {
		var reached []Finished
		for _, finished := range all {
			if finished.Stages[i].Score != nil {
				reached = append(reached, finished)
			}
		}
		wantSame(t, "alpha of "+stage.ID, got.StageReliability(d, i).Alpha,
			exactAlpha(responses(d, reached, func(of, _ int) bool { return of == i })))
		for j, question := range stage.Questions {
			want := exactAlpha(responses(d, all, func(of, at int) bool { return of != i || at != j }))
			if alpha == nil {
				want = nil
			}
			wantSame(t, "alpha without "+question.ID, got.AlphaWithout(d, i, j), want)
		}
	}
}

// The ends of an interval, and what it permits to say.
func TestReliabilityFindings(t *testing.T) {
	t.Parallel()
	for _, row := range []struct {
		interval Interval
		want     ReliabilityFinding
	}{
		{Interval{-3, 0.69}, ReliabilityLow},
		{Interval{0.5, 0.7}, ReliabilityUncertain},
		{Interval{0.7, 0.89}, ReliabilityAcceptable},
		{Interval{0.75, 0.9}, ReliabilityUncertain},
		{Interval{0.9, 0.95}, ReliabilityHigh},
		{Interval{0.6, 0.95}, ReliabilityUncertain},
	} {
		if got := reliabilityFinding(row.interval); got != row.want {
			t.Errorf("%v: %s, want %s", row.interval, got, row.want)
		}
	}
}

// The figures that are missing, and why.
func TestReliabilityWithoutAlpha(t *testing.T) {
	t.Parallel()
	two := func(n int, points ...float64) (rows [][]float64) {
		for i := range n {
			rows = append(rows, []float64{points[i%len(points)], points[i%len(points)]})
		}
		return rows
	}
	for name, row := range map[string]struct {
		rows    [][]float64
		poolID  string
		finding ReliabilityFinding
		hasBand bool
	}{
		"no results":     {two(0), "", FewResults, false},
		"nine results":   {two(9, 0, 1), "", FewResults, true},
		"ten results":    {two(10, 0, 1), "", ReliabilityHigh, true},
		"all are right":  {two(20, 1), "", NoVariance, false},
		"one question":   {[][]float64{{0}, {1}}, "", FewQuestions, false},
		"a pool":         {two(20, 0, 1), "pol_a", DrawnQuestions, false},
		"one that tells": {[][]float64{{0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}, {0, 1}, {1, 1}}, "", FewQuestions, false},
	} {
		columns := 2
		if len(row.rows) > 0 {
			columns = len(row.rows[0])
		}
		d, sessions := oneStage(columns, row.rows)
		d.Stages[0].Questions[0].PoolID = row.poolID
		var s Statistics
		s.Fit(d)
		for _, finished := range sessions {
			s.Add(d, finished)
		}
		for of, r := range map[string]Reliability{"all": s.Reliability(d), "the stage": s.StageReliability(d, 0)} {
			if r.Finding != row.finding || (r.StandardError != nil) != row.hasBand || (r.Alpha != nil) != row.hasBand ||
				(r.ResultsNeeded != nil) != row.hasBand || r.Count != int64(len(row.rows)) || r.Questions != columns {
				t.Errorf("%s, %s: %+v, want %s", name, of, r, row.finding)
			}
			if (r.Interval != nil) != (row.hasBand && len(row.rows) >= 10) {
				t.Errorf("%s, %s: the interval is %v", name, of, r.Interval)
			}
		}
	}
}

// oneStage returns an assessment with a stage of questions with one point each, and sessions with the points.
func oneStage(questions int, rows [][]float64) (Definition, []Finished) {
	d := Definition{Stages: []Stage{{ID: "stg"}}}
	for j := range questions {
		d.Stages[0].Questions = append(d.Stages[0].Questions, Question{ID: string(rune('A' + j)), Points: 1})
	}
	var sessions []Finished
	for _, row := range rows {
		stage, sum := FinishedStage{ID: "stg"}, 0.0
		for j, points := range row {
			stage.Questions = append(stage.Questions, FinishedQuestion{ID: string(rune('A' + j)), Points: points, MaxPoints: 1})
			sum += points
		}
		stage.Score = new(Percent(sum, float64(questions)))
		sessions = append(sessions, Finished{Status: SessionCompleted, Points: sum, Stages: []FinishedStage{stage}})
	}
	return d, sessions
}

// With as many results as are needed, the interval is as wide as promised.
func TestResultsNeeded(t *testing.T) {
	t.Parallel()
	for _, alpha := range []float64{-2, 0, 0.3, 0.7, 0.81, 0.9, 0.97, 0.999} {
		for _, k := range []int{2, 5, 12, 100} {
			n := resultsNeeded(alpha, k)
			if interval := alphaInterval(alpha, k, int64(max(n, enoughResults))); interval.To-interval.From > 0.1+1e-9 {
				t.Errorf("alpha %v of %d questions: %d results give %v", alpha, k, n, interval)
			}
			if n <= enoughResults {
				continue
			}
			if interval := alphaInterval(alpha, k, int64(n-1)); interval.To-interval.From < 0.1-1e-9 {
				t.Errorf("alpha %v of %d questions: %d results are more than needed", alpha, k, n)
			}
		}
	}
	if n := resultsNeeded(-1e12, 2); n != math.MaxInt32 {
		t.Errorf("%d results for a hopeless test", n)
	}
}
