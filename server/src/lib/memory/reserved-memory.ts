import { AppError } from '../app-error.ts'
import type { MemoryPressure } from './memory-pressure.ts'

/** Share of one call or one socket in the memory. */
export interface MemoryShare {
  /** Bytes that it may keep now, with what it keeps already. */
  readonly mostBytes: number
  /**
   * Keeps so many bytes in all, as they came from the client. Throws AppError('bodies_full') and changes nothing where that
   * is not left; to keep less never fails.
   */
  hold(bytes: number): void
  /** Gives back all of it; harmless when it was called before. */
  end(): void
}

/**
 * The one account of what callers make this process keep: bodies as they come and unpacked, messages of WebSockets that are
 * unfinished or wait, sound that waits for a slow side, what sockets remember.
 */
export interface ReservedMemory {
  /** Bytes that anything of one user may have. */
  readonly largest: number
  /** `userId` is undefined where nobody is known; all of those are one. */
  share(userId: number | undefined): MemoryShare
}

/** How much memory is needed for each byte that came: as it came, parsed, as it goes out, and on its way between threads. */
const memoryPerByte = 5
/**
 * Bytes that the program takes besides where there is enough, with what calls that are over have left to the collector. On a
 * small machine its heap is smaller, and this share is left.
 */
const ownBytes = 640 * 1024 * 1024
const leastShare = 0.15

/** The part of it that one user may take: whoever fills it leaves something for the others. */
const shareOfUser = 0.75

/** Seconds after which some of the calls under way are probably over. */
const retryAfter = 2

export const bodiesFull = (): AppError => new AppError('bodies_full', { retryAfter })

/** Bytes, as they came, that are kept without a look at what the process really takes: the account alone bounds them. */
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

  /** `bytes` is what the share that grows has then. */
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
 * `memoryBytes` is what the process may use of the machine or the container. `pressure` refuses what the account has room for
 * where the process itself has grown; absent where nothing is measured.
 */
export const openReservedMemory = (memoryBytes: number, pressure?: MemoryPressure): ReservedMemory => {
  const room = Math.floor(Math.max(memoryBytes - ownBytes, memoryBytes * leastShare) / memoryPerByte)
  const account = new Account(room, pressure)
  return { largest: account.largest, share: (userId = 0) => new Share(account, userId) }
}
