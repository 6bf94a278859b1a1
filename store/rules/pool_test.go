package rules

import (
	"fmt"
	"reflect"
	"testing"
)

// withPool returns a definition with a fixed question, and with pools of a size that give the counts.
func withPool(size int, counts ...int) Definition {
	stage := Stage{ID: "stg_1", Questions: []Question{{ID: "qst_fixed", Points: 1}}}
	for i, count := range counts {
		pool := Pool{ID: fmt.Sprint("pol_", i), Count: count, Tags: []string{"t"}, Points: 2}
		stage.Pools = append(stage.Pools, pool)
		for j := range size {
			stage.Questions = append(stage.Questions, Question{ID: fmt.Sprintf("qst_%d_%d", i, j), PoolID: pool.ID, Points: 2})
		}
	}
	return Definition{Stages: []Stage{{ID: "stg_0", Questions: []Question{{ID: "qst_first", Points: 3}}}, stage}}
}

// Each question of a pool must be drawn equally often, and each pair of questions of two pools, too. The ids are fixed,
// so the test cannot fail by chance.
func TestDrawsAreUniform(t *testing.T) {
	t.Parallel()
	const sessions, size, count = 10_000, 12, 3
	d := withPool(size, count, count)
	drawn, first, pairs := map[string]float64{}, map[string]float64{}, map[string]float64{}
	for i := range sessions {
		session := fmt.Sprintf("ses_%026d", i)
		given := d.For(session)
		var ids [2][]string
		for _, question := range given.Stages[1].Questions[1:] {
			drawn[question.ID]++
			pool := int(question.PoolID[len("pol_")] - '0')
			ids[pool] = append(ids[pool], question.ID)
		}
		if len(ids[0]) != count || len(ids[1]) != count {
			t.Fatalf("%s gets %v", session, ids)
		}
		for _, a := range ids[0] {
			for _, b := range ids[1] {
				pairs[a+b]++
			}
		}
		first[given.Stages[1].Shuffled(session, true, false).Questions[0].ID]++
	}
	expected := float64(sessions*count) / size
	// The quantiles of chi-squared for 22 and 143 degrees of freedom at 0.999. Draws without replacement vary less.
	wantUniform(t, drawn, 2*size, expected, 48.3)
	wantUniform(t, pairs, size*size, sessions*float64(count*count)/(size*size), 200)
	// The order is independent of the draw: a fixed question is first as often as a drawn one.
	share := first["qst_fixed"] / sessions * (2*count + 1)
	if share < 0.9 || share > 1.1 {
		t.Errorf("the fixed question is first in %v of its share", share)
	}
}

func wantUniform(t *testing.T, counts map[string]float64, classes int, expected, bound float64) {
	t.Helper()
	if len(counts) != classes {
		t.Errorf("%d of %d occur", len(counts), classes)
	}
	chi := 0.0
	for _, n := range counts {
		chi += (n - expected) * (n - expected) / expected
	}
	if chi > bound {
		t.Errorf("chi-squared is %v, at most %v is plausible", chi, bound)
	}
}

// What is drawn depends on the session alone. The numbers that people see before a session are true for each session.
func TestDrawnDefinition(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 500 {
		d := randomPools(r.IntN)
		for i := range 5 {
			session := fmt.Sprint("ses_", i)
			given := d.For(session)
			if again := given.For(session); !reflect.DeepEqual(again, given) {
				t.Fatalf("a drawn definition is drawn again: %v", again)
			}
			if !reflect.DeepEqual(d.For(session), given) {
				t.Fatal("two draws differ")
			}
			if given.QuestionCount() != d.QuestionCount() || given.MaxPoints() != d.MaxPoints() {
				t.Fatalf("%d questions with %v points, and announced are %d with %v", given.QuestionCount(), given.MaxPoints(),
					d.QuestionCount(), d.MaxPoints())
			}
			seen := map[string]bool{}
			for _, stage := range given.Stages {
				for _, question := range stage.Questions {
					if seen[question.ID] {
						t.Fatalf("%s is drawn twice", question.ID)
					}
					seen[question.ID] = true
				}
			}
		}
	}
}

