import { createHash, createHmac } from 'node:crypto'
import type { ThirdPartyStart } from '@tollgate/contract'
import type { Database } from '../../../src/db/database.ts'
import { openAudit } from '../../../src/features/audit/audit.ts'
import { readProvedDomains } from '../../../src/features/organisations/domains/proved-domains.ts'
import { assertManager, openGroupRoles } from '../../../src/features/organisations/group-roles.ts'
import { isBoundToProvider } from '../../../src/features/organisations/members.ts'
import { openProviderDirectory } from '../../../src/features/third-party/identity-providers/directory.ts'
import { joinIdentityProviders, thirdPartyAccounts } from '../../../src/features/third-party/join.ts'
import { thirdPartyRoutes } from '../../../src/features/third-party/routes.ts'
import { openThirdParty } from '../../../src/features/third-party/third-party.ts'
import { silentLog } from '../../../src/lib/log.ts'
import { openBus } from '../../../src/lib/redis/bus.ts'
import { createEgressGuard } from '../../../src/lib/security/egress.ts'
import { openSecrets } from '../../../src/lib/security/secrets.ts'
import { openIdentities } from '../../../src/verification/identities.ts'
import { createRequiredWays } from '../../../src/verification/required-way.ts'
import type { TestAnswer } from '../http/console.ts'
import { openConsole } from './accounts.ts'
import { type AuthorizationServer, client } from './authorization-server.ts'
import { openTestOptions, root } from './options.ts'

export const siteUrl = 'https://gate.test'
export const botToken = '4242:the bot token'

const settings = (provider: string): readonly (readonly [string, string])[] => [
  ['ServerAddress', siteUrl],
  ['GitHubClientId', client.id],
  ['GitHubClientSecret', client.secret],
  ['LinuxDOClientId', client.id],
  ['LinuxDOClientSecret', client.secret],
  ['oidc.client_id', client.id],
  ['oidc.client_secret', client.secret],
  ['oidc.well_known', `${provider}/.well-known/openid-configuration`],
  ['WeChatServerAddress', provider],
  ['WeChatServerToken', 'helper token'],
  ['TelegramBotToken', botToken],
  ['TelegramBotName', 'gate_bot'],
  ['GitHubOAuthEnabled', 'true'],
  ['LinuxDOOAuthEnabled', 'true'],
  ['oidc.enabled', 'true'],
  ['WeChatAuthEnabled', 'true'],
  ['TelegramOAuthEnabled', 'true'],
  ['DiscordClientId', client.id],
  ['DiscordClientSecret', client.secret],
  ['DiscordOAuthEnabled', 'true'],
]

/** A browser with its own cookies and address. */
export interface Browser {
  call(method: string, path: string, more?: { body?: unknown; headers?: Record<string, string> }): Promise<TestAnswer>
  /** Begins a way to a provider. */
  start(provider: string, purpose?: 'login' | 'bind', aff?: string): Promise<ThirdPartyStart>
  /** The whole way: begin, agree there, come back. */
  go(provider: string, purpose?: 'login' | 'bind', aff?: string): Promise<TestAnswer>
  readonly cookies: Map<string, string>
  /** The user who signed in here last; 0 for none. */
  userId: number
}

/** Query signed as Telegram's servers sign it for this bot. */
export const signedByTelegram = (fields: Readonly<Record<string, string>>, token = botToken): string => {
  const text = Object.entries(fields)
    .map(([name, value]) => `${name}=${value}`)
    .sort()
    .join('\n')
  const hash = createHmac('sha256', createHash('sha256').update(token).digest()).update(text).digest('hex')
  return String(new URLSearchParams({ ...fields, hash }))
}

