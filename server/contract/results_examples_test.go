package contract

import (
	"encoding/json"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"go.yaml.in/yaml/v3"

	"assay/gen"
	"assay/store/rules"
)

// The published examples of an assessment, of a session, and of its result.
type publishedExamples struct {
	assessment struct {
		rules.Definition
		Title            string
		MaxPoints        float64
		QuestionCount    int
		StageCount       int
		PassingScore     *float64
		TimeLimitMinutes *int
		InviteExpiryDays int
	}
	session struct {
		ExtraTimePercent                                       int
		InvitedAt, ExpiresAt, StartedAt, DeadlineAt, UpdatedAt time.Time
		CompletedAt                                            time.Time
		Score                                                  float64
		Passed                                                 *bool
	}
	stage  struct{ DeadlineAt time.Time }
	result exampleResult
}

type exampleResult struct {
	Score, Points, MaxPoints float64
	PassingScore, Percentile *float64
	Passed                   *bool
	StartedAt, CompletedAt   time.Time
	DurationSeconds          int
	Stages                   []struct {
		ID                       string
		Status                   rules.StageStatus
		Score, Points, MaxPoints float64
		DurationSeconds          int
		Gate                     *struct {
			MinScore float64
			Passed   *bool
		}
		Questions []struct {
			ID                string
			Prompt            string
			Answer            *rules.Answer
			Correct           *bool
			Points, MaxPoints float64
		}
	}
}

func readExamples(t *testing.T) publishedExamples {
	t.Helper()
	var examples publishedExamples
	readExample(t, "/v1/assessments/{id}", &examples.assessment)
	readExample(t, "/v1/candidate-sessions/{id}", &examples.session)
	readExample(t, "/v1/candidate/session/stage", &examples.stage)
	readExample(t, "/v1/candidate-sessions/{id}/result", &examples.result)
	return examples
}

// readExample reads the example of a GET from the contract that /openapi.json shows.
func readExample(t *testing.T, path string, into any) {
	t.Helper()
	document, err := openapi3.NewLoader().LoadFromData(gen.Document)
	if err != nil {
		t.Fatal(err)
	}
	content := document.Paths.Find(path).Get.Responses.Value("200").Value.Content["application/json"]
	encoded, err := json.Marshal(content.Example)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(encoded, &struct{ Data any }{into}); err != nil {
		t.Fatalf("%s: %v", path, err)
	}
}

// The scores of the example result are what the rules compute from the example
// assessment and the answers in the result.
func TestExampleScores(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	result, definition := examples.result, examples.assessment.Definition
	if faults := rules.MissingForPublish(examples.assessment.Title, definition); len(faults) > 0 {
		t.Errorf("the assessment cannot be published: %v", faults)
	}
	points := 0.0
	for i, stage := range definition.Stages {
		shown, answers := result.Stages[i], map[string]rules.Answer{}
		for j, question := range stage.Questions {
			if answer := shown.Questions[j].Answer; answer != nil {
				answers[question.ID] = *answer
				if fault := rules.ValidAnswer(question, *answer); fault != nil {
					t.Errorf("%s: %v", question.Prompt, fault)
				}
			}
		}
		graded := rules.Scoring{Definition: definition, Answers: answers}.Stage(i)
		points += graded.Points
		wantNumber(t, stage.Title+": score", shown.Score, graded.Score)
		wantNumber(t, stage.Title+": points", shown.Points, rules.RoundPoints(graded.Points))
		wantNumber(t, stage.Title+": maxPoints", shown.MaxPoints, stage.MaxPoints())
		if (stage.Gate == nil) != (shown.Gate == nil) ||
			stage.Gate != nil && *shown.Gate.Passed != (graded.Score >= stage.Gate.MinScore) {
			t.Errorf("%s: the gate is %+v", stage.Title, shown.Gate)
		}
		for j, question := range graded.Questions {
			asked, answered := stage.Questions[j], shown.Questions[j]
			wantNumber(t, asked.Prompt, answered.Points, rules.RoundPoints(question.Points))
			wantNumber(t, asked.Prompt+" maxPoints", answered.MaxPoints, asked.Points)
			if answered.ID != asked.ID || answered.Prompt != asked.Prompt ||
				*answered.Correct != (question.Points == asked.Points) {
				t.Errorf("%s: the result is %+v", asked.Prompt, answered)
			}
		}
	}
	score := rules.Percent(points, definition.MaxPoints())
	wantNumber(t, "points", result.Points, rules.RoundPoints(points))
	wantNumber(t, "maxPoints", result.MaxPoints, definition.MaxPoints())
	wantNumber(t, "maxPoints of the assessment", examples.assessment.MaxPoints, definition.MaxPoints())
	wantNumber(t, "score", result.Score, score)
	wantNumber(t, "score of the session", examples.session.Score, score)
	wantNumber(t, "passingScore", *result.PassingScore, *examples.assessment.PassingScore)
	if passed := score >= *result.PassingScore; *result.Passed != passed || *examples.session.Passed != passed {
		t.Errorf("passed is %v, want %v", *result.Passed, passed)
	}
	if examples.assessment.QuestionCount != definition.QuestionCount() ||
		examples.assessment.StageCount != len(definition.Stages) {
		t.Errorf("%d questions, %d stages", examples.assessment.QuestionCount, examples.assessment.StageCount)
	}
	wantNumber(t, "percentile", *result.Percentile, percentileOf(t, score))
}

