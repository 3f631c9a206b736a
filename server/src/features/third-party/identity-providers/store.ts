import {
  type IdentityProvider,
  type IdentityProviderChange,
  identityProviderIcons,
  membershipRule,
  providerConnection,
} from '@tollgate/contract'
import { parseJson } from '@tollgate/contract/json'
import { type Selectable, sql, type Transaction } from 'kysely'
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

/**
 * Undefined for a row that this version cannot read, which signs nobody in. An organisation's provider is enforced for the domain
 * that was its proved one then, and only while that domain is.
 */
const providerOf = (row: Row, proved: ReadonlyMap<number, string>): StoredProvider | undefined => {
  const connection = providerConnection.safeParse(parseJson(row.connection))
  if (!connection.success) return undefined
  const listed = row.domains.split(',').filter((domain) => domain !== '')
  const domains = row.organisation_id === 0 ? listed : listed.filter((one) => one === proved.get(row.organisation_id))
  const stands = row.organisation_id === 0 || domains.length > 0
  return {
    id: row.id,
    organisation_id: row.organisation_id,
    slug: row.slug,
    name: row.name,
    icon: identityProviderIcons.find((icon) => icon === row.icon) ?? 'key',
    connection: connection.data,
    enabled: row.enabled === 1,
    sign_up: row.sign_up === 1,
    enforced: row.enforced === 1 && stands,
    domains,
    rules: rulesOf.parse(parseJson(row.rules)),
    replaces_manual: row.replaces_manual === 1,
    has_secret: row.secret_cipher !== '',
    secretCipher: row.secret_cipher,
    owner_sign_in_time: row.owner_sign_in_time,
    created_time: row.created_time,
    changed_time: row.changed_time,
  }
}

/** The domain of each organisation that its DNS proved, where it is still its domain; `features/organisations` knows them. */
export type ReadProvedDomains = () => Promise<ReadonlyMap<number, string>>

/** All of them, by name. */
export const readProviders = async (on: Reader, readProved: ReadProvedDomains): Promise<StoredProvider[]> => {
  const rows = await on.selectFrom('identity_providers').selectAll().orderBy('name').orderBy('id').execute()
  const claims = rows.some(({ organisation_id, domains }) => organisation_id !== 0 && domains !== '')
  const proved = claims ? await readProved() : new Map<number, string>()
  return rows.flatMap((row) => providerOf(row, proved) ?? [])
}

