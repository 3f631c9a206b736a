import { type IdentityProvider, type IdentityProviderChange, mostIdentityProviders } from '@tollgate/contract'
import type { Transaction } from 'kysely'
import type { Database } from '../../../db/database.ts'
import { isUniqueViolation } from '../../../db/dialect.ts'
import type { Tables } from '../../../db/schema.ts'
import type { Trace } from '../../../db/trace.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { type Clock, unixSeconds } from '../../../lib/clock.ts'
import type { Secrets } from '../../../lib/security/secrets.ts'
import type { ProviderDirectory } from './directory.ts'
import { certificateOf } from './saml/client.ts'
import { assertPublicAddress } from './single-sign-on.ts'
import {
  addProvider,
  changeProvider,
  domainEnforcedByOther,
  type ReadProvedDomains,
  readProviders,
  removeProvider,
  type StoredProvider,
} from './store.ts'

export interface ProviderServiceParts {
  readonly database: Database
  readonly directory: ProviderDirectory
  readonly readProved: ReadProvedDomains
  readonly secrets: Pick<Secrets, 'encrypt'>
  readonly audit: { record(trace: Trace, trx?: Transaction<Tables>): Promise<void> }
  readonly clock: Clock
}

/** The providers of one owner: an organisation, or 0 for the site. */
export interface ProviderService {
  list(organisationId: number): Promise<IdentityProvider[]>
  /** The domain that the organisation proved by its DNS, and may enforce a provider for; empty without one. */
  provedDomain(organisationId: number): Promise<string>
  /**
   * Throws AppError('slug_taken' | 'provider_domain_taken' | 'provider_rule_wrong' | 'enforced_without_domain' |
   * 'certificate_unusable'), and for organisations AppError('provider_only_for_site' | 'enforced_without_proof' |
   * 'enforced_without_sign_in').
   */
  create(organisationId: number, change: IdentityProviderChange, by: Actor): Promise<IdentityProvider>
  /** Throws the same, and AppError('not_found'). */
  update(organisationId: number, id: number, change: IdentityProviderChange, by: Actor): Promise<IdentityProvider>
  remove(organisationId: number, id: number, by: Actor): Promise<void>
}

const shown = ({ secretCipher: _, ...provider }: StoredProvider): IdentityProvider => provider

/**
 * True if a changed connection leads to another provider, or to another client of it: an owner's sign-in by the old one proves nothing
 * then.
 */
const leadsElsewhere = (
  { connection: before }: StoredProvider,
  { connection: after }: IdentityProviderChange,
): boolean =>
  before.kind !== after.kind ||
  before.issuer !== after.issuer ||
  (before.kind === 'oidc' && after.kind === 'oidc' && before.client_id !== after.client_id) ||
  (before.kind === 'saml' && after.kind === 'saml' && before.sign_in_url !== after.sign_in_url)

