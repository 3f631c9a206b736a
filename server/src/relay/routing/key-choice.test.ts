import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import type { KeyRing, RelayChannel, RouteHealth } from '../ports.ts'
import { type Session, sessionOf } from '../sessions/session-of.ts'
import { chooseKey } from './key-choice.ts'

const inSession = (body: Record<string, unknown>): Session | undefined =>
  sessionOf({ scope: '7', headers: {}, body, dialect: openaiChatDialect, size: 0 })

const chat = (first: string, ...later: string[]): Session | undefined =>
  inSession({
    messages: [
      { role: 'system', content: 'You count tolls.' },
      { role: 'user', content: first },
      ...later.map((content, index) => ({ role: index % 2 === 0 ? 'assistant' : 'user', content })),
    ],
  })

const seedFor = (key: string): number =>
  [...key].reduce((sum, letter) => Math.imul(sum, 31) + letter.charCodeAt(0), 7) >>> 0

const withKeys = (keys: readonly string[], ring: Partial<KeyRing> = {}): RelayChannel =>
  testChannel({ keys, ring: { rotation: 'random', affinity: true, seeds: keys.map(seedFor), next: 0, ...ring } })

const tenKeys = Array.from({ length: 10 }, (_, index) => `sk-key-number-${index}`)
const at = { random: Math.random, health: undefined, now: 0 }

const avoiding = (...seeds: number[]): RouteHealth => ({
  calm: seeds.length === 0,
  avoids: () => false,
  avoidsKey: (_, seed) => seeds.includes(seed),
  chosen: () => {},
})

describe('a conversation', () => {
  it('stays with its key as it grows', () => {
    const channel = withKeys(tenKeys)
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.array(fc.string(), { maxLength: 6 }), (first, later) => {
        const key = chooseKey(channel, chat(first), at)
        expect(chooseKey(channel, chat(first, ...later), at)).toBe(key)
      }),
    )
  })

  it('moves only when its own key goes', () => {
    const all = withKeys(tenKeys)
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.nat(9), (first, gone) => {
        const before = chooseKey(all, chat(first), at)
        const rest = withKeys(tenKeys.filter((_, index) => index !== gone))
        const after = chooseKey(rest, chat(first), at)
        if (before !== tenKeys[gone]) expect(after).toBe(before)
      }),
    )
  })

  it('is spread evenly over the keys', () => {
    const channel = withKeys(tenKeys)
    const counts = new Map<string, number>()
    for (let index = 0; index < 5000; index += 1) {
      const key = chooseKey(channel, chat(`question ${index}`), at)
      counts.set(key, (counts.get(key) ?? 0) + 1)
    }
    expect(counts.size).toBe(10)
    for (const count of counts.values()) expect(count).toBeGreaterThan(350)
    for (const count of counts.values()) expect(count).toBeLessThan(650)
  })

  it('goes to another key while its own rests, and comes back', () => {
    const channel = withKeys(tenKeys)
    const own = chooseKey(channel, chat('hello'), at)
    const other = chooseKey(channel, chat('hello'), { ...at, health: avoiding(seedFor(own)) })
    expect(other).not.toBe(own)
    expect(chooseKey(channel, chat('hello'), { ...at, health: avoiding() })).toBe(own)
    expect(chooseKey(channel, chat('hello'), { ...at, health: avoiding(...tenKeys.map(seedFor)) })).toBe(own)
  })

  it('is tried with another key after a refusal, until none is left', () => {
    const channel = withKeys(tenKeys)
    const tried = new Set<string>()
    for (let round = 0; round < tenKeys.length; round += 1) tried.add(chooseKey(channel, chat('hello'), at, tried))
    expect(tried.size).toBe(10)
  })

  it('stays with the key that it used last while that key rests not', () => {
    const channel = withKeys(tenKeys)
    const own = chooseKey(channel, chat('hello'), at)
    const last = tenKeys.find((key) => key !== own) ?? ''
    const lastSeed = seedFor(last)
    expect(chooseKey(channel, chat('hello'), { ...at, lastSeed })).toBe(last)
    expect(chooseKey(channel, chat('hello'), { ...at, lastSeed, health: avoiding(lastSeed) })).toBe(own)
    expect(chooseKey(channel, chat('hello'), { ...at, lastSeed }, new Set([last]))).toBe(own)
  })
})

describe('other calls', () => {
  const embedding = undefined

  it('take turns', () => {
    const channel = withKeys(['a', 'b', 'c'], { rotation: 'round_robin' })
    const keys = Array.from({ length: 6 }, () => chooseKey(channel, embedding, at))
    expect(keys).toEqual(['a', 'b', 'c', 'a', 'b', 'c'])
  })

  it('skip a resting key in their turns', () => {
    const channel = withKeys(['a', 'b', 'c'], { rotation: 'round_robin' })
    const health = avoiding(seedFor('b'))
    const keys = Array.from({ length: 4 }, () => chooseKey(channel, embedding, { ...at, health }))
    expect(keys).toEqual(['a', 'c', 'a', 'c'])
  })

  it.each([
    [0, 'a'],
    [0.34, 'b'],
    [0.99, 'c'],
  ])('take any key by chance: %d takes %s', (random, key) => {
    expect(chooseKey(withKeys(['a', 'b', 'c']), embedding, { ...at, random: () => random })).toBe(key)
  })

  it('share the load of a resting key evenly', () => {
    const health = avoiding(seedFor('a'))
    const channel = withKeys(['a', 'b', 'c'])
    expect(chooseKey(channel, embedding, { random: () => 0.49, health, now: 0 })).toBe('b')
    expect(chooseKey(channel, embedding, { random: () => 0.51, health, now: 0 })).toBe('c')
  })

  it('are all calls where the channel does without affinity', () => {
    const channel = withKeys(['a', 'b', 'c'], { rotation: 'round_robin', affinity: false })
    expect(Array.from({ length: 3 }, () => chooseKey(channel, chat('hello'), at))).toEqual(['a', 'b', 'c'])
  })

  it('use the only key without a second look', () => {
    expect(chooseKey(testChannel({ keys: ['only'] }), chat('hello'), at)).toBe('only')
  })
})
