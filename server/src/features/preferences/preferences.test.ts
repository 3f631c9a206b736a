import { beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { openConsole } from '../../../test/support/features/accounts.ts'
import type { Database } from '../../db/database.ts'
import { openAudit } from '../audit/audit.ts'
import { openPreferences, preferenceRoutes } from './preferences.ts'

const path = '/api/user/self/preferences'
const layout = (change: object = {}) => ({
  order: ['name', 'cost'],
  hidden: ['cost'],
  widths: { name: 240 },
  pins: { name: 'left' },
  density: 'compact',
  ...change,
})

const chosen = (change: object) => ({
  tables: {},
  views: {},
  default_views: {},
  marks: {},
  shared_views: {},
  ...change,
})
const view = (change: object = {}) => ({ table: 'logs', name: '错误', search: { type: '5', range: '24h' }, ...change })

describeEachEngine('preferences', (open) => {
  let database: Database
  let site: Awaited<ReturnType<typeof openConsole>>
  let count = 0

  beforeAll(async () => {
    database = await open()
    site = await openConsole(database)
    const clock = () => site.state.now
    preferenceRoutes(site.api.on, openPreferences({ database, audit: openAudit(database, clock), clock }))
  })

  const createUser = async (role = 1) => {
    count += 1
    const user = await site.person(`chooser${count}`, role)
    return {
      ...user,
      put: (change: unknown) => user.call('PUT', path, change),
      share: (views: unknown) => user.call('PUT', '/api/view/shared', { views }),
      kept: async () => (await user.call('GET', path)).json.data as ReturnType<typeof chosen>,
    }
  }

  it('are none at first, and then what was chosen, for this user only', async () => {
    const [user, other] = [await createUser(), await createUser()]
    expect(await user.kept()).toEqual(chosen({}))
    expect((await user.put({ time_zone: 'Asia/Shanghai', tables: { logs: layout() } })).json.success).toBe(true)
    expect(await user.kept()).toEqual(chosen({ time_zone: 'Asia/Shanghai', tables: { logs: layout() } }))
    expect(await other.kept()).toEqual(chosen({}))
  })

  it('change one by one: two windows that change different tables keep both, of the same table the last', async () => {
    const user = await createUser()
    await Promise.all([
      user.put({ tables: { logs: layout() } }),
      user.put({ tables: { tokens: layout({ hidden: [] }) } }),
      user.put({ time_zone: 'UTC' }),
    ])
    await user.put({ tables: { logs: layout({ density: 'comfortable' }) } })
    expect(await user.kept()).toEqual(
      chosen({
        time_zone: 'UTC',
        tables: { logs: layout({ density: 'comfortable' }), tokens: layout({ hidden: [] }) },
      }),
    )
  })

  it('are forgotten by null, and nothing else is', async () => {
    const user = await createUser()
    await user.put({ time_zone: 'UTC', tables: { logs: layout(), tokens: layout() } })
    await user.put({ time_zone: null, tables: { logs: null } })
    expect(await user.kept()).toEqual(chosen({ tables: { tokens: layout() } }))
  })

  it.each([
    ['a zone that does not exist', { time_zone: 'Moon/Crater' }],
    ['an unknown choice', { colour: 'red' }],
    ['an unknown part of a layout', { tables: { logs: layout({ colour: 'red' }) } }],
    ['a width that hides everything', { tables: { logs: layout({ widths: { name: 1 } }) } }],
    ['a table by an impossible name', { tables: { '../logs': layout() } }],
    ['a column by an impossible name', { tables: { logs: layout({ pins: { __proto__x: 'left' } }) } }],
    ['too many columns', { tables: { logs: layout({ order: Array.from({ length: 81 }, (_, at) => `c${at}`) }) } }],
  ])('refuse %s', async (_, change) => {
    const user = await createUser()
    expect((await user.put(change)).json).toMatchObject({ success: false, code: 'invalid_parameter' })
    expect(await user.kept()).toEqual(chosen({}))
  })

  it('have a limit: a write beyond it is refused and loses nothing', async () => {
    const user = await createUser()
    const order = Array.from({ length: 80 }, (_, at) => `a_column_with_a_long_name_${at}`)
    const many = (from: number) =>
      Object.fromEntries(Array.from({ length: 15 }, (_, at) => [`table-${from + at}`, layout({ order })]))
    await user.put({ tables: many(0) })
    expect((await user.put({ tables: many(0) })).json.success).toBe(true)
    const refused = await user.put({ tables: many(15) })
    expect(refused.json).toMatchObject({ success: false, code: 'preferences_full' })
    expect(await user.kept()).toEqual(chosen({ tables: many(0) }))
    expect((await user.put({ tables: { 'table-0': null } })).json.success).toBe(true)
  })

  it('leave out what another version wrote and this one cannot read', async () => {
    const user = await createUser()
    const row = { user_id: user.id, changed_time: 1 }
    await database.query
      .insertInto('preferences')
      .values([
        { ...row, name: 'time_zone', value: '"Moon/Crater"' },
        { ...row, name: 'table.logs', value: '{"order":1}' },
        { ...row, name: 'table.tokens', value: 'no json' },
        { ...row, name: 'mark.moon', value: 'true' },
        { ...row, name: 'sound', value: '"loud"' },
      ])
      .execute()
    expect(await user.kept()).toEqual(chosen({}))
  })

  it('hold what was done or put away, until it is taken back', async () => {
    const user = await createUser()
    await user.put({ marks: { 'guide-over': true, 'address-copied': true } })
    await user.put({ marks: { 'guide-over': null, 'log-volume-folded': true } })
    expect(await user.kept()).toEqual(chosen({ marks: { 'address-copied': true, 'log-volume-folded': true } }))
    expect((await user.put({ marks: { 'guide-over': false } })).json).toMatchObject({ code: 'invalid_parameter' })
    expect((await user.put({ marks: { moon: true } })).json).toMatchObject({ code: 'invalid_parameter' })
  })

  it('hold views, one by one, and which one a table opens with', async () => {
    const user = await createUser()
    await user.put({ views: { v1: view(), v2: view({ name: '慢', layout: layout() }) }, default_views: { logs: 'v1' } })
    await user.put({ views: { v2: null, v3: view() }, default_views: { tokens: 'v3' } })
    expect(await user.kept()).toEqual(
      chosen({ views: { v1: view(), v3: view() }, default_views: { logs: 'v1', tokens: 'v3' } }),
    )
  })

  it.each([
    ['without a name', view({ name: ' ' })],
    ['with a filter by an impossible name', view({ search: { 'a b': 'x' } })],
    ['with a filter without end', view({ search: { type: 'x'.repeat(501) } })],
  ])('refuse a view %s', async (_, invalid) => {
    const user = await createUser(10)
    expect((await user.put({ views: { v1: invalid } })).json).toMatchObject({ code: 'invalid_parameter' })
    expect((await user.share({ v1: invalid })).json).toMatchObject({ code: 'invalid_parameter' })
  })

  it('show shared views to all users who may open the screen; only administrators share and unshare', async () => {
    const [user, admin, other] = [await createUser(), await createUser(10), await createUser(10)]
    const unknownTable = view({ table: 'new-table' })
    const shared = { a1: view(), a2: view({ table: 'users', search: { role: '10' } }), a3: unknownTable }
    expect((await user.share(shared)).json.success).toBe(false)
    expect((await user.kept()).shared_views).toEqual({})
    expect((await admin.share(shared)).json.success).toBe(true)
    expect((await user.kept()).shared_views).toEqual({ a1: view() })
    expect((await other.kept()).shared_views).toEqual(shared)
    expect((await other.kept()).views).toEqual({})
    await other.share({ a1: null, a2: null, a3: null })
    expect((await admin.kept()).shared_views).toEqual({})
    const traces = await database.query
      .selectFrom('audit')
      .selectAll()
      .where('object', '=', 'view')
      .orderBy('id')
      .execute()
    expect(traces.map(({ actor_id, object_id }) => [actor_id, object_id])).toEqual([
      [admin.id, 'a1'],
      [admin.id, 'a2'],
      [admin.id, 'a3'],
      [other.id, 'a1'],
      [other.id, 'a2'],
      [other.id, 'a3'],
    ])
  })

  it('require a session', async () => {
    expect((await site.call('GET', path)).status).toBe(401)
    expect((await site.call('PUT', path, { body: {} })).status).toBe(401)
  })
})
