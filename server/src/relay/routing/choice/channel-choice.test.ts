import { describe, expect, it } from 'vitest'
import { priceOf } from '../../../../test/support/billing/price.ts'
import { ask, channel, gateway, hi, reopenGateway, upstream, useScene } from '../../../../test/support/gateway/scene.ts'
import { completion, json } from '../../../../test/support/gateway/upstream.ts'
import { openTestChannels, testChannel, testOptions } from '../../../../test/support/relay/ports.ts'
import { candidateTable } from '../candidate-tiers.ts'
import { channelChoice } from './channel-choice.ts'
import { openChannelFigures } from './channel-figures.ts'

useScene()

const now = 1_000_000
const [slow, quick, quicker] = [testChannel({ id: 1 }), testChannel({ id: 2 }), testChannel({ id: 3 })]
const channels = [slow, quick, quicker]
const all = () => true

const chosen = (choice: 'latency' | 'cost' | 'least_busy', parts: Partial<Parameters<typeof channelChoice>[3]>) => {
  const figures = parts.figures ?? openChannelFigures()
  const ids = new Map<number, number>()
  for (let call = 0; call < 300; call += 1) {
    const choose = channelChoice(choice, 'gpt', now, { random: Math.random, ...parts, figures })
    const [tier] = candidateTable(channels).tiers
    const id = (tier && choose?.choose(tier, all)?.id) ?? 0
    ids.set(id, (ids.get(id) ?? 0) + 1)
  }
  return [...ids.keys()].sort()
}

describe('the choice by latency', () => {
  it('takes those that answer about as soon as the best', () => {
    const figures = openChannelFigures()
    figures.answered(1, 'gpt', 2000, now)
    figures.answered(2, 'gpt', 550, now)
    figures.answered(3, 'gpt', 500, now)
    expect(chosen('latency', { figures })).toEqual([2, 3])
  })

  it('asks a channel of which nothing is known, once at a time', () => {
    const figures = openChannelFigures()
    figures.answered(1, 'gpt', 2000, now)
    figures.answered(2, 'gpt', 500, now)
    figures.answered(3, 'gpt', 500, now - 400_000)
    expect(chosen('latency', { figures })).toEqual([3])
    figures.begins(3)
    expect(chosen('latency', { figures })).toEqual([2])
    figures.ends(3)
    expect(chosen('latency', { figures })).toEqual([3])
  })

  it('follows a channel that becomes slow', () => {
    const figures = openChannelFigures()
    for (const id of [1, 2, 3]) figures.answered(id, 'gpt', 500, now)
    for (let call = 0; call < 5; call += 1) figures.answered(3, 'gpt', 3000, now)
    expect(chosen('latency', { figures })).toEqual([1, 2])
  })
})

it('the choice by cost takes the provider that takes least', () => {
  const of = ({ id }: { id?: number }) =>
    id === 1 ? undefined : priceOf('gpt', { modelRatio: { gpt: id === 2 ? 2 : 1 } })
  expect(chosen('cost', { costs: { expected: of } as never })).toEqual([3])
})

it('the choice by load takes the channel with the fewest calls under way', () => {
  const figures = openChannelFigures()
  for (const id of [1, 2, 2, 3]) figures.begins(id)
  figures.ends(3)
  expect(chosen('least_busy', { figures })).toEqual([3])
})

