package server

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"

	"assay/gen"
	"assay/server/exchange"
	"assay/server/request"
	"assay/store"
	"assay/store/encode"
	"assay/store/rules"
)

// ImportAssessment implements POST /v1/assessments/import.
func (s *Server) ImportAssessment(
	ctx context.Context, request gen.ImportAssessmentRequestObject,
) (gen.ImportAssessmentResponseObject, error) {
	in, report, err := s.readImport(ctx, request.Params, request.Body)
	if err != nil {
		return nil, err
	}
	draft, err := s.store.ImportAssessment(ctx, scopeOf(ctx), in)
	if err != nil {
		return nil, err
	}
	data := gen.AssessmentImportData{Data: s.apiImport(draft, report)}
	if in.DryRun {
		return gen.ImportAssessment200JSONResponse{Body: data}, nil
	}
	return gen.ImportAssessment201JSONResponse{
		Headers: gen.ImportAssessment201ResponseHeaders{Location: "/v1/assessments/" + draft.ID}, Body: data,
	}, nil
}

// ImportPublicAssessment implements POST /v1/public/assessments/import.
func (s *Server) ImportPublicAssessment(
	ctx context.Context, request gen.ImportPublicAssessmentRequestObject,
) (gen.ImportPublicAssessmentResponseObject, error) {
	in, report, err := s.readImport(ctx, gen.ImportAssessmentParams(request.Params), request.Body)
	if err != nil {
		return nil, err
	}
	draft, err := s.store.ImportPublicAssessment(ctx, scopeOf(ctx), in)
	if err != nil {
		return nil, err
	}
	data := gen.AssessmentImportData{Data: s.apiImport(draft, report)}
	if in.DryRun {
		return gen.ImportPublicAssessment200JSONResponse{Body: data}, nil
	}
	return gen.ImportPublicAssessment201JSONResponse{
		Headers: gen.ImportPublicAssessment201ResponseHeaders{Location: "/v1/public/assessments/" + draft.ID}, Body: data,
	}, nil
}

// ExportAssessment implements GET /v1/assessments/{id}/export.
func (s *Server) ExportAssessment(
	ctx context.Context, request gen.ExportAssessmentRequestObject,
) (gen.ExportAssessmentResponseObject, error) {
	assessment, err := s.store.ExportAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return s.questionsFile(ctx, assessment, request.Params.Format)
}

// ExportPublicAssessment implements GET /v1/public/assessments/{id}/export.
func (s *Server) ExportPublicAssessment(
	ctx context.Context, request gen.ExportPublicAssessmentRequestObject,
) (gen.ExportPublicAssessmentResponseObject, error) {
	assessment, err := s.store.ExportPublicAssessment(ctx, scopeOf(ctx), request.ID)
	if err != nil {
		return nil, err
	}
	return s.questionsFile(ctx, assessment, request.Params.Format)
}

// fileRefusals are the refusals of a file that cannot be read. The texts of exchange are for its callers.
var fileRefusals = []struct{ of, refusal error }{
	{exchange.ErrUnknownFormat, store.ErrFileUnknown},
	{exchange.ErrDamaged, store.ErrFileDamaged},
	{exchange.ErrTooLarge, request.TooLarge("The file would be too large when it is unpacked.")},
}

// readImport reads the file of a request, and returns the draft that the contract permits, and the report.
func (s *Server) readImport(
	ctx context.Context, params gen.ImportAssessmentParams, body io.Reader,
) (store.Import, exchange.Report, error) {
	none := exchange.Report{}
	if faults := rules.LocaleFaults(params.Language); len(faults) > 0 {
		return store.Import{}, none, request.InvalidQuery("language", faults[0].Code, faults[0].Detail)
	}
	content, err := request.File(body)
	if err != nil {
		return store.Import{}, none, err
	}
	imported, err := exchange.Read(exchange.Source{
		Content: content, FileName: orZero(params.FileName), Options: exchange.Options{
			Format: exchange.Format(orDefault(params.Format, gen.ImportFormatAUTO)), Language: orZero(params.Language),
			Columns: each(params.Columns, func(role gen.ImportColumnRoleInput) exchange.Role { return exchange.Role(role) }),
		},
	})
	isDryRun := orZero(params.DryRun)
	for _, row := range fileRefusals {
		if errors.Is(err, row.of) {
			return store.Import{}, none, row.refusal
		}
	}
	if err != nil && !errors.Is(err, exchange.ErrEmpty) {
		return store.Import{}, none, err
	}
	if err := s.dropUnknownPictures(ctx, &imported); err != nil {
		return store.Import{}, none, err
	}
	var pictures []store.PreparedPicture
	if !isDryRun {
		if pictures, err = s.preparePictures(ctx, &imported); err != nil {
			return store.Import{}, none, err
		}
	}
	in, err := permitted(ctx, &imported)
	if err != nil {
		return store.Import{}, none, err
	}
	in.Pictures = pictures
	if in.Definition.QuestionCount() == 0 && !isDryRun {
		return store.Import{}, none, store.ErrNothingToImport
	}
	in.Title = importTitle(orZero(params.Title), imported.Draft.Title, orZero(params.FileName))
	if in.Title == "" && !isDryRun {
		in.Title = untitledImport
	}
	return store.Import{NewAssessment: in, DryRun: isDryRun}, imported.Report, nil
}

// questionsFile is a response with an exported file.
type questionsFile struct {
	exchange.File

	name string
}

func (s *Server) questionsFile(
	ctx context.Context, a *store.Assessment, format *gen.ExportFormat,
) (questionsFile, error) {
	encoded, err := json.Marshal(s.assessmentDetail(a))
	if err != nil {
		return questionsFile{}, err
	}
	pictures := exportedPictures{room: maxExportedPictures, read: func(id string) (store.MediaContent, error) {
		return s.store.ExportPicture(ctx, scopeOf(ctx), id)
	}}
	file, err := exchange.Write(exchange.Format(orDefault(format, gen.ExportFormatASSAYJSON)), exchange.Assessment{
		Title: a.Title, Description: orZero(a.Description), Locale: orZero(a.Locale), Stages: a.Definition.Stages,
		JSON: encoded, Picture: pictures.picture,
	})
	return questionsFile{file, fileName(a.Title) + file.Extension}, errors.Join(err, pictures.failed)
}

func (f questionsFile) visit(w http.ResponseWriter) error {
	w.Header().Set("Content-Type", f.MediaType)
	w.Header().Set("Content-Disposition", encode.Attachment(f.name))
	w.Header().Set("Content-Length", strconv.Itoa(len(f.Content)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(f.Content)
	return err
}

// VisitExportAssessmentResponse implements gen.ExportAssessmentResponseObject.
func (f questionsFile) VisitExportAssessmentResponse(w http.ResponseWriter) error { return f.visit(w) }

// VisitExportPublicAssessmentResponse implements gen.ExportPublicAssessmentResponseObject.
func (f questionsFile) VisitExportPublicAssessmentResponse(w http.ResponseWriter) error {
	return f.visit(w)
}
