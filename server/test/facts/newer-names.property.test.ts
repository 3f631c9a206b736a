import fc from 'fast-check'
import { expect, it } from 'vitest'
import { familyOf } from '../../src/dialects/facts/models.ts'

/** Names that no row knows take the rules of their family's newest models. */

const version = fc.integer({ min: 7, max: 99 })
const minor = fc.integer({ min: 0, max: 99 })
const name = (form: (major: number, second: number) => string): fc.Arbitrary<string> =>
  fc.tuple(version, minor).map(([major, second]) => form(major, second))

/** A newest name of each family, and how names of later ones may look. */
const families: readonly (readonly [string, fc.Arbitrary<string>])[] = [
  ['claude-opus-5-5', name((major, second) => `claude-opus-${major}-${second}`)],
  ['claude-opus-5-5', name((major) => `claude-opus-${major}`)],
  ['claude-opus-5-5', name((_, second) => `claude-opus-5-${Math.min(second + 6, 99)}`)],
  ['claude-sonnet-5-5', name((major, second) => `claude-sonnet-${major}-${second}`)],
  ['claude-haiku-5-5', name((major, second) => `claude-haiku-${major}-${second}`)],
  ['claude-fable-5-1', name((major, second) => `claude-fable-${major}-${second}`)],
  ['claude-next-9', fc.stringMatching(/^claude-[j-l][a-z]{4}-[6-9]$/)],
  ['gpt-7', name((major, second) => `gpt-${major === 35 ? 36 : major}.${second % 10}`)],
  ['gpt-7-pro', name((major) => `gpt-${major === 35 ? 36 : major}-pro`)],
  ['gemini-3.8-flash', name((major, second) => `gemini-${major}.${second}-flash`)],
  ['gemini-3.8-pro', name((major, second) => `gemini-${major}.${second}-pro-preview`)],
  ['deepseek-v4-pro', name((major, second) => `deepseek-v${major}.${second}`)],
  ['deepseek-v4-pro', fc.stringMatching(/^deepseek-[f-k][a-z]{5}$/)],
  ['kimi-k3', name((major, second) => `kimi-k${major}.${second}`)],
  ['glm-5.3', name((major, second) => `glm-${major}.${second}`)],
  ['qwen3.7-max', name((major, second) => `qwen${major}.${second}-plus`)],
  ['MiniMax-M9', name((major, second) => `MiniMax-M${major}.${second}`)],
  ['mistral-large-4-0', name((major, second) => `mistral-large-${major}-${second % 10}`)],
  ['mistral-large-4-0', name((major) => `mistral-ultra-${major}`)],
  ['doubao-seed-2-0-pro', name((_, second) => `doubao-seed-${(second % 7) + 3}-0-pro`)],
  ['grok-4.7', name((major, second) => `grok-${major}.${second % 10}`)],
]

it.each(families)('as %s', (newest, names) => {
  const rules = familyOf(newest)
  expect(rules).toBeDefined()
  fc.assert(
    fc.property(names, fc.constantFrom('', 'vendor/', 'Pro/maker/'), (model, host) => {
      expect(familyOf(host + model)).toBe(rules)
    }),
    { numRuns: 300 },
  )
})
