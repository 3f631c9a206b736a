import { parseObject } from '@tollgate/contract/json'
import { z } from 'zod'
import type { JsonObject } from '../../dialects/conversation/json.ts'
import { AppError } from '../../lib/app-error.ts'
import type { Secrets } from '../../lib/security/secrets.ts'
import type { ArrivedRequest } from '../request-context.ts'
import { type KeyFinder, type SentKey, secretPrefix } from './key-of.ts'

/** Content of a client secret. */
export interface SecretUse {
  /** The API key that created it and pays for its sessions. */
  readonly sent: SentKey
  /** Settings of the sessions that it opens. */
  readonly session: JsonObject
}

/**
 * Keys for browsers, which open realtime sessions until they end (platform.openai.com/docs/api-reference/realtime-sessions).
 * Nothing is stored: the secret is the user's key and the session, encrypted, so every node knows it.
 */
export interface ClientSecrets {
  /** `expires` in unix seconds. Throws AppError('invalid_text_request') where the session is too long. */
  make(use: SecretUse, expires: number): string
  /** The content of the request's client secret; undefined for another kind of key. Throws AppError: `token_invalid`, `token_expired`. */
  usedIn(context: Pick<ArrivedRequest, 'request' | 'path' | 'query' | 'startedAt'>): SecretUse | undefined
}

/** UTF-16 units; the secret comes in a header, whose bound is 16 kB. */
const longestSession = 8_000

const contentSchema = z.object({
  sent: z.object({ key: z.string(), channel: z.string().optional(), whole: z.string().optional() }),
  session: z.record(z.string(), z.unknown()),
  expires: z.number(),
})

export const createClientSecrets = (
  secrets: Pick<Secrets, 'encrypt' | 'decrypt'>,
  keys: Pick<KeyFinder, 'sentKey'>,
): ClientSecrets => {
  const opened = (text: string): z.infer<typeof contentSchema> => {
    try {
      return contentSchema.parse(parseObject(secrets.decrypt('client_secret', text)))
    } catch {
      throw new AppError('token_invalid')
    }
  }

  return {
    make({ sent, session }, expires) {
      if (JSON.stringify(session).length > longestSession)
        throw new AppError('invalid_text_request', {
          params: { detail: `session is longer than ${longestSession} characters` },
        })
      return secretPrefix + secrets.encrypt('client_secret', JSON.stringify({ sent, session, expires }))
    },
    usedIn({ request, path, query, startedAt }) {
      const { key } = keys.sentKey(request.headers, path, query)
      if (!key.startsWith(secretPrefix)) return undefined
      const { sent, session, expires } = opened(key.slice(secretPrefix.length))
      if (expires * 1000 < startedAt) throw new AppError('token_expired')
      const { key: bare, channel, whole } = sent
      return { sent: { key: bare, channel, ...(whole === undefined ? {} : { whole }) }, session }
    },
  }
}
