import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { logRow } from '../../../test/support/features/logs.ts'
import type { Database } from '../../db/database.ts'
import { openLogPlaces } from './places/log-places.ts'
import { createLogService } from './service.ts'
import { openLogStore } from './store.ts'

const long = 'm'.repeat(2_000_000)

describeEachEngine('texts of an earlier version that are millions of characters long', (open) => {
  let database: Database

  beforeAll(async () => {
    database = await open()
    const store = openLogStore(database)
    for (let row = 0; row < 5; row += 1) {
      await store.insert(logRow({ user_id: 7, content: long, other: JSON.stringify({ admin_info: { cause: long } }) }))
    }
    await store.insert(logRow({ user_id: 8, content: 'short', other: '{"frt":1}' }))
  })
  afterAll(() => database?.close())

  const logs = () => {
    const nothing = (): never => {
      throw new Error('not asked here')
    }
    return createLogService({
      store: openLogStore(database),
      stat: nothing,
      volume: nothing,
      facet: nothing,
      retention: () => ({ charged: 0, failed: 0, other: 0 }),
      clock: Date.now,
      channelNames: async () => new Map(),
      places: openLogPlaces(database),
      userIdOf: async () => undefined,
    })
  }
  const query = {
    p: 1,
    page_size: 100,
    username: '',
    token_name: '',
    model_name: '',
    group: '',
    request_id: '',
    provider_request_id: '',
    session: '',
    tag: '',
    end_user: '',
    provisional: '',
    end: '' as const,
    client: '',
  }
  const list = () =>
    logs().list(
      { all: true },
      {
        ...query,
        channel: undefined,
        start_timestamp: undefined,
        end_timestamp: undefined,
        organisation_id: undefined,
        project_id: undefined,
        member_id: undefined,
        not: [],
        type: undefined,
        sort: undefined,
        after: undefined,
      },
    )

  it('are cut in lists, which say so', async () => {
    const page = await list()
    expect(page.items).toHaveLength(6)
    expect(JSON.stringify(page).length).toBeLessThan(20_000)
    expect(page.items.filter(({ cut }) => cut === true)).toHaveLength(5)
    expect(page.items[0]).toMatchObject({ content: 'short', other: '{"frt":1}' })
    expect(page.items[0]).not.toHaveProperty('cut')
    expect(JSON.stringify(await logs().search({ all: true }, 'mmm')).length).toBeLessThan(20_000)
  })

  it('are whole in the entry, which only its owner and operators read', async () => {
    const [, newest] = (await list()).items
    const id = newest?.id ?? 0
    expect((await logs().entry({ all: true }, id)).content).toBe(long)
    const own = await logs().entry({ userId: 7 }, id)
    expect(own.content).toBe(long)
    expect(own.other).not.toContain('mmm')
    await expect(logs().entry({ userId: 8 }, id)).rejects.toMatchObject({ code: 'not_found' })
  })
})
