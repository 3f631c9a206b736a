import { createBoundedCache } from '../lib/caches/bounded-cache.ts'
import { memoize } from '../lib/memoize.ts'
import type { FinishedCall } from '../relay/ports.ts'
import { hasStorableTexts } from './record-bounds.ts'

const beyondAscii = /[^\0-\x7f]/g
const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`

/**
 * In ASCII, since one character beyond doubles the bytes of a whole line in memory. Through bytes, because what was cut out of
 * a text with two bytes a character keeps two.
 */
const quote = (text: string): string =>
  Buffer.from(JSON.stringify(text).replace(beyondAscii, escaped), 'latin1').toString('latin1')

/** Names and words of prices come again and again. */
const quoteBefore = memoize(1000, quote)
/** Texts of failures may be long, and are rarely the same. */
const longestQuoted = 200

/** A text as JSON in ASCII. */
export const quoted = (text: string): string => (text.length > longestQuoted ? quote(text) : quoteBefore(text))

/** The members that most calls of a key have in common. */
type Head = Pick<
  FinishedCall,
  'userId' | 'username' | 'tokenId' | 'tokenName' | 'channelId' | 'model' | 'group' | 'isStream' | 'ip' | 'content'
>

const mostKeys = 1000
const heads = createBoundedCache<number, { head: Head; text: string }>({ entries: mostKeys })

export const printedHead = (call: Head): string => {
  const caller = `"userId":${call.userId},"username":${quoted(call.username)},"tokenId":${call.tokenId},"tokenName":${quoted(call.tokenName)}`
  const asked = `"channelId":${call.channelId},"model":${quoted(call.model)},"group":${quoted(call.group)},"isStream":${call.isStream}`
  return `${caller},${asked},"ip":${quoted(call.ip)},"content":${quoted(call.content)}`
}

/**
 * These members as JSON, where every database takes their texts as they are; undefined where they need bounds. Checked and printed once for
 * calls of a key that are alike.
 */
export const callHead = (call: Head & Pick<FinishedCall, 'kind' | 'task'>): string | undefined => {
  const last = heads.get(call.tokenId)
  if (
    last !== undefined &&
    last.head.userId === call.userId &&
    last.head.channelId === call.channelId &&
    last.head.isStream === call.isStream &&
    last.head.model === call.model &&
    last.head.group === call.group &&
    last.head.ip === call.ip &&
    last.head.username === call.username &&
    last.head.tokenName === call.tokenName &&
    last.head.content === call.content &&
    call.task === undefined
  )
    return last.text
  if (!hasStorableTexts(call)) return undefined
  const text = printedHead(call)
  // Texts of failures are rarely the same.
  if (call.kind !== 'charge' || call.content.length > longestQuoted) return text
  const { userId, username, tokenId, tokenName, channelId, model, group, isStream, ip, content } = call
  const head = { userId, username, tokenId, tokenName, channelId, model, group, isStream, ip, content }
  if (last === undefined) heads.set(tokenId, { head, text })
  else {
    last.head = head
    last.text = text
  }
  return text
}
