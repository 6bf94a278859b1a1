package server

import (
	"context"
	"errors"
	"path"
	"regexp"

	"assay/server/exchange"
	"assay/store"
)

const (
	// maxImportedPictures bounds the time of an import: decoding a picture can take a second.
	maxImportedPictures = 100

	// maxExportedPictures bounds the memory of an export, in bytes of all its pictures.
	maxExportedPictures = 50 << 20
)

// preparePictures makes the pictures of a file ready to be stored, and refers to them in the texts of the draft by their
// new ids. A picture that cannot be stored leaves its alternative text, and a note.
func (s *Server) preparePictures(
	ctx context.Context, imported *exchange.Imported,
) (prepared []store.PreparedPicture, _ error) {
	ids := map[string]string{}
	for _, picture := range imported.Pictures {
		refused := "An import has at most 100 pictures."
		if len(prepared) < maxImportedPictures {
			one, err := s.store.PreparePicture(ctx, picture.Content)
			var refusal *store.Error
			if err == nil {
				ids[picture.Ref] = one.ID
				prepared = append(prepared, one)
				continue
			}
			if !errors.As(err, &refusal) {
				return nil, err
			}
			refused = refusal.Detail
			if len(refusal.Fields) > 0 {
				refused = refusal.Fields[0].Detail
			}
		}
		imported.Report.Notes = append(imported.Report.Notes, exchange.Note{
			Code: exchange.PictureDropped, Text: cutNote(path.Base(picture.Name) + ": " + refused),
		})
	}
	eachText(&imported.Draft, func(text string) string { return withPictureIDs(text, ids) })
	return prepared, nil
}

var importedPicture = regexp.MustCompile(`!\[((?:[^\[\]\\]|\\.)*)\]\(media:(import-\d+)\)`)

// withPictureIDs replaces the references to pictures of a file. One without an id becomes its alternative text.
func withPictureIDs(text string, ids map[string]string) string {
	return importedPicture.ReplaceAllStringFunc(text, func(image string) string {
		found := importedPicture.FindStringSubmatch(image)
		if id := ids[found[2]]; id != "" {
			return "![" + found[1] + "](media:" + id + ")"
		}
		return found[1]
	})
}

// eachText replaces each Markdown text of a draft.
func eachText(draft *exchange.Draft, replaced func(string) string) {
	draft.Description = replaced(draft.Description)
	for i := range draft.Stages {
		stage := &draft.Stages[i]
		if stage.Description != nil {
			stage.Description = new(replaced(*stage.Description))
		}
		for j := range stage.Questions {
			question := &stage.Questions[j]
			question.Prompt = replaced(question.Prompt)
			if question.Explanation != nil {
				question.Explanation = new(replaced(*question.Explanation))
			}
			for k := range question.Options {
				question.Options[k].Text = replaced(question.Options[k].Text)
			}
		}
	}
}

// exportedPictures reads the pictures of an export, as long as there is room for them.
type exportedPictures struct {
	read   func(id string) (store.MediaContent, error)
	room   int   // bytes
	failed error // that is not a missing picture
}

func (e *exportedPictures) picture(id string) (exchange.Picture, bool) {
	found, err := e.read(id)
	var missing *store.Error
	if err != nil && !errors.As(err, &missing) {
		e.failed = err
	}
	if err != nil || len(found.Content) > e.room {
		return exchange.Picture{}, false
	}
	e.room -= len(found.Content)
	return exchange.Picture{Ref: id, Name: id + "." + path.Base(found.ContentType), Content: found.Content}, true
}
