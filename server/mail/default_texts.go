package mail

import (
	"maps"
	"slices"
	"strings"

	"assay/store"
)

// keyOf is the prefix of the default words of a kind.
var keyOf = map[store.EmailKind]string{
	store.EmailInvite: "invite", store.EmailReminder: "reminder", store.EmailReopened: "reopened",
	store.EmailResultCorrected: "corrected",
}

// placeholders are the placeholders of organizations for the parameters of the default words.
var placeholders = strings.NewReplacer(
	"{title}", "{{assessmentTitle}}", "{organization}", "{{organizationName}}", "{day}", "{{lastDay}}")

// DefaultTexts returns the words that an email to a candidate says without words of the organization, by kind and
// language.
func DefaultTexts() ([]store.EmailText, error) {
	all, err := catalogs()
	if err != nil {
		return nil, err
	}
	var texts []store.EmailText
	for _, kind := range store.EmailTextKinds() {
		for _, locale := range slices.Sorted(maps.Keys(all.candidates)) {
			messages := all.candidates[locale].messages
			texts = append(texts, store.EmailText{
				Kind: kind, Locale: locale, Subject: placeholders.Replace(messages[keyOf[kind]+".subject"]["other"]),
				Text: placeholders.Replace(messages[keyOf[kind]+".text"]["other"]),
			})
		}
	}
	return texts, nil
}
