import { AppError } from '../../lib/app-error.ts'

/** What one call takes of the room. */
export interface RoomShare {
  /** Bytes that its body may have now, with what it has taken already. */
  readonly mostBytes: number
  /** Takes what a body of so many bytes needs in all. Throws AppError('bodies_full') and takes nothing where that is not left. */
  hold(bodyBytes: number): void
  /** Gives back all of it; harmless when it was called before. */
  end(): void
}

/** The memory that the larger bodies of all calls under way may take together. */
export interface BodyRoom {
  /** Bytes that any body may have. */
  readonly largest: number
  share(): RoomShare
}

/** How much memory a call takes for each byte of its body: as it came, parsed, as it goes out, and on its way between threads. */
const memoryPerByte = 5
/**
 * Bytes that the program takes besides where there is enough, with what calls that are over have left to the collector. On a
 * small machine its heap is smaller, and this share is left.
 */
const ownBytes = 640 * 1024 * 1024
const leastShare = 0.15

/** Seconds after which some of the calls under way are probably over. */
const retryAfter = 2

export const bodiesFull = (): AppError => new AppError('bodies_full', { retryAfter })

/** `memoryBytes` is what the process may use of the machine or the container. */
export const openBodyRoom = (memoryBytes: number): BodyRoom => {
  const room = Math.max(memoryBytes - ownBytes, memoryBytes * leastShare)
  const largest = Math.floor(room / memoryPerByte)
  let held = 0

  return {
    largest,
    share() {
      let own = 0
      return {
        get mostBytes() {
          return largest - held + own
        },
        hold(bodyBytes) {
          if (held - own + bodyBytes > largest) throw bodiesFull()
          held += bodyBytes - own
          own = bodyBytes
        },
        end() {
          held -= own
          own = 0
        },
      }
    },
  }
}
