package server

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/labstack/echo/v4"

	"assay/store"
)

// storedDocument sends a document as it is in memory, or 304 if the client has it.
type storedDocument struct {
	*store.Document

	ifNoneMatch *string
}

// VisitRetrievePublicAssessmentResponse implements gen.RetrievePublicAssessmentResponseObject.
func (d storedDocument) VisitRetrievePublicAssessmentResponse(w http.ResponseWriter) error {
	return d.write(w)
}

// VisitExchangeResultTokenResponse implements gen.ExchangeResultTokenResponseObject.
func (d storedDocument) VisitExchangeResultTokenResponse(w http.ResponseWriter) error {
	return d.write(w)
}

// VisitRetrieveCandidateSessionResultResponse implements gen.RetrieveCandidateSessionResultResponseObject.
func (d storedDocument) VisitRetrieveCandidateSessionResultResponse(w http.ResponseWriter) error {
	return d.write(w)
}

// VisitRetrievePublicCandidateSessionResultResponse implements gen.RetrievePublicCandidateSessionResultResponseObject.
func (d storedDocument) VisitRetrievePublicCandidateSessionResultResponse(w http.ResponseWriter) error {
	return d.write(w)
}

// VisitRetrieveResultRevisionResponse implements gen.RetrieveResultRevisionResponseObject.
func (d storedDocument) VisitRetrieveResultRevisionResponse(w http.ResponseWriter) error {
	return d.write(w)
}

func (d storedDocument) write(w http.ResponseWriter) error {
	header := w.Header()
	header.Set("ETag", d.ETag)
	if d.ifNoneMatch != nil && names(*d.ifNoneMatch, d.ETag) {
		if len(d.Body) > minCompressed { // the headers of the 200 (RFC 9110, section 15.4.5)
			header.Add(echo.HeaderVary, echo.HeaderAcceptEncoding)
		}
		w.WriteHeader(http.StatusNotModified)
		return nil
	}
	header.Set(echo.HeaderContentType, echo.MIMEApplicationJSON)
	header.Set(echo.HeaderContentLength, strconv.Itoa(len(d.Body)))
	if response, ok := w.(*echo.Response); ok {
		if compressing, ok := response.Writer.(*compressingWriter); ok {
			compressing.document = d.Document
		}
	}
	_, err := w.Write(d.Body)
	return err
}

// names reports whether an If-None-Match header names the entity tag, by the weak
// comparison (RFC 9110, section 13.1.2).
func names(ifNoneMatch, etag string) bool {
	for tag := range strings.SplitSeq(ifNoneMatch, ",") {
		tag = strings.TrimSpace(tag)
		if tag == "*" || strings.TrimPrefix(tag, "W/") == strings.TrimPrefix(etag, "W/") {
			return true
		}
	}
	return false
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
