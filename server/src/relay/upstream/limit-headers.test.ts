import { expect, it } from 'vitest'
import { learnedLimits, waitOf } from './limit-headers.ts'

const now = Date.parse('2026-11-26T12:00:00Z')
const read = (headers: Record<string, string>) =>
  learnedLimits(headers, () => now)?.map(({ kind, most, left, resetAt }) => [kind, most, left, resetAt - now])

/** Headers as providers send them. */
it.each([
  [
    'OpenAI',
    {
      'x-ratelimit-limit-requests': '10000',
      'x-ratelimit-limit-tokens': '50000000',
      'x-ratelimit-remaining-requests': '9999',
      'x-ratelimit-remaining-tokens': '49999985',
      'x-ratelimit-reset-requests': '6ms',
      'x-ratelimit-reset-tokens': '1m2.5s',
    },
    [
      ['requests', 10_000, 9999, 6],
      ['tokens', 50_000_000, 49_999_985, 62_500],
    ],
  ],
  [
    'Anthropic',
    {
      'anthropic-ratelimit-requests-limit': '4000',
      'anthropic-ratelimit-requests-remaining': '0',
      'anthropic-ratelimit-requests-reset': '2026-11-26T12:00:30Z',
      'anthropic-ratelimit-input-tokens-limit': '400000',
      'anthropic-ratelimit-input-tokens-remaining': '5000',
      'anthropic-ratelimit-input-tokens-reset': '2026-11-26T12:00:01Z',
    },
    [
      ['requests', 4000, 0, 30_000],
      ['input_tokens', 400_000, 5000, 1000],
    ],
  ],
  ['Azure, without a time', { 'x-ratelimit-remaining-requests': '119' }, [['requests', 0, 119, 60_000]]],
  [
    'Azure, in seconds',
    { 'x-ratelimit-limit-requests': '50', 'x-ratelimit-remaining-requests': '49', 'x-ratelimit-reset-requests': '1' },
    [['requests', 50, 49, 1000]],
  ],
  [
    'Mistral',
    { 'x-ratelimit-limit-tokens-minute': '100000', 'x-ratelimit-remaining-tokens-minute': '99969' },
    [['tokens', 100_000, 99_969, 60_000]],
  ],
  [
    'Together',
    { 'x-ratelimit-limit': '2', 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '2' },
    [['requests', 2, 1, 2000]],
  ],
  ['Replicate', { 'ratelimit-remaining': '599', 'ratelimit-reset': '1' }, [['requests', 0, 599, 1000]]],
  ['a gateway without limits', { 'x-ratelimit-limit-requests': '0', 'x-ratelimit-remaining-requests': '0' }, []],
  ['nonsense', { 'x-ratelimit-remaining-requests': 'many', 'x-ratelimit-reset-requests': 'soon' }, []],
] as const)('of %s are read', (_, headers, limits) => expect(read(headers)).toEqual(limits))

it('are not looked for where there are none, not even the time', () => {
  const clock = () => {
    throw new Error('nobody asks for the time')
  }
  expect(learnedLimits({ 'content-type': 'application/json' }, clock)).toBeUndefined()
})

it.each([
  ['1h2m3s', 3_723_000],
  ['1795694410', 10_000],
  ['Thu, 26 Nov 2026 12:00:05 GMT', 5000],
  ['2026-11-26T11:00:00Z', 0],
  ['99999d', 40 * 86_400_000],
  ['', undefined],
  ['whenever', undefined],
])('the time %j is read', (text, ms) => expect(waitOf(text, now)).toBe(ms))
