import { randomUUID } from 'node:crypto'
import { writeLogText } from '@tollgate/contract'
import { joinSecurity } from '../../../src/app/console-security.ts'
import type { Database } from '../../../src/db/database.ts'
import { openAccessTokens } from '../../../src/features/access-tokens/access-tokens.ts'
import { accessTokenRoutes } from '../../../src/features/access-tokens/routes.ts'
import { removeAccessTokens } from '../../../src/features/access-tokens/store.ts'
import { openAccounts } from '../../../src/features/accounts/accounts.ts'
import { createCallers } from '../../../src/features/accounts/callers.ts'
import { createRootIfMissing } from '../../../src/features/accounts/first-start.ts'
import { accountRoutes } from '../../../src/features/accounts/routes.ts'
import { openSessions } from '../../../src/features/accounts/sessions.ts'
import type { LoginThrottle } from '../../../src/features/accounts/throttle.ts'
import { openLoginThrottle } from '../../../src/features/accounts/throttle-redis.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import type { QuotaNote } from '../../../src/features/users/parts.ts'
import { userRoutes } from '../../../src/features/users/routes.ts'
import { openUsers } from '../../../src/features/users/users.ts'
import { readBalances } from '../../../src/ledger/balances.ts'
import type { ReadBalances } from '../../../src/ledger/holds/accounts.ts'
import { openMemoryAccounts } from '../../../src/ledger/holds/holds-memory.ts'
import { openMovements } from '../../../src/ledger/movements.ts'
import { silentLog } from '../../../src/lib/log.ts'
import type { SharedRedis } from '../../../src/lib/redis/redis-client.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { createSerialQueue } from '../../../src/lib/serial-queue.ts'
import { openRedisLimitStore } from '../../../src/limits/limit-store-redis.ts'
import { openIdentities } from '../../../src/verification/identities.ts'
import type { ProviderSession } from '../../../src/verification/provider-session.ts'
import { createRequiredWays } from '../../../src/verification/required-way.ts'
import { createSignInWays } from '../../../src/verification/sign-in-ways.ts'
import { callApi, type TestAnswer, type TestCall, testApi } from '../http/console.ts'
import { testRateLimiter } from '../limits/limiter.ts'

/** A note with its Chinese text. */
export type WrittenNote = Omit<QuotaNote, 'text'> & { readonly content: string }

export const rootPassword = 'root password'

export const movementsOf = (database: Database, clock: () => number) => {
  const queue = createSerialQueue()
  const read: ReadBalances = (names) => readBalances(database.query, names, { versions: false })
  const accounts = openMemoryAccounts({ queue, read })
  return openMovements({ database, queue, accounts, shared: false, hourly: () => true, now: clock })
}

/** A signed-in user of a test: calls carry the session and the user-id header. */
export interface SignedIn {
  readonly id: number
  readonly cookie: string
  call(method: string, path: string, body?: unknown, more?: Record<string, string>): Promise<TestAnswer>
}

