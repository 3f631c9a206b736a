import fc from 'fast-check'
import { expect, it } from 'vitest'
import { testCaller, testChannel } from '../../../test/support/relay/ports.ts'
import type { Channels, RouteHealth } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import { openChannelFigures } from './choice/channel-figures.ts'
import { drawFrom, drawsFrom } from './choice/draws.ts'
import { choiceFor, nextChannel } from './next-channel.ts'
import type { RoutedCall } from './routed-call.ts'

/** A site at one moment: its channels, their failures, latencies and load. */
const sites = fc.record({
  channels: fc.uniqueArray(
    fc.record({
      id: fc.integer({ min: 1, max: 5000 }),
      weight: fc.nat(100),
      priority: fc.nat(2),
      limit: fc.option(fc.integer({ min: 1, max: 40 }), { nil: undefined }),
    }),
    { minLength: 2, maxLength: 90, selector: ({ id }) => id },
  ),
  troubled: fc.func(fc.boolean()),
  speed: fc.func(fc.integer({ min: 1, max: 2000 })),
  busy: fc.func(fc.nat(5)),
  choice: fc.constantFrom('priority' as const, 'latency' as const, 'least_busy' as const),
  random: fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
})

type Site = typeof sites extends fc.Arbitrary<infer Of> ? Of : never

const call: RoutedCall = {
  startedAt: 0,
  caller: testCaller,
  model: 'gpt',
  ip: '',
  path: '/v1/chat/completions',
  raw: Buffer.from('{"messages":[]}'.padEnd(100)),
  body: { messages: [] },
}

/** Follows a call that every channel refuses; returns its channels. */
const walk = (site: Site, draw: number): { asked: (number | undefined)[]; draw: number | undefined } => {
  const list = site.channels.map(({ limit, ...of }) =>
    testChannel({ ...of, ...(limit === undefined ? {} : { maxInputTokens: limit }) }),
  )
  const health: RouteHealth = {
    calm: false,
    avoids: (id) => site.troubled(id),
    avoidsKey: () => false,
    chosen: () => {},
  }
  const figures = openChannelFigures()
  for (const { id } of list) {
    figures.answered(id, 'gpt', site.speed(id), 1)
    for (let call = 0; call < site.busy(id); call += 1) figures.begins(id)
  }
  const snapshot = { serving: () => list, byId: () => undefined } as unknown as ReturnType<Channels['snapshot']>
  const channels: Channels = { snapshot: () => snapshot, report: () => {}, health }
  const random = drawsFrom(draw)
  const parts = { channels, figures, clock: () => 1, random }
  const choices = site.choice === 'priority' ? new Map() : new Map([['default', site.choice]])
  const choice = choiceFor(call, choices, parts)
  const deciding = { call, route: undefined, choice, avoidsLosses: false, draw, random }
  const log = createAttemptLog()
  const tried = new Set<number>()
  const asked = Array.from({ length: 5 }, (_, number) => {
    const id = nextChannel(deciding, { tried, number }, log, parts)?.id
    if (id !== undefined) tried.add(id)
    return id
  })
  return { asked, draw: log.route?.draw }
}

it('the number that a record names gives every choice of the call again', () => {
  fc.assert(
    fc.property(sites, (site) => {
      const first = walk(
        site,
        drawFrom(() => site.random),
      )
      expect(first.draw).toBeDefined()
      // The log stores JSON.
      const recorded: number = JSON.parse(JSON.stringify(first.draw))
      expect(walk(site, recorded).asked).toEqual(first.asked)
    }),
    { numRuns: 300 },
  )
})
