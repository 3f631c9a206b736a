import { hash } from 'node:crypto'
import { createBoundedCache } from '../../../lib/caches/bounded-cache.ts'
import type { Bus } from '../../../lib/redis/bus.ts'
import type { SealPlace } from './sealed-reasoning.ts'

/**
 * Makers of encrypted reasoning, for as much as fits in memory. Nodes and workers notify each other. Without an entry, a provider that
 * cannot decrypt the reasoning is asked again without it.
 */
export interface SealPlaces {
  find(seals: readonly string[]): ReadonlyMap<string, SealPlace>
  note(seals: readonly string[], place: SealPlace): void
}

export interface SealPlacesParts {
  /** Absent for a process that is alone. */
  readonly bus?: Pick<Bus, 'publish' | 'subscribe'>
  /** Most ciphertexts; the least recently used are evicted. */
  readonly most?: number
}

const topic = 'seal-places'
/** About 10 MB. */
const usualMost = 50_000
/** Names in one message; an answer has a few. */
const mostNames = 64

const message = /^(\d{1,15}) ([0-9a-f]{32}) ([0-9a-f ]{32,3000})$/

/** Hash of a ciphertext, which does not reveal it. */
const nameOf = (seal: string): string => hash('sha256', seal, 'hex').slice(0, 32)

/** Opens the memory; subscribes to the others. */
export const openSealPlaces = ({ bus, most = usualMost }: SealPlacesParts = {}): SealPlaces => {
  const places = createBoundedCache<string, SealPlace>({ entries: most })

  const keep = (name: string, place: SealPlace): void => {
    places.set(name, place)
  }

  bus?.subscribe(topic, (notice) => {
    if (notice.kind === 'resync' || notice.own) return
    const [, channelId, keyName, names] = message.exec(notice.message) ?? []
    if (keyName === undefined || names === undefined) return
    for (const name of names.split(' ').slice(0, mostNames)) keep(name, { channelId: Number(channelId), keyName })
  })

  return {
    find(seals) {
      const found = new Map<string, SealPlace>()
      if (places.size === 0) return found
      for (const seal of seals) {
        const place = places.get(nameOf(seal))
        if (place !== undefined) found.set(seal, place)
      }
      return found
    },
    note(seals, place) {
      const names = seals.map(nameOf)
      for (const name of names) keep(name, place)
      const told = names.slice(0, mostNames).join(' ')
      if (told !== '') bus?.publish(topic, `${place.channelId} ${place.keyName} ${told}`)
    },
  }
}
