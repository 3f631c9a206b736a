import { createBoundedCache } from '../../lib/caches/bounded-cache.ts'
import type { Bus } from '../../lib/redis/bus.ts'

/** The channel and key to which a session's calls for a model went last. */
export interface SessionPlace {
  readonly channelId: number
  /** Of the key, where the channel has several; 0 otherwise. */
  readonly seed: number
  /** Milliseconds since 1970 of the last answer. */
  readonly at: number
}

/**
 * Where sessions went last, for as many as fit in memory. Nodes tell each other when a session begins or moves, so that it
 * stays together wherever its calls arrive; they find the same place by themselves where such a message is lost.
 */
export interface SessionPlaces {
  last(sessionId: string, model: string): SessionPlace | undefined
  /** After an answer. `shared` tells the other nodes, where the place is another than before, or was not told for minutes. */
  answered(sessionId: string, model: string, place: SessionPlace, shared: boolean): void
  /** How many places are known. */
  readonly size: number
}

export interface SessionPlacesParts {
  /** Absent for a node that is alone. */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe'>
  /** Places that are remembered; the longest unused go first. */
  readonly most?: number
}

const topic = 'session-places'
/** So long others may take a session for idle that goes on here. */
const shareAgainMs = 240_000

interface KnownPlace extends SessionPlace {
  /** When the other nodes knew of it last. */
  readonly sharedAt: number
}

/** About 10 MB. */
const usualMost = 50_000

const message = /^([0-9a-f]{16}) (\d{1,15}) (\d{1,10}) (\d{1,15}) (.{1,300})$/s

/** Opens the memory; listens to the other nodes. */
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
