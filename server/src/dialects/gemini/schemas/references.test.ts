import { expect, it } from 'vitest'
import { holdsReferences, withoutBesides } from './references.ts'

const Addr = { type: 'object', properties: { city: { type: 'string' } } }

it('puts what a reference stands for beside what stands beside it, as pydantic and FastMCP write it', () => {
  const addr = { $ref: '#/$defs/Addr', description: 'where to', default: null }
  const schema = { type: 'object', properties: { addr }, $defs: { Addr } }
  expect(withoutBesides(schema)).toEqual({
    type: 'object',
    properties: { addr: { ...Addr, description: 'where to', default: null } },
  })
})

it.each([
  { type: 'object', properties: { a: { $ref: '#/$defs/Addr' } }, $defs: { Addr } },
  {
    type: 'object',
    properties: { a: { $ref: '#/$defs/Tree' } },
    $defs: { Tree: { properties: { t: { $ref: '#/$defs/Tree' } } } },
  },
])('keeps references that Google takes: %j', (schema) => expect(withoutBesides(schema)).toEqual(schema))

it('returns a schema without references itself', () => expect(withoutBesides(Addr)).toBe(Addr))

it.each(['#/definitions/Addr', '#/properties/headers', '#/properties/headers/'])(
  'leaves no reference to another place: %s',
  ($ref) => {
    const schema = { type: 'object', properties: { headers: Addr, a: { $ref } }, definitions: { Addr } }
    const made = withoutBesides(schema)
    expect(holdsReferences(made)).toBe(false)
    expect(made).not.toHaveProperty('definitions')
  },
)

it('ends where a schema holds itself', () => {
  const Node = { type: 'object', properties: { next: { $ref: '#/$defs/Node', description: 'the next' } } }
  const made = withoutBesides({
    type: 'object',
    properties: { n: { $ref: '#/$defs/Node', title: 'N' } },
    $defs: { Node },
  })
  expect(made).toMatchObject({ properties: { n: { title: 'N', properties: { next: { $ref: '#/$defs/Node' } } } } })
  expect(JSON.stringify(made)).not.toMatch(/"\$ref":"[^"]*","/)
  const whole = withoutBesides({ type: 'object', properties: { child: { $ref: '#', description: 'x' } } })
  expect(JSON.stringify(whole).length).toBeLessThan(1000)
})

it('bounds what a few references can stand for', () => {
  const levels = Object.fromEntries(
    Array.from({ length: 30 }, (_, level) => {
      const $ref = `#/$defs/L${level + 1}`
      return [`L${level}`, { type: 'object', properties: { a: { $ref, title: 'a' }, b: { $ref, title: 'b' } } }]
    }),
  )
  const schema = {
    type: 'object',
    properties: { l: { $ref: '#/$defs/L0', title: 'l' } },
    $defs: { ...levels, L30: Addr },
  }
  expect(JSON.stringify(withoutBesides(schema)).length).toBeLessThan(2_000_000)
})
