import { hash } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { longestEndUser } from '@tollgate/contract'
import { isObject } from '@tollgate/contract/json'

/** Request header with the client's end user. It is removed before the request goes upstream. */
export const endUserHeader = 'x-tollgate-end-user'

/** UTF-16 units of the JSON that agents put around an id; longer ones are ids as they are. */
const longestJson = 65_536
/** UTF-16 units of an id from which its beginning is taken; the rest counts in its hash alone. */
const longestBeginning = 1024
const unprintable = /[\p{Cc}\p{Cs}]/gu

/** Longer ids, of any length, keep their beginning and a hash of the whole, so that two of them stay two. */
const bounded = (text: string): string | undefined => {
  const beginning = text.trimStart().slice(0, longestBeginning)
  const name = beginning.replace(unprintable, ' ').trim()
  const isWhole = text.trim().length <= longestBeginning
  if (isWhole && name === '') return undefined
  if (isWhole && name.length <= longestEndUser) return name
  const kept = name.slice(0, longestEndUser - 17).toWellFormed()
  return `${kept}~${hash('sha256', text, 'hex').slice(0, 16)}`
}

const idIn = (json: string): string | undefined => {
  try {
    const parsed: unknown = JSON.parse(json)
    if (!isObject(parsed)) return undefined
    const { device_id: device, user_id: user } = parsed
    return [user, device].find((id) => typeof id === 'string')
  } catch {
    return undefined
  }
}

/**
 * Claude Code writes `user_<hash>_account_<id>_session_<uuid>`, later versions `{"device_id":…,"session_id":…}`: the session is none
 * of who calls.
 */
const ofMetadata = (id: string): string => {
  if (id.startsWith('{') && id.length <= longestJson) return idIn(id) ?? id
  const at = id.lastIndexOf('_session_')
  return at > 0 ? id.slice(0, at) : id
}

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

const named = ({
  safety_identifier: safety,
  user,
  metadata,
}: Readonly<Record<string, unknown>>): string | undefined => {
  const plain = textOf(safety) ?? textOf(user)
  if (plain !== undefined) return plain
  const id = isObject(metadata) ? textOf(metadata.user_id) : undefined
  return id === undefined ? undefined : ofMetadata(id)
}

/** The end user of the header alone, for calls whose bodies are not read. */
export const endUserOfHeader = (headers: IncomingHttpHeaders): string | undefined => {
  const name = textOf(headers[endUserHeader])
  return name === undefined ? undefined : bounded(name)
}

/**
 * The customer of the caller for whom a call is made: of the header, else `safety_identifier`, `user` (OpenAI) or
 * `metadata.user_id` (Anthropic) of the body. At most `longestEndUser` UTF-16 units; undefined where nobody is named.
 */
export const endUserOf = (
  headers: IncomingHttpHeaders,
  body: Readonly<Record<string, unknown>>,
): string | undefined => {
  const name = textOf(headers[endUserHeader]) ?? named(body)
  return name === undefined ? undefined : bounded(name)
}
