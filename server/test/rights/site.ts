import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Endpoint } from '@tollgate/contract'
import { type App, openApp } from '../../src/app/app.ts'
import { readConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/db/database.ts'
import { openDatabase } from '../../src/db/engines/open.ts'
import { type Clock, systemClock } from '../../src/lib/clock.ts'
import { silentLog } from '../../src/lib/log.ts'
import { openSecrets, type Secrets } from '../../src/lib/security/secrets.ts'

export const rootPassword = 'correct horse battery'

export interface Answer {
  readonly status: number
  readonly text: string
  readonly json: {
    readonly success?: boolean
    readonly code?: string
    readonly message?: string
    readonly data?: unknown
  }
  readonly headers: Headers
}

export interface Ask {
  readonly method: string
  readonly path: string
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** The whole product on an empty SQLite database, with a second connection to that database for the test. */
export interface RightsSite {
  readonly database: Database
  readonly secrets: Secrets
  readonly url: string
  endpoints(): readonly Endpoint[]
  readonly checkPlan: App['checkPlan']
  /** From an address of its own each time, so that limits stay out of the way. */
  ask(call: Ask): Promise<Answer>
  close(): Promise<void>
}

const cryptoSecret = 'a secret for tests'

/** `clock` is that of its node. */
export const openRightsSite = async (
  environment: Readonly<Record<string, string>> = {},
  clock: Clock = systemClock,
): Promise<RightsSite> => {
  const directory = await mkdtemp(join(tmpdir(), 'tollgate-rights-'))
  const config = readConfig({
    DATA_DIR: directory,
    CRYPTO_SECRET: cryptoSecret,
    INITIAL_ROOT_PASSWORD: rootPassword,
    GLOBAL_API_RATE_LIMIT_ENABLE: 'false',
    TRUSTED_PROXIES: '127.0.0.1',
    ...environment,
  })
  const app = await openApp(config, silentLog, { clock })
  const database = await openDatabase(config.database)
  const server = createServer({ keepAliveTimeout: 0, shouldUpgradeCallback: app.takesUpgrade }, app.listener).listen(
    0,
    '127.0.0.1',
  )
  server.on('upgrade', app.upgrade)
  await once(server, 'listening')
  const bound = server.address()
  const url = `http://127.0.0.1:${typeof bound === 'object' && bound ? bound.port : 0}`
  let requestCount = 0
  return {
    database,
    secrets: openSecrets({ cryptoSecret, keyFile: 'unused' }),
    url,
    endpoints: app.endpoints,
    checkPlan: app.checkPlan,
    async ask({ method, path, body, headers = {} }) {
      requestCount += 1
      const response = await fetch(url + path, {
        method,
        redirect: 'manual',
        headers: {
          'content-type': 'application/json',
          'x-forwarded-for': `198.18.${Math.floor(requestCount / 250) % 250}.${requestCount % 250}`,
          ...headers,
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      const text = await response.text()
      const isJson = response.headers.get('content-type')?.startsWith('application/json') === true && text !== ''
      return { status: response.status, text, json: isJson ? JSON.parse(text) : {}, headers: response.headers }
    },
    async close() {
      server.closeAllConnections()
      server.close()
      await app.close()
      await database.close()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
