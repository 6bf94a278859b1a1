package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"go.yaml.in/yaml/v3"
)

// roleOrder are the roles from the fewest to the most rights. Each role may do everything that the one before it may.
var roleOrder = []string{"REVIEWER", "MEMBER", "EDITOR", "ADMIN", "OWNER"}

// rolesJSON returns the text of roles.gen.json: the first role that may use each operation of a person.
// It fails if a role with more rights may not.
func rolesJSON(contract []byte) ([]byte, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(contract, &root); err != nil {
		return nil, err
	}
	first := map[string]string{}
	for _, path := range entries(member(root.Content[0], "paths")) {
		for _, operation := range entries(path.value) {
			var roles []string
			for _, role := range elements(member(operation.value, "x-required-roles")) {
				roles = append(roles, role.Value)
			}
			if len(roles) == 0 {
				continue
			}
			id := member(operation.value, "operationId").Value
			from := slices.IndexFunc(roleOrder, func(role string) bool { return slices.Contains(roles, role) })
			if from < 0 || len(roles) != len(roleOrder)-from {
				return nil, fmt.Errorf("%s: the roles %v are not one role and all with more rights", id, roles)
			}
			first[id] = roleOrder[from]
		}
	}
	text, err := json.MarshalIndent(first, "", "  ")
	return append(text, '\n'), err
}
