import { randomBytes } from 'node:crypto'
import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import type { LiveTokenRequest, SessionConstraints } from '../../dialects/gemini/live/live-token.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { SessionCounts } from '../../relay/sessions/session-counts.ts'
import type { ArrivedRequest } from '../request-context.ts'
import type { SentKey } from './key-of.ts'

/** Content of a browser key. */
export interface LiveTokenUse extends SessionConstraints {
  /** The API key that created it and pays for its sessions. */
  readonly sent: SentKey
  /** Checks that sessions may continue at `now` (ms since 1970). Throws AppError('token_expired'). */
  checkLife(now: number): void
  /** Counts a new session at `now` (ms since 1970). Throws AppError('token_expired') when no more may begin. */
  begin(now: number): void
}

/**
 * Keys for browsers, which open sessions of Gemini Live (ai.google.dev/gemini-api/docs/live-api/ephemeral-tokens). Nothing is
 * stored of the key: it is the user's key and the settings, encrypted, so every node knows it. How often it was used is in the memory
 * of the nodes and on their disks.
 */
export interface LiveTokens {
  /** Its name, which is the key. Throws AppError('invalid_text_request') where the settings are too long. */
  make(sent: SentKey, request: LiveTokenRequest): string
  /** The content of the request's browser key; undefined for another kind of key. Throws AppError('token_invalid'). */
  usedIn(context: Pick<ArrivedRequest, 'request' | 'query'>): LiveTokenUse | undefined
}

const prefix = 'auth_tokens/'

/** UTF-16 units; the key comes in an address or a header, whose bound is 16 kB. */
const longestSetup = 8_000

/** A random id under which nodes share the counts of a key. */
const newCountId = (): string => randomBytes(8).toString('hex')

const contentSchema = z.object({
  id: z.string(),
  sent: z.object({ key: z.string(), channel: z.string().optional(), whole: z.string().optional() }),
  setup: z.record(z.string(), z.unknown()).optional(),
  locked: z.array(z.string()).optional(),
  uses: z.number(),
  expires: z.number(),
  newSessionExpires: z.number(),
})

/** The key where Google's clients send it: in the query, or behind `Token` in a header. Empty for none. */
const sentToken = ({ request, query }: Pick<ArrivedRequest, 'request' | 'query'>): string => {
  const [, header] = /^Token\s+(\S+)$/i.exec(request.headers.authorization ?? '') ?? []
  return header ?? new URLSearchParams(query).get('access_token') ?? ''
}

export const createLiveTokens = (
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
  counts: Pick<SessionCounts, 'sum' | 'calledForGood'>,
): LiveTokens => {
  const opened = (text: string): z.infer<typeof contentSchema> => {
    try {
      return contentSchema.parse(parseObject(secrets.decrypt('live_token', text)))
    } catch {
      throw new AppError('token_invalid')
    }
  }

  return {
    make(sent, { setup, locked, uses, expires, newSessionExpires }) {
      const text = JSON.stringify({ id: newCountId(), sent, setup, locked, uses, expires, newSessionExpires })
      if (text.length > longestSetup) {
        const detail = `bidiGenerateContentSetup is longer than ${longestSetup} characters`
        throw new AppError('invalid_text_request', { params: { detail } })
      }
      return prefix + secrets.encrypt('live_token', text)
    },
    usedIn(context) {
      const token = sentToken(context)
      if (!token.startsWith(prefix)) return undefined
      const { id, sent, setup, locked, uses, expires, newSessionExpires } = opened(token.slice(prefix.length))
      const { key, channel, whole } = sent
      const checkLife = (now: number): void => {
        if (now > expires) throw new AppError('token_expired')
      }
      return {
        setup,
        locked,
        checkLife,
        sent: { key, channel, ...(whole === undefined ? {} : { whole }) },
        begin(now) {
          checkLife(now)
          const isUsedUp = uses > 0 && counts.sum(id).calls >= uses
          if (isUsedUp || now > newSessionExpires) throw new AppError('token_expired')
          counts.calledForGood(id)
        },
      }
    },
  }
}
