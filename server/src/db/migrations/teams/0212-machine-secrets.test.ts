import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { keyTrail } from '../../../../test/support/db/key-trail.ts'
import { machineSecrets } from './0212-machine-secrets.ts'

describeEachEngine('keys of machines from before their makers were written', (open) => {
  it('name who made them by the audit log, also after they moved', async () => {
    const { query } = await open()
    const { plant, trail } = keyTrail({ query })
    // Moved twice by others than its maker.
    await plant(1, 1)
    await plant(3, 2)
    await plant(6, 3)
    await trail('token.move', 3, 9, { project_id: 3, moved_to: 6 })
    await trail('token.create', 1, 5)
    await trail('token.move', 1, 8, { project_id: 2, moved_to: 3 })
    // Without a trail, of a person, of a person's own, and one that names its maker.
    await plant(5, 1)
    await plant(7, 1, { member_id: 4, secret_for: 4 })
    await trail('token.create', 7, 9)
    await plant(8, 0)
    await trail('token.create', 8, 70)
    await plant(9, 1, { secret_for: 6 })
    await trail('token.create', 9, 5)
    const up = () => machineSecrets.up(query as unknown as Kysely<unknown>)
    await up()
    await up()
    const rows = await query.selectFrom('tokens').select(['id', 'secret_for']).orderBy('id').execute()
    const expected = [
      [1, 5],
      [3, 5],
      [5, 0],
      [6, 5],
      [7, 4],
      [8, 0],
      [9, 6],
    ]
    expect(rows.map(({ id, secret_for }) => [id, secret_for])).toEqual(expected)
  })
})
