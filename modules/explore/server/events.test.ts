import { beforeAll, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { createSiteEvents } from '#server/features/audit/site-events.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { eventRoutes } from './event-routes.ts'

const now = Date.parse('2026-11-20T12:30:00Z') / 1000

describeEachEngine('events beside figures', (open) => {
  let database: Database
  let admin: SignedIn
  let user: SignedIn

  beforeAll(async () => {
    database = await open()
    const events = createSiteEvents(database, async (ids) => new Map(ids.map((id) => [id, `channel ${id}`])))
    admin = signedIn((on) => eventRoutes(on, events), { id: 9, role: 10 })
    user = signedIn((on) => eventRoutes(on, events), { id: 1, username: 'ann' })
  })

  it('lists what was done to channels and prices and when nodes started, oldest first, for operators', async () => {
    await database.query.deleteFrom('audit').execute()
    const done = (action: string, object_id: string, after: object, created_at: number) => ({
      created_at,
      action,
      object_id,
      after: JSON.stringify(after),
      before: '{}',
      actor_id: 1,
      actor_name: 'root',
      object: 'channel',
      ip: '',
    })
    await database.query
      .insertInto('audit')
      .values([
        done('channel.auto_disable', '7', { status: 3, reason: 'status 401' }, now - 50),
        done('channel.update', '8', { status: 1 }, now - 90),
        done('channel.update', '8', { weight: 3 }, now - 80),
        done('channel.update', '8', { models: 'a,b' }, now - 70),
        done('option.update', 'SystemName', { value: 'x' }, now - 60),
        done('option.update', 'ModelRatio', { value: '{}' }, now - 40),
        done('node.started', 'gate-1', { version: 'v1.2.0' }, now - 30),
        done('channel.delete', '9', {}, now + 10),
      ])
      .execute()
    const span = { start_timestamp: String(now - 100), end_timestamp: String(now) }
    const path = `/api/explore/events?${new URLSearchParams(span)}`
    const { data } = (await admin('GET', path)).json
    expect(
      (data as { kind: string; name: string; detail: string }[]).map(({ kind, name, detail }) => [kind, name, detail]),
    ).toEqual([
      ['channel_enabled', 'channel 8', ''],
      ['channel_models', 'channel 8', ''],
      ['channel_auto_disabled', 'channel 7', 'status 401'],
      ['prices', 'ModelRatio', ''],
      ['node_started', 'gate-1', 'v1.2.0'],
    ])
    const entries = (data as { entry: { action: string; before: object; after: object } }[]).map(({ entry }) => entry)
    expect(entries[2]).toMatchObject({ action: 'channel.auto_disable', after: { status: 3, reason: 'status 401' } })
    // Values of options are for readers of the audit log.
    expect(entries[3]).toMatchObject({ action: 'option.update', object_id: 'ModelRatio', before: {}, after: {} })
    expect((await user('GET', path)).json).toMatchObject({ code: 'permission_denied' })
  })
})
