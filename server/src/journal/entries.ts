import type { AppError } from '../lib/app-error.ts'
import type { JournalRecord } from './journal-record.ts'
import type { Segment } from './segments.ts'

/** A record whose answer waits for the journal. */
export interface EndEntry {
  readonly kind: 'end'
  readonly text: string
  readonly record: JournalRecord
  readonly written: (record: JournalRecord) => void
  resolve(): void
  reject(error: unknown): void
}

/** An entry that waits to be written. */
export type JournalEntry =
  | EndEntry
  | { readonly kind: 'begin'; readonly text: string; readonly id: string }
  | { readonly kind: 'progress'; readonly text: string; readonly id: string }
  | { readonly kind: 'applied'; readonly text: string }
  /** A request whose end was refused: its client received an error, so no later start may charge it. */
  | { readonly kind: 'givenUp'; readonly text: string; readonly id: string }
  /** Lines of the requests that still run, from a segment that is to be deleted or that could not be synced. */
  | { readonly kind: 'carried'; readonly segment: Segment }

/** Entries without a waiting answer keep their place when the disk refuses; progress is replaced by newer progress. */
export const isKept = (entry: JournalEntry): boolean => entry.kind !== 'end' && entry.kind !== 'progress'

export const failAll = (entries: readonly EndEntry[], error: AppError): void => {
  for (const { reject } of entries) reject(error)
}
