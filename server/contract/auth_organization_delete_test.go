package contract

import (
	"slices"
	"testing"
	"time"

	"assay/store/storetest"
)

// The OWNER of an organization without other people and candidates deletes it, and can then be invited elsewhere. All
// its data are erased.
func TestDeleteOrganization(t *testing.T) {
	onReplicas(t, func(t *testing.T, a, b *api) {
		employer, o := a.register(), b.register()
		member := o.member("ADMIN")
		a.outbox().send()
		o.publish(twoStages())
		key, draft := o.key(), a.do("POST", "/v1/assessments", o.owner, oneQuestion()).want(201).text("data.id")
		b.do("POST", "/v1/assessments/"+draft+"/preview", o.owner, nil).want(201)
		a.do("POST", "/v1/webhooks", o.owner, object{"url": hookURL, "events": []any{"assessment.published"}}).want(201)
		o.publish(oneQuestion())

		remove := func(who credential) response { return a.do("DELETE", "/v1/organization", who, nil) }
		remove(member.who).want(403, "insufficient_role")
		remove(o.owner).want(409, "organization_not_empty")
		a.remove(o.owner, member.id).want(204)
		invited := o.add("MEMBER").text("data.id")
		remove(o.owner).want(409, "organization_not_empty")
		a.remove(o.owner, invited).want(204)
		remove(o.owner).want(204)

		a.clock.Advance(time.Second)
		for _, replica := range []*api{a, b} {
			replica.wantRejected(signedIn{access: o.access, refresh: o.refresh})
			replica.do("GET", "/v1/public/assessments", key, nil).want(401, "unauthenticated")
			if replica.canSignIn(o.email, testPassword) {
				t.Error("the owner of a deleted organization signs in")
			}
		}
		emailed, _ := employer.invitationTo(o.email)
		a.accept(emailed, otherPassword).want(200)
		if more, err := a.store.UnscopedEraseOrganizations(t.Context()); more || err != nil {
			t.Fatalf("an organization is erased while requests can still write: %t, %v", more, err)
		}
		a.clock.Advance(time.Minute)
		a.wantErased(o)
		for _, replica := range []*api{a, b} { // entries of refusals, which were not written yet
			replica.do("GET", "/v1/audit-log", employer.owner, nil).want(200)
		}
		if rows := storetest.CountWhere(t, a.database, "audit_log", "organization_id", o.organizationID); rows > 0 {
			t.Errorf("the audit log has %d entries after the erasure", rows)
		}
		a.me(employer.access).want(200)
	}, sendsEmail)
}

// An organization with a candidate is not deleted.
func TestOrganizationWithCandidateStays(t *testing.T) {
	onAny(t, func(t *testing.T, a *api) {
		o := a.register()
		o.invite(o.publish(oneQuestion())).want(201)
		a.do("DELETE", "/v1/organization", o.owner, nil).want(409, "organization_not_empty")
		a.me(o.access).want(200)
	})
}

// The data of an organization whose only member an invitation has displaced are erased after 30 days, with everything
// that an organization can have.
func TestDisplacedOrganizationIsErased(t *testing.T) {
	storetest.Each(t, func(t *testing.T, database string) {
		clock, url := storetest.NewClock(), storetest.URL(t, database)
		quiet := serve(t, storetest.OpenURL(t, url, clock.Now), clock) // so that the squatter can invite
		a := serve(t, storetest.OpenURL(t, url, clock.Now, sendsEmail), clock)
		a.database = url
		employer, squatter := a.register(), quiet.estate()
		for _, id := range squatter.of("members") {
			quiet.remove(squatter.owner, id).want(204)
		}
		emailed, _ := employer.invitationTo(squatter.email)
		a.accept(emailed, otherPassword).want(200)
		if more, err := a.store.UnscopedEraseOrganizations(t.Context()); more || err != nil {
			t.Fatalf("an organization is erased at once: %t, %v", more, err)
		}
		clock.Advance(30 * 24 * time.Hour)
		a.wantErased(squatter.tenant)
	})
}

// wantErased runs the job, and looks for rows of the organization in every table with the column organization_id.
func (a *api) wantErased(o *tenant) {
	a.t.Helper()
	if more, err := a.store.UnscopedEraseOrganizations(a.t.Context()); !more || err != nil {
		a.t.Fatalf("nothing is erased: %t, %v", more, err)
	}
	// These rows contain ids only, and end by themselves.
	ending := []string{"emails", "ended_invitations"}
	tables := storetest.TablesWith(a.t, a.database, "organization_id")
	if len(tables) < 50 {
		a.t.Fatalf("the database has only %d such tables: %v", len(tables), tables)
	}
	for _, table := range tables {
		rows := storetest.CountWhere(a.t, a.database, table, "organization_id", o.organizationID)
		if rows > 0 && !slices.Contains(ending, table) {
			a.t.Errorf("%s has %d rows of the erased organization", table, rows)
		}
	}
	if more, err := a.store.UnscopedEraseOrganizations(a.t.Context()); more || err != nil {
		a.t.Errorf("the organization is erased again: %t, %v", more, err)
	}
}
