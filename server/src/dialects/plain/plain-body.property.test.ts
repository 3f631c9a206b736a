import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { furtherMembers, plainBodies } from '../../../test/support/dialects/plain-bodies.ts'
import { namedIn } from '../../relay/named-models/named-in.ts'
import type { JsonObject } from '../conversation/json.ts'
import { numberOf, requestedPlace } from '../conversation/request-fields.ts'
import type { Dialect } from '../dialect.ts'
import { billedTools } from '../tools/provider-tools.ts'
import { plainBodyIn } from './plain-body.ts'

/** Of a plain body every reader of the general way says that there is nothing; all others are no plain ones. */

const shapeOf = ({ requestRules }: Dialect) => {
  if (requestRules.plain === undefined) throw new Error('the dialect has no plain bodies')
  return requestRules.plain
}

/** As different clients write the same JSON. */
const written = (body: JsonObject, spaces: number): string => JSON.stringify(body, undefined, spaces)

describe.each(plainBodies)('plain bodies of $dialect.name', ({ dialect, body }) => {
  const rules = dialect.requestRules
  const shape = shapeOf(dialect)

  it('hold nothing that the general way would find', () => {
    fc.assert(
      fc.property(body, fc.integer({ min: 0, max: 3 }), (plain, spaces) => {
        const found = plainBodyIn(shape, plain, written(plain, spaces))
        expect(found).toEqual({ maxTokens: rules.maxTokens(plain) })
        expect(namedIn(plain)).toBeUndefined()
        expect(rules.serviceTier(plain)).toBeUndefined()
        expect(numberOf(rules.answers(plain))).toBe(0)
        expect(rules.maySpeak(plain)).toBe(false)
        expect(rules.usesProviderTools(plain)).toBe(false)
        expect(billedTools(plain)).toBeUndefined()
        expect(requestedPlace(plain)).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('are none with a member more', () => {
    fc.assert(
      fc.property(body, fc.constantFrom(...Object.keys(furtherMembers)), (plain, name) => {
        const more = { ...plain, [name]: furtherMembers[name] }
        expect(plainBodyIn(shape, more, written(more, 0))).toBeUndefined()
      }),
      { numRuns: 300 },
    )
  })

  it('are none where a text begins like a signature of this gateway', () => {
    for (const mark of ['tollgate:anthropic:s:abc', 'dG9sbGdhdGU6YW50aHJvcGljOnM6YWJj']) {
      fc.assert(
        fc.property(body, (plain) => {
          const marked = { ...plain, model: mark }
          expect(plainBodyIn(shape, marked, written(marked, 0))).toBeUndefined()
        }),
        { numRuns: 20 },
      )
    }
  })

  it('are none where a member stands twice, or in a turn with more than a text', () => {
    fc.assert(
      fc.property(body, fc.boolean(), (plain, spaced) => {
        const json = written(plain, 0)
        const twice = `{"temperature"${spaced ? ' :\n' : ':'} 1,"temperature":1,${json.slice(1)}`
        const parsed = JSON.parse(twice) as JsonObject
        expect(plainBodyIn(shape, parsed, twice)).toBeUndefined()
      }),
    )
    for (const name of ['messages', 'input', 'contents']) {
      const turn = { role: 'user', content: 'Hello', parts: [{ text: 'Hello' }], tool_calls: [] }
      const more = { model: 'm', max_tokens: 5, [name]: [turn] }
      expect(plainBodyIn(shape, more, JSON.stringify(more))).toBeUndefined()
    }
  })
})
