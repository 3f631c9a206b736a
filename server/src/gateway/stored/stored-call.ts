import { z } from 'zod'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { StoredObject, StoredObjects, StoredOwner } from '../../relay/stored/ports.ts'

/** A call about objects that this gateway stores. */
export interface StoredCall {
  readonly method: 'GET' | 'POST' | 'DELETE'
  /** Empty for all objects. */
  readonly id: string
  /** Sub-path of the object: empty for the object itself, or `items`, `messages`, `input_items`, `cancel`. */
  readonly part: string
  /** Id of one of its items; empty for none. */
  readonly item: string
  readonly query: URLSearchParams
  readonly body: JsonObject
  readonly owner: StoredOwner
  /** Days for which objects are stored. */
  readonly days: number
}

/** Answers calls about one kind of objects. Throws AppError, e.g. `stored_object_not_found`. */
export type StoredCalls = (call: StoredCall) => Promise<JsonObject>

/** The error for an invalid request about stored objects. */
export const invalidStored = (detail: string): AppError => new AppError('invalid_text_request', { params: { detail } })

/** The error for an unknown object, `noun` being its kind. */
export const notFound = (noun: string, id: string): AppError =>
  new AppError('stored_object_not_found', { params: { noun, id } })

/** The object of an id. Throws AppError('stored_object_not_found'). */
export const found = async (
  objects: StoredObjects,
  { owner, id }: Pick<StoredCall, 'owner' | 'id'>,
  kind: StoredObject['kind'],
  noun: string,
): Promise<StoredObject> => {
  const object = await objects.find(owner, kind, id)
  if (object === undefined) throw notFound(noun, id)
  return object
}

/** As OpenAI bounds it (platform.openai.com/docs/api-reference/conversations/create). */
const metadataSchema = z
  .record(z.string().max(64), z.string().max(512))
  .refine((metadata) => Object.keys(metadata).length <= 16)

/** The metadata of a body; empty for none. Throws AppError('invalid_text_request'). */
export const metadataIn = ({ metadata }: JsonObject): JsonObject => {
  if (metadata === undefined || metadata === null) return {}
  const read = metadataSchema.safeParse(metadata)
  if (!read.success) throw invalidStored('metadata must be at most 16 texts of 512 characters')
  return read.data
}

const querySchema = z.object({
  limit: z.coerce.number().int().min(1).max(100).default(20),
  order: z.enum(['asc', 'desc']).optional(),
  after: z.string().max(200).optional(),
})

export interface ListPage {
  readonly limit: number
  readonly order: 'asc' | 'desc'
  readonly after: string | undefined
}

/** The page that a query asks for; `order` is the default. Throws AppError('invalid_text_request'). */
export const pageIn = (query: URLSearchParams, order: ListPage['order']): ListPage => {
  const [limit, after, asked] = ['limit', 'after', 'order'].map((name) => query.get(name) ?? undefined)
  const read = querySchema.safeParse({ limit, after, order: asked })
  if (!read.success) throw invalidStored('limit must be a whole number from 1 to 100, and order asc or desc')
  return { limit: read.data.limit, order: read.data.order ?? order, after: read.data.after }
}

/** A page in OpenAI's list format. */
export const listAnswer = (data: readonly JsonObject[], hasMore: boolean): JsonObject => ({
  object: 'list',
  data,
  first_id: data[0]?.id ?? null,
  last_id: data.at(-1)?.id ?? null,
  has_more: hasMore,
})

/** A page of a list that is in memory, oldest first. */
export const pageOf = (entries: readonly JsonObject[], { limit, order, after }: ListPage): JsonObject => {
  const ordered = order === 'asc' ? entries : entries.toReversed()
  const start = after === undefined ? 0 : ordered.findIndex(({ id }) => id === after) + 1
  return listAnswer(ordered.slice(start, start + limit), ordered.length > start + limit)
}
