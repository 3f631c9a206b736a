import type { Usage } from '../../billing/usage.ts'
import type { Extras } from '../../dialects/tools/tools-used.ts'
import type { Said } from '../exchange/answer-text.ts'

/** What a stream that goes through untouched has to be watched for, in one dialect. One per stream. */
export interface Watch {
  /** Where the end mark begins in whole events; -1 when it is not there. */
  endAt(events: Buffer): number
  /** The mark itself, for streams that came without. */
  readonly end: string
  /** Whether a stream may end where it is, without the mark; certain once `see` got every event. */
  mayEnd(): boolean
  /** Cheap: whether it may be worth looking for an error. */
  mayHoldError(events: Buffer): boolean
  /** Whether an event says that the upstream has failed. */
  isError(event: Readonly<Record<string, unknown>>): boolean
  /** Takes note of usage in whole events; answers whether there was some. */
  noteUsage(events: Buffer): boolean
  /** The best report so far; undefined when there was none that can be billed. */
  usage(): Usage | undefined
  /** What was reported beyond the limits; undefined when nothing was. */
  doubted(): Usage | undefined
  /** Whether that is only the beginning, in dialects that report the input first. */
  isPartial?(): boolean
  /** Under which name the provider keeps the answer, where it does. */
  answerId?(): string | undefined
  /** For counting, where nobody reports. */
  said(event: unknown): Said
  /** Takes note of tools and of the tier in an event that is read for counting. */
  see(event: unknown): void
  /** What was seen of them: for answers that were cut short, since a provider states its tools at the end. */
  seen(): Extras
}
