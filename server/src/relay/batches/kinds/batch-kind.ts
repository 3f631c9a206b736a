import type { Usage } from '../../../billing/usage.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'

/** Where an API keeps a batch: what stands before its collection in an address, and the query that every call needs. */
export interface BatchAddress {
  readonly prefix: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** How far a batch is, by its object. */
export interface BatchState {
  /** True once no line of it can be done any more. */
  readonly isFinal: boolean
  /** Lines that were answered; undefined where the object does not say. */
  readonly done: number | undefined
  /** Ids of files with results; empty where they stand elsewhere, or where there are none. */
  readonly files: readonly string[]
  /** Sum of all lines; undefined where the object does not say. */
  readonly usage: Usage | undefined
  /** The model of lines that name none. */
  readonly model: string | undefined
}

/** One line of results. A line that failed costs nothing. */
export type ResultLine = { readonly kind: 'failed' } | { readonly kind: 'done'; readonly answer: JsonObject }

/** One form of batches, by the documentation of the provider that has it. */
export interface BatchKind {
  readonly name: string
  /** The collection of its objects (`relay/direct/collections.ts`). */
  readonly collection: string
  stateOf(batch: JsonObject): BatchState
  /** Address of the object, below the channel's. */
  objectAt(id: string, address: BatchAddress): string
  /** Member of the object that is a list with the results; absent where results never stand in it. */
  readonly inside?: string
  /** Addresses of results as lines of JSON. */
  linesAt(id: string, address: BatchAddress, state: BatchState): readonly string[]
  /** Results in pages of JSON: the member that lists them, and the address behind a page (`after` is undefined for the first). */
  readonly pages?: {
    readonly list: string
    /** True where most providers of this form have no such pages: a refusal says that there are none. */
    readonly mayBeMissing?: true
    at(id: string, address: BatchAddress, after: JsonObject | undefined): string | undefined
  }
  /** undefined for a line that is not understood. */
  lineOf(line: JsonObject): ResultLine | undefined
  /** True where lines can be added to a batch after it was made. */
  readonly grows?: true
}

export const at = ({ prefix, query }: BatchAddress, path: string): string => `${prefix}/${path}${query}`
