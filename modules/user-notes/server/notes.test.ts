import type { UserNote } from '@tollgate/contract'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { signedIn } from '#server-test/support/features/signed-in.ts'
import { openUserPageSite, type TestUser, type UserPageSite } from '#server-test/support/features/user-page.ts'
import { noteRoutes } from './routes.ts'

describeEachEngine('notes about users', (open) => {
  let site: UserPageSite

  beforeAll(async () => {
    site = await openUserPageSite(await open())
  })
  afterAll(() => site.close())

  const person = async (role: number, name?: string): Promise<TestUser> => {
    const { id, username } = await site.person(role, 0, name)
    const { database, audit, show: showUser, state } = site
    const clock = () => state.now
    const call = signedIn((on) => noteRoutes({ database, showUser, audit, clock, on }), { id, username, role })
    return { id, username, call }
  }

  it('are for administrators, newest first; the audit log has the text of a deleted one', async () => {
    const [root, admin, user] = [await person(100, 'root'), await person(10, 'admin'), await person(1)]
    const at = `/api/user/${user.id}/notes`
    const add = (caller: TestUser, text: string) => caller.call('POST', at, { text })
    expect((await add(admin, '  pays by invoice ')).json.data).toMatchObject({
      text: 'pays by invoice',
      author_name: 'admin',
      created_time: site.state.now / 1000,
    })
    await add(root, 'asked for a refund')
    const notes = async () => ((await root.call('GET', at)).json.data as { items: UserNote[] }).items
    const texts = async () => (await notes()).map(({ text }) => text)
    expect(await texts()).toEqual(['asked for a refund', 'pays by invoice'])
    for (const text of [' ', 'x'.repeat(2001)]) expect((await add(admin, text)).json.success).toBe(false)

    const [note] = await notes()
    const other = await person(1)
    const remove = (id: number) => admin.call('DELETE', `/api/user/${id}/notes/${note?.id}`)
    expect((await remove(other.id)).json).toMatchObject({ success: false, code: 'not_found' })
    expect((await remove(user.id)).json.success).toBe(true)
    expect(await texts()).toEqual(['pays by invoice'])
    const traces = await site.database.query
      .selectFrom('audit')
      .select(['action', 'before', 'after'])
      .where('object_id', '=', String(user.id))
      .where('action', 'like', 'user.note%')
      .orderBy('id')
      .execute()
    expect(traces.map(({ action, before }) => [action, before])).toEqual([
      ['user.note_add', '{}'],
      ['user.note_add', '{}'],
      ['user.note_delete', JSON.stringify({ note: 'asked for a refund' })],
    ])
    expect((await user.call('GET', at)).json).toMatchObject({ code: 'permission_denied' })
  })
})
