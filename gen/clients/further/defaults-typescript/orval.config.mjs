const input = '../../../../openapi.yaml'

export default {
  fetch: { input, output: { target: 'generated/orval/fetch.ts', client: 'fetch' } },
  zod: { input, output: { target: 'generated/orval/zod.ts', client: 'zod' } },
}
