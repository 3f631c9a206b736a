import fc from 'fast-check'
import { expect, it } from 'vitest'
import { aLimit } from '../../../test/support/limits/limiter.ts'
import { testCaller, testChannel } from '../../../test/support/relay/ports.ts'
import { InexpressibleError } from '../../dialects/conversation/gaps/inexpressible.ts'
import { openaiChatDialect } from '../../dialects/openai-chat/dialect.ts'
import { AppError } from '../../lib/app-error.ts'
import type { CallLimits, ChannelLimits } from '../../limits/call-limits.ts'
import type { Channels, RelayChannel, UpstreamFailure } from '../ports.ts'
import { createAttemptLog } from '../records/attempt-log.ts'
import type { Session } from '../sessions/session-of.ts'
import { openSessionPlaces } from '../sessions/session-places.ts'
import { askInTurn } from './attempts/ask-in-turn.ts'
import { fastPath } from './attempts/fast-path.ts'
import type { AttemptResult, ChannelAttempt } from './channel-attempt.ts'
import { openChannelFigures } from './choice/channel-figures.ts'
import { drawsFrom } from './choice/draws.ts'
import type { RoutedCall, RoutingParts } from './routed-call.ts'
import { tryChannels } from './try-channels.ts'
import type { AskedKey, UpstreamLimits } from './upstream-limits.ts'

/** The fast path gives the same channels, keys, log and result as the loop. */

const answers = ['answered', 'broken', 'gone', 'busy', 'overloaded', 'refused', 'again'] as const
type Answer = (typeof answers)[number]

const fault = (status: number): UpstreamFailure => ({ status, type: '', code: '', message: 'm', cause: 'c' })

const resultOf = (answer: Answer): AttemptResult => {
  const refused = { kind: 'refused', error: 'c' } as const
  if (answer === 'answered') return { kind: 'answered', status: 200, error: '' }
  if (answer === 'broken') return { kind: 'answered', status: 200, error: 'c', fault: fault(502) }
  if (answer === 'gone') return { kind: 'client_gone', status: 0, error: 'the client has gone' }
  if (answer === 'again') return { ...refused, status: 502, fault: fault(502), retryStatus: 502, mayAskAgain: true }
  const status = { busy: 429, overloaded: 503, refused: 400 }[answer]
  return { ...refused, status, fault: fault(status), retryStatus: status }
}

const places = fc.uniqueArray(
  fc.record({
    id: fc.integer({ min: 1, max: 9 }),
    priority: fc.nat(1),
    weight: fc.nat(20),
    /** 44 has no conversations, 1001 keeps short prompts. */
    type: fc.constantFrom(1, 1, 1, 44, 1001),
    keys: fc.constantFrom(['a'], ['a'], ['a'], ['a', 'b'], ['a', 'b', 'c']),
    rotation: fc.constantFrom('round_robin' as const, 'random' as const),
    affinity: fc.boolean(),
    maxInputTokens: fc.constantFrom(undefined, undefined, 5),
    prepares: fc.constantFrom('whole', 'whole', 'whole', 'lossy', 'inexpressible', 'circular'),
  }),
  { maxLength: 4, selector: ({ id }) => id },
)

const rarely = fc.constantFrom(false, false, false, false, true)

/** No channel must be avoided, so that calls may take the fast path. */
const quiet = {
  isCalm: true,
  isLimited: false,
  isForced: false,
  isFenced: false,
  isBound: false,
  choosesByFigures: false,
  avoidsLosses: false,
  usedUp: 0,
} as const

const anySites = fc.record({
  places: fc.oneof(
    places.map((all) => all.slice(0, 1)),
    places,
  ),
  isCalm: fc.boolean(),
  avoided: fc.nat(9),
  isLimited: rarely,
  isStrict: fc.boolean(),
  isForced: rarely,
  isFenced: rarely,
  isBound: rarely,
  session: fc.constantFrom(undefined, 'short', 'long'),
  /** The session's last channel: long ago, lately, or none. */
  before: fc.option(
    fc.record({
      channelId: fc.integer({ min: 1, max: 9 }),
      seed: fc.constantFrom(0, 11, 22, 99),
      at: fc.constantFrom(-1_000_000, 0, 900),
    }),
  ),
  choosesByFigures: rarely,
  /** Channels of an even id take more than the call pays. */
  avoidsLosses: rarely,
  /** The channel whose provider has said that nothing is left; 0 for none. */
  usedUp: fc.constantFrom(0, 0, 0, 0, 1, 2, 3),
  endpoint: fc.constantFrom('conversation' as const, 'conversation' as const, 'rerank' as const, undefined),
  retryTimes: fc.nat(3),
  draw: fc.constantFrom(0, 0.25, 0.5, 0.75, 0.999),
  answers: fc.array(fc.constantFrom(...answers), { minLength: 1, maxLength: 8 }),
})