/** Accounts and users on a real database, with a root user; the clock moves by hand. */
export const openConsole = async (
  database: Database,
  more: {
    allowDefaultPassword?: boolean
    initialRootPassword?: string | undefined
    userChanged?: (id: number) => void
    redis?: SharedRedis | undefined
    /** Of another node, which counts for this one, too. */
    throttle?: LoginThrottle
  } = {},
) => {
  const state = {
    now: Date.UTC(2026, 10, 21),
    passwordLogin: true,
    newUserQuota: 0,
    requiredWays: createRequiredWays(
      () => undefined,
      async () => false,
    ),
    signOutAt: (async () => undefined) as (at: ProviderSession) => Promise<string | undefined>,
    invitationQuotas: { invitee: 0, inviter: 0 },
  }
  const clock = () => state.now
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const notes: WrittenNote[] = []
  const changed: number[] = []
  const sessions = openSessions({ database, secrets, clock })
  const signInWays = createSignInWays(database)
  const users = openUsers({
    database,
    signInWays,
    ledger: movementsOf(database, clock),
    audit: openAudit(database, clock),
    writeNote: async (note) => {
      const { text, ...rest } = note
      notes.push({ ...rest, content: writeLogText({ ...text, unit: 0 }, 'zh') ?? '' })
    },
    identities: openIdentities(database, clock),
    newUserQuota: () => state.newUserQuota,
    invitationQuotas: () => state.invitationQuotas,
    groupExists: (group) => ['default', 'vip'].includes(group),
    endSessions: (id) => sessions.endAll(id),
    removeAccessTokens,
    userChanged: (id) => {
      changed.push(id)
      more.userChanged?.(id)
    },
    clock,
  })
  const audit = openAudit(database, clock)
  const accessTokens = openAccessTokens({ database, secrets, audit, clock })
  const callers = createCallers({ sessions, users: users.directory, namedTokens: accessTokens, secrets })
  const security = joinSecurity({
    database,
    secrets,
    audit,
    users: users.directory,
    sessions,
    siteName: () => 'Tollgate',
    signInWays,
    clock,
    log: silentLog,
  })
  const throttle = more.throttle ?? openLoginThrottle({ redis: more.redis, clock })
  const accounts = openAccounts({
    organisations: async () => 'closed',
    requiredWays: {
      ofAddress: (address) => state.requiredWays.ofAddress(address),
      ofAccount: (account) => state.requiredWays.ofAccount(account),
    },
    users: users.directory,
    sessions,
    signInWays,
    ...security,
    secrets,
    audit,
    throttle,
    passwordLoginEnabled: () => state.passwordLogin,
    allowDefaultPassword: more.allowDefaultPassword ?? false,
    clock,
    log: silentLog,
  })
  const { redis } = more
  const shared = redis && { store: openRedisLimitStore({ redis }), isShared: true, node: randomUUID() }
  const limiter = testRateLimiter({ clock, ...shared })
  const api = testApi({ callers, limiter, assertConfirmed: accounts.confirmations.assert })
  accountRoutes(api.on, accounts, (at) => state.signOutAt(at))
  security.routes(api.on, accounts)
  userRoutes(api.on, users.administration)
  accessTokenRoutes(api.on, { accessTokens, show: users.administration.show })
  const initialRootPassword = 'initialRootPassword' in more ? more.initialRootPassword : rootPassword
  await createRootIfMissing({ users: users.directory, create: users.create, initialRootPassword, log: silentLog })

  const call = (method: string, path: string, options: TestCall = {}) => callApi(api, method, path, options)

  const login = (username: string, password: string, options: Omit<TestCall, 'body'> = {}) =>
    call('POST', '/api/user/login', { body: { username, password }, ...options })

  let address = 0
  /** From an address of its own, so that limits per address stay out of the way. */
  const signIn = async (username: string, password: string): Promise<SignedIn> => {
    address += 1
    const answer = await login(username, password, { from: `10.9.${Math.floor(address / 250)}.${address % 250}` })
    const { id } = answer.json.data as { id: number }
    const cookie = answer.headers.get('set-cookie')?.split(';')[0] ?? ''
    const headers = { cookie, 'New-Api-User': String(id) }
    return {
      id,
      cookie,
      call: (method, path, body, more = {}) => call(method, path, { headers: { ...headers, ...more }, body }),
    }
  }

  /** Makes a user of a role, with the password `<name> password`, and signs in. */
  const person = async (username: string, role: number): Promise<SignedIn> => {
    const password = `${username} password`
    await users.create({ username, password, displayName: username, role, quota: 1000 })
    return signIn(username, password)
  }

  const { challenges } = security
  return {
    state,
    notes,
    changed,
    users,
    accounts,
    throttle,
    challenges,
    sessions,
    callers,
    api,
    call,
    login,
    signIn,
    person,
    database,
  }
}