export const createProviderService = (parts: ProviderServiceParts): ProviderService => {
  const { database, directory, audit, clock } = parts

  const read = (): Promise<StoredProvider[]> => readProviders(database.query, parts.readProved)

  const ownedBy = async (organisationId: number): Promise<StoredProvider[]> =>
    (await read()).filter((entry) => entry.organisation_id === organisationId)

  const own = async (organisationId: number, id: number): Promise<StoredProvider> => {
    const found = (await ownedBy(organisationId)).find((entry) => entry.id === id)
    if (found === undefined) throw new AppError('not_found')
    return found
  }

  const provedDomain = async (organisationId: number): Promise<string> =>
    (await parts.readProved()).get(organisationId) ?? ''

  /**
   * The change as it is stored. An owner of an organisation must not speak for the people of others: they name no domains, and their
   * provider is enforced for the one that the organisation proved by its DNS, once an owner (`before`) has come in by it. One that is
   * off is not enforced.
   */
  const within = async (
    organisationId: number,
    change: IdentityProviderChange,
    before?: StoredProvider,
  ): Promise<IdentityProviderChange> => {
    if (organisationId === 0) return change
    const { connection, domains, enabled, rules } = change
    const foreign = rules.some(({ organisation_id }) => organisation_id !== organisationId)
    if (foreign) throw new AppError('provider_rule_wrong')
    const proved = await provedDomain(organisationId)
    if (domains.some((domain) => domain !== proved)) throw new AppError('provider_only_for_site')
    assertPublicAddress(connection, organisationId)
    const enforced = change.enforced && enabled
    if (!enforced) return { ...change, enforced, domains: [] }
    if (proved === '') throw new AppError('enforced_without_proof')
    const works = before !== undefined && before.owner_sign_in_time > 0 && !leadsElsewhere(before, change)
    if (!works) throw new AppError('enforced_without_sign_in')
    return { ...change, domains: [proved] }
  }

  const assertRules = async (trx: Transaction<Tables>, { rules }: IdentityProviderChange): Promise<void> => {
    for (const { organisation_id, team_id, role } of rules) {
      const organisation = await trx
        .selectFrom('organisations')
        .select('id')
        .where('id', '=', organisation_id)
        .where('deleted_at', 'is', null)
        .executeTakeFirst()
      const team =
        team_id === 0 ||
        (role !== 'billing' &&
          (await trx
            .selectFrom('teams')
            .select('id')
            .where('id', '=', team_id)
            .where('organisation_id', '=', organisation_id)
            .where('deleted_at', 'is', null)
            .executeTakeFirst()))
      if (organisation === undefined || !team) throw new AppError('provider_rule_wrong')
    }
  }

  const assertUsable = async (
    id: number,
    { connection, domains, enabled, enforced }: IdentityProviderChange,
  ): Promise<void> => {
    if (connection.kind === 'saml') for (const text of connection.certificates) certificateOf(text)
    if (!enforced) return
    if (domains.length === 0 || !enabled) throw new AppError('enforced_without_domain')
    const others = (await read()).filter((entry) => entry.enforced && entry.id !== id)
    const taken = others.flatMap((entry) => entry.domains).find((domain) => domains.includes(domain))
    if (taken !== undefined) throw new AppError('provider_domain_taken', { params: { domain: taken } })
  }

  const cipherOf = (secret: string | undefined): string | undefined =>
    secret === undefined || secret === '' ? secret : parts.secrets.encrypt('identity_provider', secret)

  const facts = ({
    client_secret: secret,
    ...change
  }: Partial<IdentityProviderChange>): Readonly<Record<string, unknown>> => ({
    ...change,
    ...(secret === undefined ? {} : { client_secret: secret === '' ? 'removed' : 'changed' }),
  })

  const trace = (verb: string, id: number, { ip, ...actor }: Actor, more: Pick<Trace, 'before' | 'after'>): Trace => ({
    actor,
    action: `identity_provider.${verb}`,
    object: 'identity_provider',
    objectId: id,
    ...more,
    ip,
  })

  /** Error of a refused write: another provider took the name, or enforces the domain, since the check. */
  const refusalOf = async (
    error: unknown,
    id: number,
    { enforced, domains }: IdentityProviderChange,
  ): Promise<unknown> => {
    if (!isUniqueViolation(error)) return error
    const domain = enforced ? await domainEnforcedByOther(database.query, domains, id) : undefined
    if (domain === undefined) return new AppError('slug_taken')
    return new AppError('provider_domain_taken', { params: { domain } })
  }

  return {
    list: async (organisationId) => (await ownedBy(organisationId)).map(shown),

    provedDomain,

    async create(organisationId, wanted, by) {
      const change = await within(organisationId, wanted)
      await assertUsable(0, change)
      if ((await ownedBy(organisationId)).length >= mostIdentityProviders) throw new AppError('too_many_requests')
      const id = await database
        .transaction(async (trx) => {
          await assertRules(trx, change)
          const more = { organisationId, secretCipher: cipherOf(change.client_secret) ?? '', now: unixSeconds(clock) }
          const made = await addProvider(trx, more, change)
          await audit.record(trace('create', made, by, { after: facts(change) }), trx)
          return made
        })
        .catch(async (error: unknown) => {
          throw await refusalOf(error, 0, change)
        })
      await directory.changed()
      return shown(await own(organisationId, id))
    },

    async update(organisationId, id, wanted, by) {
      const before = await own(organisationId, id)
      const change = await within(organisationId, wanted, before)
      await assertUsable(id, change)
      await database
        .transaction(async (trx) => {
          await assertRules(trx, change)
          const secretCipher = cipherOf(change.client_secret)
          const isAnother = leadsElsewhere(before, change)
          await changeProvider(trx, { id, organisationId, secretCipher, isAnother, now: unixSeconds(clock) }, change)
          const {
            changed_time: _,
            created_time: _created,
            owner_sign_in_time: _in,
            has_secret: _secret,
            ...was
          } = shown(before)
          await audit.record(trace('update', id, by, { before: was, after: { ...was, ...facts(change) } }), trx)
        })
        .catch(async (error: unknown) => {
          throw await refusalOf(error, id, change)
        })
      await directory.changed()
      return shown(await own(organisationId, id))
    },

    async remove(organisationId, id, by) {
      const { slug, name } = await own(organisationId, id)
      await database.transaction(async (trx) => {
        await removeProvider(trx, id)
        await audit.record(trace('delete', id, by, { before: { slug, name } }), trx)
      })
      await directory.changed()
    },
  }
}
