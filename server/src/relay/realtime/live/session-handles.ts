import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import { isObject, type JsonObject, membersOf, textOf } from '../../../dialects/conversation/json.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import type { RelayCall } from '../../call.ts'

/** A resumable session: its owner, and the account that stores it. */
export interface KeptSession {
  readonly tokenId: number
  readonly userId: number
  readonly channelId: number
  readonly keyHash: string
  readonly model: string
  /** The provider's own handle. */
  readonly handle: string
}

/**
 * Handles of sessions that can be resumed (ai.google.dev/gemini-api/docs/live-session). A provider knows them in one account
 * only. Clients get them encrypted with their place, so that nothing is stored and every node finds it.
 */
export interface SessionHandles {
  /** A message of the upstream as its client gets it. */
  outward(message: string | Buffer, event: JsonObject, place: Omit<KeptSession, 'handle'>): string | Buffer
  /** undefined where it was not made here, or by another key. */
  opened(handle: string, caller: Pick<RelayCall['caller'], 'tokenId' | 'userId'>): KeptSession | undefined
}

const keptSchema = z.object({
  tokenId: z.number(),
  userId: z.number(),
  channelId: z.number(),
  keyHash: z.string(),
  model: z.string(),
  handle: z.string(),
})

export const createSessionHandles = (secrets: Pick<Secrets, 'encrypt' | 'decrypt'>): SessionHandles => ({
  outward(message, event, place) {
    const { sessionResumptionUpdate: update } = event
    const handle = textOf(membersOf(update).newHandle)
    if (!isObject(update) || handle === '') return message
    const newHandle = secrets.encrypt('live_handle', JSON.stringify({ ...place, handle }))
    const text = JSON.stringify({ ...event, sessionResumptionUpdate: { ...update, newHandle } })
    return typeof message === 'string' ? text : Buffer.from(text)
  },
  opened(text, { tokenId, userId }) {
    try {
      const kept = keptSchema.parse(parseObject(secrets.decrypt('live_handle', text)))
      return kept.tokenId === tokenId && kept.userId === userId ? kept : undefined
    } catch {
      return undefined
    }
  },
})
