import { expect, it } from 'vitest'
import { hasCombinedRoot, plainRoot } from './plain-root.ts'

const text = { type: 'string' }
const number = { type: 'number' }

it('tells what no object can say in its description', () => {
  const properties = { route: text, file: text }
  const anyOf = [{ required: ['route'] }, { required: ['file'] }]
  expect(plainRoot({ type: 'object', properties, anyOf })).toEqual({
    type: 'object',
    properties,
    description: '{anyOf: [{"required":["route"]},{"required":["file"]}]}',
  })
})

it('unites properties, and requires what all branches require', () => {
  const made = plainRoot({
    description: 'Moves.',
    oneOf: [{ type: 'object', properties: { id: text, x: number }, required: ['id', 'x'] }, { $ref: '#/$defs/Named' }],
    $defs: { Named: { type: 'object', properties: { id: number, name: text }, required: ['id', 'name'] } },
  })
  expect(made).toMatchObject({
    type: 'object',
    properties: { id: { anyOf: [text, number] }, x: number, name: text },
    required: ['id'],
    description: expect.stringMatching(/^Moves\.\n\n\{oneOf: /),
  })
  expect(hasCombinedRoot(made)).toBe(false)
})

it('requires what any part of allOf requires, also of a nested one', () => {
  const allOf = [
    { properties: { a: text }, required: ['a'] },
    { allOf: [{ properties: { b: text }, required: ['b'] }] },
  ]
  expect(plainRoot({ allOf, required: [] })).toEqual({
    type: 'object',
    properties: { a: text, b: text },
    required: ['a', 'b'],
  })
})

it('ends where a schema holds itself', () => {
  expect(plainRoot({ anyOf: [{ $ref: '#/$defs/A' }], $defs: { A: { anyOf: [{ $ref: '#/$defs/A' }] } } })).toMatchObject(
    {
      type: 'object',
      properties: {},
    },
  )
})

it.each([{ type: 'object', properties: { a: { anyOf: [text, number] } } }, undefined, { type: 'object' }])(
  'leaves %j as it is',
  (schema) => expect(hasCombinedRoot(schema)).toBe(false),
)
