import { hash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { testChannel } from '../../../test/support/relay/ports.ts'
import type { RelayChannel } from '../ports.ts'
import { chooseChannel } from '../routing/plan.ts'
import { bySession } from './rendezvous.ts'

const none: ReadonlySet<number> = new Set()
const hashOf = (session: number): number => Number.parseInt(hash('sha256', `${session}`, 'hex').slice(0, 8), 16)
const choose = (channels: readonly RelayChannel[], session: number, avoids?: (channel: RelayChannel) => boolean) =>
  chooseChannel(channels, none, 0, bySession(hashOf(session)), avoids)?.id

const someChannels = fc
  .uniqueArray(fc.record({ id: fc.integer({ min: 1, max: 100_000 }), weight: fc.integer({ min: 0, max: 100 }) }), {
    minLength: 2,
    maxLength: 12,
    selector: ({ id }) => id,
  })
  .map((list) => list.map(testChannel))

const sessions = Array.from({ length: 40 }, (_, index) => index)

describe('rendezvous', () => {
  it('gives each channel sessions in proportion to its weight', () => {
    const channels = [0, 10, 30, 50].map((weight, index) => testChannel({ id: index + 1, weight }))
    const counts = new Map<number, number>()
    const all = 20_000
    for (let session = 0; session < all; session += 1) {
      const id = choose(channels, session) ?? 0
      counts.set(id, (counts.get(id) ?? 0) + 1)
    }
    for (const [index, share] of [10, 20, 40, 60].entries()) {
      expect(Math.abs((counts.get(index + 1) ?? 0) / all - share / 130)).toBeLessThan(0.015)
    }
  })

  it('says the same on every node, in whatever order it knows its channels', () => {
    fc.assert(
      fc.property(someChannels, fc.nat(), (channels, session) => {
        expect(choose(channels.toReversed(), session)).toBe(choose(channels, session))
      }),
    )
  })

  it('moves only the sessions of a channel that goes, whether it is removed or avoided', () => {
    fc.assert(
      fc.property(someChannels, fc.nat(11), (channels, position) => {
        const gone = channels[position % channels.length]
        const rest = channels.filter((channel) => channel !== gone)
        for (const session of sessions) {
          const before = choose(channels, session)
          const after = choose(rest, session)
          if (before !== gone?.id) expect(after).toBe(before)
          expect(choose(channels, session, (channel) => channel === gone)).toBe(after)
        }
      }),
    )
  })

  it('moves sessions only to a channel that comes or gains weight', () => {
    fc.assert(
      fc.property(someChannels, fc.integer({ min: 1, max: 100 }), (channels, more) => {
        const heavier = channels.map((channel, index) =>
          index === 0 ? testChannel({ id: channel.id, weight: channel.weight + more }) : channel,
        )
        for (const session of sessions) {
          const after = choose(heavier, session)
          if (after !== channels[0]?.id) expect(after).toBe(choose(channels, session))
        }
      }),
    )
  })

  describe('among thousands of channels', () => {
    const many = Array.from({ length: 3000 }, (_, index) => testChannel({ id: index * 7 + 1, weight: index % 40 }))
    const all = Array.from({ length: 20_000 }, (_, index) => index)

    it('gives each channel sessions in proportion to its weight', () => {
      let [heavy, calls] = [0, 0]
      for (const session of all) {
        calls += 1
        if ((((choose(many, session) ?? 0) - 1) / 7) % 40 >= 20) heavy += 1
      }
      // Weights 30 to 49 against 10 to 29.
      expect(Math.abs(heavy / calls - 790 / 1180)).toBeLessThan(0.02)
    })

    it('says the same in whatever order a node knows them', () => {
      const turned = many.toReversed()
      for (const session of all.slice(0, 500)) expect(choose(turned, session)).toBe(choose(many, session))
    })

    it('moves only the sessions of a channel that is avoided', () => {
      for (const session of all.slice(0, 500)) {
        const before = choose(many, session)
        const other = many[session % many.length]
        if (other?.id !== before) expect(choose(many, session, (channel) => channel === other)).toBe(before)
        expect(choose(many, session, ({ id }) => id === before)).not.toBe(before)
      }
    })

    it('moves few sessions where channels come and go', () => {
      const fewer = many.filter(({ id }) => id !== many[1000]?.id && id !== many[2000]?.id)
      const moved = all.filter((session) => choose(many, session) !== choose(fewer, session)).length
      expect(moved / all.length).toBeLessThan(0.02)
    })

    it('finds the only one that fits', () => {
      const only = many[1234]
      expect(choose(many, 5, (channel) => channel !== only)).toBe(only?.id)
    })
  })

  it('stays within the highest priority that may be asked', () => {
    const channels = [5, 5, 0].map((priority, index) => testChannel({ id: index + 1, priority, weight: index * 50 }))
    for (const session of sessions) expect(choose(channels, session)).toBeLessThan(3)
    expect(choose(channels, 1, ({ priority }) => priority === 5)).toBe(3)
  })
})
