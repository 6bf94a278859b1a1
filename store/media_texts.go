package store

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strings"

	"assay/store/markdown"
	"assay/store/rules"
)

// mediaScheme is before the id of a picture in Markdown.
const mediaScheme = markdown.PictureScheme

// mediaLinks finds the ids of pictures in a text, also where Markdown would show no picture.
var mediaLinks = regexp.MustCompile(mediaScheme + `(med_[0-9a-z]{26})`)

// texts are the Markdown texts of an assessment that can have pictures, with their JSON pointers. The message of the
// invite is not among them, because an email shows the alternative text.
func (a *Assessment) texts() iter.Seq2[string, string] {
	return func(yield func(pointer, text string) bool) {
		going := true
		give := func(pointer string, text *string) {
			if going && text != nil {
				going = yield(pointer, *text)
			}
		}
		give("/description", a.Description)
		give("/instructions", a.Instructions)
		give("/closingMessage", a.ClosingMessage)
		for i, stage := range a.Definition.Stages {
			at := fmt.Sprintf("/stages/%d", i)
			give(at+"/description", stage.Description)
			for j, question := range stage.Questions {
				at := fmt.Sprintf("%s/questions/%d", at, j)
				give(at+"/prompt", &question.Prompt)
				give(at+"/explanation", question.Explanation)
				for k := range question.Options {
					give(fmt.Sprintf("%s/options/%d/text", at, k), &question.Options[k].Text)
				}
			}
		}
	}
}

// mediaIDs returns the ids of pictures in the texts, each once, in their order.
func (a *Assessment) mediaIDs() []string {
	var ids []string
	for _, text := range a.texts() {
		ids = append(ids, mediaIn(text)...)
	}
	slices.Sort(ids)
	return slices.Compact(ids)
}

func mediaIn(text string) []string {
	if !strings.Contains(text, mediaScheme) { // most have none
		return nil
	}
	var ids []string
	for _, found := range mediaLinks.FindAllStringSubmatch(text, -1) {
		ids = append(ids, found[1])
	}
	return ids
}

// withPictures sets the pictures of an assessment. A published one keeps the pictures of earlier texts, because results
// have these texts.
func (c conn) withPictures(ctx context.Context, a *Assessment) error {
	ids := append([]string{}, a.mediaIDs()...)
	if len(ids) == 0 && (a.ID == "" || a.Status == rules.AssessmentDraft) {
		return nil
	}
	encoded, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	var found []Media
	if err := c.List(ctx, &found, `
		SELECT id, address, width, height FROM media WHERE organization_id = ? AND `+c.store.db.IsOneOf("id")+`
		UNION SELECT m.id, m.address, m.width, m.height FROM media_uses u JOIN media m ON m.id = u.media_id
		WHERE u.organization_id = ? AND u.assessment_id = ?`,
		a.OrganizationID, string(encoded), a.OrganizationID, a.ID); err != nil {
		return err
	}
	a.pictures = make(markdown.Pictures, len(found))
	for _, m := range found {
		a.pictures[m.ID] = markdown.Picture{URL: c.store.MediaURL(m.Address), Width: m.Width, Height: m.Height}
	}
	return nil
}

// saveUses records which pictures the assessment has in its texts. Unknown ids are ignored: a draft can have them.
// keep also keeps the earlier ones.
func (c conn) saveUses(ctx context.Context, scope Scope, before, after *Assessment, keep bool) error {
	ids := after.mediaIDs()
	if len(ids) == 0 && (keep || len(before.mediaIDs()) == 0) {
		return nil
	}
	encoded, err := json.Marshal(append([]string{}, ids...)) // [] for none
	if err != nil {
		return err
	}
	isOneOf := c.store.db.IsOneOf
	if !keep {
		if _, err := c.Exec(ctx, `DELETE FROM media_uses WHERE organization_id = ? AND assessment_id = ? AND NOT (`+
			isOneOf("media_id")+`)`, scope.OrganizationID, after.ID, string(encoded)); err != nil {
			return err
		}
	}
	var held []string // so that none is deleted meanwhile
	if err := c.List(ctx, &held, `SELECT id FROM media WHERE organization_id = ? AND `+isOneOf("id")+
		` ORDER BY id`+c.store.db.ForShare, scope.OrganizationID, string(encoded)); err != nil || len(held) == 0 {
		return err
	}
	if encoded, err = json.Marshal(held); err != nil {
		return err
	}
	_, err = c.Exec(ctx, `
		INSERT INTO media_uses (assessment_id, media_id, organization_id)
		SELECT ?, id, organization_id FROM media WHERE organization_id = ? AND `+isOneOf("id")+`
		ON CONFLICT (assessment_id, media_id) DO NOTHING`, after.ID, scope.OrganizationID, string(encoded))
	return err
}

// missingForPublish returns everything that is missing before the assessment can be published: what rules finds, unknown
// pictures, and pictures without alternative text.
func (c conn) missingForPublish(ctx context.Context, a *Assessment) ([]rules.Fault, error) {
	faults := rules.MissingForPublish(a.Title, a.Definition)
	found, err := c.pictureFaults(ctx, a)
	faults = append(faults, found...)
	return faults[:min(len(faults), rules.MaxFaults)], err
}

func (c conn) pictureFaults(ctx context.Context, a *Assessment) ([]rules.Fault, error) {
	if a.pictures == nil {
		if err := c.withPictures(ctx, a); err != nil {
			return nil, err
		}
	}
	var faults []rules.Fault
	for pointer, text := range a.texts() {
		for _, use := range c.store.markdown.Pictures(text) {
			_, known := a.pictures[use.ID]
			switch {
			case !known:
				faults = append(faults, fault(pointer, "unknown_id",
					"has a picture that the organization does not have: "+shortened(use.ID)))
			case rules.Blank(use.Alternative):
				faults = append(faults, fault(pointer, "required",
					"has a picture without alternative text: write it between the brackets of ![](media:…)"))
			}
		}
	}
	return faults, nil
}

// shortened bounds what a fault repeats of a text.
func shortened(id string) string {
	const longest = 40
	if characters := []rune(id); len(characters) > longest {
		return string(characters[:longest]) + "…"
	}
	return id
}
