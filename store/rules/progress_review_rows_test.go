package rules

// reviewRows are the cases of TestReview.
func reviewRows(required, reported, review, lenient *Gate) []reviewRow {
	const open = "IN_PROGRESS - closed=- points=- score=- passed=-"
	const held = "IN_REVIEW - closed=- points=- score=- passed=-"
	two := func(gate *Gate) []Stage { return []Stage{judged("s1", 0, gate), judged("s2", 5, nil)} }
	return []reviewRow{
		{
			name: "a session ends when its last answer has a grade", stages: []Stage{judged("s1", 0, nil)}, written: "s1t",
			events: []event{{"submit", 5}, {"expire", 1e6}}, want: []string{held, "s1 IN_REVIEW 0..5 due=- score=- gate=-"},
			review: `since=5 at="" end=SUBMITTED ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "it ends at the time of the answers", stages: []Stage{judged("s1", 0, nil)}, written: "s1t", correct: "s1",
			events: []event{{"submit", 5}, {"grade:s1t:0.5", 90}},
			want: []string{"COMPLETED SUBMITTED closed=5 points=1.5 score=75 passed=true",
				"s1 COMPLETED 0..5 due=- score=75 gate=-"},
			review: `decided=90 ruling="" grades=[] by=RULE`,
		},
		{
			name: "a blank answer needs nobody", stages: []Stage{judged("s1", 0, nil)}, correct: "s1",
			events: []event{{"submit", 5}},
			want: []string{"COMPLETED SUBMITTED closed=5 points=1 score=50 passed=true",
				"s1 COMPLETED 0..5 due=- score=50 gate=-"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "a correction ends the wait", stages: []Stage{judged("s1", 0, nil)}, written: "s1t",
			events: []event{{"submit", 5}, {"full:s1t", 9}},
			want: []string{"COMPLETED SUBMITTED closed=5 points=1 score=50 passed=true",
				"s1 COMPLETED 0..5 due=- score=50 gate=-"},
			review: `decided=9 ruling="" grades=[] by=RULE`,
		},
		{
			name: "a gate that passes without grades does not wait", stages: two(lenient), written: "s1t", correct: "s1",
			events: []event{{"submit", 5}},
			want:   []string{open, "s1 IN_REVIEW 0..5 due=- score=- gate=true", "s2 READY -..- due=- score=- gate=-"},
			review: `ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "a required gate that no grade can pass", stages: two(required), written: "s1t",
			events: []event{{"submit", 5}},
			want: []string{"DISQUALIFIED STAGE_GATE closed=5 points=0 score=0 passed=false",
				"s1 FAILED 0..5 due=- score=0 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "a required gate waits for grades, and no clock runs", stages: two(required), limit: 60, written: "s1t",
			correct: "s1", events: []event{{"submit", 5}, {"start", 6}, {"extend", 7}, {"expire", 1e6}},
			want:   []string{held, "s1 IN_REVIEW 0..5 due=60 score=- gate=-", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=5 at="s1" ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "the candidate goes on with the time that was left", stages: two(required), limit: 60, written: "s1t",
			correct: "s1", events: []event{{"submit", 5}, {"grade:s1t:0.2", 1005}, {"start", 1050}, {"expire", 1056}},
			want: []string{"COMPLETED TIME_EXPIRED closed=1055 points=1.2 score=30 passed=false",
				"s1 PASSED 0..5 due=60 score=60 gate=true", "s2 COMPLETED 1050..1055 due=1055 score=0 gate=-"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "the session's deadline moves by the review", stages: two(required), limit: 60, written: "s1t", correct: "s1",
			events: []event{{"submit", 5}, {"grade:s1t:1", 1005}, {"expire", 1060.4}, {"start", 1060.1}},
			want: []string{"COMPLETED TIME_EXPIRED closed=1060 points=2 score=50 passed=true",
				"s1 PASSED 0..5 due=60 score=100 gate=true", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "grades fail a required gate", stages: two(required), written: "s1t", correct: "s1",
			events: []event{{"submit", 5}, {"grade:s1t:0.1", 90}},
			want: []string{"DISQUALIFIED STAGE_GATE closed=5 points=1.1 score=27.5 passed=false",
				"s1 FAILED 0..5 due=- score=55 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `decided=90 ruling="" grades=[] by=RULE`,
		},
		{
			name: "a reported gate does not hold the session", stages: two(reported), written: "s1t", correct: "s1",
			events: []event{{"submit", 5}},
			want:   []string{open, "s1 IN_REVIEW 0..5 due=- score=- gate=-", "s2 READY -..- due=- score=- gate=-"},
			review: `ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "a grade of a session in progress", stages: two(reported), written: "s1t", correct: "s1",
			events: []event{{"submit", 5}, {"grade:s1t:0.1", 90}},
			want:   []string{open, "s1 FAILED 0..5 due=- score=55 gate=false", "s2 READY -..- due=- score=- gate=-"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "a failed review waits for a ruling", stages: two(review), events: []event{{"submit", 5}, {"expire", 1e6}},
			want:   []string{held, "s1 IN_REVIEW 0..5 due=- score=0 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=5 at="s1" ruling="s1" grades=[] by=RULE`,
		},
		{
			name: "a review waits for grades before a ruling", stages: two(review), correct: "s1", written: "s1t",
			events: []event{{"submit", 5}, {"pass:s1", 6}},
			want:   []string{held, "s1 IN_REVIEW 0..5 due=- score=- gate=-", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=5 at="s1" ruling="" grades=[s1t] by=PERSON`,
		},
		{
			name: "a person lets the candidate pass", stages: two(review), events: []event{{"submit", 5}, {"pass:s1", 50}},
			want:   []string{open, "s1 FAILED 0..5 due=- score=0 gate=false", "s2 READY -..- due=- score=- gate=-"},
			review: `ruling="" grades=[] by=PERSON`,
		},
		{
			name: "a person stops the candidate", stages: two(review), events: []event{{"submit", 5}, {"stop:s1", 50}},
			want: []string{"DISQUALIFIED STAGE_GATE closed=5 points=0 score=0 passed=false",
				"s1 FAILED 0..5 due=- score=0 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `decided=50 ruling="" grades=[] by=PERSON`,
		},
		{
			name: "a reopened stage is decided again", stages: two(review),
			events: []event{{"submit", 5}, {"stop:s1", 50}, {"reopen:0", 60}, {"submit", 65}},
			want:   []string{held, "s1 IN_REVIEW 0..65 due=70 score=0 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=65 at="s1" ruling="s1" grades=[] by=RULE`,
		},
		{
			name: "the last stage waits for a ruling, then for an earlier grade", written: "s1t",
			stages: []Stage{judged("s1", 0, nil), judged("s2", 0, review)},
			events: []event{{"submit", 5}, {"submit", 6}, {"pass:s2", 50}},
			want:   []string{held, "s1 IN_REVIEW 0..5 due=- score=- gate=-", "s2 FAILED 5..6 due=- score=0 gate=false"},
			review: `since=6 at="" end=SUBMITTED ruling="" grades=[s1t] by=PERSON`,
		},
		{
			name: "the last grade ends it", written: "s1t", stages: []Stage{judged("s1", 0, nil), judged("s2", 0, review)},
			events: []event{{"submit", 5}, {"submit", 6}, {"pass:s2", 50}, {"grade:s1t:1", 51}},
			want: []string{"COMPLETED SUBMITTED closed=6 points=1 score=25 passed=false",
				"s1 COMPLETED 0..5 due=- score=50 gate=-", "s2 FAILED 5..6 due=- score=0 gate=false"},
			review: `decided=51 ruling="" grades=[] by=PERSON`,
		},
		{
			name: "the session's deadline passes while a stage is ready", limit: 60, written: "s1t", stages: two(nil),
			events: []event{{"submit", 5}, {"expire", 61}},
			want:   []string{held, "s1 IN_REVIEW 0..5 due=60 score=- gate=-", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=60 at="" end=TIME_EXPIRED ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "no time is left after the session's deadline", limit: 60, written: "s1t", correct: "s1",
			stages: two(required), events: []event{{"expire", 61}, {"grade:s1t:1", 100}},
			want: []string{"COMPLETED TIME_EXPIRED closed=60 points=2 score=50 passed=true",
				"s1 PASSED 0..60 due=60 score=100 gate=true", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `decided=100 ruling="" grades=[] by=RULE`,
		},
		{
			name: "an abandoned session waits for grades", written: "s1t", stages: two(nil), events: []event{{"expire", 43200}},
			want:   []string{held, "s1 IN_REVIEW 0..43200 due=- score=- gate=-", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `since=43200 at="" end=ABANDONED ruling="" grades=[s1t] by=RULE`,
		},
		{
			name: "ungraded answers of a disqualified candidate give nothing", written: "s1t",
			stages: []Stage{judged("s1", 0, reported), judged("s2", 0, required)}, events: []event{{"submit", 5}, {"submit", 6}},
			want: []string{"DISQUALIFIED STAGE_GATE closed=6 points=0 score=0 passed=false",
				"s1 FAILED 0..5 due=- score=0 gate=false", "s2 FAILED 5..6 due=- score=0 gate=false"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "a grade after the end", written: "s1t",
			stages: []Stage{judged("s1", 0, reported), judged("s2", 0, required)},
			events: []event{{"submit", 5}, {"submit", 6}, {"grade:s1t:1", 7}},
			want: []string{"DISQUALIFIED STAGE_GATE closed=6 points=1 score=25 passed=false",
				"s1 FAILED 0..5 due=- score=50 gate=false", "s2 FAILED 5..6 due=- score=0 gate=false"},
			review: `ruling="" grades=[] by=RULE`,
		},
		{
			name: "a cancelled review", stages: two(review), events: []event{{"submit", 5}, {"cancel", 6}, {"pass:s1", 7}},
			want: []string{"CANCELLED CANCELLED closed=- points=- score=- passed=-",
				"s1 IN_REVIEW 0..5 due=- score=0 gate=false", "s2 NOT_REACHED -..- due=- score=- gate=-"},
			review: `ruling="" grades=[] by=PERSON`,
		},
	}
}
