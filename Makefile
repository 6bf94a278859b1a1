SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# The linter and the scanner are not dependencies of the program, so their versions are here, not in go.mod.
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.9.0

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)
COMMIT ?= $(shell git rev-parse HEAD 2>/dev/null || echo unknown)
BINARY ?= bin/assay

# Without cgo the binary is static, and DNS resolution is the same on every machine.
# Only the race detector needs cgo.
export CGO_ENABLED = 0
test: export CGO_ENABLED = $(if $(filter 1,$(RACE)),1,0)

# Node then uses the system's certificates, which may contain the certificate of a proxy.
export NODE_USE_SYSTEM_CA = 1

# npm packages may contain Go files. Generated clients keep their generator's format.
GO_FILES = $(shell find . \( -name node_modules -o -path './gen/clients/*/generated' \) -prune -o -name '*.go' -print)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## Start a server with sample data on a temporary SQLite database
	go run ./server/cmd/assay demo

.PHONY: build
# Without symbols (-s -w) the file is a quarter smaller. Stack traces and profiles do not need them.
build: ## Build the static binary bin/assay
	go build -buildvcs=false -ldflags '-s -w -X main.version=$(VERSION) -X main.commit=$(COMMIT)' -o $(BINARY) ./server/cmd/assay

.PHONY: release
release: ## Build the archives, SBOMs, and checksums of a release into bin/release
	.ci/release bin/release

.PHONY: release-check
release-check: ## Build the release of the last commit twice, and fail if the files differ
	.ci/release-check

.PHONY: test
# -count=1, because some tests build and run the program, which go test's cache does not see.
# -p 1, because some tests measure time and memory, and other packages would disturb them.
# -parallel 4, because the tests that run in parallel wait for timers and the database.
test: ## Run all tests on SQLite and PostgreSQL (RACE=1 race detector, PKG=./store, ARGS='-run Name -v')
	@commands=$$(.ci/test-commands $(or $(PKG),./...)); .ci/need $$commands; \
	if [[ " $$commands " == *' node '* ]]; then PATH=$$(.ci/node):$$PATH; fi; \
	$(if $(PKG)$(RACE),,.ci/beside-clients) .ci/with-postgres go test $(if $(filter 1,$(RACE)),-race) -count=1 -p 1 -parallel 4 -timeout 40m $(ARGS) \
		$(or $(PKG),$$(go list ./... | grep -v /gen/clients$$))
ifeq ($(PKG)$(RACE),)
	$(MAKE) --no-print-directory clients
endif

.PHONY: test-postgres
# .ci/passed lets .ci/run omit a repetition until one of the files changes: of all tests on the newest version, and of those
# of plans and migrations on the others. The skipped tests
# search a dump, and these versions of PostgreSQL come without pg_dump.
test-postgres: ## Run the tests of the database and of the deliveries on a version of PostgreSQL (VERSION=15, 16, 17, or 18; BRIEF=1 plans and migrations only)
	@.ci/need pgbouncer
	PATH=$$(.ci/postgres $(VERSION)):$$PATH .ci/with-postgres go test -count=1 -p 1 -timeout 12m $(if $(BRIEF), \
		-run '$(PLANS)' ./store ./store/internal/db, \
		-skip '^Test(ErasureLeavesNothing|ErasureDuringAttempt|ErasureAfterPurge|RedeliveryAfterErasure|ErasedEventIsDelivered)$$' ./store/... ./webhooks)
	@$(if $(and $(BRIEF),$(filter 18,$(VERSION))),,RECORD=1 .ci/passed postgres-$(VERSION) store webhooks)

# Tests that depend on the version: what it plans, and what its catalogs contain.
PLANS = Plan|Index|ByID|Estimates|Migrat|Settings|Claim|Queue

.PHONY: test-bare
test-bare: ## Run make test in a bare Debian (RELEASE=trixie, BUSY=4 busy loops beside it; needs root)
	.ci/bare-debian $(or $(RELEASE),bookworm) $(or $(BUSY),0) make test

.PHONY: clients
# Only in the package's directory does go test print the clients' output when they pass.
clients: ## Generate a client in each language and run it on both databases (ONLY=python for one, ALL=1 for further generators)
	cd gen/clients && ALL=$(ALL)$(ONLY) ../../.ci/with-postgres go test -count=1 -timeout 25m $(if $(ONLY),-run 'TestClients/^$(ONLY)$$')
	@$(if $(ALL),$(if $(ONLY),,RECORD=1 .ci/passed clients openapi.yaml .ci/openapi-generator gen/clients))

# .ci/passed lets .ci/run omit a repetition until the code changes. The skipped tests measure time, or make writes time
# out or take long under the detector.
.PHONY: test-race
test-race: ## Run the tests of concurrency with the race detector
	$(MAKE) --no-print-directory test RACE=1 PKG='./server/request ./server/pages ./server/contract' \
		ARGS="-run 'Race|Concurrent|Against|AtOnce|Replica' \
		-skip 'TestConcurrentBulks|TestErasureAgainst.*/sqlite|TestConcurrentRequestsWithOneKey/sqlite'"
	$(MAKE) --no-print-directory test RACE=1 PKG='./webhooks ./store/...' \
		ARGS="-p 2 -skip 'TestDrainBesideAnOpenSnapshot|TestErasureBesideALongRead' -run \
		'AtOnce|Against|Beside|Late|Load|Waiting|Rotation|Dispatchers|Shutdown|Lease|GiveBack|DuringAttempt|Disabled|Ping|Headers|RunsAgain'"
	@RECORD=1 .ci/passed race $(CODE)

