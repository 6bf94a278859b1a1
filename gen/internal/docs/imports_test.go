package main

import "testing"

// A sample is shown with the imports of its program that it uses, and with no others.
func TestImports(t *testing.T) {
	t.Parallel()
	for _, test := range []struct{ path, program, sample, want string }{
		{"a.go", `package main

import (
	"context"
	"fmt"

	"assay.example/integration/generated/assay"

	"github.com/oapi-codegen/nullable"
)
`, `fmt.Println("context.", assay.X)`, `import (
	"fmt"

	"assay.example/integration/generated/assay"
)

`},
		{"a.go", "package main\n\nimport (\n\t\"context\"\n)\n", "x := y", ""},
		{"a.py", `import os
from datetime import UTC, datetime

from assay import AuthenticatedClient, models
from assay.api.webhooks import (
    create_webhook,
    test_webhook,
)
`, `print(models.A, create_webhook.sync(), "os", x.UTC)`,
			"from assay import models\nfrom assay.api.webhooks import create_webhook\n\n"},
		{"a.ts", `import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import { type Assay, ok } from "../client.js";
import type { paths } from "../generated/assay.js";
`, "await ok(createClient<paths>());", `import createClient from "openapi-fetch";
import { ok } from "./client.js";
import type { paths } from "./generated/assay.js";

`},
		{"a.sh", "import x", "curl x", ""},
	} {
		if got := withImports(test.path, test.program, test.sample); got != test.want+test.sample {
			t.Errorf("%s: %s\nwant\n%s", test.path, got, test.want+test.sample)
		}
	}
}
