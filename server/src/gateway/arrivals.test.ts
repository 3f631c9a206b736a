import fc from 'fast-check'
import { expect, it } from 'vitest'
import { dialects } from '../dialects/index.ts'
import { namesInQuery } from '../relay/named-models/model-names-in.ts'
import { createArrivals, usualQueries } from './arrivals.ts'
import { createKeyFinder } from './auth/key-of.ts'
import { routedQuery } from './path-aliases.ts'
import { createRoutes } from './routes.ts'

const routes = createRoutes(dialects)

const paths = fc.constantFrom(
  ...['/v1/chat/completions', '/v1/messages', '/v1/messages/', '/v1/responses', '/v1/embeddings', '/v1/models', '/a'],
  ...['/v1beta/models/m:generateContent', '/v1beta/models/m:streamGenerateContent', '/v1beta/models/n:countTokens'],
  ...[
    '/openai/deployments/d/chat/completions',
    '/anthropic/v1/messages',
    '/v1/passthrough/1/v1/x',
    '/mj/submit/imagine',
  ],
  ...[
    '/v1beta/models/%6d:generateContent',
    '/v1/responses/resp_1',
    `/v1beta/models/${'m'.repeat(300)}:generateContent`,
  ],
)
const queries = fc.constantFrom(
  ...[
    '',
    '?',
    '?beta=true',
    '?alt=sse',
    '?api-version=1',
    '?api-version=1&deployment=d',
    '?key=sk-1',
    '?alt=sse&key=a',
  ],
)

it('reads an address the same each time that it comes', () => {
  const arrivals = createArrivals(routes)
  const addresses = fc.record({ method: fc.constantFrom('POST', 'POST', 'GET'), path: paths, query: queries })
  fc.assert(
    fc.property(addresses, ({ method, path, query }) => {
      expect(arrivals.of(method, path + query)).toEqual(createArrivals(routes).of(method, path + query))
    }),
    { numRuns: 1000 },
  )
})

it('finds an address again that calls come with, but none that holds a key', () => {
  const arrivals = createArrivals(routes)
  const model = '/v1beta/models/m:streamGenerateContent'
  const found = (url: string): boolean => {
    const first = arrivals.of('POST', url)
    return arrivals.of('POST', url) === first
  }
  const usual = ['/v1/messages', '/v1/messages?beta=true', `${model}?alt=sse`, '/anthropic/v1/messages']
  for (const url of usual) expect(found(url), url).toBe(true)
  for (const url of [`${model}?key=sk-1`, '/v1/messages?a=b']) expect(found(url), url).toBe(false)
})

it.each([...usualQueries])('the query %j goes to upstreams as it came, and names nothing', (query) => {
  expect(routedQuery(query)).toBe(query)
  expect(createKeyFinder(dialects).withoutKey(query)).toBe(query)
  expect(createKeyFinder(dialects).sentKey({}, '/v1beta/models/m:generateContent', query).key).toBe('')
  expect(namesInQuery(query)).toEqual([])
})
