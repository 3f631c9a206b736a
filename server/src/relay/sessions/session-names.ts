import type { IncomingHttpHeaders } from 'node:http'
import { isObject } from '../../dialects/conversation/json.ts'

/**
 * Headers in which clients name their conversation, most specific first: Claude Code, Codex (`session-id`, before `session_id`),
 * OpenCode, Kilo, Amp and others. `thread-id` and the like name parts of a session, not the session.
 */
export const sessionHeaders = [
  'x-claude-code-session-id',
  'session-id',
  'session_id',
  'x-session-id',
  'x-opencode-session',
  'x-session-affinity',
  'agent-session-id',
  'x-amp-thread-id',
  'conversation-id',
  'x-conversation-id',
  'x-litellm-session-id',
  'helicone-session-id',
] as const

/** Longer names are ignored. UTF-16 units. */
const longestName = 256
/** Of `metadata.user_id`, which may be JSON around the name. */
const longestUserId = 1024

const named = (value: unknown, longest = longestName): string | undefined => {
  if (typeof value !== 'string') return undefined
  const name = value.trim()
  return name === '' || name.length > longest ? undefined : name
}

/** Session name in a header. */
export const headerSession = (headers: IncomingHttpHeaders): string | undefined => {
  for (const header of sessionHeaders) {
    const name = named(headers[header])
    if (name !== undefined) return name
  }
  return undefined
}

const ofJson = (text: string): string | undefined => {
  try {
    const parsed: unknown = JSON.parse(text)
    return isObject(parsed) ? named(parsed.session_id) : undefined
  } catch {
    return undefined
  }
}

/**
 * Session in a user id. Claude Code writes `user_<hash>_account_<id>_session_<uuid>`, later versions `{"device_id":…,"session_id":…}`.
 * Other values are a user or a session; the beginning of a conversation would be no more specific.
 */
const ofUserId = (value: unknown): string | undefined => {
  const userId = named(value, longestUserId)
  if (userId === undefined) return undefined
  if (userId.startsWith('{')) return ofJson(userId)
  const at = userId.lastIndexOf('_session_')
  return named(at === -1 ? userId : userId.slice(at + '_session_'.length))
}

type Body = Readonly<Record<string, unknown>>

const inMetadata =
  (read: (metadata: Body) => string | undefined) =>
  ({ metadata }: Body): string | undefined =>
    isObject(metadata) ? read(metadata) : undefined

/** Members of the body, most specific first. */
const sessionFields: readonly ((body: Body) => string | undefined)[] = [
  ({ prompt_cache_key: key }) => named(key),
  ({ session_id: id }) => named(id),
  ({ conversation }) => named(isObject(conversation) ? conversation.id : conversation),
  inMetadata(({ session_id: id }) => named(id)),
  inMetadata(({ user_id: id }) => ofUserId(id)),
]

/** Session name in the body. */
export const bodySession = (body: Body): string | undefined => {
  for (const read of sessionFields) {
    const name = read(body)
    if (name !== undefined) return name
  }
  return undefined
}

/** User named by the client, which separates users whose conversations begin alike; empty for none. */
export const speakerOf = ({ safety_identifier: safety, user }: Body): string => named(safety) ?? named(user) ?? ''
