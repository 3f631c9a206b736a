import { AppError } from '../app-error.ts'
import type { MemoryPressure } from './memory-pressure.ts'

/** Share of one call or one socket in the memory. */
export interface MemoryShare {
  /** Most bytes that it may hold now, including those that it holds. */
  readonly mostBytes: number
  /**
   * Sets the held bytes, as received from the client. Throws AppError('bodies_full') and changes nothing where they exceed the rest; a
   * reduction never fails.
   */
  hold(bytes: number): void
  /** Releases all; idempotent. */
  end(): void
}

/**
 * The only account of memory that callers occupy: bodies, received and decompressed, unfinished or waiting WebSocket messages, buffered
 * sound, stored turns of sockets.
 */
export interface ReservedMemory {
  /** Most bytes of one user. */
  readonly largest: number
  /** `userId` is undefined for unknown callers, who share one. */
  share(userId: number | undefined): MemoryShare
}

/** Memory per received byte: received, parsed, to be sent, and in transfer between threads. */
const memoryPerByte = 5
/**
 * Bytes that the program takes besides where there is enough, with what calls that are over have left to the collector. On a
 * small machine its heap is smaller, and this share is left.
 */
const ownBytes = 640 * 1024 * 1024
const leastShare = 0.15

/** Share of one user, so that none can fill all of it. */
const shareOfUser = 0.75

/** Seconds after which some running calls have probably ended. */
const retryAfter = 2

export const bodiesFull = (): AppError => new AppError('bodies_full', { retryAfter })

/** Bytes, as received, up to which the used memory is not measured: only the account limits them. */
const littleBytes = 16 * 1024

/** Bytes in use, in total and of each user. */
class Account {
  readonly room: number
  readonly largest: number
  private held = 0
  private readonly users = new Map<number, number>()
  private readonly pressure: MemoryPressure | undefined

  constructor(room: number, pressure: MemoryPressure | undefined) {
    this.room = room
    this.largest = Math.floor(room * shareOfUser)
    this.pressure = pressure
  }

  left(userId: number): number {
    return Math.min(this.largest - (this.users.get(userId) ?? 0), this.room - this.held)
  }

  /** True if `more` bytes fit; `bytes` is the size of the share afterwards. */
  takes(userId: number, more: number, bytes: number): boolean {
    if (more > this.left(userId)) return false
    if (this.pressure === undefined || bytes <= littleBytes) return true
    return this.pressure.allows(more * memoryPerByte, this.held * memoryPerByte)
  }

  change(userId: number, more: number): void {
    const ofUser = (this.users.get(userId) ?? 0) + more
    if (ofUser > 0) this.users.set(userId, ofUser)
    else this.users.delete(userId)
    this.held += more
  }
}

class Share implements MemoryShare {
  private readonly account: Account
  private readonly userId: number
  private own = 0

  constructor(account: Account, userId: number) {
    this.account = account
    this.userId = userId
  }

  get mostBytes(): number {
    return this.account.left(this.userId) + this.own
  }

  hold(bytes: number): void {
    const more = bytes - this.own
    if (more > 0 && !this.account.takes(this.userId, more, bytes)) throw bodiesFull()
    this.own = bytes
    if (more !== 0) this.account.change(this.userId, more)
  }

  end(): void {
    this.hold(0)
  }
}

/**
 * `memoryBytes` is the memory of the machine or the container. `pressure` also limits by the memory that the process really uses; absent
 * where that is not measured.
 */
export const openReservedMemory = (memoryBytes: number, pressure?: MemoryPressure): ReservedMemory => {
  const room = Math.floor(Math.max(memoryBytes - ownBytes, memoryBytes * leastShare) / memoryPerByte)
  const account = new Account(room, pressure)
  return { largest: account.largest, share: (userId = 0) => new Share(account, userId) }
}