// percentileOf computes a percentile from the scores of the data set.
func percentileOf(t *testing.T, score float64) float64 {
	t.Helper()
	scores, below := completedScores(t), 0.0
	for _, other := range scores {
		switch {
		case other < score:
			below++
		case other == score:
			below += 0.5
		}
	}
	return rules.Percent(below, float64(len(scores)))
}

// completedScores returns the scores of all completed sessions of the data set.
func completedScores(t *testing.T) []float64 {
	t.Helper()
	text, err := os.ReadFile("../../gen/examples/30-sessions.yaml")
	if err != nil {
		t.Fatal(err)
	}
	_, list, found := strings.Cut(string(text), "completedScores: ")
	list, _, closed := strings.Cut(list, "]")
	var scores []float64
	if err := yaml.Unmarshal([]byte(list+"]"), &scores); err != nil || !found || !closed || len(scores) < 20 {
		t.Fatalf("%d scores: %v", len(scores), err)
	}
	return scores
}

// The times of the examples follow from the limits of the assessment.
func TestExampleTimes(t *testing.T) {
	t.Parallel()
	examples := readExamples(t)
	session, result := examples.session, examples.result
	minutes := func(limit int) time.Duration {
		return time.Duration(limit) * time.Minute * time.Duration(100+session.ExtraTimePercent) / 100
	}
	for name, pair := range map[string][2]time.Time{
		"expiresAt":  {session.ExpiresAt, session.InvitedAt.AddDate(0, 0, examples.assessment.InviteExpiryDays)},
		"deadlineAt": {session.DeadlineAt, session.StartedAt.Add(minutes(*examples.assessment.TimeLimitMinutes))},
		"stage": {examples.stage.DeadlineAt,
			session.StartedAt.Add(minutes(*examples.assessment.Stages[0].TimeLimitMinutes))},
		"startedAt":   {result.StartedAt, session.StartedAt},
		"completedAt": {result.CompletedAt, session.CompletedAt},
		"updatedAt":   {session.UpdatedAt, session.CompletedAt},
	} {
		if !pair[0].Equal(pair[1]) {
			t.Errorf("%s is %v, want %v", name, pair[0], pair[1])
		}
	}
	stages := 0
	for _, stage := range result.Stages {
		stages += stage.DurationSeconds
	}
	whole := int(result.CompletedAt.Sub(result.StartedAt) / time.Second)
	if result.DurationSeconds != whole || stages > whole || stages < whole-len(result.Stages) {
		t.Errorf("the duration is %d s, that of its stages %d s, want %d s", result.DurationSeconds, stages, whole)
	}
}

