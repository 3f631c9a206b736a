import { type LearnedLimitKind, learnedLimitKinds } from '@tollgate/contract'
import { z } from 'zod'
import type { Clock } from '../../lib/clock.ts'
import type { Bus } from '../../lib/redis/bus.ts'
import { type LearnedLimit, learnedLimits, waitOf } from '../upstream/limit-headers.ts'
import type { Headers } from '../upstream/upstream.ts'

/** A key of a channel with a model: providers limit each pair separately. */
export interface AskedKey {
  readonly channelId: number
  /** Seed of the key, the same on every node; 0 where its channel has one. */
  readonly seed: number
  readonly model: string
}

/** Reported remainders of the providers' own limits. In memory, O(1); nodes notify each other within seconds. */
export interface UpstreamLimits {
  /** True while no key is known to be exhausted, so that none needs a check. */
  readonly calm: boolean
  isUsedUp(asked: AskedKey, now: number): boolean
  /** Reads the headers of an answer. */
  answered(asked: AskedKey, headers: Headers): void
  /** A 429, with the time to wait that its headers or its body name. */
  refused(asked: AskedKey, retryAfter: string | undefined): void
  /** Notes an answer: an earlier refusal no longer counts. */
  worked(asked: AskedKey): void
  /** Known limits of a key, by model. */
  of(channelId: number, seed: number): readonly KnownLimits[]
  /** Drops everything about a channel whose keys have changed. */
  forget(channelId: number): void
  /** Sends news to the other nodes; called by a timer. */
  flush(): void
  close(): void
}

export interface KnownLimits {
  readonly model: string
  readonly limits: readonly LearnedLimit[]
  /** Milliseconds since 1970 until which the key is exhausted; 0 where it is not. */
  readonly usedUpUntil: number
}

interface Known extends AskedKey {
  limits: readonly LearnedLimit[]
  usedUpUntil: number
  isNews: boolean
}

const topic = 'upstream-limits'
/** Most pairs of key and model; the oldest is evicted. */
const mostKnown = 20_000
const mostInMessage = 100
/** Milliseconds for a 429 without a time, and the longest accepted time. */
const usualRefusalMs = 10_000
const longestRefusalMs = 3_600_000

const whole = z.number().int().nonnegative()
const message = z.array(
  z.tuple([
    whole,
    whole,
    z.string().max(200),
    whole,
    z.array(z.tuple([z.enum(learnedLimitKinds), whole, whole, whole])).max(8),
  ]),
)

const nameOf = ({ channelId, seed, model }: AskedKey): string => `${channelId} ${seed} ${model}`

/** Milliseconds since 1970 until which a key is exhausted; 0 where it is not. */
const usedUpUntil = (limits: readonly LearnedLimit[]): number =>
  limits.reduce((until, { left, resetAt }) => (left > 0 ? until : Math.max(until, resetAt)), 0)

export const openUpstreamLimits = ({
  clock,
  bus,
}: {
  readonly clock: Clock
  readonly bus: Pick<Bus, 'publish' | 'subscribe'>
}): UpstreamLimits => {
  const known = new Map<string, Known>()
  const byChannel = new Map<number, Set<string>>()
  const usedUp = new Map<string, number>()

  const drop = (name: string): void => {
    const one = known.get(name)
    if (one === undefined) return
    known.delete(name)
    usedUp.delete(name)
    const names = byChannel.get(one.channelId)
    names?.delete(name)
    if (names?.size === 0) byChannel.delete(one.channelId)
  }

  const put = (asked: AskedKey, limits: readonly LearnedLimit[], until: number, isNews: boolean): void => {
    const name = nameOf(asked)
    const before = known.get(name)
    if (before === undefined) {
      if (known.size >= mostKnown) {
        const [first] = known.keys()
        if (first !== undefined) drop(first)
      }
      const { channelId, seed, model } = asked
      known.set(name, { channelId, seed, model, limits, usedUpUntil: until, isNews })
      const names = byChannel.get(channelId) ?? new Set()
      byChannel.set(channelId, names.add(name))
    } else Object.assign(before, { limits, usedUpUntil: until, isNews })
    if (until > 0) usedUp.set(name, until)
    else usedUp.delete(name)
  }

  const publish = (some: readonly Known[]): void => {
    const rows = some.map(({ channelId, seed, model, limits, usedUpUntil: until }) => [
      ...[channelId, seed, model, until],
      limits.map(({ kind, most, left, resetAt }) => [kind, most, left, Math.round(resetAt)]),
    ])
    bus.publish(topic, JSON.stringify(rows))
  }

  /** Exhaustion is sent to the other nodes at once, everything else by the timer. */
  const learn = (asked: AskedKey, limits: readonly LearnedLimit[], until: number): void => {
    const wasUsedUp = usedUp.has(nameOf(asked))
    put(asked, limits, Math.round(until), true)
    if (until > 0 && !wasUsedUp) tell(asked)
  }

  const tell = (asked: AskedKey): void => {
    const one = known.get(nameOf(asked))
    if (one === undefined) return
    one.isNews = false
    publish([one])
  }

  const stop = bus.subscribe(topic, (notice) => {
    if (notice.kind !== 'message' || notice.own) return
    const rows = message.safeParse(JSON.parse(notice.message)).data ?? []
    for (const [channelId, seed, model, until, limits] of rows) {
      const read = limits.map(([kind, most, left, resetAt]: [LearnedLimitKind, number, number, number]) => ({
        kind,
        most,
        left,
        resetAt,
      }))
      put({ channelId, seed, model }, read, until, false)
    }
  })

  return {
    get calm() {
      return usedUp.size === 0
    },

    isUsedUp(asked, now) {
      const name = nameOf(asked)
      const until = usedUp.get(name)
      if (until === undefined) return false
      if (until > now) return true
      usedUp.delete(name)
      return false
    },

    answered(asked, headers) {
      const limits = learnedLimits(headers, clock)
      if (limits !== undefined && limits.length > 0) learn(asked, limits, usedUpUntil(limits))
    },

    refused(asked, retryAfter) {
      const now = clock()
      const before = known.get(nameOf(asked))
      const until = before?.usedUpUntil ?? 0
      const usual = until > now ? 0 : usualRefusalMs
      const wait = Math.min(waitOf(retryAfter ?? '', now) ?? usual, longestRefusalMs)
      if (wait > 0) learn(asked, before?.limits ?? [], Math.max(until, now + wait))
    },

    worked(asked) {
      const one = usedUp.has(nameOf(asked)) ? known.get(nameOf(asked)) : undefined
      if (one !== undefined && usedUpUntil(one.limits) <= clock()) learn(asked, one.limits, 0)
    },

    of(channelId, seed) {
      const now = clock()
      return [...(byChannel.get(channelId) ?? [])].flatMap((name) => {
        const one = known.get(name)
        if (one === undefined || one.seed !== seed) return []
        // Expired limits are dropped.
        const limits = one.limits.filter(({ resetAt }) => resetAt > now)
        const until = one.usedUpUntil > now ? one.usedUpUntil : 0
        return limits.length === 0 && until === 0 ? [] : [{ model: one.model, limits, usedUpUntil: until }]
      })
    },

    forget(channelId) {
      for (const name of [...(byChannel.get(channelId) ?? [])]) drop(name)
    },

    flush() {
      const now = clock()
      for (const [name, until] of usedUp) if (until <= now) usedUp.delete(name)
      const news = [...known.values()].filter(({ isNews }) => isNews)
      for (const one of news) one.isNews = false
      for (let from = 0; from < news.length; from += mostInMessage) publish(news.slice(from, from + mostInMessage))
    },

    close: stop,
  }
}
