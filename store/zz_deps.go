//go:build zzdeps

package store

import (
	_ "code.dny.dev/ssrf"
	_ "github.com/alecthomas/kong"
	_ "github.com/getkin/kin-openapi/openapi3filter"
	_ "github.com/go-json-experiment/json/jsontext"
	_ "github.com/golang-jwt/jwt/v5"
	_ "github.com/hashicorp/golang-lru/v2"
	_ "github.com/jmoiron/sqlx"
	_ "github.com/labstack/echo/v4/middleware"
	_ "github.com/lib/pq"
	_ "github.com/oapi-codegen/nullable"
	_ "github.com/oapi-codegen/runtime"
	_ "github.com/oapi-codegen/runtime/strictmiddleware/echo"
	_ "github.com/oklog/ulid/v2"
	_ "github.com/pressly/goose/v3"
	_ "github.com/prometheus/client_golang/prometheus/promhttp"
	_ "golang.org/x/crypto/argon2"
	_ "golang.org/x/sync/errgroup"
	_ "modernc.org/sqlite"
)
