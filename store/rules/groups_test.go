package rules

import (
	"maps"
	"slices"
	"testing"
)

func TestShownGroups(t *testing.T) {
	t.Parallel()
	for name, test := range map[string]struct {
		counts   map[string]int64
		finished int64
		want     []string
	}{
		"nobody":                            {map[string]int64{}, 50, nil},
		"nine":                              {map[string]int64{"a": 9}, 9, nil},
		"ten":                               {map[string]int64{"a": 10}, 10, []string{"a"}},
		"all shown":                         {map[string]int64{"a": 10, "b": 30}, 40, []string{"a", "b"}},
		"few without an answer":             {map[string]int64{"a": 10, "b": 30}, 43, []string{"a", "b"}},
		"small group, found by subtraction": {map[string]int64{"a": 10, "b": 30, "c": 4}, 44, []string{"b"}},
		"small group, nine others":          {map[string]int64{"a": 10, "b": 30, "c": 4}, 49, []string{"b"}},
		"small group, ten others":           {map[string]int64{"a": 10, "b": 30, "c": 4}, 50, []string{"a", "b"}},
		"two small groups":                  {map[string]int64{"a": 20, "c": 4, "d": 6}, 30, []string{"a"}},
		"equal groups":                      {map[string]int64{"a": 12, "b": 12, "c": 1}, 25, []string{"b"}},
		"the only shown group":              {map[string]int64{"a": 12, "c": 1}, 13, nil},
		"statistics behind the answers":     {map[string]int64{"a": 10, "b": 30, "c": 4}, 20, []string{"b"}},
	} {
		groups := map[string]GroupTally{}
		for id, count := range test.counts {
			groups[id] = GroupTally{Count: count}
		}
		if got := slices.Sorted(maps.Keys(ShownGroups(groups, test.finished))); !slices.Equal(got, test.want) {
			t.Errorf("%s: %v, want %v", name, got, test.want)
		}
	}
}

// What is shown never leaves a rest of one to nine sessions that contains a hidden group.
func TestShownGroupsHideTheRest(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 20_000 {
		groups, finished := map[string]GroupTally{}, int64(r.IntN(25))
		for _, id := range []string{"a", "b", "c", "d"}[:1+r.IntN(4)] {
			groups[id] = GroupTally{Count: int64(r.IntN(16))}
			finished += groups[id].Count
		}
		shown, rest, hidden := ShownGroups(groups, finished), finished, false
		for id, group := range groups {
			if _, isShown := shown[id]; isShown {
				rest -= group.Count
			} else if group.Count > 0 {
				hidden = true
			}
			if _, isShown := shown[id]; isShown && group.Count < MinGroup {
				t.Errorf("%v of %d: %s is shown", groups, finished, id)
			}
		}
		if len(shown) > 0 && hidden && rest < MinGroup {
			t.Fatalf("%v of %d: %v are shown", groups, finished, shown)
		}
	}
}

// A group with ten candidates can have the score of only one, which is not shown.
func TestGroupMean(t *testing.T) {
	t.Parallel()
	var group GroupTally
	for i := range MinGroup {
		if mean := ShownGroups(map[string]GroupTally{"a": group}, 100)["a"].Mean(); mean != nil {
			t.Errorf("the mean of %d scores is %v", i, *mean)
		}
		disqualified := group.Add(SessionDisqualified, new(false), nil)
		if completed := group.Add(SessionCompleted, new(i < 3), new(60.0+float64(i))); !disqualified || !completed {
			t.Error("a finished session is not counted")
		}
	}
	for _, status := range SessionStatuses() {
		if status != SessionCompleted && status != SessionDisqualified && group.Add(status, nil, nil) {
			t.Errorf("a session is counted in the status %s", status)
		}
	}
	shown := ShownGroups(map[string]GroupTally{"a": group}, 100)["a"]
	if mean := shown.Mean(); mean == nil || *mean != 64.5 || shown.Outcome() != (PassCount{Passed: 3, Count: 20}) {
		t.Errorf("%+v has the mean %v", shown, mean)
	}
}

func TestImpactRatios(t *testing.T) {
	t.Parallel()
	ratios := ImpactRatios(map[string]GroupTally{
		"high": {Count: 100, Passed: 80}, "lower": {Count: 100, Passed: 40}, "same": {Count: 50, Passed: 40},
	})
	for id, want := range map[string]ImpactFinding{
		"high": HighestRate, "lower": BelowFourFifths, "same": ImpactUncertain,
	} {
		if got := ratios[id].Finding; got != want && (id != "same" || got != NotBelowFourFifths) {
			t.Errorf("%s: %s, want %s", id, got, want)
		}
	}
	if value := ratios["lower"].Value; value == nil || *value != 0.5 {
		t.Errorf("the ratio is %v", value)
	}
	if len(ImpactRatios(nil)) != 0 {
		t.Error("no groups have ratios")
	}
}
