import { type Kysely, sql } from 'kysely'
import { createTable } from '../../tables.ts'
import { migrationWarn } from '../log/migration-log.ts'

interface Row {
  readonly id: number
  readonly organisation_id: number
  readonly domains: string
}

/**
 * One domain is enforced by one provider, be it the site's or an organisation's, by a unique key. Where both enforce it already, the
 * site's goes on, which came first until now, too, and the organisation's ends. Of two of the site the earlier one holds the domain.
 */
export const domainHolders = {
  async up(on: Kysely<unknown>): Promise<void> {
    await createTable(on, 'enforced_domains', {
      columns: { domain: 'key', provider_id: 'whole' },
      primaryKey: 'domain',
      indexes: [['provider_id']],
    })
    const { rows } = await sql<Row>`
      select id, organisation_id, domains from identity_providers where enforced = 1 and domains <> ''
      order by organisation_id, id`.execute(on)
    const { rows: known } = await sql<{ domain: string; provider_id: number }>`
      select domain, provider_id from enforced_domains`.execute(on)
    const warn = migrationWarn()
    const holders = new Map(known.map(({ domain, provider_id: provider }) => [domain, provider]))
    for (const { id, organisation_id: organisation, domains } of rows) {
      for (const domain of new Set(domains.split(','))) {
        const holder = holders.get(domain)
        if (holder === undefined) {
          holders.set(domain, id)
          await sql`insert into enforced_domains (domain, provider_id) values (${domain}, ${id})`.execute(on)
        } else if (holder !== id && organisation !== 0) {
          const owner = rows.find((row) => row.id === holder)?.organisation_id ?? 0
          await sql`update identity_providers set enforced = 0, domains = '', enforced_domain = null where id = ${id}`.execute(
            on,
          )
          warn('domain_enforced_twice', { domain, organisation, provider: id, holder: owner })
        }
      }
    }
  },
}
