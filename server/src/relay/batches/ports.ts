import type { JobOwner } from '../provider-jobs/ports.ts'
import type { Maker } from '../reader.ts'
import type { BatchAddress } from './kinds/batch-kind.ts'

/** The lines of one model in the input of a batch. */
export interface BatchInput {
  readonly model: string
  readonly lines: number
  /** Prompt tokens of all lines, estimated from their bytes. */
  readonly prompt: number
  /** Completion tokens: what lines ask for at most, or what answers usually have. */
  readonly output: number
  /** Prompt tokens of the longest line. */
  readonly longest: number
}

/** The account of a provider that an object is in. */
export interface BatchPlace {
  readonly channelId: number
  /** Keyed hash of the channel key. */
  readonly keyHash: string
}

/** A batch that was made through the gateway and is not charged yet. */
export interface NewBatch extends BatchPlace {
  readonly kind: string
  /** The provider's. */
  readonly objectId: string
  readonly maker: Maker
  readonly owner: JobOwner
  readonly address: BatchAddress
  /** Empty where the lines are not known. */
  readonly inputs: readonly BatchInput[]
  /** Quota units. */
  readonly held: number
  /** Milliseconds since 1970. */
  readonly createdAt: number
}

export interface NotedBatch extends NewBatch {
  readonly id: number
  /** The movement of its charge: derived from the account and the provider's id, so that it is charged once. */
  readonly movement: string
  readonly isOpen: boolean
  /** Files with its results, once they are known. */
  readonly files: readonly string[]
  /** How often its end was looked for in vain since it last answered. */
  readonly attempts: number
}

/** Batches that were made through the gateway, on every node. */
export interface Batches {
  /** Resolves when it is written; undefined for an id that no batch has. The same batch twice is one, and not new. */
  add(batch: NewBatch): Promise<(NotedBatch & { readonly isNew: boolean }) | undefined>
  /** Batches of a collection with these ids at a place. */
  find(collection: string, objectIds: readonly string[], place: readonly BatchPlace[]): Promise<readonly NotedBatch[]>
  /** The open batch whose results are in a file. */
  ofFile(file: string, place: readonly BatchPlace[]): Promise<NotedBatch | undefined>
  /** More lines of one that grows. False where it is closed. */
  grow(id: number, inputs: readonly BatchInput[], held: number): Promise<boolean>
  /** Keeps where the results are. */
  noteFiles(id: number, files: readonly string[]): Promise<void>
  /** False where another node has charged it meanwhile. */
  isOpen(id: number): Promise<boolean>
  /** Its charge is in the journal. */
  close(id: number): Promise<void>
  /** Looked for again at this time (milliseconds since 1970). */
  later(id: number, change: { readonly nextAt: number; readonly attempts: number }): Promise<void>
  /** Lines of a file that was uploaded as the input of batches. */
  noteInput(file: string, place: BatchPlace, inputs: readonly BatchInput[]): Promise<void>
  inputsOf(files: readonly string[], place: readonly BatchPlace[]): Promise<readonly BatchInput[] | undefined>
}
