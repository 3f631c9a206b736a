import type { Usage } from '../billing/usage.ts'
import type { Doubted, UsageLimits } from '../billing/usage-reports.ts'
import type { Answer, Finish } from './conversation/conversation.ts'
import type { JsonObject } from './conversation/json.ts'
import type { Extras } from './tools/tools-used.ts'

/** Text of an answer, or of one stream event, that costs tokens, and how many tool calls it holds. */
export interface AnswerText {
  /** Text; of a stream, the part that is not counted yet. */
  readonly text: string
  readonly toolCalls: number
  /** UTF-8 bytes of all of the text, where they are known without reading it. */
  readonly textBytes?: number
  /** Tokens of the text before `text`; absent, or undefined, where that is all of it. */
  readonly earlier?: Promise<number> | undefined
  /** Counts and drops most of `text`; absent where it stays in memory. */
  settle?(count: (text: string) => Promise<number>): void
}

/** Inspects a stream whose bytes pass through unchanged: finds its end mark, errors and usage. One per stream. */
export interface StreamInspector {
  /** Index in `events`, which are whole, where the end mark begins; -1 if there is none. */
  endMarkAt(events: Buffer): number
  /** The end mark, for streams that came without one; empty in dialects that have none. */
  readonly endMark: string
  /** True if the stream is complete without an end mark. Certain once `inspect` got every event. */
  mayEnd(): boolean
  /** Cheap test: false if none of the events can be an error. */
  mayHoldError(events: Buffer): boolean
  /** True if the event reports a failure of the upstream. */
  isError(event: JsonObject): boolean
  /** Reads usage from whole events; true if there was some. */
  readUsage(events: Buffer): boolean
  /** The best report so far; undefined if there was none that can be billed. */
  usage(): Usage | undefined
  /** The report beyond the limits; undefined if there was none. */
  doubted(): Doubted | undefined
  /** True while only a part is reported, in dialects that report the input first. */
  isPartial?(): boolean
  /** The id under which the provider stores the answer. */
  answerId?(): string | undefined
  /** Ids of the items that the provider stores with the answer; absent where it stores none. */
  itemIds?(): readonly string[]
  /** True once a report has counted tokens of an answer. An opening, or the report of a failure, does not count. */
  hasReported(): boolean
  /** True if the event holds something of the answer: not only an opening, a sign of life, an error or a report. */
  says(event: JsonObject): boolean
  /**
   * True for an answer that its model refused before it wrote anything; absent in dialects that do not say so. `readAll` has every event
   * inspected first.
   */
  refusedAtOnce?(readAll: () => void): boolean
  /** The model that the stream names in its usage reports; in all events if `isRead`. */
  statedModel?(isRead: boolean): string | undefined
  /** The id by which the answer calls itself, from events that were read for other reasons; undefined where none was. */
  ownId?(): string | undefined
  /** Text of an event that costs tokens, for counting if the upstream reports no usage. */
  textOf(event: unknown): AnswerText
  /** Reads tools and the service tier from an event that is parsed for counting. */
  inspect(event: unknown): void
  /** Tools and tier that `inspect` found: for answers that were cut short, since providers state their tools at the end. */
  extras(): Extras
  /** Identifiers of the answer's reasoning that only one account can read; absent in dialects without any. */
  seals?(): readonly string[]
}

/**
 * Format of a stream that the official clients of a dialect need, beside the space after `data:`. `named`: an `event:` line with the
 * type of each event. `chunks`: no `"error": null`. `payloads`: nothing but `data:` lines, no comments.
 */
export type StreamSpelling = 'named' | 'chunks' | 'payloads'

/** One candidate of an answer, or of an event of its stream. */
export interface CandidateEnd {
  readonly index: number
  /** Why it ended; absent where it has not. */
  readonly finish?: Finish
  /** True if it calls a tool, in dialects whose finish reasons do not show it. */
  readonly hasCalls?: boolean
}

/** Finish reasons of a dialect. */
export interface FinishRule {
  /** Texts, one of which occurs in every event with a finish reason: all others are not parsed. */
  readonly marks: readonly string[]
  /** Reads whole answers and events alike. */
  ends(answer: JsonObject): readonly CandidateEnd[]
}

/** Reads answers that pass through unchanged. */
export interface PassthroughDialect {
  usage(answer: JsonObject): Usage | undefined
  /** How many times a price per call is due; once where it is absent. */
  calls?(answer: JsonObject): number
  textOf(answer: unknown): AnswerText
  /** Tools and tier of an answer that reports no usage. */
  extras(answer: JsonObject): Extras
  /** Reports beyond `limits` are doubted. */
  createInspector(limits?: UsageLimits): StreamInspector
  /** As in `StreamInspector`. `model` is the requested one. */
  seals?(answer: JsonObject, model: string): readonly string[]
  /** True if a body with status 200 reports a failure of the upstream. */
  isError(answer: JsonObject): boolean
  /** False if a body with status 200 is no answer: it has neither contents nor usage. True for all when absent. */
  isAnswer?(answer: JsonObject): boolean
  /** The model that the answer names. */
  statedModel?(answer: JsonObject): string | undefined
  /** True for an answer that its model refused before it wrote anything; absent in dialects that do not say so. */
  refusedAtOnce?(answer: JsonObject): boolean
  /** Reads a whole answer that has to become a stream; absent where `chatChunks` is set. */
  readAnswer?(answer: JsonObject): Answer
  /** True if answers and streams are those of chat completions: `stream_options` applies, and channels may reshape chunks. */
  readonly chatChunks?: true
  readonly spelling?: StreamSpelling
  /** Absent for answers that have no reason to end. */
  readonly finishes?: FinishRule
}
