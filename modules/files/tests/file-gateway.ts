import Anthropic from '@anthropic-ai/sdk'
import { GoogleGenAI } from '@google/genai'
import OpenAI from 'openai'
import type { Database } from '#server/db/database.ts'
import { type KeptFileBounds, type KeptFileStore, openKeptFiles } from '#server/features/kept-files/kept-files.ts'
import { openSecrets } from '#server/lib/security/secrets.ts'
import { openTestGateway, type TestGateway, testToken, testUser } from '#server-test/support/gateway/listener.ts'
import { openTestUpstream, type TestUpstream } from '#server-test/support/gateway/upstream.ts'
import { openTestChannels, testChannel } from '#server-test/support/relay/ports.ts'
import { fileRoutes } from '../server/routes.ts'

const secrets = openSecrets({ cryptoSecret: 'files-test-secret', keyFile: '/nowhere' })

/** A gateway with the calls of this module over a real store, for the keys of Ann (`sk-good`) and Ben (`sk-other`). */
export interface FileGateway {
  readonly gateway: TestGateway
  readonly upstream: TestUpstream
  readonly store: KeptFileStore
  /** Bounds of files; a test may set them. */
  bounds: KeptFileBounds
  openai(key?: string): OpenAI
  anthropic(key?: string): Anthropic
  google(key?: string): GoogleGenAI
  close(): Promise<void>
}

export const usualBounds: KeptFileBounds = { ofFile: 50_000_000, ofPayer: 0, days: 30 }

export const openFileGateway = async (database: Database): Promise<FileGateway> => {
  const upstream = await openTestUpstream()
  const bounds = { now: usualBounds }
  const store = openKeptFiles({ database, secrets, clock: Date.now, bounds: () => bounds.now })
  const gateway = await openTestGateway({
    relay: { channels: openTestChannels(testChannel({ baseUrl: upstream.url })) },
    gateway: { moduleRoutes: fileRoutes(store, Date.now), keptFiles: store },
  })
  gateway.tokens.set('other', { ...testToken, tokenId: 4, user: { ...testUser, id: 8, username: 'ben' } })
  return {
    gateway,
    upstream,
    store,
    get bounds() {
      return bounds.now
    },
    set bounds(value) {
      bounds.now = value
    },
    openai: (key = 'good') => new OpenAI({ baseURL: `${gateway.url}/v1`, apiKey: `sk-${key}`, maxRetries: 0 }),
    anthropic: (key = 'good') => new Anthropic({ baseURL: gateway.url, apiKey: `sk-${key}`, maxRetries: 0 }),
    google: (key = 'good') =>
      new GoogleGenAI({ apiKey: `sk-${key}`, vertexai: false, httpOptions: { baseUrl: gateway.url } }),
    async close() {
      await gateway.close()
      await upstream.close()
    },
  }
}
