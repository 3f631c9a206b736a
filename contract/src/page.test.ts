import { expect, it } from 'vitest'
import { z } from 'zod'
import { endpoints } from './index.ts'
import { numberList, pageQuery, queryChoice, sortQuery, zeroPageQuery } from './page.ts'

const page = (query: Record<string, string>) => z.object(pageQuery).parse(query)

it.each([
  [{}, { p: 1, page_size: 10 }],
  [
    { p: '0', page_size: '0' },
    { p: 1, page_size: 10 },
  ],
  [
    { p: '-3', page_size: '-1' },
    { p: 1, page_size: 10 },
  ],
  [
    { p: '4', page_size: '50' },
    { p: 4, page_size: 50 },
  ],
  [
    { p: 'x', page_size: '1000000' },
    { p: 1, page_size: 100 },
  ],
  [
    { p: '99999999999999', page_size: '1.5' },
    { p: 1_000_000, page_size: 10 },
  ],
])('reads the page %j as %j', (query, read) => {
  expect(page(query as Record<string, string>)).toEqual(read)
})

it('begins at 0 in the lists whose first page is 0', () => {
  const zero = z.object(zeroPageQuery)
  expect([{}, { p: '0' }, { p: '2' }, { p: '-1' }, { p: 'NaN' }].map((query) => zero.parse(query).p)).toEqual([
    0, 0, 2, 0, 0,
  ])
})

it('takes an order only by columns that the list has', () => {
  const sort = sortQuery(['id', 'name'])
  expect(sort.parse('-name')).toEqual({ column: 'name', descending: true })
  expect(sort.parse('id')).toEqual({ column: 'id', descending: false })
  expect(sort.parse('password')).toBeUndefined()
  expect(sort.parse(undefined)).toBeUndefined()
})

it('leaves out of a list what is no number', () => {
  expect(numberList.parse('1,x,3')).toEqual([1, 3])
  expect(numberList.parse('')).toEqual([])
})

type Json = Readonly<Record<string, unknown>>

const isChoice = (schema: Json): boolean =>
  Array.isArray(schema.enum) || ((schema.anyOf ?? []) as readonly Json[]).some((one) => Array.isArray(one.enum))

it('a choice takes its words, and the fallback for none', () => {
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
