import { AppError } from '../../lib/app-error.ts'
import type { MemoryShare, ReservedMemory } from '../../lib/memory/reserved-memory.ts'
import type { Caller } from '../../relay/ports.ts'

/** Slot and memory share of one WebSocket, from before its handshake until it has closed. */
export interface SocketPlace {
  readonly share: MemoryShare
  /** Releases the slot; idempotent. */
  leave(): void
}

/** WebSockets of all kinds of this process. */
export interface SocketPlaces {
  /**
   * `mostOfKey` is the maximum of such sockets per key. Throws AppError: `too_many_requests` where the user or the key has reached its
   * maximum, `bodies_full` where there is no memory for another.
   */
  take(caller: Pick<Caller, 'userId' | 'tokenId'>, mostOfKey?: number): SocketPlace
}

/** Sockets of one user at a time, with all keys. Memory bounds them earlier on a small machine. */
const mostOfUser = 512

/** Bytes counted for an idle socket. */
export const ofSocket = 16 * 1024

const add = (counts: Map<number, number>, id: number, more: number): void => {
  const count = (counts.get(id) ?? 0) + more
  if (count > 0) counts.set(id, count)
  else counts.delete(id)
}

export const openSocketPlaces = (memory: Pick<ReservedMemory, 'share'>): SocketPlaces => {
  const users = new Map<number, number>()
  const keys = new Map<number, number>()
  return {
    take({ userId, tokenId }, mostOfKey) {
      if ((users.get(userId) ?? 0) >= mostOfUser) throw new AppError('too_many_requests')
      // Only sockets of a kind that has a bound count for their key.
      if (mostOfKey !== undefined && (keys.get(tokenId) ?? 0) >= mostOfKey) throw new AppError('too_many_requests')
      const share = memory.share(userId)
      share.hold(ofSocket)
      add(users, userId, 1)
      if (mostOfKey !== undefined) add(keys, tokenId, 1)
      let isTaken = true
      return {
        share,
        leave() {
          share.end()
          if (!isTaken) return
          isTaken = false
          add(users, userId, -1)
          if (mostOfKey !== undefined) add(keys, tokenId, -1)
        },
      }
    },
  }
}
