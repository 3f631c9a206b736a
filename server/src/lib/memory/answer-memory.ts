import type { MemoryPressure } from './memory-pressure.ts'

/** Source of an answer, which can pause. */
export interface AnswerSource {
  pause(): void
  resume(): void
}

/** Share of one answer in the memory for answers. */
export interface AnswerPlace {
  /** Sets its received bytes. May pause its source at once, until there is room. */
  grow(bytes: number): void
  /** Gives it back; harmless when it was called before. */
  end(): void
}

/** An answer that was given to the connection of a client, which has not taken it yet. */
export interface UnsentAnswer {
  readonly bytes: number
  /** Breaks the connection. */
  cut(): void
}

/**
 * The memory of this process for answers that are kept whole: while they come, and until their clients have taken them. Nothing is
 * refused, as a provider has been paid for each of them: what finds no room is left in the connection of the provider for a while.
 * The oldest that is still coming always goes on, so all of them end; and a client that takes nothing while others wait is cut off.
 */
export interface AnswerMemory {
  /** Most bytes of one answer. */
  readonly largest: number
  enter(source: AnswerSource): AnswerPlace
  /** Counts it until the returned function is called. */
  unsent(answer: UnsentAnswer): () => void
}

export interface AnswerMemoryParts {
  /** Bytes that this process may use. */
  readonly memoryBytes: number
  /** Limits by the memory that the process really uses; absent where that is not measured. */
  readonly pressure?: MemoryPressure | undefined
  /** Milliseconds that never go back. */
  readonly now: () => number
}

/** Share of the memory for answers with their copies, and the share of the largest one. */
const shareOfAnswers = 0.1
const shareOfLargest = 0.1
/** Copies of an answer: received, joined, parsed, printed, and in the send buffer. */
const memoryPerByte = 7

/** Milliseconds that any client has to read its answer, and bytes that it must read in each of them. */
const leastPatienceMs = 10_000
const slowestPerMs = 256
const lookMs = 5000

interface Waiting extends UnsentAnswer {
  /** By the clock of `now`. */
  readonly until: number
}

class Place implements AnswerPlace {
  bytes = 0
  isPaused = false
  readonly source: AnswerSource
  private readonly memory: Answers

  constructor(memory: Answers, source: AnswerSource) {
    this.memory = memory
    this.source = source
  }

  grow(bytes: number): void {
    this.memory.grown(this, bytes)
  }

  end(): void {
    this.memory.ended(this)
  }
}

class Answers implements AnswerMemory {
  readonly largest: number
  private readonly room: number
  private readonly now: () => number
  private readonly pressure: MemoryPressure | undefined
  private coming = 0
  private leaving = 0
  /** In the order in which they came. */
  private readonly places = new Set<Place>()
  private readonly unsentOnes = new Set<Waiting>()
  private look: NodeJS.Timeout | undefined

  constructor({ memoryBytes, now, pressure }: AnswerMemoryParts) {
    this.room = Math.floor((memoryBytes * shareOfAnswers) / memoryPerByte)
    this.largest = Math.floor(memoryBytes * shareOfLargest)
    this.now = now
    this.pressure = pressure
  }

  enter(source: AnswerSource): AnswerPlace {
    const place = new Place(this, source)
    this.places.add(place)
    return place
  }

  grown(place: Place, bytes: number): void {
    if (!this.places.has(place)) return
    const more = bytes - place.bytes
    this.coming += more
    place.bytes = bytes
    if (place.isPaused || this.mayGoOn(place, more)) return
    place.isPaused = true
    place.source.pause()
    this.watch()
  }

  ended(place: Place): void {
    if (!this.places.delete(place)) return
    this.coming -= place.bytes
    this.wake()
  }

  unsent(answer: UnsentAnswer): () => void {
    const { bytes } = answer
    const waiting = { ...answer, until: this.now() + leastPatienceMs + bytes / slowestPerMs }
    this.unsentOnes.add(waiting)
    this.leaving += bytes
    return () => {
      if (!this.unsentOnes.delete(waiting)) return
      this.leaving -= bytes
      this.wake()
    }
  }

  private mayGoOn(place: Place, more: number): boolean {
    const held = this.coming + this.leaving
    // Called in any case, since it collects the garbage of finished answers.
    const isRoomy = this.pressure?.allows(more * memoryPerByte, held * memoryPerByte) ?? true
    if (isRoomy && held <= this.room) return true
    const [first] = this.places
    return place === first && this.leaving <= this.room
  }

  private wake(): void {
    for (const place of this.places) {
      if (!place.isPaused) continue
      if (!this.mayGoOn(place, 0)) return
      place.isPaused = false
      place.source.resume()
    }
  }

  private watch(): void {
    this.look ??= setInterval(() => this.cutSlow(), lookMs).unref()
  }

  /** Runs only while an answer waits. */
  private cutSlow(): void {
    if (![...this.places].some((place) => place.isPaused)) {
      clearInterval(this.look)
      this.look = undefined
      return
    }
    const now = this.now()
    for (const waiting of this.unsentOnes) if (waiting.until < now) waiting.cut()
  }
}

export const openAnswerMemory = (parts: AnswerMemoryParts): AnswerMemory => new Answers(parts)
