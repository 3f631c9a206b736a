import type { DataOf, DomainProof, getDomainProof } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../../db/schema.ts'
import type { Actor } from '../../http/actor.ts'
import { AppError } from '../../lib/app-error.ts'
import { unixSeconds } from '../../lib/clock.ts'
import { type OrganisationParts, traceOf } from './parts.ts'
import { assertMay, type OrganisationAccess } from './rights.ts'

type Parts = Pick<OrganisationParts, 'database' | 'secrets' | 'readTexts' | 'providers' | 'audit' | 'clock'>

/** What an owner puts into the DNS of a domain. It names the organisation and the domain, so that nobody else can use it. */
const recordOf = ({ secrets }: Pick<Parts, 'secrets'>, organisationId: number, domain: string): DomainProof => ({
  name: `_tollgate.${domain}`,
  value: `tollgate-domain=${secrets.digest('domain_proof', `${organisationId} ${domain}`).slice(0, 40)}`,
})

/** The domain that an organisation proved by its DNS; undefined for none. */
export const provedByDns = async (on: Kysely<Tables>, organisationId: number): Promise<string | undefined> => {
  const row = await on
    .selectFrom('organisations')
    .select('domain_proof')
    .where('id', '=', organisationId)
    .executeTakeFirst()
  return row?.domain_proof ?? undefined
}

/** The record to make for a domain, and whether it proved the domain already. */
export const showDomainProof = async (
  parts: Parts,
  access: OrganisationAccess,
  domain: string,
): Promise<DataOf<typeof getDomainProof>> => {
  assertMay(access, 'manage_organisation')
  const row = await parts.database.query
    .selectFrom('organisations')
    .select(['domain_proof', 'domain_proved_time'])
    .where('id', '=', access.organisationId)
    .executeTakeFirst()
  const isProved = row?.domain_proof === domain
  return {
    ...recordOf(parts, access.organisationId, domain),
    proved_time: isProved ? row.domain_proved_time : 0,
  }
}

/**
 * Looks for the record and makes the domain the organisation's. Throws AppError('domain_record_missing' | 'domain_record_other' |
 * 'domain_servers_silent' | 'domain_servers_refuse').
 */
export const proveDomain = async (
  parts: Parts,
  access: OrganisationAccess,
  actor: Actor,
  domain: string,
): Promise<void> => {
  assertMay(access, 'manage_organisation')
  const { organisationId: id } = access
  const { name, value } = recordOf(parts, id, domain)
  const found = await parts.readTexts(name)
  if ('failure' in found) {
    const codes = { missing: 'domain_record_missing', silent: 'domain_servers_silent' } as const
    const code = found.failure === 'refused' ? 'domain_servers_refuse' : codes[found.failure]
    throw new AppError(code, { params: { name, reason: found.code } })
  }
  if (!found.texts.some((text) => text.trim() === value))
    throw new AppError('domain_record_other', { params: { name } })
  await parts.database.transaction(async (trx) => {
    await trx
      .updateTable('organisations')
      .set({ domain, domain_proof: domain, domain_proved_time: unixSeconds(parts.clock) })
      .where('id', '=', id)
      .execute()
    await parts.audit.record(traceOf(actor, 'domain_proof', id, { domain }), trx)
    if (domain !== access.domain && (await parts.providers.endEnforcement(trx, id)))
      await parts.audit.record(traceOf(actor, 'enforcement_end', id, { domain: access.domain }), trx)
  })
  await parts.providers.changed()
}
