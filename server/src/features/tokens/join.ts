import type { FeatureKit, SharedParts } from '../../app/parts.ts'
import { openCallerRows } from './caller/caller-rows.ts'
import { openCallerDirectory, type TokenDirectory } from './caller/directory.ts'
import { tokenRoutes } from './routes.ts'
import { firstTokenName } from './rules.ts'
import { createTokenService, type TokenService } from './service.ts'
import { openTokenStore } from './store.ts'

/** Opens the directory of API keys that calls are authenticated by. */
export const openApiKeys = async ({
  database,
  secrets,
  bus,
  log,
  clock,
  ledger,
}: SharedParts): Promise<TokenDirectory> => {
  const apiKeys = await openCallerDirectory({
    rows: openCallerRows(database, secrets),
    digest: (key) => secrets.digest('token_key', key),
    bus,
    warn: log.warn,
    clock,
  })
  // A key that is used up is refused as such by its next call, and not when its row is read again.
  ledger.whenSpent((ids) => {
    for (const token of ids) apiKeys.changed({ token })
  })
  return apiKeys
}

/** Joins the API keys of users. */
export const joinTokens = (
  { options, database, secrets, ledger, groups, audit, clock, on }: FeatureKit,
  directory: TokenDirectory,
): TokenService => {
  const tokens = createTokenService({
    mostTokens: () => options.get('MaxTokensPerUser'),
    database,
    store: openTokenStore(database),
    secrets,
    ledger: ledger.movements,
    groupUsable: (userGroup, group) => Object.hasOwn(groups.usableGroups(userGroup), group),
    directory,
    audit,
    clock,
  })
  tokenRoutes(on, tokens)
  return tokens
}

/** The first API key of a user who registered with a password. */
export const makeFirstToken =
  ({ create }: Pick<TokenService, 'create'>) =>
  async ({ id, username, ip }: { id: number; username: string; ip: string }): Promise<void> => {
    const token = {
      name: firstTokenName(username),
      remain_quota: 500_000,
      unlimited_quota: true,
      expired_time: -1,
      model_limits_enabled: false,
      model_limits: '',
      allow_ips: '',
      group: '',
    }
    await create({ id, username, group: 'default', ip }, token)
  }
