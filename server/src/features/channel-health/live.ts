import type { HealthKind, RouteState } from '@tollgate/contract'
import type { Clock } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import type { Asking, RelayChannel, RouteHealth, UpstreamFailure } from '../../relay/ports.ts'
import { Breaker, noticeableMs } from './breaker.ts'
import { bucketOf, Counts } from './counts.ts'
import { isSuspect, kindOf, restAfter, slowFirstContentMs } from './outcome.ts'
import { SuspectFailures } from './suspect-failures.ts'

/** Results of one model of one channel that are not in the database yet. */
export interface Harvest {
  readonly channelId: number
  readonly model: string
  readonly counts: Counts
}

export interface LiveHealth extends RouteHealth {
  /** After every attempt. */
  seen(
    channel: RelayChannel,
    failure: UpstreamFailure | undefined,
    key: string,
    model: string,
    durationMs: number,
    firstContentMs: number,
    asking?: Asking,
  ): void
  charged(channelId: number, model: string, quota: number): void
  /**
   * A test has worked (with this model), or the channel was changed: what was held against it is forgotten, here and on
   * the other nodes.
   */
  forgive(channelId: number, model?: string): void
  /** State of a model for routing; `until` in unix seconds, 0 if no time is known. */
  stateOf(channelId: number, model: string): { state: RouteState; until: number }
  /** Models of the channel that are avoided now. */
  avoidedModels(channelId: number): readonly string[]
  /** Unix seconds until which a key rests; 0 while it works. */
  keyRestsUntil(channelId: number, seed: number): number
  /** Takes what is not in the database yet. */
  take(): Harvest[]
  /** Gives back what could not be written. */
  putBack(harvest: readonly Harvest[]): void
  close(): void
}

interface Route {
  readonly breaker: Breaker
  /** Failures that may be their requests' own fault. */
  readonly suspects: SuspectFailures
  counts: Counts | undefined
  seenAt: number
}

interface ChannelHealth {
  readonly routes: Map<string, Route>
  /** Seed of a key → milliseconds since 1970 until which it rests. */
  readonly keys: Map<number, number>
}

/** One attempt that failed; times are milliseconds since 1970. */
interface Seen {
  readonly kind: HealthKind
  readonly failure: UpstreamFailure
  readonly asking: Asking | undefined
  readonly beganAt: number
  readonly now: number
}

const topic = 'channel-health'
const longestError = 500
/** Routes without calls for this long are removed from memory. */
const forgottenAfterMs = 3_600_000

/** Outcomes that count as failures for the breaker; a 429 makes the route or key rest instead. */
const against: ReadonlySet<HealthKind> = new Set(['auth', 'quota', 'server_error', 'timeout'])

/** Failures that a channel which answers a probe may be forgiven. */
const probed: ReadonlySet<HealthKind> = new Set(['server_error', 'timeout'])

/** A key of a channel that was asked for a model. */
interface UsedKey {
  readonly channel: RelayChannel
  readonly key: string
  readonly model: string
}

/**
 * The health of all channels in memory: counted with every attempt in a few additions, sent to the other nodes only when
 * something is to be avoided, and taken by the writer to the database.
 */