// The chapter of the guide about scores computes the example result.
func TestGuideScores(t *testing.T) {
	t.Parallel()
	_, chapter, _ := strings.Cut(string(gen.Guide), "## An example to follow by hand")
	chapter, _, found := strings.Cut(chapter, "\n# ")
	if !found {
		t.Fatal("the guide has no example")
	}
	examples := readExamples(t)
	result := examples.result
	wants := []string{
		"shown as **" + decimal(result.Points) + " of " + decimal(result.MaxPoints) + "**",
		"shown as **" + decimal(result.Score) + "**", "= **" + decimal(*result.Percentile) + "**",
		"a `passingScore` of " + decimal(*result.PassingScore), `"` + examples.assessment.Title + `"`,
	}
	for i, stage := range examples.assessment.Stages {
		shown := result.Stages[i]
		wants = append(wants, `"`+stage.Title+`"`, decimal(shown.Points)+" of "+decimal(shown.MaxPoints)+"**",
			"**"+decimal(shown.Score)+"**")
		for j, question := range stage.Questions {
			row, _, _ := strings.Cut(after(chapter, "| `"+string(question.Type)+"`"), "\n")
			for _, part := range append(answerParts(*shown.Questions[j].Answer),
				"| "+decimal(question.Points)+" |", " "+decimal(shown.Questions[j].Points)) {
				if !strings.Contains(row, part) {
					t.Errorf("%s: the row %q does not contain %q", question.Type, row, part)
				}
			}
		}
	}
	for _, want := range wants {
		if !strings.Contains(chapter, want) {
			t.Errorf("the chapter does not contain %q", want)
		}
	}
}

func answerParts(answer rules.Answer) []string {
	switch {
	case answer.OptionID != nil:
		return []string{"`" + *answer.OptionID + "`"}
	case answer.Number != nil:
		return []string{"| " + decimal(*answer.Number) + " |"}
	case answer.Text != nil:
		return []string{`"` + *answer.Text + `"`}
	}
	return []string{"| `" + strings.Join(answer.OptionIDs, "`, `") + "` |"}
}

func after(text, part string) string {
	_, rest, _ := strings.Cut(text, part)
	return rest
}

func decimal(number float64) string { return strconv.FormatFloat(number, 'f', -1, 64) }

func wantNumber(t testing.TB, name string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9 {
		t.Errorf("%s is %v, want %v", name, got, want)
	}
}

// The example statistics are those of the completed sessions in the data set.
func TestExampleStatistics(t *testing.T) {
	t.Parallel()
	var statistics struct {
		SessionCounts            struct{ InProgress, Completed, Disqualified int64 }
		CompletionRate, PassRate float64
		PassingScore             float64
		Scores                   struct {
			Count                                      int64
			Mean, LowerQuartile, Median, UpperQuartile float64
			Bins                                       []struct{ Count int64 }
		}
	}
	readExample(t, "/v1/assessments/{id}/statistics", &statistics)
	var counts []rules.ScoreCount
	passed := 0.0
	for _, score := range completedScores(t) { // in ascending order
		counts = append(counts, rules.ScoreCount{Score: score, Count: 1})
		if score >= statistics.PassingScore {
			passed++
		}
	}
	want, shown := rules.NewDistribution(counts), statistics.Scores
	wantNumber(t, "mean", shown.Mean, *want.Mean)
	wantNumber(t, "lowerQuartile", shown.LowerQuartile, *want.Lower)
	wantNumber(t, "median", shown.Median, *want.Median)
	wantNumber(t, "upperQuartile", shown.UpperQuartile, *want.Upper)
	if shown.Count != want.Count || statistics.SessionCounts.Completed != want.Count || len(shown.Bins) != len(want.Bins) {
		t.Fatalf("%d scores in %d bins, want %d in %d", shown.Count, len(shown.Bins), want.Count, len(want.Bins))
	}
	for i, bin := range shown.Bins {
		if bin.Count != want.Bins[i] {
			t.Errorf("bin %d has %d scores, want %d", i, bin.Count, want.Bins[i])
		}
	}
	started := statistics.SessionCounts.InProgress + statistics.SessionCounts.Completed +
		statistics.SessionCounts.Disqualified
	wantNumber(t, "completionRate", statistics.CompletionRate, rules.Percent(float64(want.Count), float64(started)))
	wantNumber(t, "passRate", statistics.PassRate, rules.Percent(passed, float64(want.Count)))
}