// randomPools draws a published definition.
func randomPools(n func(int) int) Definition {
	var d Definition
	next := 0
	for i := range 1 + n(3) {
		stage := Stage{ID: fmt.Sprint("stg_", i)}
		add := func(pool string, points float64) {
			next++
			stage.Questions = append(stage.Questions, Question{ID: fmt.Sprint("qst_", next), PoolID: pool, Points: points})
		}
		for range n(4) {
			add("", float64(n(5)))
		}
		for j := range n(4) {
			pool := Pool{ID: fmt.Sprintf("pol_%d_%d", i, j), Count: 1 + n(5), Points: float64(n(4))}
			stage.Pools = append(stage.Pools, pool)
			for range pool.Count + n(6) {
				add(pool.ID, pool.Points)
			}
		}
		d.Stages = append(d.Stages, stage)
	}
	return d
}

// A definition without pools is the same value afterwards, and is stored as before there were pools.
func TestDefinitionWithoutPools(t *testing.T) {
	d := Definition{Stages: []Stage{{ID: "stg_1", Title: "T", Questions: []Question{{ID: "qst_1", Type: Numeric}}}}}
	if allocations := testing.AllocsPerRun(100, func() { d.For("ses_1") }); allocations != 0 {
		t.Errorf("%v allocations", allocations)
	}
	if given := d.For("ses_1"); &given.Stages[0] != &d.Stages[0] {
		t.Error("the stages were copied")
	}
	encoded, err := d.Encode()
	const want = `{"stages":[{"id":"stg_1","title":"T","description":null,"timeLimitMinutes":null,"gate":null,` +
		`"questions":[{"id":"qst_1","type":"NUMERIC","prompt":"","points":0,"explanation":null}]}]}`
	if err != nil || encoded != want {
		t.Errorf("%v: %s", err, encoded)
	}
}

// The statistics of a question of a pool count those who were given it.
func TestStatisticsOfAPool(t *testing.T) {
	t.Parallel()
	d := withPool(5, 2)
	var s Statistics
	s.Fit(d)
	given := map[string]int64{}
	for i := range 40 {
		session := fmt.Sprint("ses_", i)
		finished := Finished{Status: SessionCompleted, Points: 5}
		for _, stage := range d.For(session).Stages {
			part := FinishedStage{ID: stage.ID, Status: StageCompleted, Score: new(50.0)}
			for _, question := range stage.Questions {
				given[question.ID]++
				part.Questions = append(part.Questions, FinishedQuestion{ID: question.ID, Answer: &Answer{Number: new(1.0)},
					Points: question.Points})
			}
			finished.Stages = append(finished.Stages, part)
		}
		s.Add(d, finished)
		if i%4 == 0 {
			s.Remove(d, finished)
			s.Add(d, finished)
		}
	}
	for i, stage := range d.Stages {
		for j, question := range stage.Questions {
			if got := s.Stages[i].QuestionReached(stage, j); got != given[question.ID] ||
				s.Stages[i].Questions[j].Answered != got || s.Stages[i].Questions[j].Pairs.N != got {
				t.Errorf("%s was given to %d, and counted are %d: %+v", question.ID, given[question.ID], got,
					s.Stages[i].Questions[j])
			}
		}
	}
}

// A correction must leave points for the candidate for whom the fewest are drawn.
func TestRemainingFaultsOfAPool(t *testing.T) {
	t.Parallel()
	d := withPool(4, 2)
	d.Stages = d.Stages[1:]
	d.Stages[0].Gate = &Gate{Required: true, MinScore: 10}
	d.Stages[0].Questions = d.Stages[0].Questions[1:]
	var corrections []Correction
	for i, question := range d.Stages[0].Questions {
		corrections = append(corrections, Correction{QuestionID: question.ID, Action: Exclude, Policy: Exact})
		faults := Scoring{Definition: d, Corrections: corrections}.RemainingFaults()
		if refused := len(faults) > 0; refused != (i >= 1) { // with two excluded questions, a candidate can get both
			t.Errorf("with %d excluded questions: %v", i+1, faults)
		}
	}
}

// BenchmarkFor draws from the largest pool that an assessment can have.
func BenchmarkFor(b *testing.B) {
	for name, d := range map[string]Definition{"none": {Stages: withPool(1).Stages}, "pool of 490": withPool(490, 20)} {
		b.Run(name, func(b *testing.B) {
			for i := range b.N {
				d.For(fmt.Sprint("ses_", i))
			}
		})
	}
}
