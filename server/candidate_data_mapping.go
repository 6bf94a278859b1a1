package server

import (
	"encoding/json"
	"time"

	"assay/gen"
	"assay/store"
)

func apiCandidateData(data store.CandidateData) gen.CandidateData {
	shown := gen.CandidateData{
		Email: data.Email, Sessions: each(data.Sessions, apiDataSession),
		Registrations: each(data.Registrations, func(r store.DataRegistration) gen.CandidateDataRegistration {
			return gen.CandidateDataRegistration{
				AssessmentID: r.AssessmentID, AssessmentTitle: r.AssessmentTitle, Name: textOrNull(r.Name),
				Email: r.Email, Locale: r.Locale, ExpiresAt: timestamp(r.ExpiresAt),
			}
		}),
		Next: textOrNull(data.Next),
	}
	if suppression := data.Suppression; suppression != nil {
		shown.Suppression = &gen.CandidateDataSuppression{
			Reason: string(suppression.Reason), Since: timestamp(suppression.CreatedAt),
			Until: timeOrNull(suppression.ExpiresAt),
		}
	}
	return shown
}

func apiDataSession(session *store.DataSession) gen.CandidateDataSession {
	return gen.CandidateDataSession{
		ID: session.ID, AssessmentID: session.AssessmentID, AssessmentTitle: session.AssessmentTitle,
		CandidateName: session.CandidateName, CandidateEmail: session.CandidateEmail,
		ExternalID: session.ExternalID, Metadata: json.RawMessage(session.MetadataJSON),
		Status:  gen.SessionStatus(session.Status),
		Attempt: session.Attempt, Note: session.Note, ExtraTimePercent: session.ExtraTimePercent, Locale: session.Locale,
		InvitedAt: timestamp(session.InvitedAt), StartedAt: timeOrNull(session.StartedAt),
		EndedAt: instantOrNull(session.EndedAt), Score: session.Score, Passed: session.Passed, Held: session.Held,
		KeptUntil: instantOrNull(session.KeptUntil), StateName: session.StateName, Tags: session.Tags(),
		StateChanges: each(session.StateChanges, func(change store.ReviewChange) gen.CandidateDataStateChange {
			return gen.CandidateDataStateChange{
				From: change.FromName, To: change.ToName, At: timestamp(change.CreatedAt), ByName: change.Name,
				Reason: change.Reason,
			}
		}),
		Ratings: each(session.Ratings, func(rating store.ReviewRating) gen.CandidateDataRating {
			return gen.CandidateDataRating{Rating: rating.Rating, At: timestamp(rating.UpdatedAt), ByName: rating.Name}
		}),
		Comments: each(session.Comments, func(comment store.ReviewComment) gen.CandidateDataComment {
			return gen.CandidateDataComment{Text: comment.Text, At: timestamp(comment.CreatedAt), ByName: comment.Name}
		}),
		Stages: each(session.Stages, func(stage store.DataStage) gen.CandidateDataStage {
			return gen.CandidateDataStage{
				Title: stage.Title, StartedAt: store.WireTime(stage.StartedAt), EndedAt: instantOrNull(stage.EndedAt),
				Score: stage.Score,
			}
		}),
		Answers: each(session.Answers, func(answer store.DataAnswer) gen.CandidateDataAnswer {
			return gen.CandidateDataAnswer{
				StageTitle: answer.StageTitle, Prompt: answer.Prompt, Answer: answer.Answer, Late: answer.Late,
				Points: answer.Points, MaxPoints: answer.MaxPoints, Feedback: answer.Feedback,
			}
		}),
		SelfIdentification: each(session.SelfIdentification,
			func(answer store.DataSelfIdentification) gen.CandidateDataSelfIdentification {
				return gen.CandidateDataSelfIdentification{Question: answer.Question, Answer: answer.Answer}
			}),
		Decisions: each(session.Decisions, func(decision store.DataDecision) gen.CandidateDataDecision {
			return gen.CandidateDataDecision{
				Kind: decision.Kind, At: timestamp(decision.At), ByName: decision.ByName,
				Reason: textOrNull(decision.Reason),
			}
		}),
		Emails: each(session.Emails, func(email store.DataEmail) gen.CandidateDataEmail {
			return gen.CandidateDataEmail{Kind: string(email.Kind), At: timestamp(email.At), Status: string(email.Status)}
		}),
		Devices: each(session.Devices, func(device store.DataDevice) gen.CandidateDataDevice {
			return gen.CandidateDataDevice{
				Browser: device.Browser, System: device.System, Network: device.Network, At: timestamp(device.At),
			}
		}),
		Recipients: each(session.Recipients, func(recipient store.DataRecipient) gen.CandidateDataRecipient {
			return gen.CandidateDataRecipient{
				Kind: string(recipient.Kind), Name: recipient.Name, At: store.WireTime(recipient.At),
			}
		}),
	}
}

func textOrNull(text string) *string {
	if text == "" {
		return nil
	}
	return &text
}

func instantOrNull(at *time.Time) *string {
	if at == nil {
		return nil
	}
	return new(store.WireTime(*at))
}
