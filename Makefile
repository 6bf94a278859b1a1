SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# Linter and scanner are no dependencies of the program, so they are pinned here, not in go.mod.
GOLANGCI_LINT := github.com/golangci/golangci-lint/v2/cmd/golangci-lint@v2.15.0
GOVULNCHECK := golang.org/x/vuln/cmd/govulncheck@v1.8.0

VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo unknown)

# Without cgo the binary is static, and names resolve the same on every machine.
# Only the race detector needs it.
export CGO_ENABLED = 0
test: export CGO_ENABLED = $(if $(filter 1,$(RACE)),1,0)

# npm packages may carry Go files, and generated clients are not ours to format.
GO_FILES = $(shell find . \( -name node_modules -o -path './gen/clients/*/generated' \) -prune -o -name '*.go' -print)

.PHONY: help
help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-16s %s\n", $$1, $$2 }' Makefile

.PHONY: run
run: ## Start a server with sample data on a throw-away SQLite database
	go run ./server/cmd/assay demo

.PHONY: build
build: ## Build the static binary bin/assay
	go build -trimpath -buildvcs=false -ldflags '-X main.version=$(VERSION)' -o bin/assay ./server/cmd/assay

.PHONY: test
# Nothing cached, because some tests build and run the service. One package at a time: some of the tests measure, and the machine is to be theirs.
test: ## Run all tests on SQLite and PostgreSQL (RACE=1 race detector, PKG=./store, ARGS='-run Name -v')
	@.ci/need curl node python3
	PATH=$$(.ci/node):$$PATH; .ci/with-postgres go test $(if $(filter 1,$(RACE)),-race) -count=1 -p 1 -timeout 12m $(ARGS) \
		$(or $(PKG),$$(go list ./... | grep -v /gen/clients$$))
ifeq ($(PKG)$(RACE),)
	$(MAKE) --no-print-directory clients
endif

.PHONY: clients
# In its folder, so that go test shows what the clients say when all is well, too.
clients: ## Generate a client in each language and run it against both databases (ONLY=python for one)
	cd gen/clients && ../../.ci/with-postgres go test -count=1 -timeout 14m $(if $(ONLY),-run 'TestClients/^$(ONLY)$$')

.PHONY: fuzz
fuzz: ## Run every fuzz target in turn (TIME=10s for each)
	.ci/fuzz $(TIME)

.PHONY: fuzz-api
fuzz-api: ## Send what openapi.yaml allows and what it does not (BRIEF=1, MAX_EXAMPLES=, TIME= per credential, SEED=, ARGS=)
	.ci/fuzz-api $(if $(BRIEF),--brief) $(MAX_EXAMPLES:%=--max-examples=%) $(TIME:%=--time=%) $(SEED:%=--seed=%) $(ARGS)

.PHONY: bench
bench: ## Measure requests and webhooks on both databases (PART=api or PART=deliveries with ARGS= for its flags)
	.ci/with-postgres --durable go run ./server/cmd/bench $(or $(PART),api) $(ARGS)
ifeq ($(PART),)
	.ci/with-postgres --durable go run ./server/cmd/bench deliveries
endif

.PHONY: torture
torture: ## Kill the service and its database over and over, and count what is lost (ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/torture $(ARGS)

.PHONY: faults
faults: ## Break what the service stands on, under load (PART=drain, outage, failover, kills or slow, with ARGS= for its flags)
	.ci/with-postgres go run ./server/cmd/faults $(PART) $(ARGS)

.PHONY: generate
generate: ## Make gen/ anew from openapi.yaml
	go generate ./gen

# Compares the files themselves, not git's view of them, so it works before a commit too. Of gen/clients nothing is generated.
.PHONY: check-generated
check-generated: ## Fail when a generated file is out of date
	@before=$$(mktemp -d); trap 'rm -rf "$$before"' EXIT; find gen -path gen/clients -prune -o -type f -print0 | xargs -0 cp --parents -t "$$before"; \
	$(MAKE) --no-print-directory generate; \
	diff -rq --exclude clients "$$before/gen" gen || { echo 'gen/ was out of date and has been made anew: commit it' >&2; exit 1; }

.PHONY: contract
contract: ## Lint openapi.yaml and compare it with the last released contract
	.ci/contract

.PHONY: lint
lint: ## Run the linters of .golangci.yml
	go run $(GOLANGCI_LINT) run ./...

.PHONY: vulncheck
vulncheck: ## Look for known vulnerabilities in what is called (VULNCHECK=required, VULNDB=URL)
	.ci/vulncheck $(GOVULNCHECK) ./...

.PHONY: fmt
fmt: ## Format the Go code
	gofmt -w $(GO_FILES)

.PHONY: check-fmt
check-fmt: ## Fail when Go code is not formatted
	@unformatted=$$(gofmt -l $(GO_FILES)); \
	if [[ -n $$unformatted ]]; then printf 'run make fmt for:\n%s\n' "$$unformatted" >&2; exit 1; fi

.PHONY: clean
clean: ## Remove what make built
	rm -rf bin coverage.out coverage.html
