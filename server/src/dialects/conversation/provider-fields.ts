import { ownMember } from '@tollgate/contract/own-member'
import type { DialectName, DocumentPart, ImagePart, Part, ProviderFields, Tool } from './conversation.ts'
import { type JsonObject, membersOf, without } from './json.ts'
import type { UnsupportedFields } from './unsupported-fields.ts'

/** Fields of a tool that the gateway does not translate; empty for almost every tool. */
export const providerFields = (
  dialect: DialectName,
  body: JsonObject,
  translated: ReadonlySet<string>,
): { own?: ProviderFields } => {
  const members = without(body, translated)
  return Object.keys(members).length === 0 ? {} : { own: { dialect, members } }
}

/**
 * True for fields that may be dropped without a report. `eager_input_streaming` only affects the size of chunks. Tools with
 * `defer_loading` are loaded at once elsewhere.
 */
const harmless = (name: string, dialect: DialectName): boolean =>
  name === 'eager_input_streaming' || (name === 'defer_loading' && dialect === 'openai-responses')

/**
 * The provider fields of a tool if `dialect` is theirs; otherwise reports them as unsupported. `dialect` is undefined for upstream
 * dialects that have no clients.
 */
export const writeProviderFields = (
  { own }: Extract<Tool, { kind: 'function' }>,
  dialect: DialectName | undefined,
  unsupported: UnsupportedFields,
): JsonObject => {
  if (own === undefined) return {}
  if (own.dialect === dialect) return own.members
  for (const name of Object.keys(own.members)) if (!harmless(name, own.dialect)) unsupported.add(`tools.${name}`)
  return {}
}

/** Names of members that are not translated although they have a meaning. */
const namesOf = (value: JsonObject, translated: ReadonlySet<string>): readonly string[] =>
  Object.entries(value).flatMap(([name, member]) =>
    translated.has(name) || member === undefined || member === null ? [] : [name],
  )

export type MediaPart = Extract<Part, { readonly unread?: readonly string[] }>

export const isMedia = (part: Part): part is MediaPart =>
  part.kind === 'image' || part.kind === 'audio' || part.kind === 'video' || part.kind === 'document'

/** A picture, sound or file, with other members of its client's dialect; `translated` are the members that were read. */
export const withUnread = <P extends MediaPart>(part: P, value: JsonObject, translated: ReadonlySet<string>): P => {
  const unread = namesOf(value, translated)
  return unread.length === 0 ? part : { ...part, unread }
}

/** Members of translated fields that only the client's dialect has, as `own.unread`; `translated` are read, by field. */
export const unreadMembers = (
  body: JsonObject,
  translated: Readonly<Record<string, ReadonlySet<string>>>,
): { readonly unread?: readonly string[] } => {
  const unread = Object.entries(translated).flatMap(([field, names]) =>
    namesOf(membersOf(ownMember(body, field)), names).map((name) => `${field}.${name}`),
  )
  return unread.length === 0 ? {} : { unread }
}

/** Reports a document's title, context and citations as unsupported, for providers that take only the document. */
export const dropNotes = (
  { title, context, citations }: DocumentPart,
  unsupported: UnsupportedFields,
  keepsTitle = false,
): void => {
  if (title !== undefined && !keepsTitle) unsupported.add('messages.document.title')
  if (context !== undefined) unsupported.add('messages.document.context')
  if (citations) unsupported.add('messages.document.citations')
}

export const dropDetail = ({ detail }: ImagePart, unsupported: UnsupportedFields): void => {
  if (detail !== undefined && detail !== 'auto') unsupported.add('messages.image.detail')
}
