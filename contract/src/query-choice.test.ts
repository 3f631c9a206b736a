import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from './index.ts'
import { queryChoice } from './query-choice.ts'

type Json = Readonly<Record<string, unknown>>

const isChoice = (schema: Json): boolean =>
  Array.isArray(schema.enum) || ((schema.anyOf ?? []) as readonly Json[]).some((one) => Array.isArray(one.enum))

it('takes its words, and the fallback for none', () => {
  const schema = z.object({ by: queryChoice(['a', 'b'], 'a'), second: queryChoice(['a', 'b'], undefined) })
  expect(schema.parse({ by: 'b', second: 'a' })).toEqual({ by: 'b', second: 'a' })
  expect(schema.parse({ by: '' })).toEqual({ by: 'a', second: undefined })
  expect(schema.safeParse({ by: 'nonsense' }).success).toBe(false)
})

it('every endpoint refuses a word that it does not know, with the status of a bad request where others have a fallback', () => {
  const found: string[] = []
  for (const { method, path, query, unusableBodyStatus } of endpoints) {
    if (query === undefined) continue
    const { properties = {} } = z.toJSONSchema(query, { io: 'input', unrepresentable: 'any' })
    for (const [field, schema] of Object.entries(properties)) {
      if (!isChoice(schema as Json)) continue
      found.push(field)
      const result = query.safeParse({ [field]: 'nonsense' })
      const refused = result.error?.issues.some((issue) => issue.path[0] === field) === true
      expect([method, path, field, refused]).toEqual([method, path, field, true])
      if ('anyOf' in (schema as Json)) expect([path, field, unusableBodyStatus]).toEqual([path, field, 400])
    }
  }
  expect(found).toEqual(expect.arrayContaining(['by', 'second', 'metric', 'rollup', 'granularity', 'list', 'account']))
})
