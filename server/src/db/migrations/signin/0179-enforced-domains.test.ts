import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { foundOrganisation } from '../../../../test/support/single-sign-on/organisations.ts'
import { isUniqueViolation } from '../../dialect.ts'
import { withMigrationLog } from '../log/migration-log.ts'
import { enforcedDomains } from './0179-enforced-domains.ts'

describeEachEngine('domains that several organisations enforce', (open) => {
  it('stay with the one that proved it first, the others end, and the log says so', async () => {
    const database = await open()
    const { query } = database
    const enforcing = async (slug: string, provedTime: number, proof: string | null = 'acme.test'): Promise<number> => {
      const { organisation } = await foundOrganisation(database, 1)
      const proved = { domain: 'acme.test', domain_proof: proof, domain_proved_time: provedTime }
      await query.updateTable('organisations').set(proved).where('id', '=', organisation).execute()
      await query
        .insertInto('identity_providers')
        .values({
          organisation_id: organisation,
          slug,
          name: slug,
          icon: 'key',
          enabled: 1,
          connection: '{}',
          secret_cipher: '',
          sign_up: 0,
          domains: 'acme.test',
          enforced: 1,
          rules: '[]',
          replaces_manual: 0,
          created_time: 0,
          changed_time: 0,
        })
        .execute()
      return organisation
    }
    const later = await enforcing('later', 20)
    const first = await enforcing('first', 10)
    await enforcing('unproved', 5, null)
    const lines: unknown[] = []
    const up = () =>
      withMigrationLog(
        (event, fields) => lines.push([event, fields]),
        () => enforcedDomains.up(query as unknown as Kysely<unknown>),
      )
    await up()
    await up()
    const rows = await query
      .selectFrom('identity_providers')
      .select(['slug', 'enforced', 'domains', 'enforced_domain'])
      .orderBy('slug')
      .execute()
    expect(rows).toEqual([
      { slug: 'first', enforced: 1, domains: 'acme.test', enforced_domain: 'acme.test' },
      { slug: 'later', enforced: 0, domains: '', enforced_domain: null },
      { slug: 'unproved', enforced: 0, domains: '', enforced_domain: null },
    ])
    expect(lines).toEqual([
      [
        'domain_enforced_twice',
        { domain: 'acme.test', organisation: later, provider: expect.any(Number), holder: first },
      ],
    ])
    const again = query
      .updateTable('identity_providers')
      .set({ enforced_domain: 'acme.test' })
      .where('slug', '=', 'later')
    expect(isUniqueViolation(await again.execute().catch((error: unknown) => error))).toBe(true)
  })
})