describe('among thousands of channels', () => {
  const many = Array.from({ length: 5000 }, (_, index) => testChannel({ id: index + 1 }))
  const tier = () => {
    const [made] = candidateTable(many).tiers
    if (made === undefined) throw new Error('no tier')
    return made
  }

  it('compares a few, and takes one of the best', () => {
    const figures = openChannelFigures()
    let looked = 0
    for (const { id } of many) figures.answered(id, 'gpt', id, now)
    const counted = {
      ...figures,
      answersIn: (...of: Parameters<typeof figures.answersIn>) => {
        looked += 1
        return figures.answersIn(...of)
      },
    }
    let sum = 0
    for (let call = 0; call < 500; call += 1) {
      const choice = channelChoice('latency', 'gpt', now, { random: Math.random, figures: counted })
      sum += choice?.choose(tier(), all)?.id ?? 0
    }
    expect(sum / 500).toBeLessThan(1000)
    expect(looked / 500).toBeLessThan(60)
  })

  it('knows the quickest, once it was looked for outside of a call, and asks those of which nothing is known', async () => {
    const figures = openChannelFigures()
    for (const { id } of many) if (id !== 99) figures.answered(id, 'gpt', 1000 + id, now)
    let looked = 0
    const counted = {
      ...figures,
      answersIn: (...of: Parameters<typeof figures.answersIn>) => {
        looked += 1
        return figures.answersIn(...of)
      },
    }
    const [large] = candidateTable([...many]).tiers
    const choose = (fits: (channel: { id: number }) => boolean = all, at = now): number =>
      channelChoice('latency', 'gpt', at, { random: Math.random, figures: counted })?.choose(large ?? tier(), fits)
        ?.id ?? 0
    await expect.poll(() => choose()).toBe(99)
    looked = 0
    figures.begins(99)
    const ids = Array.from({ length: 200 }, () => choose())
    expect(Math.max(...ids)).toBeLessThanOrEqual(201)
    expect(new Set(ids).size).toBeGreaterThan(50)
    // Four for a call: of one that may be measured, of two that are compared.
    expect(looked).toBeLessThan(202 * 5)
    expect(choose(({ id }) => id === 4000)).toBe(4000)
    // Figures are not read again before a call comes; stale ones do not count.
    expect(choose(({ id }) => id > 201, now + 60_000)).toBeGreaterThan(201)
  })

  it('keeps loads even by the better of two', () => {
    const figures = openChannelFigures()
    const large = tier()
    const parts = { figures, random: Math.random }
    for (let call = 0; call < 10_000; call += 1) {
      figures.begins(channelChoice('least_busy', 'gpt', now, parts)?.choose(large, all)?.id ?? 0)
    }
    expect(Math.max(...many.map(({ id }) => figures.underWay(id)))).toBeLessThan(7)
  })

  it('knows the cheapest, whatever is drawn', () => {
    const of = ({ id }: { id?: number }) => priceOf('gpt', { modelRatio: { gpt: id === 4321 ? 1 : 2 } })
    const parts = { figures: openChannelFigures(), costs: { expected: of } as never, random: Math.random }
    for (let call = 0; call < 20; call += 1)
      expect(channelChoice('cost', 'gpt', now, parts)?.choose(tier(), all)?.id).toBe(4321)
    const others = channelChoice('cost', 'gpt', now, parts)?.choose(tier(), ({ id }) => id !== 4321)
    expect(others?.id).not.toBe(4321)
  })

  it('finds the only one that fits', () => {
    for (const name of ['latency', 'cost', 'least_busy'] as const) {
      const parts = {
        figures: openChannelFigures(),
        costs: { expected: () => undefined } as never,
        random: Math.random,
      }
      expect(channelChoice(name, 'gpt', now, parts)?.choose(tier(), ({ id }) => id === 77)?.id).toBe(77)
    }
  })
})

it('is that of the group of a call', async () => {
  const figures = openChannelFigures()
  await reopenGateway({
    figures,
    channels: openTestChannels(channel({ id: 1 }), channel({ id: 2 })),
    settings: { ...testOptions, channelChoices: new Map([['default', 'latency']]) },
  })
  figures.answered(1, 'gpt-4o', 60_000, Date.now())
  upstream.answer = json(completion('hello'))
  for (let call = 0; call < 6; call += 1) await ask(hi)
  expect(gateway.parts.recorder.records.map(({ channelId }) => channelId)).toEqual([2, 2, 2, 2, 2, 2])
  expect([figures.underWay(1), figures.underWay(2)]).toEqual([0, 0])
})