/** Accounts, users and third-party sign-in on a real database, against a real authorization server. */
export const openThirdPartySite = async (
  database: Database,
  provider: AuthorizationServer,
  /** Addresses that are not public and that providers of organisations may have all the same. */
  ownersMayReach: readonly string[] = [],
) => {
  const site = await openConsole(database)
  const options = await openTestOptions(database)
  for (const [key, value] of settings(provider.origin)) await options.set(key, value, root)
  const clock = () => site.state.now
  const audit = openAudit(database, clock)
  const bus = openBus({ nodeName: 'test', log: silentLog })
  const readProved = () => readProvedDomains(database.query)
  const directory = await openProviderDirectory({
    database,
    bus,
    warn: silentLog.warn,
    readProved,
    organisationsMay: () => options.get('OrganisationProvidersEnabled'),
  })
  site.state.requiredWays = createRequiredWays(directory.requiredFor, (organisationId, userId) =>
    isBoundToProvider(database.query, organisationId, userId),
  )
  const secrets = openSecrets({ cryptoSecret: 'a secret for tests', keyFile: 'unused' })
  const refusals: unknown[] = []
  const changedWallets: number[] = []
  const thirdParty = openThirdParty({
    database,
    challenges: site.challenges,
    identities: openIdentities(database, clock),
    accounts: thirdPartyAccounts(site.users, site.accounts),
    option: options.get,
    egress: createEgressGuard({ allow: [], operator: true }),
    publicEgress: createEgressGuard({ allow: ownersMayReach }),
    directory,
    groupRoles: openGroupRoles({ database, audit, clock, userChanged: (id) => changedWallets.push(id) }),
    secrets,
    warn: (_event, facts) => refusals.push(facts),
    clock,
    addresses: {
      github: {
        authorize: `${provider.origin}/authorize`,
        token: `${provider.origin}/token`,
        api: provider.origin,
      },
      discord: {
        authorize: `${provider.origin}/authorize`,
        token: `${provider.origin}/token`,
        user: `${provider.origin}/discord/user`,
      },
      linuxdo: {
        authorize: `${provider.origin}/authorize`,
        token: `${provider.origin}/token`,
        user: `${provider.origin}/api/user`,
      },
      telegram: 'https://telegram.test/auth',
    },
  })
  thirdPartyRoutes(site.api.on, thirdParty)
  site.state.signOutAt = thirdParty.sso.signOutAt
  joinIdentityProviders(
    { database, options, secrets, audit, clock },
    { sso: thirdParty.sso, directory, readProved, assertOwner: assertManager(database) },
    site.api.on,
  )

  let addresses = 0
  const browser = (): Browser => {
    addresses += 1
    const from = `10.20.${Math.floor(addresses / 250)}.${addresses % 250}`
    const cookies = new Map<string, string>()
    const self: Browser = {
      cookies,
      userId: 0,
      async call(method, path, { body, headers = {} } = {}) {
        const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
        const answer = await site.call(method, path, {
          from,
          body,
          headers: {
            'user-agent': 'Mozilla/5.0 Test',
            ...(cookie === '' ? {} : { cookie }),
            'new-api-user': String(self.userId || -1),
            ...headers,
          },
        })
        for (const text of answer.headers.getSetCookie()) {
          const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(text) ?? []
          if (value === '') cookies.delete(name)
          else cookies.set(name, value)
        }
        const { id } = (answer.json.data ?? {}) as { id?: number }
        if (cookies.has('session') && typeof id === 'number') self.userId = id
        return answer
      },
      async start(name, purpose = 'login', aff = '') {
        const answer = await self.call('POST', `/api/oauth/${name}/${purpose}`, { body: { aff } })
        if (answer.json.success !== true) throw new Error(String(answer.json.message))
        return answer.json.data as ThirdPartyStart
      },
      async go(name, purpose = 'login', aff = '') {
        const { url } = await self.start(name, purpose, aff)
        const { path, query } = await provider.agree(url)
        if (path !== `/oauth/${name}`) throw new Error(`sent back to ${path}`)
        return self.call('GET', `/api/oauth/${name}?${query}`)
      },
    }
    return self
  }

  const setOption = (key: string, value: string) => options.set(key, value, root)
  const stored = (id: number) =>
    database.query.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirstOrThrow()

  /** A user with a password, signed in in a browser of their own. */
  const member = async (username: string): Promise<Browser> => {
    const signedIn = await site.person(username, 1)
    const own = browser()
    const [name = '', value = ''] = signedIn.cookie.split('=')
    own.cookies.set(name, value)
    own.userId = signedIn.id
    return own
  }

  return {
    ...site,
    options,
    setOption,
    browser,
    member,
    stored,
    thirdParty,
    directory,
    refusals,
    changedWallets,
    close: thirdParty.close,
  }
}

export type ThirdPartySite = Awaited<ReturnType<typeof openThirdPartySite>>
