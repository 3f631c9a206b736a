import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { plainBodies } from '../../../../test/support/dialects/plain-bodies.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'
import { plainBodyIn } from '../../../dialects/plain/plain-body.ts'
import { withMembers } from '../edit-request.ts'
import { withPlainMembers } from './plain-edit.ts'

/** A plain body that is edited in one place has the bytes that the general way gives it. */

/** Texts that look like the member that is edited. */
const texts = fc.constantFrom(
  ...[
    'model',
    'say "model',
    '"model"',
    '"model":"gpt-4o"',
    '\\"model',
    'a "model\\',
    '{"model":1}',
    'mod\u00e8l \u{1f600}',
  ],
  ...['}', '{', '\n', 'gpt-4o'],
)

const withTexts = (body: JsonObject, text: string, place: number): JsonObject => {
  let seen = 0
  const changed = (value: unknown): unknown => {
    if (typeof value === 'string') return seen++ % 4 === place ? text : value
    if (Array.isArray(value)) return value.map(changed)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [name, inner === 'user' ? inner : changed(inner)]),
    )
  }
  return changed(body) as JsonObject
}

/** As clients write JSON: with spaces, with members in any order, with escapes for letters that need none. */
const written = (body: JsonObject, { spaces, isReversed, escapes }: Writing): string => {
  const entries = Object.entries(body)
  const json = JSON.stringify(Object.fromEntries(isReversed ? entries.reverse() : entries), undefined, spaces)
  // Names stand at the beginnings of lines; a text may hold whatever looks like the end of one.
  const spaced = spaces === 1 ? json.replace(/^( *"(?:[^"\\]|\\.)*"): /gm, '$1\n\t: ') : json
  const ascii = spaced.replace(/[\u007f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
  if (escapes === 'none') return spaced
  return escapes === 'ascii' ? ascii : spaced.replaceAll('"model"', '"mo\\u0064el"')
}

interface Writing {
  readonly spaces: number
  readonly isReversed: boolean
  readonly escapes: 'none' | 'ascii' | 'names'
}

const writings: fc.Arbitrary<Writing> = fc.record({
  spaces: fc.nat(3),
  isReversed: fc.boolean(),
  escapes: fc.constantFrom('none', 'none', 'ascii', 'names'),
})

const edits = fc.record(
  {
    model: fc.oneof(fc.constantFrom('o3', 'a"b\\', 'm\u00fc'), fc.string()),
    stream_options: fc.constantFrom({ include_usage: true }, { include_usage: true, x: [1] }, undefined),
  },
  { requiredKeys: [] },
)

describe.each(plainBodies)('plain bodies of $dialect.name', ({ dialect, body }) => {
  it('have the same bytes after an edit', () => {
    const { plain: shape } = dialect.requestRules
    if (shape === undefined) throw new Error('the dialect has no plain bodies')
    let count = 0
    fc.assert(
      fc.property(body, texts, fc.nat(3), writings, edits, (drawn, text, place, writing, members) => {
        const json = written(withTexts(drawn, text, place), writing)
        const parsed = JSON.parse(json) as JsonObject
        if (plainBodyIn(shape, parsed, json) === undefined) return
        count += 1
        const raw = Buffer.from(json)
        expect(withPlainMembers(raw, parsed, members).toString()).toBe(withMembers(raw, members).toString())
        expect(raw.toString()).toBe(json)
      }),
      { numRuns: 1000 },
    )
    expect(count).toBeGreaterThan(150)
  })
})
