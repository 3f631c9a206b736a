import { setImmediate } from 'node:timers/promises'
import { virtualModelChange } from '@tollgate/contract'
import { createChannelPrices } from '../src/billing/upstream/channel-prices.ts'
import { channelSnapshot } from '../src/features/channels/snapshot.ts'
import { providerOf } from '../src/providers/index.ts'
import type { RelayChannel, RouteHealth } from '../src/relay/ports.ts'
import { createAttemptLog } from '../src/relay/records/attempt-log.ts'
import { openChannelFigures } from '../src/relay/routing/choice/channel-figures.ts'
import { drawFrom, drawsFrom } from '../src/relay/routing/choice/draws.ts'
import { choiceFor, nextChannel } from '../src/relay/routing/next-channel.ts'
import type { RoutedCall, RoutingParts } from '../src/relay/routing/routed-call.ts'
import { routeOf, targetOrder } from '../src/relay/routing/virtual/route-of-call.ts'
import { relayVirtualModel } from '../src/relay/routing/virtual/virtual-model.ts'
import { openSessionPlaces } from '../src/relay/sessions/session-places.ts'
import { SessionRoute } from '../src/relay/sessions/session-route.ts'

/**
 * Measures the choice of a channel on a site with few and with many channels and virtual models: `node server/bench/routing.ts`.
 * `BENCH_CALLS` per figure. Prints microseconds of processor time of a choice, the least of five rounds, since other work of the
 * machine can only add.
 */
const calls = Number(process.env.BENCH_CALLS ?? 100_000)
const rounds = 5
const model = 'gpt-4o'
const now = Date.now()

const provider = providerOf(1)
if (provider === undefined) throw new Error('there is no provider of type 1')

const channelOf = (id: number): RelayChannel => ({
  id,
  name: `channel ${id}`,
  type: 1,
  provider,
  keys: ['key'],
  baseUrl: 'http://127.0.0.1:1',
  organization: '',
  other: '',
  models: new Set([model]),
  groups: new Set(['default']),
  priority: 0,
  weight: id % 50,
  enabled: true,
  autoBan: true,
  modelMapping: new Map(),
  statusCodeMapping: new Map(),
  forceFormat: false,
  thinkingToContent: false,
  proxy: '',
  paramOverride: undefined,
})

const caller = {
  userId: 7,
  username: 'ann',
  role: 1,
  userGroup: 'default',
  acceptsUnpricedModels: true,
  tokenId: 3,
  tokenName: 'main',
  tokenUnlimited: true,
  group: 'default',
  modelLimits: undefined,
  forcedChannel: undefined,
}
const body = { model, messages: [{ role: 'user', content: 'hi' }] }
const plain: RoutedCall = {
  startedAt: now,
  caller,
  model,
  ip: '',
  path: '/v1/chat/completions',
  body,
  raw: Buffer.from(JSON.stringify(body)),
}

const siteOf = (channelCount: number, virtualCount: number) => {
  const virtualModels = Array.from({ length: virtualCount }, (_, index) =>
    relayVirtualModel({
      ...virtualModelChange.parse({
        name: `virtual-${index}`,
        steps: [{ targets: [{ model, weight: 9 }, { model }] }],
      }),
      id: index + 1,
      changed_time: 0,
    }),
  )
  const channels = Array.from({ length: channelCount }, (_, index) => channelOf(index + 1))
  const began = performance.now()
  const snapshot = channelSnapshot(channels, virtualModels)
  const builtMs = performance.now() - began
  const figures = openChannelFigures()
  for (const { id } of channels) figures.answered(id, model, 200 + (id % 700), now)
  const sick: RouteHealth = { calm: false, avoids: (id) => id % 10 === 0, avoidsKey: () => false, chosen: () => {} }
  const parts: RoutingParts = {
    channels: { snapshot: () => snapshot, report: () => {} },
    figures,
    costs: createChannelPrices({ quotaPerUnit: 500_000 }),
    sessionPlaces: openSessionPlaces(),
    clock: () => now,
    random: Math.random,
  }
  return { snapshot, parts, sickParts: { ...parts, channels: { ...parts.channels, health: sick } }, builtMs }
}

type Site = ReturnType<typeof siteOf>
type Choice = 'priority' | 'latency' | 'cost' | 'least_busy'

const choose = (call: RoutedCall, parts: RoutingParts, choice: Choice, route?: SessionRoute): void => {
  const draw = drawFrom(Math.random)
  const random = drawsFrom(draw)
  const choices = choice === 'priority' ? new Map<string, never>() : new Map([['default', choice]])
  const deciding = { call, route, choice: choiceFor(call, choices, { ...parts, random }), draw, random }
  const chosen = nextChannel(deciding, { tried: new Set(), number: 0 }, createAttemptLog(), parts)
  if (chosen === undefined) throw new Error('nobody was chosen')
}

const session = (site: Site, number: number): SessionRoute | undefined => {
  const hash = Math.imul(number + 1, 0x9e3779b1) >>> 0
  const places = site.parts.sessionPlaces
  const id = hash.toString(16).padStart(16, '0')
  return places && new SessionRoute({ id, hash, named: true, staysWithChannel: true }, model, places, now)
}

const virtually = (site: Site, number: number): void => {
  const name = `virtual-${number % 10}`
  const found = site.snapshot.canAnswer('default', name) ? site.snapshot.virtual('default', name) : undefined
  if (found === undefined) throw new Error(`there is no ${name}`)
  const traits = {
    at: now,
    tokenId: 3,
    teamId: 0,
    group: 'default',
    tags: '',
    stream: false,
    header: () => undefined,
    hasTools: () => false,
    hasPictures: () => false,
    promptTokens: () => 1,
  }
  const route = routeOf(found, traits)
  const [target] = targetOrder(route, { now, random: Math.random, hash: undefined })
  choose({ ...plain, model: name, route, target }, site.parts, 'priority')
}

const kinds: readonly [string, (site: Site, number: number) => void][] = [
  ['by weight', (site) => choose(plain, site.parts, 'priority')],
  ['by weight, every tenth channel in trouble', (site) => choose(plain, site.sickParts, 'priority')],
  ['a new session', (site, number) => choose(plain, site.parts, 'priority', session(site, number))],
  ['latency', (site) => choose(plain, site.parts, 'latency')],
  ['cost', (site) => choose(plain, site.parts, 'cost')],
  ['least busy', (site) => choose(plain, site.parts, 'least_busy')],
  ['a virtual model', virtually],
]

const least = (figures: readonly number[]): number => Math.min(...figures)

const microseconds = async (site: Site, choice: (site: Site, number: number) => void): Promise<number> => {
  const round = (): number => {
    const { user, system } = process.threadCpuUsage()
    for (let number = 0; number < calls; number += 1) choice(site, number)
    const used = process.threadCpuUsage({ user, system })
    return (used.user + used.system) / calls
  }
  round()
  // Work that is done outside of calls ends here.
  await setImmediate()
  return least(Array.from({ length: rounds }, round))
}

const sites = [siteOf(10, 10), siteOf(100, 100), siteOf(10_000, 1000)]
console.log('| choice, µs | 10 channels, 10 virtual models | 100, 100 | 10,000, 1,000 |')
console.log('|---|---|---|---|')
for (const [name, choice] of kinds) {
  const figures: string[] = []
  for (const site of sites) figures.push((await microseconds(site, choice)).toFixed(2))
  console.log(`| ${name} | ${figures.join(' | ')} |`)
}
console.log(
  `| the picture of all channels, built once per change, ms | ${sites.map(({ builtMs }) => builtMs.toFixed(1)).join(' | ')} |`,
)
