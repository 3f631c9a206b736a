import type { Usage } from '../../../billing/usage.ts'
import type { JsonObject } from '../../../dialects/conversation/json.ts'

/** Address of a batch: the prefix of its collection, and the query that every call needs. */
export interface BatchAddress {
  readonly prefix: string
  /** With its question mark, or empty. */
  readonly query: string
}

/** State of a batch, by its object. */
export interface BatchState {
  /** True once no further line can be processed. */
  readonly isFinal: boolean
  /** Number of answered lines; undefined where it is not stated. */
  readonly done: number | undefined
  /** Ids of result files; empty where results are elsewhere, or there are none. */
  readonly files: readonly string[]
  /** Usage of all lines; undefined where it is not stated. */
  readonly usage: Usage | undefined
  /** The model of lines that name none. */
  readonly model: string | undefined
}

/** One line of results. A failed line is free. */
export type ResultLine = { readonly kind: 'failed' } | { readonly kind: 'done'; readonly answer: JsonObject }

/** One form of batches, by the documentation of the provider that has it. */
export interface BatchKind {
  readonly name: string
  /** The collection of its objects (`relay/direct/collections.ts`). */
  readonly collection: string
  stateOf(batch: JsonObject): BatchState
  /** Address of the object, below the channel's. */
  objectAt(id: string, address: BatchAddress): string
  /** Member of the object that lists the results; absent where results are never in it. */
  readonly inside?: string
  /** Addresses of results as lines of JSON. */
  linesAt(id: string, address: BatchAddress, state: BatchState): readonly string[]
  /** Results in pages of JSON: the member that lists them, and the next page's address (`after` is undefined for the first). */
  readonly pages?: {
    readonly list: string
    /** True if most providers of this form lack such pages: a refusal then means that there are none. */
    readonly mayBeMissing?: true
    at(id: string, address: BatchAddress, after: JsonObject | undefined): string | undefined
  }
  /** undefined for a line in an unknown format. */
  lineOf(line: JsonObject): ResultLine | undefined
  /** True where lines can be added to a batch after it was made. */
  readonly grows?: true
}

/** Address of `path` with the batch's prefix and query. */
export const at = ({ prefix, query }: BatchAddress, path: string): string => `${prefix}/${path}${query}`
