import type { Client } from '../../call.ts'
import { GatedClient } from '../../exchange/gated-client.ts'

/** One of two attempts at the same stream. */
export interface Running<Outcome> {
  readonly outcome: Promise<Outcome>
  /** Ends it as if its client had left. */
  cancel(): void
}

/** Starts an attempt that writes to `client`, and calls `speaks` with its first content on the way. */
export type Start<Outcome> = (client: Client, speaks: () => void) => Running<Outcome>

export interface RaceRules<Outcome> {
  readonly client: Client
  /** Milliseconds without content after which the second one is started. */
  readonly afterMs: number
  readonly first: Start<Outcome>
  /** Makes the second one ready; undefined where there is none. */
  second(): Start<Outcome> | undefined
  kindOf(outcome: Outcome): 'answered' | 'refused' | 'gone'
  /** True if the first one's refusal is the answer, whatever the second one does. */
  isFinal(outcome: Outcome): boolean
  /** A side is over. */
  ended(side: 'first' | 'second'): void
  /** Called once, before a byte reaches the client; `other` is there where the other side was over before. */
  answers(side: 'first' | 'second', other: Outcome | undefined): void
}

export interface RaceEnd<Outcome> {
  /** The side whose outcome counts: the one that answered or, where neither did, refused last. */
  readonly side: 'first' | 'second'
  readonly first: Outcome
  /** undefined where it was not started. */
  readonly second: Outcome | undefined
  /** True where a side was cut off because of the other. */
  readonly isDecided: boolean
}

interface Entrant<Outcome> {
  readonly side: 'first' | 'second'
  readonly client: GatedClient
  running?: Running<Outcome>
  outcome?: Outcome
}

/**
 * Runs one attempt, and a second one beside it where the first does not speak in time. The first to speak answers, and the other is
 * cancelled at once: one side's bytes reach the client, never both. A side that fails before leaves it to the other.
 */
export const race = <Outcome>(rules: RaceRules<Outcome>): Promise<RaceEnd<Outcome>> =>
  new Promise((resolve, reject) => new Race(rules, resolve, reject).start())

class Race<Outcome> {
  private readonly rules: RaceRules<Outcome>
  private readonly resolve: (end: RaceEnd<Outcome>) => void
  private readonly reject: (reason: unknown) => void
  private readonly first: Entrant<Outcome>
  private second: Entrant<Outcome> | undefined
  private winner: Entrant<Outcome> | undefined
  private timer: NodeJS.Timeout | undefined

  constructor(rules: RaceRules<Outcome>, resolve: (end: RaceEnd<Outcome>) => void, reject: (reason: unknown) => void) {
    this.rules = rules
    this.resolve = resolve
    this.reject = reject
    this.first = { side: 'first', client: new GatedClient(rules.client) }
  }

  start(): void {
    const { client, afterMs, first } = this.rules
    client.listen({
      drained: () => this.winner?.client.drained(),
      gone: () => {
        clearTimeout(this.timer)
        this.first.client.left()
        this.second?.client.left()
      },
    })
    this.timer = setTimeout(() => this.startSecond(), afterMs)
    this.run(this.first, first)
  }

  private startSecond(): void {
    if (this.winner !== undefined || this.first.outcome !== undefined || this.rules.client.gone) return
    const start = this.rules.second()
    if (start === undefined) return
    this.second = { side: 'second', client: new GatedClient(this.rules.client) }
    this.run(this.second, start)
  }

  private run(entrant: Entrant<Outcome>, start: Start<Outcome>): void {
    const running = start(entrant.client, () => this.speaks(entrant))
    entrant.running = running
    // A side may have spoken, or have been cancelled, before its start came back.
    if (this.winner !== undefined && this.winner !== entrant) running.cancel()
    running.outcome.then((outcome) => this.ended(entrant, outcome), this.reject)
  }

  private otherOf(entrant: Entrant<Outcome>): Entrant<Outcome> | undefined {
    return entrant === this.first ? this.second : this.first
  }

  /** From now on no other may write to the client. */
  private speaks(entrant: Entrant<Outcome>): void {
    if (this.winner !== undefined) return
    this.winner = entrant
    clearTimeout(this.timer)
    const other = this.otherOf(entrant)
    this.rules.answers(entrant.side, other?.outcome)
    other?.client.close()
    other?.running?.cancel()
    entrant.client.open()
  }

  private ended(entrant: Entrant<Outcome>, outcome: Outcome): void {
    entrant.outcome = outcome
    this.rules.ended(entrant.side)
    const { rules, first } = this
    const kind = rules.kindOf(outcome)
    if (kind === 'answered' || (kind === 'refused' && entrant === first && rules.isFinal(outcome))) this.speaks(entrant)
    if (first.outcome === undefined || (this.second !== undefined && this.second.outcome === undefined)) return
    clearTimeout(this.timer)
    const isLeft = this.winner === undefined && rules.kindOf(first.outcome) === 'gone'
    const { side } = this.winner ?? (isLeft ? first : entrant)
    this.resolve({ side, first: first.outcome, second: this.second?.outcome, isDecided: this.winner !== undefined })
  }
}