.PHONY: fuzz
fuzz: ## Run every fuzz target (TIME=10s for each)
	.ci/fuzz $(TIME)
	@RECORD=1 .ci/passed fuzz $(CODE)

.PHONY: code
code: # Print what .ci/passed compares for test-race and fuzz: the code of the API and of the deliveries, with its tests
	@echo $(CODE)
CODE = go.mod openapi.yaml store webhooks $(filter-out server/cmd server/web,$(wildcard server/*))

.PHONY: fuzz-cost
fuzz-cost: ## Measure the time per byte of random hostile inputs (ROUNDS=30 times as many as make test does)
	COST_ROUNDS=$(or $(ROUNDS),30) go test -count=1 -v -timeout 30m -run '^TestTimePer' ./server/request ./server/contract

.PHONY: fuzz-api
fuzz-api: ## Fuzz the API with valid and invalid requests (BRIEF=1, MAX_EXAMPLES=, TIME= per credential, SEED=, ARGS=)
	.ci/fuzz-api $(if $(BRIEF),--brief) $(MAX_EXAMPLES:%=--max-examples=%) $(TIME:%=--time=%) $(SEED:%=--seed=%) $(ARGS)

.PHONY: bench
bench: ## Measure requests, webhooks, and email on both databases (PART=api, deliveries, or mail for one of them; ARGS= for flags)
	.ci/with-postgres go run ./server/cmd/lab bench $(or $(PART),all) $(ARGS)

.PHONY: torture
torture: ## Kill the service and its database again and again, and look for lost writes (ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab torture $(ARGS)

.PHONY: corrections
corrections: ## Correct 10,000 results beside candidates who work (ARGS=--kills=20 kills the service meanwhile)
	.ci/with-postgres go run ./server/cmd/lab corrections $(ARGS)

.PHONY: move
move: ## Export 100,000 sessions from each kind of database and import them into the other, with a kill (ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab move $(ARGS)

.PHONY: scale
scale: ## Fill databases with millions of rows, and measure each operation beside a small one (ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab scale $(ARGS)

.PHONY: upgrade
# .ci/passed lets .ci/run omit a repetition until a migration changes, unless a flag has omitted a part. CI uses fewer sessions:
# a million take half an hour.
upgrade: ## Upgrade each earlier release with a million sessions, with writes beside it, kills, and a step back (ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab upgrade $(ARGS)
	@$(if $(filter-out --sessions=%,$(ARGS)),,RECORD=1 .ci/passed upgrade $(UPGRADED))

UPGRADED = .deploy/releases.txt store/migrations store/internal/db/migrate*.go store/internal/db/postgres_indexes.go server/cmd/lab/upgrade

.PHONY: faults
faults: ## Inject one kind of fault under load (PART=drain, outage, failover, replica, or slow, with ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab faults $(PART) $(ARGS)

.PHONY: attack
attack: ## Attack the service beside a victim (PART='bodies quotas …' for some parts, ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/lab attack $(PART) $(ARGS)

.PHONY: generate
generate: ## Write what follows from other parts of openapi.yaml, and generate the files in gen/ from it
	go generate ./gen

.PHONY: web
web: server/web/node_modules/.package-lock.json ## Bundle the pages into server/web/dist, and the script for formulas into store/markdown/formulas
	PATH=$$(.ci/node):$$PATH go run ./server/web/bundle

.PHONY: licenses
licenses: ## List the licenses of what the binary contains in .deploy/licenses.md
	@.ci/licenses table > .deploy/licenses.md.new || { rm .deploy/licenses.md.new; exit 1; }
	@mv .deploy/licenses.md.new .deploy/licenses.md

.PHONY: architecture
architecture: ## Draw the rooms and their imports in .github/ARCHITECTURE.md
	@.ci/architecture > .github/ARCHITECTURE.md

# npm writes this file last. The sources of Preact are in the bundle, so the bundle needs them.
server/web/node_modules/.package-lock.json: server/web/package-lock.json
	@PATH=$$(.ci/node):$$PATH; cd server/web; npm ci --no-audit --no-fund --loglevel error; touch node_modules/.package-lock.json

# Compares the files, not git's view of them, so that it also works before a commit. Nothing in gen/clients is generated.
.PHONY: check-generated
check-generated: ## Fail if a generated file is out of date
	@before=$$(mktemp -d); trap 'rm -rf "$$before"' EXIT; \
	find openapi.yaml gen server/web/dist store/markdown/formulas .deploy/licenses.md .github/ARCHITECTURE.md -path gen/clients -prune -o -type f -print0 | xargs -0 cp --parents -t "$$before"; \
	$(MAKE) --no-print-directory generate web licenses architecture; \
	differs=; \
	for path in openapi.yaml gen server/web/dist store/markdown/formulas .deploy/licenses.md .github/ARCHITECTURE.md; do diff -rq --exclude clients "$$before/$$path" "$$path" || differs=1; done; \
	[ -z "$$differs" ] || \
		{ echo 'generated files were out of date and have been updated: commit them' >&2; exit 1; }

.PHONY: check-web
check-web: server/web/node_modules/.package-lock.json ## Check the types of the pages against openapi.yaml, and that no modules import one another
	@PATH=$$(.ci/node):$$PATH; cd server/web; \
	npx --no-install openapi-typescript ../../openapi.yaml --output src/shared/openapi.gen.ts; npx --no-install tsc --noEmit; node imports.ts

.PHONY: test-web
test-web: ## Test the pages in Chromium (ARGS='start --test-name-pattern=keyboard', JOBS=4)
	@.ci/with-postgres server/web/test/run $(ARGS)

.PHONY: test-browsers
# The file "passed" lists what has passed, so that .ci/run can omit a repetition.
test-browsers: ## Test the candidate page in Firefox and WebKit (the main journey), in each of its states, and with each fault
	@NEED='firefox-esr WebKitWebDriver Xvfb' RUNNER=browsers/main server/web/test/run
	@server/web/test/run 32-every-state 33-hostile-texts 37-translation-states
	@cd server/web/test && ./run 12-faults-*.test.ts
	@JOBS=1 server/web/test/run 35-speed
	@cd server/web && sha256sum dist/take/* ../pages/web.go test/browsers/*.ts test/12-faults-*.test.ts test/32-every-state.test.ts \
		test/33-hostile-texts.test.ts test/35-speed.test.ts test/37-translation-states.test.ts test/states.ts test/support/hostile.ts test/support/virtual/* > test/browsers/passed

.PHONY: test-states
# The file "passed" lists what has passed, so that .ci/run can omit a repetition.
test-states: ## Check the dashboard in each of its states in Chromium: accessibility, layout, headings, translation, hostile texts
	@server/web/test/run app-every-state app-hostile-texts app-translation-states
	@cd server/web && sha256sum dist/app/* test/app_states/*.ts test/app-every-state.test.ts \
		test/app-hostile-texts.test.ts test/app-translation-states.test.ts test/support/hostile.ts > test/app_states/passed

.PHONY: test-libreoffice
# The file "passed" lists what has passed, so that .ci/run can omit a repetition.
test-libreoffice: ## Open spreadsheets of candidates in LibreOffice
	@.ci/need soffice
	go test -count=1 -tags libreoffice -run LibreOffice ./server/spreadsheet
	@cd server/spreadsheet && sha256sum *.go > passed

.PHONY: screenshots
screenshots: ## Take pictures of the pages into server/web/screenshots (STATE=intro for one state)
	@RUNNER=screenshots server/web/test/run $(STATE)

.PHONY: mail-screenshots
mail-screenshots: ## Take pictures of the emails into server/mail/screenshots, and check them in Chromium (NAME=invite.ar for one)
	@samples=$$(mktemp -d); trap 'rm -rf "$$samples"' EXIT; export MAIL_SAMPLES=$$samples; \
	go test -count=1 -run TestWriteSamples ./server/mail; \
	ASSAY=none RUNNER=mail server/web/test/run '$(NAME)'

.PHONY: contract-tests
# Only in the package's directory does go test print how many tests are left out when the others pass.
contract-tests: ## Judge the service at URL=https://… by the tests that any service can take (ARGS='-run Name -v')
	$(if $(URL),,$(error URL is missing, such as URL=http://127.0.0.1:8080))
	cd server/contract && go test -count=1 -parallel 4 -timeout 30m $(ARGS) -args -url='$(URL)'

.PHONY: contract
contract: ## Lint openapi.yaml and compare it with the last released contract
	.ci/contract

.PHONY: check-alerts
check-alerts: ## Test the alert rules of .deploy with promtool
	@PATH=$$(.ci/promtool):$$PATH; promtool check rules .deploy/alerts.yaml; promtool test rules .deploy/alerts_test.yaml

.PHONY: lint
lint: ## Run the linters of .golangci.yml
	go run $(GOLANGCI_LINT) run ./...

.PHONY: vulncheck
vulncheck: ## Check for known vulnerabilities in reachable code (VULNCHECK=required, ASSAY_VULNDB=FILE.zip, FOLDER, or URL)
	.ci/vulncheck $(GOVULNCHECK) ./...

.PHONY: fmt
fmt: ## Format the Go code
	@gofmt -w $(GO_FILES)

.PHONY: check-fmt
check-fmt: ## Fail if Go code is not formatted, or if go.mod is not tidy
	@go mod tidy -diff
	@unformatted=$$(gofmt -l $(GO_FILES)); \
	if [[ -n $$unformatted ]]; then printf 'run make fmt for:\n%s\n' "$$unformatted" >&2; exit 1; fi

.PHONY: clean
clean: ## Remove built files
	rm -rf bin coverage.out coverage.html
