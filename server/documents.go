package server

import (
	"encoding/json"
	"net/http"

	"assay/server/request"
	"assay/store"
)

// storedDocument sends a document as it is in memory, or 304 if the client has it.
type storedDocument struct {
	*store.Document

	ifNoneMatch *string
}

// VisitRetrievePublicAssessmentResponse implements gen.RetrievePublicAssessmentResponseObject.
func (d storedDocument) VisitRetrievePublicAssessmentResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// VisitExchangeResultTokenResponse implements gen.ExchangeResultTokenResponseObject.
func (d storedDocument) VisitExchangeResultTokenResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// VisitRetrieveCandidateSessionResultResponse implements gen.RetrieveCandidateSessionResultResponseObject.
func (d storedDocument) VisitRetrieveCandidateSessionResultResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// VisitRetrievePublicCandidateSessionResultResponse implements gen.RetrievePublicCandidateSessionResultResponseObject.
func (d storedDocument) VisitRetrievePublicCandidateSessionResultResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// VisitRetrieveResultRevisionResponse implements gen.RetrieveResultRevisionResponseObject.
func (d storedDocument) VisitRetrieveResultRevisionResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// VisitRetrieveOpenDecisionResponse implements gen.RetrieveOpenDecisionResponseObject.
func (d storedDocument) VisitRetrieveOpenDecisionResponse(w http.ResponseWriter) error {
	return request.WriteDocument(w, d.Document, d.ifNoneMatch)
}

// isUnchanged reports whether the header If-None-Match names an entity tag.
func isUnchanged(ifNoneMatch *string, etag string) bool {
	return ifNoneMatch != nil && request.NamesTag(*ifNoneMatch, etag)
}

// publicDocumentsBytes bounds the memory for encoded assessments, which are typically
// 40 KiB with their HTML.
const publicDocumentsBytes = 32 << 20

// assessmentVersion identifies an assessment as it was after a change.
type assessmentVersion struct {
	id      string
	version int
}

// publicDocument encodes an assessment that is not a draft once, which is most of the
// work of the response.
func (s *Server) publicDocument(a *store.Assessment) (*store.Document, error) {
	key := assessmentVersion{a.ID, a.Version}
	if document, isCached := s.assessments.Get(key); isCached {
		return document, nil
	}
	encoded, err := json.Marshal(s.publicAssessmentDetail(a))
	if err != nil {
		return nil, err
	}
	document := store.NewDocument(string(encoded))
	s.assessments.Add(key, document, document.Memory())
	return document, nil
}
