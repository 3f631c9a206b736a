import type { DataOf, DomainProof, getDomainProof } from '@tollgate/contract'
import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/schema.ts'
import type { Actor } from '../../../http/actor.ts'
import { AppError } from '../../../lib/app-error.ts'
import { unixSeconds } from '../../../lib/clock.ts'
import { type OrganisationParts, traceOf } from '../parts.ts'
import { assertMay, type OrganisationAccess } from '../rights.ts'

type Parts = Pick<OrganisationParts, 'database' | 'secrets' | 'readTexts' | 'providers' | 'audit' | 'clock'>

/** Looks in a row that find no record before a proof ends, and the seconds that they take at least. */
export const mostMisses = 7
export const leastMissedSeconds = 6 * 86_400

/** Seconds after a proof in which it is looked at again. */
const firstLookSeconds = 86_400

/** When a proof ends at the earliest whose record is missing since then; unix seconds. */
export const endsAt = (missedTime: number): number => missedTime + leastMissedSeconds

/** DNS record by which an owner proves a domain. It names the organisation and the domain, so that it proves nothing for others. */
export const domainRecordOf = (
  { secrets }: Pick<Parts, 'secrets'>,
  organisationId: number,
  domain: string,
): DomainProof => ({
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

/** The record to make for a domain, whether it proved the domain already, and whether it is still there. */
export const showDomainProof = async (
  parts: Parts,
  access: OrganisationAccess,
  domain: string,
): Promise<DataOf<typeof getDomainProof>> => {
  assertMay(access, 'manage_organisation')
  const row = await parts.database.query
    .selectFrom('organisations')
    .select(['domain_proof', 'domain_proved_time', 'domain_seen_time', 'domain_missed_time'])
    .where('id', '=', access.organisationId)
    .executeTakeFirst()
  const record = domainRecordOf(parts, access.organisationId, domain)
  if (row?.domain_proof !== domain) return { ...record, proved_time: 0, seen_time: 0, missed_time: 0, ends_time: 0 }
  const missed = row.domain_missed_time
  return {
    ...record,
    proved_time: row.domain_proved_time,
    seen_time: Math.max(row.domain_seen_time, row.domain_proved_time),
    missed_time: missed,
    ends_time: missed === 0 ? 0 : endsAt(missed),
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
  const { name, value } = domainRecordOf(parts, id, domain)
  const found = await parts.readTexts(name)
  if ('failure' in found) {
    const codes = { missing: 'domain_record_missing', silent: 'domain_servers_silent' } as const
    const code = found.failure === 'refused' ? 'domain_servers_refuse' : codes[found.failure]
    throw new AppError(code, { params: { name, reason: found.code } })
  }
  if (!found.texts.some((text) => text.trim() === value))
    throw new AppError('domain_record_other', { params: { name } })
  const now = unixSeconds(parts.clock)
  await parts.database.transaction(async (trx) => {
    await trx
      .updateTable('organisations')
      .set({
        domain,
        domain_proof: domain,
        domain_proved_time: now,
        domain_seen_time: now,
        domain_look_time: now + firstLookSeconds,
        domain_missed_time: 0,
        domain_misses: 0,
      })
      .where('id', '=', id)
      .execute()
    await parts.audit.record(traceOf(actor, 'domain_proof', id, { domain }), trx)
    if (domain !== access.domain && (await parts.providers.endEnforcement(trx, id)))
      await parts.audit.record(traceOf(actor, 'enforcement_end', id, { domain: access.domain }), trx)
  })
  await parts.providers.changed()
}
