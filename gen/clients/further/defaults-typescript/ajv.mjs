// Compiles each schema of a document of OpenAPI 3.0 and of one of OpenAPI 3.1 with Ajv.
// Usage: node ajv.mjs OPENAPI_3_0 OPENAPI_3_1
import { readFileSync } from 'node:fs'
import Ajv from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { parse } from 'yaml'

for (const [i, Validator] of [Ajv, Ajv2020].entries()) {
  const path = process.argv[2 + i]
  const document = parse(readFileSync(path, 'utf8')) // JSON is YAML
  const names = Object.keys(document.components.schemas)
  if (names.length < 300) throw new Error(`${path}: found only ${names.length} schemas`)
  // Strict mode rejects the keywords that OpenAPI adds to JSON Schema, such as example.
  const ajv = new Validator({ strict: false })
  addFormats(ajv)
  ajv.addSchema(document, 'document')
  for (const name of names) {
    try {
      ajv.compile({ $ref: `document#/components/schemas/${name}` })
    } catch (error) {
      console.error(`${path}: ${name}: ${error.message}`)
      process.exitCode = 1
    }
  }
}
