package rules

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The figures equal those of R, which testdata/figures.R has computed. Each name of figures.csv must be known here.
func TestFiguresEqualR(t *testing.T) {
	t.Parallel()
	want := readFigures(t, csvRows(t, "figures.csv"))
	got := map[string]float64{}
	for _, name := range []string{"lsat6", "lsat7"} {
		d, sessions := lsat(t, name)
		figuresOf(got, name, d, sessions)
	}
	d, sessions := invented(t)
	figuresOf(got, "invented", d, sessions)
	stageFigures(got, d, sessions)
	comparisonFigures(got, sessions)
	cutScoreFigures(got)
	for name, figure := range want {
		// ltm::cronbach.alpha(LSAT) is 0.295, too (Rizopoulos 2006).
		if value, computed := got[name]; !computed || math.Abs(value-figure) > 1e-6*max(1, math.Abs(figure)) {
			t.Errorf("%s is %v, want %v", name, value, figure)
		}
	}
	for name, figure := range got {
		if _, known := want[name]; !known {
			t.Errorf("R has not computed %s, which is %v", name, figure)
		}
	}
}

// figures.csv is what figures.R writes. Without R and its packages, the file is still compared with the Go code.
func TestFiguresAreThoseOfR(t *testing.T) {
	t.Parallel()
	found := exec.CommandContext(t.Context(), "Rscript", "-e", "library(psych); library(mvtnorm)").Run()
	if found != nil {
		t.Logf("figures.csv is not computed again, because R with psych and mvtnorm is missing: %v", found)
		return
	}
	run := exec.CommandContext(t.Context(), "Rscript", "figures.R")
	run.Dir = "testdata"
	output, err := run.Output()
	if err != nil {
		t.Fatal(err)
	}
	computed, err := csv.NewReader(bytes.NewReader(output)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	got, want := readFigures(t, computed), readFigures(t, csvRows(t, "figures.csv"))
	if len(got) != len(want) {
		t.Errorf("R computes %d figures, and figures.csv has %d", len(got), len(want))
	}
	for name, figure := range want {
		if value, is := got[name]; !is || math.Abs(value-figure) > 1e-9*max(1, math.Abs(figure)) {
			t.Errorf("%s is %v in R, and %v in figures.csv", name, value, figure)
		}
	}
}

func csvRows(t *testing.T, name string) [][]string {
	t.Helper()
	file, err := os.Open("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

func readFigures(t *testing.T, rows [][]string) map[string]float64 {
	t.Helper()
	figures := map[string]float64{}
	for _, row := range rows[1:] {
		figures[row[0]] = number(t, row[1])
	}
	return figures
}

func number(t *testing.T, text string) float64 {
	t.Helper()
	value, err := strconv.ParseFloat(text, 64)
	if err != nil {
		t.Fatal(err)
	}
	return value
}

// lsat returns a section of the Law School Admission Test.
func lsat(t *testing.T, name string) (Definition, []Finished) {
	t.Helper()
	var responses [][]float64
	for _, row := range csvRows(t, name+".csv")[1:] {
		var points []float64
		for _, field := range row[:5] {
			points = append(points, number(t, field))
		}
		for range int(number(t, row[5])) {
			responses = append(responses, points)
		}
	}
	d, sessions := oneStage(5, responses)
	names := strings.NewReplacer("A", "q1", "B", "q2", "C", "q3", "D", "q4", "E", "q5")
	for j := range d.Stages[0].Questions {
		d.Stages[0].Questions[j].ID = names.Replace(d.Stages[0].Questions[j].ID)
	}
	for i := range sessions {
		for j := range sessions[i].Stages[0].Questions {
			question := &sessions[i].Stages[0].Questions[j]
			question.ID = names.Replace(question.ID)
		}
	}
	return d, sessions
}

// invented returns an assessment of two stages with partial points.
func invented(t *testing.T) (Definition, []Finished) {
	t.Helper()
	d := Definition{Stages: []Stage{
		{ID: "stage1", Questions: []Question{
			{ID: "q1", Points: 2, Options: choices(4)}, {ID: "q2", Points: 3, Options: choices(5)}, {ID: "q3", Points: 1},
			{ID: "q4", Points: 5}, {ID: "q8", Points: 1}}},
		{ID: "stage2", Questions: []Question{
			{ID: "q5", Points: 1, Options: choices(3)}, {ID: "q6", Points: 4}, {ID: "q7", Points: 2, Options: choices(4)}}},
	}}
	rows := csvRows(t, "invented.csv")
	column := func(name string) int { return slices.Index(rows[0], name) }
	var sessions []Finished
	for _, row := range rows[1:] {
		finished := Finished{Status: SessionCompleted}
		for i, stage := range d.Stages {
			end, points, maxPoints := FinishedStage{ID: stage.ID}, 0.0, 0.0
			isReached := i == 0 || row[column("reached2")] == "1"
			for _, defined := range stage.Questions {
				question := FinishedQuestion{ID: defined.ID, MaxPoints: defined.Points}
				if isReached {
					question.Points = number(t, row[column(defined.ID)])
				}
				if at := column(defined.ID + "_choice"); at >= 0 {
					for _, letter := range row[at] {
						if question.Answer == nil {
							question.Answer = &Answer{}
						}
						question.Answer.OptionIDs = append(question.Answer.OptionIDs, defined.Options[letter-'a'].ID)
					}
				}
				end.Questions = append(end.Questions, question)
				points, maxPoints = points+question.Points, maxPoints+defined.Points
			}
			if isReached {
				end.Score = new(Percent(points, maxPoints))
			}
			finished.Points += points
			finished.Stages = append(finished.Stages, end)
		}
		sessions = append(sessions, finished)
	}
	return d, sessions
}

func statisticsOf(d Definition, sessions []Finished) Statistics {
	var s Statistics
	for _, finished := range sessions {
		s.Add(d, finished)
	}
	return s
}

func figuresOf(got map[string]float64, name string, d Definition, sessions []Finished) {
	s := statisticsOf(d, sessions)
	reliabilityFigures(got, name, s.Reliability(d))
	distributionFigures(got, name, NewDistribution(scoresOf(d, sessions)))
	for i, stage := range d.Stages {
		for j, question := range stage.Questions {
			tally := s.Stages[i].Questions[j]
			if r := tally.Pairs.Correlation(); r != nil {
				got[name+".discrimination."+question.ID] = *r
				got[name+".alphaWithout."+question.ID] = *s.AlphaWithout(d, i, j)
			}
			for k := range question.Options {
				option := fmt.Sprintf("%s.option.%s%c", name, question.ID, 'a'+k)
				got[option] = *tally.OptionDiscrimination(k)
				addInterval(got, option, tally.OptionInterval(k))
			}
		}
	}
}

func reliabilityFigures(got map[string]float64, name string, r Reliability) {
	got[name+".alpha"] = *r.Alpha
	addInterval(got, name+".alpha", r.Interval)
	got[name+".standardError"], got[name+".resultsNeeded"] = *r.StandardError, float64(*r.ResultsNeeded)
}

func addInterval(got map[string]float64, name string, interval *Interval) {
	got[name+".lower"], got[name+".upper"] = interval.From, interval.To
}

// distributionFigures has the exact mean. R and Distribution round the quartiles alike.
func distributionFigures(got map[string]float64, name string, d Distribution) {
	got[name+".mean"], got[name+".standardDeviation"], got[name+".skewness"] = d.mean, *d.StandardDeviation, *d.Skewness
	got[name+".quantile25"], got[name+".quantile50"], got[name+".quantile75"] = *d.Lower, *d.Median, *d.Upper
}

func scoresOf(d Definition, sessions []Finished) []ScoreCount {
	var scores []ScoreCount
	for _, finished := range sessions {
		scores = append(scores, ScoreCount{Percent(finished.Points, d.MaxPoints()), 1})
	}
	slices.SortFunc(scores, func(a, b ScoreCount) int { return cmp.Compare(a.Score, b.Score) })
	return scores
}

func stageFigures(got map[string]float64, d Definition, sessions []Finished) {
	s := statisticsOf(d, sessions)
	for i, stage := range d.Stages {
		reliabilityFigures(got, "invented."+stage.ID, s.StageReliability(d, i))
	}
}

func comparisonFigures(got map[string]float64, sessions []Finished) {
	for _, p := range []PassCount{{0, 27}, {47, 88}, {9, 201}, {30, 30}} {
		name := fmt.Sprintf("rate.%d/%d", p.Passed, p.Count)
		got[name] = *p.Rate()
		addInterval(got, name, p.Interval())
	}
	for _, p := range [][2]PassCount{{{47, 88}, {70, 98}}, {{12, 40}, {45, 60}}, {{10, 10}, {9, 11}}} {
		name := fmt.Sprintf("ratio.%d/%d.%d/%d", p[0].Passed, p[0].Count, p[1].Passed, p[1].Count)
		r := NewImpactRatio(p[0], p[1])
		got[name] = *r.Value
		addInterval(got, name, r.Interval)
	}
	var parts [2][]Finished
	for _, finished := range sessions {
		part := 0
		if finished.Stages[1].Score == nil {
			part = 1
		}
		parts[part] = append(parts[part], finished)
	}
	d := Definition{Stages: []Stage{{Questions: []Question{{Points: 19}}}}}
	difference := NewScoreDifference(NewDistribution(scoresOf(d, parts[0])), NewDistribution(scoresOf(d, parts[1])))
	got["difference"], got["difference.effectSize"] = difference.Value, *difference.EffectSize
	addInterval(got, "difference", difference.Interval)
}

func cutScoreFigures(got map[string]float64) {
	for _, x := range [][4]float64{{70, 65, 15, 0.8}, {50, 72, 12, 0.295}, {66.25, 69.2, 16.9, 0.95}, {40, 60, 20, 0},
		{60, 60, 9, 0.5}} {
		c := NewConsistency(x[0], x[1], x[2], x[3])
		name := fmt.Sprintf("consistency.%g.%g.%g.%g", x[0], x[1], x[2], x[3])
		got[name+".agreement"], got[name+".kappa"] = c.Agreement, *c.Kappa
	}
	d := Definition{Stages: []Stage{{Questions: []Question{{ID: "q", Points: 2}}}}}
	cut := NewCutScore(d, []Judge{{"q": 66.25}, {"q": 71}, {}, {"q": 58.5}, {"q": 69.75}})
	got["cutScore"], got["cutScore.standardError"] = *cut.Value, *cut.StandardError
}
