package store

import (
	"context"
	"encoding/json"
	"maps"
	"time"

	"assay/store/rules"
)

// differences returns the fields of the invite that differ from the candidate's live
// session. A field that is not given does not differ.
func (in Invite) differences(session CandidateSession) []rules.Fault {
	var faults []rules.Fault
	differs := func(pointer string, different bool) {
		if different {
			faults = append(faults, fault(pointer, "invalid_value", "differs from the live session"))
		}
	}
	differs("/candidateName", in.CandidateName != session.CandidateName)
	differs("/externalId", givenDiffers(in.ExternalID, session.ExternalID))
	differs("/metadata", in.Metadata != nil && !maps.Equal(in.Metadata, session.Metadata()))
	differs("/expiresAt", in.ExpiresAt != nil && !milliseconds(*in.ExpiresAt).Equal(session.ExpiresAt.Time))
	differs("/redirectUrl", givenDiffers(in.RedirectURL, session.RedirectURL))
	differs("/extraTimePercent", givenDiffers(in.ExtraTimePercent, &session.ExtraTimePercent))
	return faults
}

func givenDiffers[T comparable](given, stored *T) bool {
	return given != nil && (stored == nil || *given != *stored)
}

func milliseconds(t time.Time) time.Time { return t.UTC().Truncate(time.Millisecond) }

// updateExisting applies an invite to the candidate's locked session, which is INVITED.
func (c conn) updateExisting(
	ctx context.Context, scope Scope, in Invite, session CandidateSession, now time.Time,
) (CandidateSession, error) {
	before := session
	session.CandidateName = in.CandidateName
	if in.ExternalID != nil {
		session.ExternalID = in.ExternalID
	}
	if in.RedirectURL != nil {
		session.RedirectURL = in.RedirectURL
	}
	if in.Metadata != nil {
		encoded, err := json.Marshal(in.Metadata)
		if err != nil {
			return session, err
		}
		session.MetadataJSON = string(encoded)
	}
	session = SessionChange{ExpiresAt: in.ExpiresAt, ExtraTimePercent: in.ExtraTimePercent}.apply(session)
	if err := session.checkPromise(now); err != nil {
		return session, err
	}
	if err := c.updateSession(ctx, scope, before, session, now); err != nil {
		return session, err
	}
	if err := c.rewriteWords(ctx, scope, session); err != nil {
		return session, err
	}
	return c.session(ctx, scope, session.ID, sessionColumns+` WHERE organization_id = ? AND id = ?`)
}

// checkPromise refuses an invite that would return a live session that has not been
// started and never can be.
func (cs CandidateSession) checkPromise(now time.Time) error {
	if cs.Status != rules.SessionInvited {
		return nil
	}
	if err := cs.checkStartable(now); err != nil {
		return commitThenRefuse(err)
	}
	return nil
}
