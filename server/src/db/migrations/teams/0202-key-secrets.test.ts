import type { Kysely } from 'kysely'
import { expect, it } from 'vitest'
import { describeEachEngine } from '../../../../test/support/db/databases.ts'
import { keyTrail } from '../../../../test/support/db/key-trail.ts'
import { keySecrets } from './0202-key-secrets.ts'

describeEachEngine('keys of projects from before their makers were written', (open) => {
  it('are their person’s alone where the audit log says that this person made them, also after they moved', async () => {
    const { query } = await open()
    const { plant: plantKey, trail } = keyTrail({ query })
    const plant = (id: number, project_id: number, member_id: number) => plantKey(id, project_id, { member_id })
    // Made by the person, moved twice by an administrator.
    await plant(1, 1, 5)
    await plant(3, 2, 5)
    await plant(6, 3, 5)
    await trail('token.move', 3, 9, { project_id: 3, moved_to: 6 })
    await trail('token.create', 1, 5)
    await trail('token.move', 1, 9, { project_id: 2, moved_to: 3 })
    // Made by an administrator, moved by the person.
    await plant(2, 1, 5)
    await plant(4, 2, 5)
    await trail('token.create', 2, 9)
    await trail('token.move', 2, 5, { project_id: 2, moved_to: 4 })
    // Without a trail, of a machine, and of a person's own.
    await plant(5, 1, 5)
    await plant(7, 1, 0)
    await trail('token.create', 7, 9)
    await plant(8, 0, 0)
    await trail('token.create', 8, 70)
    const up = () => keySecrets.up(query as unknown as Kysely<unknown>)
    await up()
    await up()
    const rows = await query.selectFrom('tokens').select(['id', 'secret_for']).orderBy('id').execute()
    expect(rows.filter(({ secret_for }) => secret_for !== 0)).toEqual([1, 3, 6].map((id) => ({ id, secret_for: 5 })))
  })
})
