import type { Transaction } from 'kysely'
import { insertReturningId } from '../../src/db/dialect.ts'
import type { Tables } from '../../src/db/schema.ts'
import type { Secrets } from '../../src/lib/security/secrets.ts'
import { canary } from './canaries.ts'

/** An identity provider of the site, and one of an organisation, with their secrets. */
export const giveIdentityProviders = async (
  query: Transaction<Tables>,
  secrets: Secrets,
  userId: number,
  organisationId: number,
): Promise<{ siteProviderId: number; ownProviderId: number }> => {
  const give = (owner: number, slug: string, name: string): Promise<number> =>
    insertReturningId(query, 'identity_providers', {
      organisation_id: owner,
      slug,
      name,
      icon: 'key',
      enabled: 1,
      connection: JSON.stringify({ kind: 'oidc', issuer: 'https://idp.example', client_id: 'gate' }),
      secret_cipher: secrets.encrypt('identity_provider', canary('clientsecret', userId)),
      sign_up: 1,
      domains: '',
      enforced: 0,
      rules: '[]',
      replaces_manual: 0,
      created_time: 1,
      changed_time: 1,
    })
  return {
    siteProviderId: await give(0, `site-${userId}`, 'Everybody'),
    ownProviderId: await give(organisationId, `own-${userId}`, canary('provider', userId)),
  }
}
