package server

import (
	"context"
	"encoding/json"
	"errors"
	"path"
	"regexp"
	"slices"

	"assay/server/exchange"
	"assay/store"
)

const (
	// maxImportedPictures bounds the time of an import: decoding a picture can take a second.
	maxImportedPictures = 100

	// maxExportedPictures bounds the memory of an export, in bytes of all its pictures.
	maxExportedPictures = 50 << 20
)

// preparePictures makes the pictures of a file ready to be stored, and refers to them in the texts of the draft by
// their new ids. A picture that cannot be stored leaves its alternative text, and a note.
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
	eachText(&imported.Draft, func(text string) string { return withPictureIDs(text, importedPicture, ids) })
	return prepared, nil
}

// dropUnknownPictures leaves the alternative text of the pictures that a file in Assay's format refers to and that the
// organization does not have, and a note for each: the file can come from another organization.
func (s *Server) dropUnknownPictures(ctx context.Context, imported *exchange.Imported) error {
	var named []string
	eachText(&imported.Draft, func(text string) string {
		for _, found := range storedPicture.FindAllStringSubmatch(text, -1) {
			named = append(named, found[2])
		}
		return text
	})
	if len(named) == 0 {
		return nil
	}
	slices.Sort(named)
	named = slices.Compact(named)
	known, err := s.store.KnownMedia(ctx, scopeOf(ctx), named)
	if err != nil {
		return err
	}
	ids := map[string]string{}
	for _, id := range known {
		ids[id] = id
	}
	for _, id := range named {
		if ids[id] == "" && len(imported.Report.Notes) < maxPictureNotes {
			imported.Report.Notes = append(imported.Report.Notes, exchange.Note{
				Code: exchange.PictureDropped, Text: id + ": The organization does not have this picture.",
			})
		}
	}
	eachText(&imported.Draft, func(text string) string { return withPictureIDs(text, storedPicture, ids) })
	return nil
}

// maxPictureNotes bounds the report of a file that names many unknown pictures.
const maxPictureNotes = 1000

var (
	importedPicture = regexp.MustCompile(`!\[((?:[^\[\]\\]|\\.)*)\]\(media:(import-\d+)\)`)
	storedPicture   = regexp.MustCompile(`!\[((?:[^\[\]\\]|\\.)*)\]\(media:(med_[0-9a-z]{26})\)`)
)

// withPictureIDs replaces the references to pictures. One without an id becomes its alternative text.
func withPictureIDs(text string, pictures *regexp.Regexp, ids map[string]string) string {
	return pictures.ReplaceAllStringFunc(text, func(image string) string {
		found := pictures.FindStringSubmatch(image)
		if id := ids[found[2]]; id != "" {
			return "![" + found[1] + "](media:" + id + ")"
		}
		return found[1]
	})
}

// eachText replaces each Markdown text of a draft that can have pictures.
func eachText(draft *exchange.Draft, replaced func(string) string) {
	draft.Description = replaced(draft.Description)
	for _, name := range []string{"instructions", "closingMessage"} {
		var text string
		if json.Unmarshal(draft.Settings[name], &text) != nil { // absent, or the contract refuses it
			continue
		}
		if encoded, err := json.Marshal(replaced(text)); err == nil { // a text always has JSON
			draft.Settings[name] = encoded
		}
	}
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
