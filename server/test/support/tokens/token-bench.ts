import type { Database } from '../../../src/db/database.ts'
import { insertReturningId } from '../../../src/db/dialect.ts'
import type { Trace } from '../../../src/db/trace.ts'
import { openCallerRows } from '../../../src/features/tokens/caller/caller-rows.ts'
import { openCallerDirectory, type TokenDirectory } from '../../../src/features/tokens/caller/directory.ts'
import { tokenRoutes } from '../../../src/features/tokens/routes.ts'
import { createTokenService } from '../../../src/features/tokens/service.ts'
import { openTokenStore } from '../../../src/features/tokens/store.ts'
import { openMemoryAccounts } from '../../../src/ledger/holds/holds-memory.ts'
import { openMovements } from '../../../src/ledger/movements.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { createSerialQueue } from '../../../src/lib/serial-queue.ts'
import { testUser } from '../db/rows.ts'
import { type SignedIn, signedIn } from '../features/signed-in.ts'

const secrets = openSecrets({ cryptoSecret: 'for tests', keyFile: '' })

/** A token as the API answers it. */
export type ShownToken = Record<string, unknown> & { id: number; key: string }

let users = 0

/** The tokens of a new user behind the console's API, with the directory that the relay looks keys up in. */
export interface TokenBench {
  readonly userId: number
  /** Unix seconds; tests move it. */
  now: number
  /** The groups that the user may choose. */
  groups: string[]
  readonly traces: Trace[]
  /** Ids of the tokens that the ledger was asked to read again. */
  readonly refreshed: number[]
  readonly directory: TokenDirectory
  /** A directory that has just started. */
  openDirectory(): Promise<TokenDirectory>
  /** From now on another user calls. */
  callAs(userId: number): void
  /** The data of an answer; rejects with the message of a refusal. */
  data<T = ShownToken>(method: string, path: string, body?: unknown): Promise<T>
  /** Makes a token named laptop with a quota of 500, unless `body` says otherwise. */
  create(body?: Record<string, unknown>): Promise<ShownToken>
  /** The ledger entries of a token, oldest first. */
  entries(tokenId: number): Promise<{ amount: number; reason: string }[]>
}

export const openTokenBench = async (database: Database): Promise<TokenBench> => {
  users += 1
  const userId = await insertReturningId(database.query, 'users', {
    ...testUser(`user${users}`),
    aff_code: `a${users}`,
  })
  const state = {
    userId,
    now: 1_900_000_000,
    groups: ['default', 'vip'],
    traces: [] as Trace[],
    refreshed: [] as number[],
  }
  const clock = (): number => state.now * 1000
  const openDirectory = (): Promise<TokenDirectory> =>
    openCallerDirectory({
      rows: openCallerRows(database, secrets),
      digest: (key) => secrets.digest('token_key', key),
      bus: openBus({ nodeName: 'test', log: silentLog }),
      warn: () => {},
      clock,
    })
  const directory = await openDirectory()

  const asUser = (id: number): SignedIn => {
    const queue = createSerialQueue()
    const accounts = openMemoryAccounts({ queue, read: async () => [] })
    const movements = openMovements({ database, queue, accounts, shared: false, hourly: () => true, now: clock })
    const tokens = createTokenService({
      database,
      store: openTokenStore(database),
      secrets,
      ledger: {
        ...movements,
        refreshToken: async (tokenId) => {
          state.refreshed.push(tokenId)
        },
      },
      groupUsable: (_, group) => state.groups.includes(group),
      directory,
      audit: {
        record: async (trace) => {
          state.traces.push(trace)
        },
      },
      clock,
      mostTokens: () => 40,
    })
    return signedIn((on) => tokenRoutes(on, tokens), { id })
  }

  let call = asUser(userId)
  const data: TokenBench['data'] = async <T>(method: string, path: string, body?: unknown): Promise<T> => {
    const { json } = await call(method, path, body)
    if (json.success !== true) throw new Error(String(json.message))
    return json.data as T
  }
  return Object.assign(state, {
    directory,
    openDirectory,
    callAs: (id: number): void => {
      call = asUser(id)
    },
    data,
    create: (body: Record<string, unknown> = {}): Promise<ShownToken> =>
      data('POST', '/api/token/', { name: 'laptop', remain_quota: 500, ...body }),
    entries: (tokenId: number) =>
      database.query
        .selectFrom('ledger_entries')
        .select(['amount', 'reason'])
        .where('account', '=', 'token')
        .where('account_id', '=', tokenId)
        .orderBy('id')
        .execute(),
  })
}
