import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedIn } from '../../relay/named-models/named-in.ts'
import { anthropicDialect } from '../anthropic/dialect.ts'
import type { JsonObject } from '../conversation/json.ts'
import { numberOf, requestedPlace } from '../conversation/request-fields.ts'
import type { Dialect } from '../dialect.ts'
import { geminiDialect } from '../gemini/dialect.ts'
import { openaiChatDialect } from '../openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../openai-responses/dialect.ts'
import { billedTools } from '../tools/provider-tools.ts'
import { plainBodyIn } from './plain-body.ts'

/** Of a plain body every reader of the general way says that there is nothing; all others are no plain ones. */

const text = fc.oneof(fc.string(), fc.constantFrom('Hello', '"tools": 1', '\\', '\\"', 'a: "b"', '{"model": "x"}'))
const tokens = fc.integer({ min: 1, max: 100_000 })
const settings = { temperature: fc.double({ min: 0, max: 2, noNaN: true }), top_p: fc.constant(1) }
const some = <T>(shape: T) => fc.record(shape as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject)

const rolesOf = (...roles: readonly string[]) => fc.constantFrom(...roles)
const turns = (turn: fc.Arbitrary<unknown>) => fc.array(turn, { minLength: 1, maxLength: 5 })
const messageParts = turns(fc.record({ type: fc.constant('text'), text }))
const geminiParts = turns(fc.record({ text }))

const kinds: readonly { readonly dialect: Dialect; readonly body: fc.Arbitrary<JsonObject> }[] = [
  {
    dialect: openaiChatDialect,
    body: merged(
      fc.record({
        model: text,
        messages: turns(fc.record({ role: rolesOf('system', 'developer', 'user', 'assistant'), content: text })),
      }),
      some({ ...settings, stream: fc.boolean(), max_tokens: tokens, max_completion_tokens: tokens, stop: text }),
    ),
  },
  {
    dialect: anthropicDialect,
    body: merged(
      fc.record({
        model: text,
        max_tokens: tokens,
        messages: turns(fc.record({ role: rolesOf('user', 'assistant'), content: fc.oneof(text, messageParts) })),
      }),
      some({ ...settings, stream: fc.boolean(), system: fc.oneof(text, messageParts), stop_sequences: fc.array(text) }),
    ),
  },
  {
    dialect: openaiResponsesDialect,
    body: merged(
      fc.record({
        model: text,
        input: fc.oneof(text, turns(fc.record({ role: rolesOf('developer', 'user', 'assistant'), content: text }))),
      }),
      some({ ...settings, stream: fc.boolean(), store: fc.boolean(), instructions: text, max_output_tokens: tokens }),
    ),
  },
  {
    dialect: geminiDialect,
    body: merged(
      fc.record({ contents: turns(fc.record({ role: rolesOf('user', 'model'), parts: geminiParts })) }),
      some({
        systemInstruction: fc.record({ parts: geminiParts }),
        generationConfig: some({ temperature: fc.constant(1), maxOutputTokens: tokens }),
      }),
    ),
  },
]

const shapeOf = ({ requestRules }: Dialect) => {
  if (requestRules.plain === undefined) throw new Error('the dialect has no plain bodies')
  return requestRules.plain
}

/** As different clients write the same JSON. */
const written = (body: JsonObject, spaces: number): string => JSON.stringify(body, undefined, spaces)

const furtherMembers: JsonObject = {
  tools: [],
  n: 2,
  service_tier: 'priority',
  serviceTier: 'flex',
  speed: 'fast',
  models: ['a'],
  inference_geo: 'us',
  modalities: ['audio'],
  user: 'someone',
  metadata: {},
  stream: 'yes',
  max_tokens: 0,
  generationConfig: { candidateCount: 2 },
  previous_response_id: 'r',
  unheard_of: true,
}

describe.each(kinds)('plain bodies of $dialect.name', ({ dialect, body }) => {
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
