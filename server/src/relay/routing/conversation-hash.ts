import { isObject } from '../../dialects/conversation/json.ts'
import type { Opening } from '../../dialects/request-rules.ts'
import type { RelayCall } from '../call.ts'

/** As much of a beginning as tells conversations apart; what follows grows with every turn. */
const prefix = 512

const offset = 0x811c9dc5
const prime = 0x01000193

/** FNV-1a over UTF-16 units, which is all that spreading conversations needs. */
const mixed = (hash: number, text: string): number => {
  let value = hash
  const end = Math.min(text.length, prefix)
  for (let index = 0; index < end; index += 1) value = Math.imul(value ^ text.charCodeAt(index), prime)
  return value >>> 0
}

/** The first text in what the dialects call content: a text, or a list of parts with texts. */
const textIn = (content: unknown): string => {
  if (typeof content === 'string') return content
  if (isObject(content)) return typeof content.text === 'string' ? content.text : textIn(content.parts)
  if (!Array.isArray(content)) return ''
  for (const part of content) {
    const text = textIn(part)
    if (text !== '') return text
  }
  return ''
}

const isPerson = (role: unknown): boolean => role === 'user' || role === undefined

/** Its instructions and what a person said first: the part that the turns of one conversation have in common. */
const beginningOf = (hash: number, { instructions, turns }: Opening): number | undefined => {
  let value = mixed(hash, textIn(instructions))
  if (typeof turns === 'string') return mixed(value, turns)
  if (!Array.isArray(turns)) return undefined
  for (const turn of turns) {
    if (!isObject(turn)) return undefined
    value = mixed(value, textIn(turn.content ?? turn.parts))
    if (isPerson(turn.role)) return value
  }
  return value
}

/** What names a conversation, or begins it. */
export type HashedCall = Pick<RelayCall, 'body'> & Partial<Pick<RelayCall, 'dialect' | 'session'>>

/**
 * A number that all turns of one conversation have in common, or undefined for calls that belong to none: a session that
 * the client names, else who speaks, the instructions and what was said first. 32 bits.
 */
export const conversationHash = ({ dialect, body, session }: HashedCall): number | undefined => {
  if (dialect === undefined) return undefined
  const metadata = isObject(body.metadata) ? body.metadata.user_id : undefined
  for (const named of [body.prompt_cache_key, session, metadata]) {
    if (typeof named === 'string' && named !== '') return mixed(offset, named)
  }
  return beginningOf(
    typeof body.user === 'string' ? mixed(offset, body.user) : offset,
    dialect.requestRules.opening(body),
  )
}
