package pages

import (
	"strings"
	"unicode/utf8"

	"github.com/labstack/echo/v4"
	"golang.org/x/text/language"
)

// pageTexts are the texts of a public page in one language.
type pageTexts map[string]string

type languageLink struct {
	Locale, Name, URL string
	Current           bool
}

// languageLinks lead to the page in each language.
func languageLinks(c echo.Context, languages []pageTexts, current pageTexts) []languageLink {
	query, links := c.Request().URL.Query(), make([]languageLink, len(languages))
	for i, other := range languages {
		query.Set("lang", other["locale"])
		links[i] = languageLink{
			Locale: other["locale"], Name: other["ownName"], URL: c.Request().URL.Path + "?" + query.Encode(),
			Current: other["locale"] == current["locale"],
		}
	}
	return links
}

// textsIn returns the texts in the first of the wanted languages that has them, or else in English. "" is no language.
func textsIn(languages []pageTexts, wanted ...string) pageTexts {
	for _, locale := range wanted {
		for _, texts := range languages {
			if locale != "" && written(texts["locale"]) == written(locale) {
				return texts
			}
		}
	}
	return languages[0]
}

// acceptedLanguages are the languages of the browser.
func acceptedLanguages(c echo.Context) []string {
	accepted, _, err := language.ParseAcceptLanguage(c.Request().Header.Get("Accept-Language"))
	if err != nil {
		return nil
	}
	wanted := make([]string, len(accepted))
	for i, tag := range accepted {
		wanted[i] = tag.String()
	}
	return wanted
}

// textOf returns an optional text, "" without it.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// initialOf stands in place of the logo of an organization.
func initialOf(name string) string {
	first, _ := utf8.DecodeRuneInString(name)
	return strings.ToUpper(string(first))
}