/** One thing that a call has to look at, by itself. */
const reasons = [
  ...[{ isCalm: false }, { isLimited: true }, { isForced: true }, { isFenced: true }, { isBound: true }],
  ...[{ choosesByFigures: true }, { avoidsLosses: true }, { usedUp: 1 }, { usedUp: 2 }],
]

const sites = fc
  .tuple(
    anySites,
    fc.oneof({ weight: 2, arbitrary: fc.constant({}) }, fc.constantFrom(...reasons), fc.constant(undefined)),
  )
  .map(([site, reason]) =>
    reason === undefined
      ? site
      : { ...site, ...quiet, ...reason, places: site.places.map((place) => ({ ...place, maxInputTokens: undefined })) },
  )

type Site = typeof sites extends fc.Arbitrary<infer Of> ? Of : never

const channelsOf = ({ places: all }: Site): readonly RelayChannel[] =>
  all.map(({ prepares: _, maxInputTokens, keys, rotation, affinity, ...place }) =>
    testChannel({
      ...place,
      keys,
      ...(maxInputTokens === undefined ? {} : { maxInputTokens }),
      ...(keys.length === 1
        ? {}
        : { ring: { rotation, affinity, seeds: [11, 22, 33].slice(0, keys.length), next: 0 } }),
    }),
  )

type Way = typeof tryChannels<Answer>

const inTurn: Way = (call, attempt, options, log, parts) => askInTurn({ call, attempt, options, log, parts })

/** True for a site whose call goes without the loop first. */
const isStraight = async (site: Site): Promise<boolean> => {
  let found = false
  await run(site, async (call, attempt, options, log, parts) => {
    found = fastPath({ call, attempt, options, log, parts }, 'gpt-4o') !== undefined
    return undefined
  })
  return found
}

