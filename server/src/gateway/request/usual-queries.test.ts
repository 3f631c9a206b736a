import { expect, it } from 'vitest'
import { dialects } from '../../dialects/index.ts'
import { namesInQuery } from '../../relay/named-models/names-in-query.ts'
import { createKeyFinder } from '../auth/key-of.ts'
import { routedQuery } from '../path-aliases.ts'
import { usualQueries } from './usual-queries.ts'

it.each([...usualQueries])('the query %j goes to upstreams as it came, and names nothing', (query) => {
  expect(routedQuery(query)).toBe(query)
  expect(createKeyFinder(dialects).withoutKey(query)).toBe(query)
  expect(createKeyFinder(dialects).sentKey({}, '/v1beta/models/m:generateContent', query).key).toBe('')
  expect(namesInQuery(query)).toEqual([])
})
