/** Present state of a node, read on demand. */
export interface NodeState {
  /** Calls of the relay that are not over. */
  readonly running: number
  /** Reservations that are not settled, and what they come to in quota units. */
  readonly holds: { readonly count: number; readonly quota: number }
  /** Accounts of which parts are leased from the other nodes or workers, and what is left of the leases in quota units. */
  readonly leases: { readonly count: number; readonly quota: number }
  /** Finished calls that are not in the database yet, and milliseconds that the oldest of them has waited. */
  readonly waiting: { readonly count: number; readonly oldestMs: number }
  /** Files of the journal, and their bytes. */
  readonly journal: { readonly segments: number; readonly bytes: number }
  /** False while no new call may begin. */
  readonly accepting: boolean
}

/** Reads how a part of the outside answers: milliseconds, or undefined where it does not. */
export type Ping = () => Promise<number | undefined>

/** Services that the node depends on, asked no more often than every few seconds. */
export interface Dependencies {
  readonly database: Ping
  /** undefined on a node of its own. */
  readonly redis: Ping | undefined
}

const restMs = 5_000

/** Asks at most once in five seconds; callers in between share the last answer. */
export const createPing = (ask: () => Promise<unknown>, clock: () => number): Ping => {
  let askedAt = Number.NEGATIVE_INFINITY
  let answer: Promise<number | undefined> = Promise.resolve(undefined)
  return () => {
    if (clock() - askedAt < restMs) return answer
    askedAt = clock()
    const from = performance.now()
    answer = ask().then(
      () => performance.now() - from,
      () => undefined,
    )
    return answer
  }
}
