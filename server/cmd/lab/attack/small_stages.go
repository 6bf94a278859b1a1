package attack

import (
	"context"
	"fmt"
	"strings"

	"assay/server/cmd/lab/rig"
)

// Ids that no assessment has.
const (
	unknownStage    = "stg_01m6dqscsj5kqa6jxwj7bzjp5q"
	unknownQuestion = "qst_01m6dqscsje17avengkepmsarv"
)

// laterStage asks each operation of a candidate for the next stage, and for one that
// does not exist. An answer of a wrong type must not show the type of a question either.
func (a *attack) laterStage(ctx context.Context, t *target, org *rig.Organization) error {
	candidate, err := org.Start(ctx, "impatient")
	if err != nil {
		return err
	}
	later, header := org.Stages[1], rig.Bearer(candidate.Token)
	text := later.Questions[3] // its right answer is a text
	var different []string
	requests := 0
	for _, content := range []rig.Object{rig.RightAnswers["SHORT_TEXT"], rig.RightAnswers["NUMERIC"]} {
		for _, operation := range []string{
			"PUT /answers/{id}", "DELETE /answers/{id}", "PUT /answers", "POST /stage/submit", "POST /stage/start",
		} {
			method, path, _ := strings.Cut(operation, " ")
			ask := func(stage, question string) (string, error) {
				target := "/v1/candidate/session" + strings.Replace(path, "{id}", question, 1)
				answer, err := t.api.Send(ctx, method, target, header, stageBody(operation, stage, question, content))
				return fmt.Sprint(answer.Status, " ", answer.Code()), err
			}
			of, err := ask(later.ID, text.ID)
			if err != nil {
				return err
			}
			unknown, err := ask(unknownStage, unknownQuestion)
			if err != nil {
				return err
			}
			requests++
			if of != unknown {
				different = append(different, fmt.Sprintf("%s: %s and %s", operation, of, unknown))
			}
		}
	}
	a.tried("operations on the next stage, and on one that does not exist, with answers of a right and a wrong type")
	a.check(len(different) == 0, ruleLaterStage, "%d of %d different: %s", len(different), requests,
		strings.Join(different, ", "))
	return nil
}

// stageBody is the body of an operation on a stage or a question.
func stageBody(operation, stage, question string, answer rig.Object) any {
	switch operation {
	case "PUT /answers":
		return rig.Object{"stageId": stage, "clientId": "page", "answers": []rig.Object{
			{"questionId": question, "answer": answer, "revision": 1, "seenRevision": 0},
		}}
	case "PUT /answers/{id}":
		return answer
	case "POST /stage/submit", "POST /stage/start":
		return rig.Object{"stageId": stage}
	}
	return nil
}
