import { type Selectable, sql, type Transaction } from 'kysely'
import type { Tables } from '../../../db/schema.ts'
import { openRowClaims } from '../../../jobs/row-claims.ts'
import { type JobRunner, type JobTimes, openJobRunner } from '../../../jobs/runner.ts'
import { unixSeconds } from '../../../lib/clock.ts'
import type { Log } from '../../../lib/log.ts'
import { ownersOf } from '../members.ts'
import { type OrganisationParts, traceOf } from '../parts.ts'
import { domainRecordOf, endsAt, leastMissedSeconds, mostMisses } from './domain-proof.ts'
import { provedDomain } from './proved-domains.ts'

/** News about a domain for the organisation's owners. */
export interface DomainNews {
  readonly organisation: { readonly id: number; readonly name: string }
  readonly domain: string
  /** Name of the record. */
  readonly record: string
  /** Unix seconds since which it is missing. */
  readonly since: number
  /** Unix seconds when the proof ends at the earliest; undefined where it has ended. */
  readonly endsAt: number | undefined
}

type AddNotice = (trx: Transaction<Tables>) => Promise<unknown>

export interface DomainLookParts
  extends Pick<OrganisationParts, 'database' | 'secrets' | 'readTexts' | 'providers' | 'audit' | 'clock'> {
  /** Function that queues a notice to a user; undefined if the notice has no destination. */
  readonly noticeTo: (userId: number, news: DomainNews) => Promise<AddNotice | undefined>
  readonly log: Pick<Log, 'info' | 'warn'>
}

const hourSeconds = 3600
/** A record is looked at once a day, at another time each day: organisations that were proved together must not stay together. */
const leastPauseSeconds = 22 * hourSeconds
const jitterSeconds = 4 * hourSeconds
/** After no answer, or where a node ended in the middle of a look. */
const soonSeconds = hourSeconds
/** Owners get a notice of the second look that finds nothing, since one may be a slip, and once more two days before the end. */
const announcedMisses: ReadonlySet<number> = new Set([2, 5])

const system = { id: 0, username: 'system', ip: '' }

const nextPause = (): number => leastPauseSeconds + Math.floor(Math.random() * jitterSeconds)

/** An organisation whose proved domain is looked at. */
type Due = Selectable<Tables['organisations']>

/** The domain that is proved. */
const provedIn = ({ domain_proof: domain }: Due): string => domain ?? ''

/** Writes what a look found, unless the domain was proved anew or given up meanwhile. Answers whether it did. */
const written = async (
  on: DomainLookParts['database']['query'] | Transaction<Tables>,
  due: Due,
  change: Partial<Record<'domain_seen_time' | 'domain_look_time' | 'domain_missed_time' | 'domain_misses', number>> & {
    readonly domain_proof?: null
    readonly domain_proved_time?: number
  },
): Promise<boolean> => {
  const { numUpdatedRows } = await on
    .updateTable('organisations')
    .set(change)
    .where('id', '=', due.id)
    .where('domain_proof', '=', provedIn(due))
    .where('domain_look_time', '=', due.domain_look_time)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Notices to the owners. A domain that the organisation has given up needs none. */
const noticesFor = async (
  parts: DomainLookParts,
  due: Due,
  when: Pick<DomainNews, 'since' | 'endsAt'>,
): Promise<readonly AddNotice[]> => {
  const { id, name } = due
  const domain = provedIn(due)
  if (due.domain !== domain) return []
  const { name: record } = domainRecordOf(parts, id, domain)
  const news = { organisation: { id, name }, domain, record, ...when }
  const owners = await ownersOf(parts.database.query, id)
  const notices = await Promise.all(owners.map((owner) => parts.noticeTo(owner, news)))
  return notices.filter((add) => add !== undefined)
}

/** Ends the proof and what stands on it: the enforced provider, and the domain where no owner has an address there. */
const end = async (parts: DomainLookParts, due: Due): Promise<void> => {
  const { id, domain_missed_time: since } = due
  const domain = provedIn(due)
  const notices = await noticesFor(parts, due, { since, endsAt: undefined })
  const ended = await parts.database.transaction(async (trx) => {
    const gone = { domain_proof: null, domain_proved_time: 0, domain_missed_time: 0, domain_misses: 0 }
    if (!(await written(trx, due, gone))) return false
    await parts.audit.record(traceOf(system, 'domain_proof_end', id, { domain }), trx)
    if (due.domain === domain) {
      if (await parts.providers.endEnforcement(trx, id))
        await parts.audit.record(traceOf(system, 'enforcement_end', id, { domain }), trx)
      const left = await provedDomain(trx, { organisationId: id, domain })
      const mine = trx.updateTable('organisations').set({ domain: left }).where('id', '=', id)
      await mine.where('domain', '=', domain).execute()
    }
    for (const add of notices) await add(trx)
    return true
  })
  if (!ended) return
  parts.log.warn('domain_proof_ended', { organisation: id, domain })
  await parts.providers.changed()
}

const missed = async (parts: DomainLookParts, due: Due, now: number): Promise<void> => {
  const misses = due.domain_misses + 1
  const since = due.domain_missed_time || now
  if (misses >= mostMisses && now - since >= leastMissedSeconds) return end(parts, due)
  const { id } = due
  const domain = provedIn(due)
  const notices = announcedMisses.has(misses) ? await noticesFor(parts, due, { since, endsAt: endsAt(since) }) : []
  await parts.database.transaction(async (trx) => {
    const change = { domain_misses: misses, domain_missed_time: since, domain_look_time: now + nextPause() }
    if (await written(trx, due, change)) for (const add of notices) await add(trx)
  })
  parts.log.info('domain_record_missing', { organisation: id, domain, misses })
}

const lookAt = async (parts: DomainLookParts, due: Due, signal: AbortSignal): Promise<void> => {
  const { name, value } = domainRecordOf(parts, due.id, provedIn(due))
  const found = await parts.readTexts(name, signal)
  const now = unixSeconds(parts.clock)
  // A server that refuses or says nothing does not say that the record is gone.
  if ('failure' in found && found.failure !== 'missing') {
    if (!signal.aborted) parts.log.warn('domain_records_unread', { domain: provedIn(due), reason: found.code })
    return
  }
  const isThere = 'texts' in found && found.texts.some((text) => text.trim() === value)
  if (!isThere) return missed(parts, due, now)
  const seen = { domain_seen_time: now, domain_missed_time: 0, domain_misses: 0, domain_look_time: now + nextPause() }
  await written(parts.database.query, due, seen)
}

/**
 * Looks once more at the records of the proved domains that are due, each on one node. A proof ends after `mostMisses` looks in a row
 * that found no record, over `leastMissedSeconds` at least.
 */
export const openDomainLooks = (parts: DomainLookParts, run: JobTimes): JobRunner<Due> =>
  openJobRunner({
    ...run,
    store: openRowClaims({
      database: parts.database,
      table: 'organisations',
      time: 'domain_look_time',
      leaseSeconds: soonSeconds,
      where: sql`domain_proof is not null and deleted_at is null`,
      unchanged: 'domain_proof',
      clock: run.clock,
    }),
    work: (due, { claim, signal }) => lookAt(parts, { ...due, domain_look_time: claim.until }, signal),
  })
