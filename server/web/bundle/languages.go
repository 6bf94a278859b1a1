package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
)

// pageLanguages adds the files of the candidate page's languages to files, and returns what the page's HTML says about
// them. It returns nil for the other pages: their scripts contain the addresses (see addresses).
func pageLanguages(page string, files map[string][]byte) ([]byte, error) {
	if page != small {
		return nil, nil
	}
	folder := filepath.Join(source, page)
	content, err := os.ReadFile(filepath.Join(source, "shared", "candidate_languages.json"))
	if err != nil {
		return nil, err
	}
	var data struct {
		Names     map[string]string `json:"names"`
		Files     map[string]string `json:"files"`
		Essential json.RawMessage   `json:"essential"`
	}
	if err := json.Unmarshal(content, &data.Names); err != nil {
		return nil, err
	}
	if data.Essential, err = os.ReadFile(filepath.Join(folder, "essential.json")); err != nil {
		return nil, err
	}
	data.Files = map[string]string{}
	for tag := range data.Names {
		messages, err := os.ReadFile(filepath.Join(folder, "locales", tag+".json"))
		if err != nil {
			return nil, err
		}
		var small bytes.Buffer
		if err := json.Compact(&small, messages); err != nil {
			return nil, err
		}
		name := hashed(tag, ".json", small.Bytes())
		files[name], data.Files[tag] = small.Bytes(), name
	}
	return json.Marshal(data)
}
