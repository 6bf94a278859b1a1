package rules

import (
	"fmt"
	"slices"
	"testing"
)

func questionIDs(stage Stage) []string {
	var ids []string
	for _, question := range stage.Questions {
		ids = append(ids, question.ID)
	}
	return ids
}

func optionIDs(question Question) []string {
	var ids []string
	for _, option := range question.Options {
		ids = append(ids, option.ID)
	}
	return ids
}

// Half of the sessions see each of two questions first, and each order of three
// options occurs equally often.
func TestShuffledOrdersAreEquallyFrequent(t *testing.T) {
	t.Parallel()
	const sessions = 6000
	stage := pharmacist().Stages[0]
	questions, options := map[string]int{}, map[string]int{}
	for i := range sessions {
		shuffled := stage.Shuffled(fmt.Sprintf("ses_%d", i), true, true)
		questions[fmt.Sprint(questionIDs(shuffled))]++
		for _, question := range shuffled.Questions {
			if question.ID == "qst_1" {
				options[fmt.Sprint(optionIDs(question))]++
			}
		}
	}
	for _, counted := range []struct {
		orders int
		times  map[string]int
	}{{2, questions}, {6, options}} {
		if len(counted.times) != counted.orders {
			t.Errorf("there are %d orders, want %d: %v", len(counted.times), counted.orders, counted.times)
		}
		for order, times := range counted.times {
			if want := sessions / counted.orders; times < want*8/10 || times > want*12/10 {
				t.Errorf("the order %s occurs %d times, want about %d", order, times, want)
			}
		}
	}
}

// The expected order is part of the contract with running sessions: a change of the
// algorithm would change the order that their candidates see.
func TestShuffledOrderNeverChanges(t *testing.T) {
	t.Parallel()
	stage := Stage{Questions: []Question{
		{ID: "qst_1", Options: choices(5)}, {ID: "qst_2"}, {ID: "qst_3"}, {ID: "qst_4"}, {ID: "qst_5"},
	}}
	shuffled := stage.Shuffled("ses_1", true, true)
	if got := fmt.Sprint(questionIDs(shuffled)); got != shuffledQuestions {
		t.Errorf("the order of the questions is %s, want %s", got, shuffledQuestions)
	}
	first := shuffled.Questions[slices.Index(questionIDs(shuffled), "qst_1")]
	if got := fmt.Sprint(optionIDs(first)); got != shuffledOptions {
		t.Errorf("the order of the options is %s, want %s", got, shuffledOptions)
	}
	if other := stage.Shuffled("ses_2", true, true); slices.Equal(questionIDs(other), questionIDs(shuffled)) {
		t.Errorf("two sessions have the order %v", questionIDs(other))
	}
}

const (
	shuffledQuestions = "[qst_3 qst_1 qst_4 qst_2 qst_5]"
	shuffledOptions   = "[d c b e a]"
)

// Shuffling does not change the definition, which all sessions share.
func TestShuffledLeavesTheStageUnchanged(t *testing.T) {
	t.Parallel()
	r := seededRand(t)
	for range 200 {
		stage := randomDefinition(r).Stages[0]
		before := fmt.Sprintf("%+v", stage)
		for _, questions := range []bool{false, true} {
			for _, options := range []bool{false, true} {
				shuffled := stage.Shuffled("ses_1", questions, options)
				if after := fmt.Sprintf("%+v", stage); after != before {
					t.Fatalf("the stage was\n%s\nand is\n%s", before, after)
				}
				checkShuffled(t, stage, shuffled, questions, options)
			}
		}
	}
}

func checkShuffled(t *testing.T, stage, shuffled Stage, questions, options bool) {
	t.Helper()
	if !questions && !slices.Equal(questionIDs(stage), questionIDs(shuffled)) {
		t.Fatalf("the questions were shuffled: %v", questionIDs(shuffled))
	}
	for _, question := range shuffled.Questions {
		i := slices.Index(questionIDs(stage), question.ID)
		if i < 0 {
			t.Fatalf("%s is not a question of the stage", question.ID)
		}
		before, after := optionIDs(stage.Questions[i]), optionIDs(question)
		if !options && !slices.Equal(before, after) {
			t.Fatalf("the options were shuffled: %v", after)
		}
		slices.Sort(before)
		slices.Sort(after)
		if !slices.Equal(before, after) {
			t.Fatalf("the options were %v and are %v", before, after)
		}
	}
	if len(stage.Questions) != len(shuffled.Questions) {
		t.Fatalf("%d questions became %d", len(stage.Questions), len(shuffled.Questions))
	}
}
