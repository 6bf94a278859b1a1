package rules

import "testing"

// A stage with a limit waits for its start, and the session ends when the candidate does
// not return.
func TestStagesThatWait(t *testing.T) {
	t.Parallel()
	required, reported := &Gate{Required: true, MinScore: 60}, &Gate{MinScore: 60}
	testProgress(t, []progressRow{
		{
			name:   "nothing expires for 30 days without limits",
			stages: []Stage{stage("s1", 0, nil)},
			events: []event{{"expire", 43200 - 0.001}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 IN_PROGRESS 0..- due=- score=- gate=-",
			},
		},
		{
			name:  "the next stage waits after the deadline of the previous one",
			limit: 60, correct: "s1",
			stages: []Stage{stage("s1", 10, required), stage("s2", 20, nil)},
			events: []event{{"expire", 29}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 PASSED 0..10 due=10 score=100 gate=true",
				"s2 READY -..- due=- score=- gate=-",
			},
		},
		{
			name:  "a stage without a limit starts at the deadline of the previous one",
			limit: 60, correct: "s1",
			stages: []Stage{stage("s1", 10, nil), stage("s2", 0, nil)},
			events: []event{{"expire", 29}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 IN_PROGRESS 10..- due=60 score=- gate=-",
			},
		},
		{
			name:  "the clock of a stage runs from its start",
			limit: 60, correct: "s2", passing: new(30.0),
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, reported), stage("s3", 5, nil)},
			events: []event{{"start", 9}, {"expire", 12}, {"start", 15}, {"start", 16}, {"expire", 36}, {"start", 40},
				{"expire", 1e6}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=45 points=1 score=33.33 passed=true",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
				"s2 PASSED 15..35 due=35 score=100 gate=true",
				"s3 COMPLETED 40..45 due=45 score=0 gate=-",
			},
		},
		{
			name:  "the session's deadline passes while a stage is ready",
			limit: 60, correct: "s1 s2", passing: new(50.0),
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, required)},
			events: []event{{"expire", 60.499}, {"expire", 60.5}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=60 points=1 score=50 passed=true",
				"s1 COMPLETED 0..10 due=10 score=100 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "a stage cannot start in the grace period of the session",
			limit:  60,
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, nil)},
			events: []event{{"submit", 5}, {"start", 60}, {"start", 60.1}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=60 points=0 score=0 passed=-",
				"s1 COMPLETED 0..5 due=10 score=0 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "a stage that is ready cannot be submitted",
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, nil)},
			events: []event{{"submit", 5}, {"submit", 6}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..5 due=10 score=0 gate=-",
				"s2 READY -..- due=- score=- gate=-",
			},
		},
		{
			name:    "the session is abandoned in a stage",
			correct: "s1", passing: new(50.0),
			stages: []Stage{stage("s1", 0, reported), stage("s2", 5, nil)},
			events: []event{{"save", 7}, {"save", 6}, {"expire", 43206.999}, {"expire", 1e6}},
			want: []string{
				"COMPLETED ABANDONED closed=43207 points=1 score=50 passed=true",
				"s1 PASSED 0..43207 due=- score=100 gate=true",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "a required gate applies to the stage that was abandoned",
			stages: []Stage{stage("s1", 0, required)},
			events: []event{{"expire", 43200}},
			want: []string{
				"DISQUALIFIED STAGE_GATE closed=43200 points=0 score=0 passed=-",
				"s1 FAILED 0..43200 due=- score=0 gate=false",
			},
		},
		{
			name:    "the session is abandoned while a stage is ready",
			correct: "s1 s2", passing: new(50.0),
			stages: []Stage{stage("s1", 10, nil), stage("s2", 20, required)},
			events: []event{{"submit", 8}, {"expire", 43207.999}, {"expire", 1e6}},
			want: []string{
				"COMPLETED ABANDONED closed=43208 points=1 score=50 passed=true",
				"s1 COMPLETED 0..8 due=10 score=100 gate=-",
				"s2 NOT_REACHED -..- due=- score=- gate=-",
			},
		},
		{
			name:   "a stage with a limit of more than 30 days is not abandoned",
			extra:  400,
			stages: []Stage{stage("s1", 10080, nil), stage("s2", 0, nil)},
			events: []event{{"expire", 50400}, {"expire", 50400.5}},
			want: []string{
				"COMPLETED ABANDONED closed=50400 points=0 score=0 passed=-",
				"s1 COMPLETED 0..50400 due=50400 score=0 gate=-",
				"s2 COMPLETED 50400..50400 due=- score=0 gate=-",
			},
		},
	})
}

func TestExtend(t *testing.T) {
	t.Parallel()
	testProgress(t, []progressRow{
		{
			name:   "an extension lengthens the session and the current stage only",
			limit:  60,
			stages: []Stage{stage("s1", 10, nil), stage("s2", 5, nil), stage("s3", 0, nil)},
			events: []event{{"extend", 1}, {"submit", 12}, {"start", 15}, {"submit", 16}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..12 due=20 score=0 gate=-",
				"s2 COMPLETED 15..16 due=20 score=0 gate=-",
				"s3 IN_PROGRESS 16..- due=70 score=- gate=-",
			},
		},
		{
			name:   "an extension during the grace period",
			limit:  10,
			stages: []Stage{stage("s1", 30, nil)},
			events: []event{{"extend", 10.25}, {"submit", 19}},
			want: []string{
				"COMPLETED SUBMITTED closed=19 points=0 score=0 passed=-",
				"s1 COMPLETED 0..19 due=20 score=0 gate=-",
			},
		},
		{
			name:   "an extension while a stage is ready lengthens the session only",
			limit:  10,
			stages: []Stage{stage("s1", 0, nil), stage("s2", 3, nil)},
			events: []event{{"submit", 1}, {"extend", 2}, {"start", 12}},
			want: []string{
				"IN_PROGRESS - closed=- points=- score=- passed=-",
				"s1 COMPLETED 0..1 due=10 score=0 gate=-",
				"s2 IN_PROGRESS 12..- due=15 score=- gate=-",
			},
		},
		{
			name:   "an extension after the end",
			limit:  10,
			stages: []Stage{stage("s1", 0, nil)},
			events: []event{{"extend", 10.5}},
			want: []string{
				"COMPLETED TIME_EXPIRED closed=10 points=0 score=0 passed=-",
				"s1 COMPLETED 0..10 due=10 score=0 gate=-",
			},
		},
	})
}

// Extend reports whether there was a deadline to lengthen, and changes no copy.
func TestExtendReportsWhetherSomethingHasADeadline(t *testing.T) {
	t.Parallel()
	d := Definition{Stages: []Stage{stage("s1", 0, nil), stage("s2", 5, nil)}}
	p := StartProgress(d, Limits{}, minute(0))
	if p.Extend(10) {
		t.Error("a session without limits was extended")
	}
	p.Submit(Scoring{Definition: d}, minute(1))
	if p.Extend(10) {
		t.Error("a session without a limit was extended while its second stage is ready")
	}
	p.StartStage(Scoring{Definition: d}, minute(2))
	before := p
	if !p.Extend(10) || !p.Stages[1].DeadlineAt.Equal(minute(17)) || !before.Stages[1].DeadlineAt.Equal(minute(7)) {
		t.Errorf("the second stage: %v, before %v", p.Stages[1].DeadlineAt, before.Stages[1].DeadlineAt)
	}
	p.Submit(Scoring{Definition: d}, minute(3))
	if p.Extend(10) {
		t.Error("a finished session was extended")
	}
}
