import { isObject, type JsonObject } from '../conversation/json.ts'

/** A file of the gateway, as it is written into a request. */
export interface InlineFile {
  readonly filename: string
  readonly contentType: string
  /** Stands for the bytes in base64. */
  readonly base64: string
  /** Stands for the bytes as the text of a JSON string. */
  readonly text: string
}

/** A file that a part of a request names. */
export interface NamedFile {
  readonly id: string
  /** The part with the file's bytes in the place of its name. */
  inline(file: InlineFile): JsonObject
}

/** Reads from requests of a dialect which files of the gateway they name. */
export interface FileRules {
  /** Member with the turns. */
  readonly member: string
  /** The file that a part of a turn names; undefined for none. */
  namedBy(part: JsonObject): NamedFile | undefined
}

const ownId = /^file-[0-9a-f]{32}$/

/** True for ids that the gateway gives to files. */
export const isOwnFileId = (id: unknown): id is string => typeof id === 'string' && ownId.test(id)

/** Members in which parts of turns stand. Others hold what clients and models choose, such as arguments of tools. */
const partMembers: ReadonlySet<string> = new Set([
  ...['content', 'output', 'parts', 'source', 'functionResponse', 'function_response'],
])

/** Turns with some of their parts replaced; `place` answers the same part where nothing changes. */
export const withParts = (turns: unknown, place: (part: JsonObject) => JsonObject): unknown => {
  if (Array.isArray(turns)) return turns.map((entry) => withParts(entry, place))
  if (!isObject(turns)) return turns
  const placed = place(turns)
  if (placed !== turns) return placed
  return Object.fromEntries(
    Object.entries(turns).map(([name, value]) => [name, partMembers.has(name) ? withParts(value, place) : value]),
  )
}

export const isPicture = (contentType: string): boolean => contentType.startsWith('image/')

export const isText = (contentType: string): boolean =>
  /^text\/|^application\/(?:json|jsonl|xml|x-ndjson|yaml)$/.test(contentType)

export const dataUrlOf = ({ contentType, base64 }: Pick<InlineFile, 'contentType' | 'base64'>): string =>
  `data:${contentType};base64,${base64}`
