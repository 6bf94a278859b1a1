package contract

import (
	"net/http"
	"strings"
	"testing"
)

// roleHolder is a credential with a role of openapi.yaml.
type roleHolder struct {
	role    string
	access  string
	limited bool // sees only some assessments
}

// people returns a person of each role, and a MEMBER who sees one assessment. They belong to the organization.
func (e estate) people() []roleHolder {
	e.api.t.Helper()
	people := []roleHolder{{role: "OWNER", access: e.tenant.member("OWNER").access}}
	for _, role := range []string{"ADMIN", "EDITOR", "MEMBER"} {
		people = append(people, roleHolder{role: role, access: e.tenant.member(role).access})
	}
	for _, role := range []string{"MEMBER", "REVIEWER"} {
		mine := e.limitedAs(role, e.of("assessments")[1])
		people = append(people, roleHolder{role: role, access: mine.access, limited: true})
	}
	return people
}

// forAllAssessments reports whether openapi.yaml keeps an operation from people who see only some assessments.
func forAllAssessments(t *testing.T, o described) bool {
	t.Helper()
	for method, operation := range contract().document.Paths.Value(o.path).Operations() {
		if method == o.method {
			only, _ := operation.Extensions["x-all-assessments"].(bool)
			return only
		}
	}
	t.Fatalf("openapi.yaml has no %s %s", o.method, o.path)
	return false
}

// Each operation of people permits exactly the roles of openapi.yaml. The requests name resources that do not exist, so
// that a permitted request changes little: each person sends it with a fresh sign-in.
func TestEveryOperationPermitsItsRoles(t *testing.T) {
	onEach(t, func(t *testing.T, a *api) {
		e := a.estate()
		for _, one := range e.people() {
			permitted, refused := 0, 0
			for _, o := range everyOperation(t) {
				if o.scheme != "bearerAuth" || len(o.roles) == 0 {
					continue
				}
				r := e.wellFormed(o, bearer(one.access))
				if strings.HasSuffix(o.path, "/confirm-email") || o.id == "changePassword" {
					continue // they count the attempts of a sign-in, and other tests have them
				}
				got := e.probe(o.id+" by "+one.role, r)
				lacks := got.status == http.StatusForbidden && got.code() == "insufficient_role"
				want := !o.isFor(one.role) || one.limited && forAllAssessments(t, o)
				if lacks != want {
					t.Errorf("%s by %s (limited: %v): %d %s, refused for the role: %v, want %v", o.id, one.role, one.limited,
						got.status, got.body, lacks, want)
				}
				if lacks {
					refused++
				} else {
					permitted++
				}
			}
			t.Logf("%-8s limited: %-5v permitted %3d, refused %3d", one.role, one.limited, permitted, refused)
			if permitted < 12 {
				t.Errorf("%s: only %d operations", one.role, permitted)
			}
		}
	}, sendsEmail)
}

// Each role can do everything that the next one can.
func TestRolesAreInOrder(t *testing.T) {
	t.Parallel()
	order := enumOf(t, "RoleInput")
	for _, o := range everyOperation(t) {
		for i, role := range order[1:] {
			if o.isFor(role) && !o.isFor(order[i]) {
				t.Errorf("%s is for %s and not for %s", o.id, role, order[i])
			}
		}
	}
}