/** Everything that can be seen of one call. */
const run = async (site: Site, way: Way) => {
  const list = channelsOf(site)
  const events: unknown[] = []
  const prepares = new Map(site.places.map(({ id, prepares: how }) => [id, how]))
  const log = createAttemptLog()
  let now = 1000
  const health = {
    calm: site.isCalm,
    avoids: (id: number) => id === site.avoided,
    avoidsKey: () => false,
    chosen: (id: number) => events.push(['chosen', id]),
  }
  const snapshot = {
    serving: () => list,
    byId: (id: number) => list.find((channel) => channel.id === id),
  } as unknown as ReturnType<Channels['snapshot']>
  const channels: Channels = {
    snapshot: () => snapshot,
    report: (channel, failure, key, model, tookMs) => events.push(['report', channel.id, failure, key, model, tookMs]),
    health,
  }
  const limits: ChannelLimits = {
    isFull: () => false,
    enter: ({ channel }) => {
      events.push(['entered', channel])
      return undefined
    },
  }
  const callLimits = { all: { calls: [], models: [], channels: [aLimit()] }, ofChannels: limits }
  const figures = openChannelFigures()
  const sessionPlaces = openSessionPlaces({ bus: { publish: () => {}, subscribe: () => () => {} } })
  if (site.before !== null) sessionPlaces.answered('s', 'gpt-4o', site.before, false)
  const upstreamLimits = {
    calm: site.usedUp === 0,
    isUsedUp: ({ channelId, seed }: AskedKey) => channelId === site.usedUp && seed !== 22,
    answered: () => {},
    refused: (asked: AskedKey) => void events.push(['refused', asked]),
    worked: (asked: AskedKey) => void events.push(['worked', asked]),
  } as unknown as UpstreamLimits
  const parts: RoutingParts = {
    channels,
    figures,
    clock: () => now,
    random: drawsFrom(site.draw),
    sessionPlaces,
    upstreamLimits,
    belowCost: {
      of: () => {
        if (!site.avoidsLosses) throw new Error('a call asks for losses though the option is off')
        return ({ id }) => id % 2 === 0
      },
    },
    ...(site.isLimited ? { callLimits: callLimits as unknown as CallLimits } : {}),
  }
  const session = { id: 's', hash: 7, staysWithChannel: site.session === 'long' } as unknown as Session
  const [first] = list
  const fence = { fits: ({ id }: { id: number }) => id % 2 === 0 }
  const project = { channels: { ...fence, within: (all: readonly RelayChannel[]) => all.filter(fence.fits) } }
  const call: RoutedCall = {
    startedAt: 900,
    caller: {
      ...testCaller,
      ...(site.isForced ? { forcedChannel: site.avoided } : {}),
      ...(site.isFenced ? { project: project as unknown as NonNullable<typeof testCaller.project> } : {}),
    },
    model: 'gpt-4o',
    ip: '',
    path: '/v1/chat/completions',
    raw: Buffer.from('{"messages":[]}'.padEnd(100)),
    body: { messages: [] },
    ...(site.endpoint === undefined ? {} : { endpoint: site.endpoint }),
    ...(site.endpoint === 'conversation' ? { dialect: openaiChatDialect } : {}),
    ...(site.session === undefined ? {} : { session }),
    ...(site.isBound ? { place: { channel: first, key: undefined } } : {}),
  }
  const left = [...site.answers]
  const attempt: ChannelAttempt<Answer> = {
    prepare: ({ id }) => {
      const how = prepares.get(id)
      if (how === 'circular') throw new AppError('model_mapped_error', { params: { detail: '' } })
      if (how === 'inexpressible')
        throw new InexpressibleError('nothing_readable', { params: { model: '', fields: '' } })
      log.unsupported = how === 'lossy' ? ['n'] : []
    },
    send: async (channel, key) => {
      events.push(['send', channel.id, key, figures.underWay(channel.id)])
      now += 50
      return left.shift() ?? 'answered'
    },
    resultOf,
  }
  const options = {
    retryTimes: site.retryTimes,
    strictGroups: new Set(site.isStrict ? [testCaller.group] : []),
    channelChoices: new Map(site.choosesByFigures ? [[testCaller.group, 'latency' as const]] : []),
    avoidsLosses: site.avoidsLosses,
    hedgedGroups: new Set<string>(),
  }
  const end = await way(call, attempt, options, log, parts).then(
    (outcome) => ({ outcome }),
    (error: unknown) => ({ error: error instanceof AppError ? error.code : String(error) }),
  )
  const measured = list.map(({ id }) => [figures.underWay(id), figures.answersIn(id, 'gpt-4o', now)])
  const stays = sessionPlaces.last('s', 'gpt-4o')
  const turns = list.map(({ ring }) => ring?.next)
  return { end, events, measured, stays, turns, log: { ...log, channel: log.channel?.id } }
}

it('asks the same channels, straight or in turn', async () => {
  const counts = { straight: 0, drawn: 0, keyed: 0, followed: 0, refused: 0 }
  await fc.assert(
    fc.asyncProperty(sites, async (site) => {
      const [quick, general] = [await run(site, tryChannels), await run(site, inTurn)]
      expect(quick).toEqual(general)
      if (!(await isStraight(site))) return
      counts.straight += 1
      if (site.places.length > 1) counts.drawn += 1
      if (quick.log.channel !== undefined && quick.turns.some((next) => next !== undefined)) counts.keyed += 1
      if (quick.log.session !== undefined) counts.followed += 1
      if (quick.log.attempts.length > 1) counts.refused += 1
    }),
    { numRuns: 4000 },
  )
  for (const count of Object.values(counts)) expect(count).toBeGreaterThan(150)
})

it('draws nothing for a call that has one channel', async () => {
  const list = [testChannel()]
  const snapshot = { serving: () => list } as unknown as ReturnType<Channels['snapshot']>
  let draws = 0
  const random = (): number => {
    draws += 1
    return 0
  }
  const parts = { channels: { snapshot: () => snapshot, report: () => {} }, clock: () => 1, random }
  const attempt: ChannelAttempt<Answer> = { prepare: () => {}, send: async () => 'answered', resultOf }
  const call = { startedAt: 0, caller: testCaller, model: 'm', ip: '', path: '/v1/x', raw: Buffer.from(''), body: {} }
  const options = {
    retryTimes: 1,
    strictGroups: new Set<string>(),
    channelChoices: new Map(),
    avoidsLosses: false,
    hedgedGroups: new Set<string>(),
  }
  expect(await tryChannels(call, attempt, options, createAttemptLog(), parts)).toBe('answered')
  expect(draws).toBe(0)
})
