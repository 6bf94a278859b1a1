package contract

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// The code book explains each column of the matrix once, and each option of a question.
func TestCodeBook(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		id := o.publish(everyType())
		file := a.do("GET", "/v1/assessments/"+id+"/responses/code-book", o.owner, nil).want(200)
		if got := file.header.Get("Content-Disposition"); got != `attachment; filename="code-book.csv"` {
			t.Errorf("Content-Disposition %s", got)
		}
		rows := file.csv()
		public := a.do("GET", "/v1/public/assessments/"+id+"/responses/code-book", o.key("results:read"), nil).want(200).csv()
		for i, row := range rows {
			want := slices.Concat(row[:9], []string{"", ""}) // an API key does not see the answer keys
			if i > 0 && !slices.Equal(public[i], want) {
				t.Errorf("the API key gets %q, want %q", public[i], want)
			}
		}
		if want := []string{"column", "description", "stage", "question", "questionId", "type", "maxPoints", "optionId",
			"text", "correct", "points"}; !slices.Equal(rows[0], want) {
			t.Fatalf("the columns are %q", rows[0])
		}
		var columns, options []string
		for _, row := range rows[1:] {
			if row[1] == "" {
				t.Errorf("%q has no description", row)
			}
			if row[7] == "" {
				columns = append(columns, row[0])
			} else {
				options = append(options, strings.Join(append([]string{row[0]}, row[7:]...), " "))
			}
		}
		matrix := a.do("GET", "/v1/assessments/"+id+"/responses/export", o.owner, nil).want(200).csv()
		if !slices.Equal(columns, matrix[0]) || len(matrix) != 1 {
			t.Errorf("the code book has %q, the matrix %q", columns, matrix)
		}
		if want := []string{"s1q1_choice a '+A TRUE 2", "s1q1_choice '-b B FALSE 0", "s2q1_choice x X TRUE ",
			"s2q1_choice y Y TRUE ", "s2q1_choice '-z Z FALSE "}; !slices.Equal(options, want) {
			t.Errorf("the options are %q", options)
		}
		questionID := a.do("GET", "/v1/assessments/"+id, o.owner, nil).want(200).text("data.stages.0.questions.0.id")
		row := rows[1+slices.Index(columns, "s1q1_points")]
		if want := []string{"1", "1", questionID, "SINGLE_CHOICE", "2", "", "'=First?", "", ""}; !slices.Equal(row[2:], want) {
			t.Errorf("the line of the question is %q", row)
		}
	})
}

// A draft has a header and no sessions. For an API key it does not exist.
func TestResponsesOfADraft(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		key, id := o.key("results:read"), a.do("POST", "/v1/assessments", o.owner, everyType()).want(201).text("data.id")
		for _, part := range []string{"/responses/export", "/responses/code-book"} {
			if rows := a.do("GET", "/v1/assessments/"+id+part, o.owner, nil).want(200).csv(); len(rows[0]) < 11 {
				t.Errorf("%s has the columns %q", part, rows[0])
			}
			a.do("GET", "/v1/public/assessments/"+id+part, key, nil).want(404, "not_found")
		}
	})
}

// Members read the matrix of the assessments that they see, and API keys need the scope. Each export has an entry in the
// audit log that names the person or the key.
func TestResponsesReaders(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o, other := a.register(), a.register()
		id, hidden := o.publish(everyType()), o.publish(everyType())
		limited := o.member("MEMBER")
		a.do("PATCH", "/v1/members/"+limited.id, o.owner, object{"role": "MEMBER", "assessmentIds": []string{id}}).want(200)
		reviewer := o.member("REVIEWER")
		key := o.key("results:read")
		for _, part := range []string{"/responses/export", "/responses/code-book"} {
			own, unknown := "/v1/assessments/"+id+part, "/v1/assessments/"+a.store.NewID("asm")+part
			for _, role := range []string{"ADMIN", "EDITOR", "MEMBER"} {
				a.do("GET", own, o.member(role).who, nil).want(200)
			}
			a.do("GET", own, reviewer.who, nil).want(403, "insufficient_role")
			a.do("GET", own, limited.who, nil).want(200)
			wantSame(t, a.do("GET", "/v1/assessments/"+hidden+part, limited.who, nil).want(404),
				a.do("GET", unknown, limited.who, nil).want(404))
			wantSame(t, a.do("GET", own, other.owner, nil).want(404), a.do("GET", unknown, other.owner, nil).want(404))
			public := "/v1/public/assessments/" + id + part
			a.do("GET", public, key, nil).want(200)
			a.do("GET", public, o.key("assessments:read", "candidates:read"), nil).want(403, "insufficient_scope")
			wantSame(t, a.do("GET", public, other.key("results:read"), nil).want(404),
				a.do("GET", "/v1/public"+strings.TrimPrefix(unknown, "/v1"), other.key("results:read"), nil).want(404))
		}
		entries := a.do("GET", "/v1/audit-log?action=RESPONSES_EXPORTED&resourceId="+id, o.owner, nil).want(200)
		if n := len(entries.list("data")); n != 5 {
			t.Errorf("%d entries, want 3 of members, 1 of the limited member, and 1 of the key: %s", n, entries.body)
		}
		entries.wantFields(object{"data.0.actor.type": "API_KEY", "data.0.actor.name": "test", "data.1.actor.id": limited.id})
	})
}

