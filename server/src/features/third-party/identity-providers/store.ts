import {
  type IdentityProvider,
  type IdentityProviderChange,
  identityProviderIcons,
  membershipRule,
  providerConnection,
} from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import type { Selectable, Transaction } from 'kysely'
import { z } from 'zod'
import type { Database } from '../../../db/database.ts'
import { insertReturningId } from '../../../db/dialect.ts'
import type { Tables } from '../../../db/schema.ts'

/** A provider as it is stored; the secret is encrypted. */
export interface StoredProvider extends IdentityProvider {
  readonly secretCipher: string
}

type Reader = Pick<Database['query'], 'selectFrom'>
type Row = Selectable<Tables['identity_providers']>

const rulesOf = z.array(membershipRule).catch([])

/** Undefined for a row that this version cannot read, which signs nobody in. */
const providerOf = (row: Row): StoredProvider | undefined => {
  const connection = providerConnection.safeParse(parseJson(row.connection))
  if (!connection.success) return undefined
  return {
    ...{ id: row.id, organisation_id: row.organisation_id, slug: row.slug, name: row.name },
    icon: identityProviderIcons.find((icon) => icon === row.icon) ?? 'key',
    connection: connection.data,
    ...{ enabled: row.enabled === 1, sign_up: row.sign_up === 1, enforced: row.enforced === 1 },
    domains: row.domains.split(',').filter((domain) => domain !== ''),
    rules: rulesOf.parse(parseJson(row.rules)),
    replaces_manual: row.replaces_manual === 1,
    has_secret: row.secret_cipher !== '',
    secretCipher: row.secret_cipher,
    ...{ created_time: row.created_time, changed_time: row.changed_time },
  }
}

/** All of them, by name. */
export const readProviders = async (on: Reader): Promise<StoredProvider[]> => {
  const rows = await on.selectFrom('identity_providers').selectAll().orderBy('name').orderBy('id').execute()
  return rows.flatMap((row) => providerOf(row) ?? [])
}

const flag = (value: boolean): number => (value ? 1 : 0)

const columnsOf = (change: IdentityProviderChange, now: number) => ({
  ...{ slug: change.slug, name: change.name, icon: change.icon, changed_time: now },
  connection: JSON.stringify(change.connection),
  domains: [...new Set(change.domains)].join(','),
  rules: JSON.stringify(change.rules),
  ...{ enabled: flag(change.enabled), sign_up: flag(change.sign_up), enforced: flag(change.enforced) },
  replaces_manual: flag(change.replaces_manual),
})

/** Answers its id. */
export const addProvider = (
  trx: Transaction<Tables>,
  { organisationId, secretCipher, now }: { organisationId: number; secretCipher: string; now: number },
  change: IdentityProviderChange,
): Promise<number> =>
  insertReturningId(trx, 'identity_providers', {
    ...columnsOf(change, now),
    ...{ organisation_id: organisationId, secret_cipher: secretCipher, created_time: now },
  })

/** `secretCipher` undefined leaves the stored secret. */
export const changeProvider = async (
  trx: Transaction<Tables>,
  id: number,
  { secretCipher, now }: { secretCipher: string | undefined; now: number },
  change: IdentityProviderChange,
): Promise<void> => {
  const secret = secretCipher === undefined ? {} : { secret_cipher: secretCipher }
  await trx
    .updateTable('identity_providers')
    .set({ ...columnsOf(change, now), ...secret })
    .where('id', '=', id)
    .execute()
}

/** With the links of accounts to it. Roles that it gave stay, as if they were given by hand: nobody is on record for them. */
export const removeProvider = async (trx: Transaction<Tables>, id: number): Promise<void> => {
  await trx.deleteFrom('identities').where('provider', '=', `idp:${id}`).execute()
  await trx.deleteFrom('given_roles').where('source', '=', `idp:${id}`).execute()
  await trx.deleteFrom('identity_providers').where('id', '=', id).execute()
}
