import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { withMigrationLog } from '../log/migration-log.ts'
import { domainHolders } from './0182-domain-holders.ts'

describeEachEngine('domains that the site and an organisation enforce', (open) => {
  it('stay with the site, the organisation’s ends, and the log says so', async () => {
    const { query } = await open()
    const enforcing = (id: number, organisation: number, domains: string) =>
      query
        .insertInto('identity_providers')
        .values({
          id,
          organisation_id: organisation,
          slug: `p${id}`,
          name: `p${id}`,
          icon: 'key',
          enabled: 1,
          connection: '{}',
          secret_cipher: '',
          sign_up: 0,
          domains,
          enforced: 1,
          enforced_domain: organisation === 0 ? null : domains,
          rules: '[]',
          replaces_manual: 0,
          created_time: 0,
          changed_time: 0,
        })
        .execute()
    await enforcing(1, 7, 'both.test')
    await enforcing(2, 8, 'theirs.test')
    await enforcing(3, 0, 'site.test,both.test')
    await enforcing(4, 0, 'site.test')
    const lines: unknown[] = []
    const up = () =>
      withMigrationLog(
        (event, fields) => lines.push([event, fields]),
        () => domainHolders.up(query as unknown as Kysely<unknown>),
      )
    await up()
    await up()
    expect(await query.selectFrom('enforced_domains').selectAll().orderBy('domain').execute()).toEqual([
      { domain: 'both.test', provider_id: 3 },
      { domain: 'site.test', provider_id: 3 },
      { domain: 'theirs.test', provider_id: 2 },
    ])
    const rows = await query
      .selectFrom('identity_providers')
      .select(['id', 'enforced', 'domains'])
      .orderBy('id')
      .execute()
    expect(rows).toEqual([
      { id: 1, enforced: 0, domains: '' },
      { id: 2, enforced: 1, domains: 'theirs.test' },
      { id: 3, enforced: 1, domains: 'site.test,both.test' },
      { id: 4, enforced: 1, domains: 'site.test' },
    ])
    expect(lines).toEqual([['domain_enforced_twice', { domain: 'both.test', organisation: 7, provider: 1, holder: 0 }]])
  })
})