export const openLiveHealth = (parts: {
  clock: Clock
  bus: Pick<Bus, 'publish' | 'subscribe'>
  /** The channel was changed, or works again: called here and on the other nodes. */
  forgiven?: (channelId: number) => void
  /** Asks a channel whose provider can be asked whether it is there; undefined for others. */
  probe?: (channel: RelayChannel) => Promise<boolean> | undefined
}): LiveHealth => {
  const channels = new Map<number, ChannelHealth>()
  const troubled = new Set<Breaker>()
  let restingKeys = 0
  const full: Harvest[] = []

  const healthOf = (channelId: number): ChannelHealth => {
    const channel = channels.get(channelId)
    if (channel) return channel
    const fresh: ChannelHealth = { routes: new Map(), keys: new Map() }
    channels.set(channelId, fresh)
    return fresh
  }

  const routeOf = (channelId: number, model: string): Route => {
    const { routes } = healthOf(channelId)
    const route = routes.get(model)
    if (route) return route
    const fresh: Route = { breaker: new Breaker(), suspects: new SuspectFailures(), counts: undefined, seenAt: 0 }
    routes.set(model, fresh)
    return fresh
  }

  const countsOf = (channelId: number, model: string, route: Route, now: number): Counts => {
    const { counts } = route
    if (counts !== undefined && now >= counts.from && now < counts.until) return counts
    if (counts) full.push({ channelId, model, counts })
    const fresh = new Counts(bucketOf(now))
    route.counts = fresh
    return fresh
  }

  const publish = (kind: 'open' | 'rest' | 'key' | 'forgive', channelId: number, until: number, about: string): void =>
    parts.bus.publish(topic, `${kind}|${channelId}|${until}|${about}`)

  /** True when that is noticeably longer than it rests already. */
  const restKey = (channelId: number, seed: number, until: number): boolean => {
    const { keys } = healthOf(channelId)
    const before = keys.get(seed)
    if (before === undefined) restingKeys += 1
    if (before === undefined || until > before) keys.set(seed, until)
    return until > (before ?? 0) + noticeableMs
  }

  const keyRests = (channelId: number, seed: number, now: number): boolean => {
    const keys = channels.get(channelId)?.keys
    const until = keys?.get(seed)
    if (until === undefined) return false
    if (until > now) return true
    keys?.delete(seed)
    restingKeys -= 1
    return false
  }

  /** A 429 is about a key; only when all of them rest, the channel does. */
  const rest = ({ channel, key, model }: UsedKey, until: number, now: number): void => {
    const { ring } = channel
    if (ring !== undefined) {
      const seed = ring.seeds[channel.keys.indexOf(key)]
      if (seed === undefined) return
      if (restKey(channel.id, seed, until)) publish('key', channel.id, until, String(seed))
      if (!ring.seeds.every((each) => keyRests(channel.id, each, now))) return
    }
    const { breaker } = routeOf(channel.id, model)
    troubled.add(breaker)
    if (breaker.rest(until)) publish('rest', channel.id, until, model)
  }

  /** True if a failure counts against the channel for all. */
  const countsForAll = (route: Route, { failure, asking, beganAt, now }: Seen): boolean => {
    if (asking === undefined || !isSuspect(failure)) return true
    const { forAll, tripped } = route.suspects.failed(asking, beganAt, now)
    for (const breaker of tripped) troubled.add(breaker)
    return forAll
  }

  const opened = (channelId: number, model: string, breaker: Breaker): void => {
    troubled.add(breaker)
    publish('open', channelId, breaker.openUntil, model)
  }

  /** A channel that is there although its calls fail is not taken out: it is busy, or what it was asked was no good. */
  const trip = (channel: RelayChannel, model: string, { breaker }: Route, kind: HealthKind): void => {
    const probing = probed.has(kind) ? parts.probe?.(channel) : undefined
    if (probing === undefined) {
      opened(channel.id, model, breaker)
      return
    }
    breaker.withdraw()
    const fail = (isThere: boolean): void => {
      if (isThere) return
      breaker.reopen(parts.clock())
      opened(channel.id, model, breaker)
    }
    probing.then(fail, () => fail(false))
  }

  const judgeFailure = (channel: RelayChannel, model: string, route: Route, seen: Seen) => {
    const { kind, asking, beganAt, now } = seen
    if (asking !== undefined) route.suspects.seen(asking, now)
    if (against.has(kind) && countsForAll(route, seen) && route.breaker.failed(beganAt, now))
      trip(channel, model, route, kind)
  }

  const forgive = (channelId: number, only: string): void => {
    if (only === '') parts.forgiven?.(channelId)
    const channel = channels.get(channelId)
    if (!channel) return
    if (only === '') {
      restingKeys -= channel.keys.size
      channel.keys.clear()
    }
    for (const [model, { breaker, suspects }] of channel.routes) {
      if (only !== '' && model !== only) continue
      suspects.close((scoped) => troubled.delete(scoped))
      breaker.close()
      troubled.delete(breaker)
    }
  }

  const receive = (message: string): void => {
    const [kind, id, until, ...about] = message.split('|')
    const channelId = Number(id)
    const end = Number(until)
    const now = parts.clock()
    if (kind === 'forgive') forgive(channelId, about.join('|'))
    else if (kind === 'key') restKey(channelId, Number(about[0]), end)
    else if (end > now) {
      const { breaker } = routeOf(channelId, about.join('|'))
      if (kind === 'open') breaker.openedElsewhere(end, now)
      else breaker.rest(end)
      troubled.add(breaker)
    }
  }

  const unsubscribe = parts.bus.subscribe(topic, (notice) => {
    if (notice.kind === 'message' && !notice.own) receive(notice.message)
  })

  /** Lets go of what is over, so that the usual way of choosing is the short one again. */
  const sweep = (now: number): void => {
    for (const breaker of troubled) if (!breaker.troubled(now)) troubled.delete(breaker)
    for (const [channelId, channel] of channels) {
      for (const seed of channel.keys.keys()) keyRests(channelId, seed, now)
      for (const [model, route] of channel.routes) {
        const isIdle = now - route.seenAt > forgottenAfterMs && route.counts === undefined
        if (isIdle && !route.breaker.troubled(now) && !route.suspects.troubled(now)) channel.routes.delete(model)
      }
      if (channel.routes.size === 0 && channel.keys.size === 0) channels.delete(channelId)
    }
  }

  return {
    get calm() {
      return troubled.size === 0 && restingKeys === 0
    },
    avoids(channelId, model, now, asking) {
      const route = channels.get(channelId)?.routes.get(model)
      if (route === undefined) return false
      return route.breaker.avoided(now) || (asking !== undefined && route.suspects.avoided(asking, now))
    },
    avoidsKey: keyRests,
    chosen(channelId, model, now, asking) {
      const route = channels.get(channelId)?.routes.get(model)
      route?.breaker.chosen(now)
      if (asking !== undefined) route?.suspects.chosen(asking, now)
    },
    seen(channel, failure, key, model, durationMs, firstContentMs, asking) {
      // Only administrators get a channel to be asked for what it does not serve; any name would become a row.
      if (!channel.models.has(model)) return
      const now = parts.clock()
      const beganAt = now - durationMs
      const route = channels.get(channel.id)?.routes.get(model) ?? routeOf(channel.id, model)
      route.seenAt = now
      const counts = countsOf(channel.id, model, route, now)
      if (failure === undefined) {
        counts.kinds[firstContentMs > slowFirstContentMs ? 'slow' : 'ok'] += 1
        counts.took(durationMs, firstContentMs)
        const { breaker, suspects } = route
        breaker.worked(beganAt, now)
        if (asking !== undefined) suspects.worked(asking, beganAt, now)
        if (troubled.size > 0 && !breaker.troubled(now)) troubled.delete(breaker)
        return
      }
      const kind = kindOf(failure)
      counts.kinds[kind] += 1
      counts.lastError = failure.message.slice(0, longestError)
      counts.lastSentence = failure.sentence
      counts.lastErrorTime = Math.floor(now / 1000)
      if (kind === 'rate_limited') rest({ channel, key, model }, now + restAfter(failure.retryAfter, now), now)
      else judgeFailure(channel, model, route, { kind, failure, asking, beganAt, now })
    },
    charged(channelId, model, quota) {
      const route = quota === 0 ? undefined : channels.get(channelId)?.routes.get(model)
      if (route) countsOf(channelId, model, route, parts.clock()).quota += quota
    },
    forgive(channelId, model = '') {
      const route = channels.get(channelId)?.routes.get(model)
      const now = parts.clock()
      if (model !== '' && !route?.breaker.troubled(now) && !route?.suspects.troubled(now)) return
      forgive(channelId, model)
      publish('forgive', channelId, 0, model)
    },
    stateOf(channelId, model) {
      const now = parts.clock()
      const breaker = channels.get(channelId)?.routes.get(model)?.breaker
      if (!breaker?.troubled(now)) return { state: 'closed', until: 0 }
      if (breaker.openUntil > now) return { state: 'open', until: Math.ceil(breaker.openUntil / 1000) }
      if (breaker.restsUntil > now) return { state: 'resting', until: Math.ceil(breaker.restsUntil / 1000) }
      return { state: 'trial', until: 0 }
    },
    avoidedModels(channelId) {
      const now = parts.clock()
      const routes = channels.get(channelId)?.routes ?? new Map<string, Route>()
      return [...routes].filter(([, { breaker }]) => breaker.troubled(now)).map(([model]) => model)
    },
    keyRestsUntil: (channelId, seed) =>
      keyRests(channelId, seed, parts.clock()) ? Math.ceil((channels.get(channelId)?.keys.get(seed) ?? 0) / 1000) : 0,
    take() {
      const taken = full.splice(0)
      for (const [channelId, { routes }] of channels) {
        for (const [model, route] of routes) {
          if (route.counts) taken.push({ channelId, model, counts: route.counts })
          route.counts = undefined
        }
      }
      sweep(parts.clock())
      return taken
    },
    putBack(harvest) {
      full.push(...harvest)
    },
    close: unsubscribe,
  }
}
