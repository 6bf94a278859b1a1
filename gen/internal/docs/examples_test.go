package main

import (
	"path/filepath"
	"strings"
	"testing"
)

const smallWithSchemas = `openapi: 3.0.3
paths:
  /a:
    get:
      operationId: retrievePerson
      responses:
        '200':
          content:
            application/json: {schema: {$ref: '#/components/schemas/PersonData'}}
        '201':
          content:
            application/json: {schema: {$ref: '#/components/schemas/PersonData'}}
        '404': {$ref: '#/components/responses/NotFound'}
components:
  schemas:
    PersonData: {required: [data], properties: {data: {$ref: '#/components/schemas/Person'}}}
    Person:
      required: [id, name, labels, tags, home]
      properties:
        id: {type: string, example: usr_1}
        name: {type: string, example: Ada}
        nickname: {type: string, example: A}
        labels: {type: object, additionalProperties: true}
        tags: {type: array, items: {type: string, example: x}}
        home: {nullable: true, allOf: [{$ref: '#/components/schemas/Home'}]}
    Home: {required: [city], properties: {city: {type: string, example: Rome}}}
`

// Fields come from the operation, the data set's schema, and the examples in the
// schemas, in this order. Fields that the schema lacks are left out.
func TestExamplesOfResponses(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	write(t, filepath.Join(folder, "10-a.yaml"),
		"facts: &facts {name: Mei, unknown: 1, labels: {b: 1, a: 2}, home: null}\nPerson: *facts\n")
	write(t, filepath.Join(folder, "20-b.yaml"),
		"operations: {retrievePerson: {'201': {data: {<<: *facts, id: usr_2, home: {}, tags: []}}}}\n")
	set, err := readExamples(folder)
	if err != nil {
		t.Fatal(err)
	}
	document, err := set.withExamples([]byte(smallWithSchemas))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		`example: {"data": {"id": "usr_1", "name": "Mei", "labels": {"b": 1, "a": 2}, "tags": ["x"], "home": null}}}`,
		`example: {"data": {"id": "usr_2", "name": "Mei", "labels": {"b": 1, "a": 2}, "tags": [], ` +
			`"home": {"city": "Rome"}}}}`,
	} {
		if !strings.Contains(string(document), want) {
			t.Errorf("the document does not contain %s\n%s", want, document)
		}
	}
	without, err := examples{}.withExamples([]byte(smallWithSchemas))
	if err != nil || !strings.Contains(string(without), `{"id": "usr_1", "name": "Ada", "labels": {},`) {
		t.Errorf("%v\n%s", err, without)
	}

	write(t, filepath.Join(folder, "30-c.yaml"), "Home: {city: Oslo}\noperations2: 1\n")
	write(t, filepath.Join(folder, "20-b.yaml"), "operations: {retrieveNobody: {'200': {}}}\n")
	if set, err = readExamples(folder); err != nil {
		t.Fatal(err)
	}
	if _, err := set.withExamples([]byte(smallWithSchemas)); err == nil {
		t.Error("an example of an unknown operation is accepted")
	}
}
