import fc from 'fast-check'
import { anthropicDialect } from '../../../src/dialects/anthropic/dialect.ts'
import type { JsonObject } from '../../../src/dialects/conversation/json.ts'
import type { Dialect } from '../../../src/dialects/dialect.ts'
import { geminiDialect } from '../../../src/dialects/gemini/dialect.ts'
import { openaiChatDialect } from '../../../src/dialects/openai-chat/dialect.ts'
import { openaiResponsesDialect } from '../../../src/dialects/openai-responses/dialect.ts'

/** Random plain bodies of the dialects, and members that make others of them. */

/** Texts that stand for something elsewhere in requests. */
const names = [
  ...[
    'reasoning.encrypted',
    'anthropic-claude',
    'thinking_blocks',
    'encrypted_content',
    'redacted_thinking',
    'signature',
  ],
  ...['a tollgate:anthropic:s:abc', 'a dG9sbGdhdGU6YW50aHJvcGljOnM6YWJj', 'previous_response_id', 'resp_1', 'audio'],
]

const text = fc.oneof(
  fc.string(),
  fc.constantFrom('Hello', '"tools": 1', '\\', '\\"', 'a: "b"', '{"model": "x"}'),
  fc.constantFrom(...names),
)
const tokens = fc.integer({ min: 1, max: 100_000 })
const settings = { temperature: fc.double({ min: 0, max: 2, noNaN: true }), top_p: fc.constant(1) }
const some = <T>(shape: T) => fc.record(shape as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: [] })
const merged = (...parts: readonly fc.Arbitrary<object>[]): fc.Arbitrary<JsonObject> =>
  fc.tuple(...parts).map((all) => Object.assign({}, ...all) as JsonObject)

const rolesOf = (...roles: readonly string[]) => fc.constantFrom(...roles)
const turns = (turn: fc.Arbitrary<unknown>) => fc.array(turn, { minLength: 1, maxLength: 5 })
const messageParts = turns(fc.record({ type: fc.constant('text'), text }))
const geminiParts = turns(fc.record({ text }))

/** Plain bodies of each dialect that has any. */
export const plainBodies: readonly { readonly dialect: Dialect; readonly body: fc.Arbitrary<JsonObject> }[] = [
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

/** With one of these a body is no plain one. */
export const furtherMembers: JsonObject = {
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
