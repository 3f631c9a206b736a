import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Bus } from '../../lib/redis/bus.ts'

/** The last channel and key of a session's calls for a model. */
export interface SessionPlace {
  readonly channelId: number
  /** Seed of the key, where the channel has several; 0 otherwise. */
  readonly seed: number
  /** Milliseconds since 1970 of the last answer. */
  readonly at: number
}

/**
 * Last channels of sessions, for as many as fit in memory. Nodes notify each other when a session begins or moves, so that it stays on
 * its channel whichever node gets its calls; if such a message gets lost, their hash gives the same channel.
 */
export interface SessionPlaces {
  last(sessionId: string, model: string): SessionPlace | undefined
  /** Notes an answer. `shared` notifies the other nodes if the place has changed, or they were not notified for minutes. */
  answered(sessionId: string, model: string, place: SessionPlace, shared: boolean): void
  /** Number of known places. */
  readonly size: number
}

export interface SessionPlacesParts {
  /** Absent for a node that is alone. */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe'>
  /** Most places; the least recently used are evicted. */
  readonly most?: number
}

const topic = 'session-places'
/** Milliseconds after which other nodes are notified again of a session that goes on here. */
const shareAgainMs = 240_000

interface KnownPlace extends SessionPlace {
  /** Time of the last notification of other nodes. */
  readonly sharedAt: number
}

/** About 10 MB. */
const usualMost = 50_000

const message = /^([0-9a-f]{16}) (\d{1,15}) (\d{1,10}) (\d{1,15}) (.{1,300})$/s

/** Opens the memory; subscribes to the other nodes. */
export const openSessionPlaces = ({ bus, most = usualMost }: SessionPlacesParts = {}): SessionPlaces => {
  const places = createBoundedCache<string, KnownPlace>({ entries: most })
  const nameOf = (sessionId: string, model: string): string => `${sessionId} ${model}`

  const keep = (name: string, place: KnownPlace): void => {
    places.set(name, place)
  }

  bus?.subscribe(topic, (notice) => {
    if (notice.kind === 'resync' || notice.own) return
    const [, id, channelId, seed, at, model] = message.exec(notice.message) ?? []
    if (id === undefined || model === undefined) return
    keep(nameOf(id, model), { channelId: Number(channelId), seed: Number(seed), at: Number(at), sharedAt: Number(at) })
  })

  return {
    last: (sessionId, model) => places.get(nameOf(sessionId, model)),
    answered(sessionId, model, place, shared) {
      const name = nameOf(sessionId, model)
      const before = places.get(name)
      const isSame = before?.channelId === place.channelId && before.seed === place.seed
      const isFresh = isSame && place.at - before.sharedAt < shareAgainMs
      keep(name, { ...place, sharedAt: isFresh ? before.sharedAt : place.at })
      if (!shared || isFresh) return
      bus?.publish(topic, `${sessionId} ${place.channelId} ${place.seed} ${place.at} ${model}`)
    },
    get size() {
      return places.size
    },
  }
}