/** Ends what a provider of an organisation is enforced for. Answers whether there was anything. */
export const endEnforcement = async (trx: Transaction<Tables>, organisationId: number): Promise<boolean> => {
  const own = trx.selectFrom('identity_providers').select('id').where('organisation_id', '=', organisationId)
  await trx.deleteFrom('enforced_domains').where('provider_id', 'in', own).execute()
  const { numUpdatedRows } = await trx
    .updateTable('identity_providers')
    .set({ enforced: 0, domains: '', enforced_domain: null })
    .where('organisation_id', '=', organisationId)
    .where('enforced', '=', 1)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notes that an owner signed in by a provider of the organisation. */
export const noteOwnerSignIn = async (on: Database['query'], id: number, now: number): Promise<void> => {
  await on.updateTable('identity_providers').set({ owner_sign_in_time: now }).where('id', '=', id).execute()
}

const flag = (value: boolean): number => (value ? 1 : 0)

/** The domain that a provider of an organisation is enforced for; null for all others. */
const enforcedDomain = (organisationId: number, { enforced, domains }: IdentityProviderChange): string | null =>
  organisationId !== 0 && enforced ? (domains[0] ?? null) : null

const columnsOf = (change: IdentityProviderChange, now: number, organisationId: number) => ({
  slug: change.slug,
  name: change.name,
  icon: change.icon,
  changed_time: now,
  connection: JSON.stringify(change.connection),
  domains: [...new Set(change.domains)].join(','),
  rules: JSON.stringify(change.rules),
  enabled: flag(change.enabled),
  sign_up: flag(change.sign_up),
  enforced: flag(change.enforced),
  enforced_domain: enforcedDomain(organisationId, change),
  replaces_manual: flag(change.replaces_manual),
})

/** Answers its id. */
export const addProvider = async (
  trx: Transaction<Tables>,
  { organisationId, secretCipher, now }: { organisationId: number; secretCipher: string; now: number },
  change: IdentityProviderChange,
): Promise<number> => {
  const id = await insertReturningId(trx, 'identity_providers', {
    ...columnsOf(change, now, organisationId),
    organisation_id: organisationId,
    secret_cipher: secretCipher,
    created_time: now,
  })
  await holdDomains(trx, id, change)
  return id
}

/**
 * Makes a provider the one that is enforced for its domains. Of two that want one in the same moment, the unique key refuses the second.
 * Servers of the version before, which may run beside this one, leave domains behind for which a provider is no longer enforced.
 */
const holdDomains = async (
  trx: Transaction<Tables>,
  id: number,
  { enforced, domains }: IdentityProviderChange,
): Promise<void> => {
  await trx.deleteFrom('enforced_domains').where('provider_id', '=', id).execute()
  const held = enforced ? [...new Set(domains)].toSorted() : []
  if (held.length === 0) return
  const stands = sql<boolean>`exists (select 1 from identity_providers as p
    where p.id = enforced_domains.provider_id and p.enforced = 1
    and concat(',', p.domains, ',') like concat('%,', enforced_domains.domain, ',%'))`
  await trx
    .deleteFrom('enforced_domains')
    .where('domain', 'in', held)
    .where((where) => where.not(stands))
    .execute()
  await trx
    .insertInto('enforced_domains')
    .values(held.map((domain) => ({ domain, provider_id: id })))
    .execute()
}

/** The same in the column by which servers of the version before keep organisations apart. */
const releaseDomain = async (trx: Transaction<Tables>, domain: string): Promise<void> => {
  await trx
    .updateTable('identity_providers')
    .set({ enforced_domain: null })
    .where('enforced_domain', '=', domain)
    .where('enforced', '=', 0)
    .execute()
}

/** One of these domains that another provider than `but` is enforced for, as the unique keys have it; undefined for none. */
export const domainEnforcedByOther = async (
  on: Reader,
  domains: readonly string[],
  but: number,
): Promise<string | undefined> => {
  if (domains.length === 0) return undefined
  const held = await on
    .selectFrom('enforced_domains')
    .select('domain')
    .where('domain', 'in', domains)
    .where('provider_id', '!=', but)
    .executeTakeFirst()
  if (held !== undefined) return held.domain
  const row = await on
    .selectFrom('identity_providers')
    .select('enforced_domain')
    .where('enforced_domain', 'in', domains)
    .where('id', '!=', but)
    .executeTakeFirst()
  return row?.enforced_domain ?? undefined
}

interface ProviderUpdate {
  readonly id: number
  readonly organisationId: number
  /** Undefined leaves the stored secret. */
  readonly secretCipher: string | undefined
  /** It leads to other people, so that no owner has signed in by it. */
  readonly isAnother: boolean
  readonly now: number
}

export const changeProvider = async (
  trx: Transaction<Tables>,
  { id, organisationId, secretCipher, isAnother, now }: ProviderUpdate,
  change: IdentityProviderChange,
): Promise<void> => {
  const secret = secretCipher === undefined ? {} : { secret_cipher: secretCipher }
  const domain = enforcedDomain(organisationId, change)
  if (domain !== null) await releaseDomain(trx, domain)
  await trx
    .updateTable('identity_providers')
    .set({ ...columnsOf(change, now, organisationId), ...secret, ...(isAnother && { owner_sign_in_time: 0 }) })
    .where('id', '=', id)
    .execute()
  await holdDomains(trx, id, change)
}

/** With the links of accounts to it. Roles that it gave stay, as if they were given by hand: nobody is on record for them. */
export const removeProvider = async (trx: Transaction<Tables>, id: number): Promise<void> => {
  await trx.deleteFrom('identities').where('provider', '=', `idp:${id}`).execute()
  await trx.deleteFrom('given_roles').where('source', '=', `idp:${id}`).execute()
  await trx.deleteFrom('enforced_domains').where('provider_id', '=', id).execute()
  await trx.deleteFrom('identity_providers').where('id', '=', id).execute()
}
