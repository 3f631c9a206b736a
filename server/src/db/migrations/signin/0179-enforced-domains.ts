import { type Kysely, sql } from 'kysely'
import { addColumns, createIndex } from '../../tables.ts'
import { migrationWarn } from '../log/migration-log.ts'

interface Row {
  readonly id: number
  readonly organisation_id: number
  readonly domains: string
  readonly stands: number
}

/**
 * One domain is enforced by one organisation, by a unique key. Where two enforce it already, the one that proved it earlier goes on. An
 * enforcement without its proof is of no effect and ends.
 */
export const enforcedDomains = {
  async up(on: Kysely<unknown>): Promise<void> {
    await addColumns(on, 'identity_providers', { enforced_domain: 'key?' })
    const { rows } = await sql<Row>`
      select p.id, p.organisation_id, p.domains,
        case when o.domain = p.domains and o.domain_proof = p.domains then 1 else 0 end as stands
      from identity_providers p inner join organisations o on o.id = p.organisation_id
      where p.enforced = 1 and p.domains <> ''
      order by o.domain_proved_time, p.id`.execute(on)
    const warn = migrationWarn()
    const holders = new Map<string, number>()
    for (const { id, organisation_id: organisation, domains: domain, stands } of rows) {
      const holder = holders.get(domain)
      if (Number(stands) === 1 && holder === undefined) {
        holders.set(domain, organisation)
        await sql`update identity_providers set enforced_domain = ${domain} where id = ${id}`.execute(on)
        continue
      }
      await sql`update identity_providers set enforced = 0, domains = '', enforced_domain = null where id = ${id}`.execute(
        on,
      )
      if (Number(stands) === 1) warn('domain_enforced_twice', { domain, organisation, provider: id, holder })
    }
    await createIndex(on, 'identity_providers', ['enforced_domain'], { unique: true })
  },
}
