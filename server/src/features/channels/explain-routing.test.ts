import type { RouteState } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { relayRow } from '../../../test/support/features/channels.ts'
import { openai } from '../../providers/openai/provider.ts'
import { byChance, chooseChannel, firstChances } from '../../relay/routing/plan.ts'
import { explainRoutingOf } from './explain-routing.ts'
import { type RelayColumns, toRelayChannel } from './relay-channel.ts'
import { channelSnapshot } from './snapshot.ts'

const channel = (change: Partial<RelayColumns>) => {
  const row = relayRow({ models: 'gpt-4o', ...change })
  return toRelayChannel(row, openai, row.key_cipher, (key) => key)
}

const main = channel({ id: 1, name: 'main', priority: 10, weight: 20 })
const second = channel({ id: 2, name: 'second', priority: 10, weight: 0 })
const spare = channel({ id: 3, name: 'spare', priority: 0 })
const all = [
  main,
  second,
  spare,
  channel({ id: 4, name: 'off', status: 2 }),
  channel({ id: 5, name: 'vip only', group: 'vip' }),
  channel({ id: 6, name: 'other model', models: 'o3' }),
]

const explain = (states: Readonly<Record<number, RouteState>> = {}, channels = all) =>
  explainRoutingOf(
    {
      snapshot: () => channelSnapshot(channels),
      stateOf: (id) => ({ state: states[id] ?? 'closed', until: states[id] ? 99 : 0 }),
    },
    { model: 'gpt-4o', group: 'default' },
  ).map(({ name, reason, share }) => [name, reason, share])

describe('the explanation of routing', () => {
  it('names who may be chosen, with what chance, and why each other channel is not', () => {
    expect(explain()).toEqual([
      ['main', 'chosen', 0.75],
      ['second', 'chosen', 0.25],
      ['spare', 'lower_priority', 0],
      ['off', 'disabled', 0],
      ['vip only', 'group', 0],
    ])
  })

  it('goes to the next priority while all channels of the first one cool down', () => {
    expect(explain({ 1: 'open', 2: 'resting' }).slice(0, 3)).toEqual([
      ['spare', 'chosen', 1],
      ['main', 'cooling_down', 0],
      ['second', 'cooling_down', 0],
    ])
  })

  it('uses a channel in trouble where there is no other', () => {
    expect(explain({ 1: 'open' }, [main])).toEqual([['main', 'chosen', 1]])
    expect(explain({ 1: 'open', 2: 'open', 3: 'open' }).slice(0, 2)).toEqual([
      ['main', 'chosen', 0.75],
      ['second', 'chosen', 0.25],
    ])
  })

  it.each([[[]], [[1]], [[1, 2]], [[1, 2, 3]]])('agrees with what the relay chooses while %j cool down', (troubled) => {
    const candidates = [main, second, spare]
    const avoids = ({ id }: { id: number }) => troubled.some((other) => other === id)
    const draws = 400
    /** Independent draws for each round: where one does not fit, the next decides. */
    const drawsOf = (round: number): (() => number) => {
      const left = [1, 7919, 13].map((factor) => ((round * factor) % draws) / draws)
      return () => left.shift() ?? 0
    }
    const drawn = new Map<number, number>()
    for (let draw = 0; draw < draws; draw += 1) {
      const chosen = chooseChannel(candidates, new Set(), 0, byChance(drawsOf(draw)), avoids)
      if (chosen) drawn.set(chosen.id, (drawn.get(chosen.id) ?? 0) + 1 / draws)
    }
    const chances = firstChances(candidates, avoids)
    expect([...chances.keys()].toSorted()).toEqual([...drawn.keys()].toSorted())
    for (const [id, chance] of chances) expect(drawn.get(id)).toBeCloseTo(chance, 2)
  })
})