// alphaScript prints alpha of the points of completed sessions (Cronbach 1951), their number, the class of the column
// passed, and whether the code book has each column once.
const alphaScript = `
files <- commandArgs(trailingOnly = TRUE)
matrix <- read.csv(files[1], encoding = "UTF-8")
book <- read.csv(files[2], encoding = "UTF-8")
completed <- matrix[matrix$status == "COMPLETED", ]
points <- completed[grep("_points$", names(completed))]
points[is.na(points)] <- 0
k <- ncol(points)
alpha <- k / (k - 1) * (1 - sum(sapply(points, var)) / var(rowSums(points)))
columns <- book$column[is.na(book$optionId) | book$optionId == ""]
cat(sprintf("%.4f %d %s %s", alpha, nrow(completed), class(completed$passed), identical(columns, names(matrix))))
`

// R reads the files, and computes the reliability that the statistics have.
func TestResponsesInR(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		o := a.register()
		question := func(points int, extra object) object {
			extra["prompt"], extra["points"] = fmt.Sprintf("=%d, \"quoted\"?\nÜber", points), points
			return extra
		}
		id := o.publish(object{"title": "Read by R", "passingScore": 50, "stages": []any{object{
			"title": "Only", "questions": []any{
				question(1, object{"type": "NUMERIC", "answer": -1}),
				question(2, object{"type": "NUMERIC", "answer": -1}),
				question(3, object{"type": "NUMERIC", "answer": -1}),
				question(2, object{"type": "MULTIPLE_CHOICE", "partialCredit": true, "correctOptionIds": []any{"a", "b", "c"},
					"options": []any{object{"id": "a", "text": "1"}, object{"id": "b", "text": "2"}, object{"id": "c", "text": "3"}}}),
			},
		}}})
		const sessions = 14
		for i := range sessions {
			answer := func(right bool) object { return object{"number": map[bool]float64{true: -1, false: -7.5}[right]} }
			o.takeWith(o.invite(id), []object{
				answer(i > 2), answer(i > 5 || i == 1), nil, {"optionIds": []any{"a", "b", "c"}[:i/5+1]},
			})
		}
		cells, order := o.matrix(id, "")
		want := fmt.Sprintf("%.4f", alphaOf(t, order, cells))
		folder := t.TempDir()
		for name, part := range map[string]string{"matrix.csv": "export", "book.csv": "code-book"} {
			file := a.do("GET", "/v1/assessments/"+id+"/responses/"+part, o.owner, nil).want(200)
			if err := os.WriteFile(filepath.Join(folder, name), file.body, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := exec.LookPath("Rscript"); err != nil {
			t.Log("R is not on this machine, so only Go has read the files")
			return
		}
		said, err := exec.CommandContext(t.Context(), "Rscript", "--vanilla", "-e", alphaScript,
			filepath.Join(folder, "matrix.csv"), filepath.Join(folder, "book.csv")).CombinedOutput()
		if want := fmt.Sprintf("%s %d logical TRUE", want, sessions); err != nil || string(said) != want {
			t.Errorf("R says %q, want %q, error %v", said, want, err)
		}
	})
}

// alphaOf is alpha of the points of four questions in a matrix of completed sessions.
func alphaOf(t *testing.T, order []string, cells map[string]map[string]string) float64 {
	t.Helper()
	variance := func(values []float64) (variance float64) {
		mean := 0.0
		for _, value := range values {
			mean += value / float64(len(values))
		}
		for _, value := range values {
			variance += math.Pow(value-mean, 2) / float64(len(values)-1)
		}
		return variance
	}
	const questions = 4
	totals, sum := make([]float64, len(order)), 0.0
	for j := 1; j <= questions; j++ {
		points := make([]float64, len(order))
		for i, session := range order {
			var err error
			if points[i], err = strconv.ParseFloat(cells[session][fmt.Sprintf("s1q%d_points", j)], 64); err != nil {
				t.Fatal(err)
			}
			totals[i] += points[i]
		}
		sum += variance(points)
	}
	return questions / (questions - 1.0) * (1 - sum/variance(totals))
}
