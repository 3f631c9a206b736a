import type { KeyRing, RelayChannel, RouteHealth } from '../ports.ts'
import type { Session } from '../sessions/session-of.ts'
import { spread } from '../sessions/spread.ts'

/** Keys that have refused this call. */
export type TriedKeys = ReadonlySet<string>

interface Choosing {
  /** In [0, 1). */
  readonly random: () => number
  readonly health: RouteHealth | undefined
  /** True if a key, by its seed, is at a limit of the operator or its provider; absent where none is. */
  readonly isFull?: ((seed: number) => boolean) | undefined
  /** Milliseconds since 1970. */
  readonly now: number
  /** Seed of the session's last key, while the cache of that account is warm. */
  readonly lastSeed?: number | undefined
}

type Fits = (index: number) => boolean

/** The key with the highest hash score for a conversation: removing a key moves only its own conversations. */
const highest = ({ seeds }: KeyRing, hash: number, fits: Fits): number => {
  let best = -1
  let most = -1
  for (let index = 0; index < seeds.length; index += 1) {
    const points = spread(seeds[index] ?? 0, hash)
    if (points > most && fits(index)) {
      best = index
      most = points
    }
  }
  return best
}

const nextInTurn = (ring: KeyRing, fits: Fits): number => {
  const { length } = ring.seeds
  for (let step = 0; step < length; step += 1) {
    const index = (ring.next + step) % length
    if (!fits(index)) continue
    ring.next = (index + 1) % length
    return index
  }
  return -1
}

const anyOf = ({ seeds }: KeyRing, random: () => number, fits: Fits): number => {
  let count = 0
  for (let index = 0; index < seeds.length; index += 1) if (fits(index)) count += 1
  let left = Math.floor(random() * count)
  for (let index = 0; index < seeds.length; index += 1) {
    if (!fits(index)) continue
    if (left === 0) return index
    left -= 1
  }
  return -1
}

/**
 * Chooses a key. A conversation stays with its key as long as that works, so that the provider's cache has its prompt; other calls
 * rotate or choose at random. Tried keys come last, avoided ones before them.
 */
export const chooseKey = (
  { id, keys, ring }: RelayChannel,
  session: Pick<Session, 'hash'> | undefined,
  { random, health, isFull, now, lastSeed }: Choosing,
  tried?: TriedKeys,
): string => {
  if (ring === undefined || keys.length === 1) return keys[0] ?? ''
  const hash = ring.affinity ? session?.hash : undefined
  const pick = (fits: Fits): number => {
    if (hash !== undefined) return highest(ring, hash, fits)
    return ring.rotation === 'round_robin' ? nextInTurn(ring, fits) : anyOf(ring, random, fits)
  }
  const untried: Fits = (index) => tried === undefined || !tried.has(keys[index] ?? '')
  const rested: Fits = (index) => {
    const seed = ring.seeds[index] ?? 0
    return untried(index) && isFull?.(seed) !== true && !health?.avoidsKey(id, seed, now)
  }
  if (hash !== undefined && lastSeed !== undefined) {
    const last = ring.seeds.indexOf(lastSeed)
    if (last !== -1 && rested(last)) return keys[last] ?? ''
  }
  let index = (health === undefined || health.calm) && isFull === undefined ? -1 : pick(rested)
  if (index === -1) index = pick(untried)
  if (index === -1) index = pick(() => true)
  return keys[index] ?? ''
}

/** Seeds of a channel with one key. */
export const onlySeed: readonly number[] = [0]

/** Seed of a key, the same on every node; 0 where its channel has one key. */
export const seedOfKey = ({ keys, ring }: Pick<RelayChannel, 'keys' | 'ring'>, key: string): number =>
  ring?.seeds[keys.indexOf(key)] ?? 0

/** Statuses that concern a key, not its provider. */
const ofTheKey: ReadonlySet<number> = new Set([401, 402, 403, 429])

/** True if the same channel may answer after all, with a key that was not tried. */
export const anotherKeyMayHelp = ({ keys }: RelayChannel, status: number, tried: TriedKeys): boolean =>
  ofTheKey.has(status) && keys.some((key) => !tried.has(key))
