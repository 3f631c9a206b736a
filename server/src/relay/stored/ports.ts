import { randomBytes } from 'node:crypto'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import type { Reader } from '../reader.ts'

/**
 * The key whose calls made an object, or which asks for it. No other key sees it, except keys of an organisation: those see what their
 * member made, or for machines what was made in their project.
 */
export type StoredOwner = Reader

/** Owner of objects that a key stores. */
export const storedOwnerOf = ({ userId, tokenId, project }: Reader): StoredOwner =>
  project === undefined ? { userId, tokenId } : { userId, tokenId, project }

/** `item` is an item of a conversation; of a cached content and of the input of a batch, which their provider keeps, only what they are. */
export type StoredKind = 'response' | 'completion' | 'conversation' | 'item' | 'cached_content' | 'batch_input'

/** A response, a chat completion or a conversation that this gateway stores for later calls. */
export interface StoredObject {
  readonly kind: StoredKind
  /** The id by which clients name the object. */
  readonly id: string
  readonly owner: StoredOwner
  /** The same for all responses that continue one another, and for a conversation and its items. */
  readonly thread: string
  /** Later objects have greater numbers: milliseconds since 1970, and three digits more. */
  readonly order: number
  readonly content: JsonObject
}

export type NewStoredObject = Omit<StoredObject, 'order'>

/** A part of a list; `after` is the order of the last object before it. */
export interface StoredPage {
  readonly after: number | undefined
  readonly order: 'asc' | 'desc'
  readonly limit: number
}

/** Stores objects for a time: in memory at once, in the database, encrypted, a moment later. */
export interface StoredObjects {
  /** Replaces an object of the same kind and id. `days` from now it is gone. What is too large is not stored. */
  put(object: NewStoredObject, days: number): void
  /**
   * The same for what another node may have in memory already: resolves when the database has it and the other nodes know. False for what is
   * too large.
   */
  putNow(object: NewStoredObject, days: number): Promise<boolean>
  find(owner: StoredOwner, kind: StoredKind, id: string): Promise<StoredObject | undefined>
  /** All objects of a thread, in their order. */
  thread(owner: StoredOwner, thread: string): Promise<readonly StoredObject[]>
  list(owner: StoredOwner, kind: StoredKind, page: StoredPage): Promise<readonly StoredObject[]>
  remove(object: Pick<StoredObject, 'owner' | 'kind' | 'id'>): Promise<void>
  removeThread(owner: StoredOwner, thread: string): Promise<void>
}

/** Id of an object or item, with OpenAI's prefix for its kind. */
export const newStoredId = (prefix: string): string => `${prefix}_${randomBytes(24).toString('hex')}`
