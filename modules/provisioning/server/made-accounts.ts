import { role } from '@tollgate/contract'
import { longestDisplayName, longestUsername } from '@tollgate/contract/accounts/account-rules'
import type { ModuleKit } from '#server/app/modules/module-kit.ts'
import { removeAccessTokens } from '#server/features/access-tokens/store.ts'
import { AppError } from '#server/lib/app-error.ts'
import { randomAlphanumerics } from '#server/lib/ids.ts'
import { openIdentities } from '#server/verification/identities.ts'
import type { ProvisionedAccounts } from './parts.ts'

const attempts = 10

/** A random user name, so that accounts of an organisation do not take names that people of the site may want. */
const drawnName = (): string => `u${randomAlphanumerics(longestUsername - 1).toLowerCase()}`

type Needs = Pick<ModuleKit, 'database' | 'clock' | 'users' | 'endSessions'>

/** Accounts as provisioning makes them: without a password, and without the quota that people get who come on their own. */
export const provisionedAccounts = ({ database, clock, users, endSessions }: Needs): ProvisionedAccounts => {
  const identities = openIdentities(database, clock)
  return {
    async create({ displayName, address, joined }) {
      for (let attempt = 0; attempt < attempts; attempt += 1) {
        try {
          return await users.create({
            username: drawnName(),
            displayName: [...displayName.trim()].slice(0, longestDisplayName).join(''),
            role: role.user,
            quota: 0,
            identities: address === undefined ? [] : [{ provider: 'email', subject: address }],
            joined,
          })
        } catch (error) {
          if (!(error instanceof AppError) || error.code !== 'username_taken') throw error
        }
      }
      throw new AppError('username_taken')
    },
    bindAddress: (trx, userId, subject) => identities.bind(trx, userId, { provider: 'email', subject }),
    endSessions,
    async endAccessTokens(trx, userId) {
      await trx.updateTable('users').set({ access_token_hash: null }).where('id', '=', userId).execute()
      await removeAccessTokens(trx, userId)
    },
  }
}
