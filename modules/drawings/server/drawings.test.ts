import type { Drawing, OrganisationDrawing } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { type SignedIn, signedIn } from '#server-test/support/features/signed-in.ts'
import { testOrganisationTasks } from '#server-test/support/organisations/organisation-tasks.ts'
import { createDrawings } from './drawings.ts'
import { drawingRoutes } from './routes.ts'
import { openDrawingStore } from './store.ts'

const now = 1_763_600_000_000

const drawing = (more: Partial<Drawing> = {}): Omit<Drawing, 'id'> => {
  const { id: _, ...row } = { id: 0, ...blank, ...more }
  return row
}
const blank: Omit<Drawing, 'id'> = {
  code: 1,
  user_id: 7,
  action: 'IMAGINE',
  mj_id: '1763001',
  prompt: 'a toll booth',
  prompt_en: '',
  description: '',
  state: '',
  submit_time: now,
  start_time: now,
  finish_time: 0,
  image_url: '',
  status: 'SUCCESS',
  progress: '100%',
  fail_reason: '',
  channel_id: 3,
  quota: 50,
  buttons: '[]',
  properties: '',
}

describeEachEngine('drawing tasks', (open) => {
  let database: Database
  let forwarded = true
  let admin: SignedIn
  let user: SignedIn

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    await database.query.deleteFrom('midjourneys').execute()
    forwarded = true
    const drawings = createDrawings({
      store: openDrawingStore(database),
      fetchPicture: async (address) => ({
        type: 'image/png',
        parts: (async function* () {
          yield Buffer.from(`picture of ${address}`)
        })(),
      }),
      names: {
        channelNames: async () => new Map([[3, 'Midjourney proxy']]),
        userNames: async () => new Map([[7, 'alice']]),
      },
      readsInOrganisation: async (personId, walletId, tokenId) => personId === 7 && walletId === 40 && tokenId === 41,
      forwarded: () => forwarded,
      serverAddress: () => 'https://site.test/',
    })
    admin = signedIn((on) => drawingRoutes(on, drawings, testOrganisationTasks), { id: 1, role: 10 })
    user = signedIn((on) => drawingRoutes(on, drawings, testOrganisationTasks), { id: 7 })
  })

  const write = (...rows: Partial<Drawing>[]) =>
    database.query.insertInto('midjourneys').values(rows.map(drawing)).execute()
  const get = async <T>(caller: SignedIn, path: string): Promise<T> => {
    const { json } = await caller('GET', path)
    if (json.success !== true) throw new Error(String(json.code))
    return json.data as T
  }
  it('of an organisation are those of its wallet, or of the keys that one reads; so are their pictures', async () => {
    const image_url = 'https://pictures.test/a.png'
    await write(
      { mj_id: 'ann', user_id: 40, image_url },
      { mj_id: 'ben', user_id: 40, image_url },
      { mj_id: 'foreign', user_id: 8 },
    )
    await database.query.updateTable('midjourneys').set({ token_id: 41 }).where('mj_id', '=', 'ann').execute()
    const found = async (id: number) =>
      (await get<{ items: OrganisationDrawing[] }>(user, `/api/organisation/${id}/drawings`)).items
    const named = async (id: number) => (await found(id)).map(({ mj_id, member_id }) => [mj_id, member_id])
    expect(await named(5)).toEqual([
      ['ben', 0],
      ['ann', 3],
    ])
    expect(await named(6)).toEqual([['ann', 3]])
    expect(await named(7)).toEqual([])
    const [ben, ann] = await found(5)
    expect((await user('GET', `/api/mj/image/${ann?.id}`)).text).toContain('a.png')
    expect((await user('GET', `/api/mj/image/${ben?.id}`)).json).toMatchObject({ code: 'not_found' })
  })

  const ids = async (caller: SignedIn, path: string) => (await get<Drawing[]>(caller, path)).map(({ mj_id }) => mj_id)

  it('come as a bare list, ten at a time from page 0, newest first', async () => {
    await write(...Array.from({ length: 13 }, (_, index) => ({ mj_id: `m${index}` })))
    expect(await ids(admin, '/api/mj/')).toEqual(Array.from({ length: 10 }, (_, index) => `m${12 - index}`))
    expect(await ids(admin, '/api/mj/?p=1')).toEqual(['m2', 'm1', 'm0'])
    expect(await ids(admin, '/api/mj/?p=2')).toEqual([])
    const page = await get(admin, '/api/mj/browse?p=2&page_size=10')
    expect(page).toMatchObject({ total: 13, page: 2 })
  })

  it('are those that are not, too, and counted for each value; whose they are cannot be turned round', async () => {
    await write({ mj_id: 'a' }, { mj_id: 'b', status: 'FAILURE' }, { mj_id: 'c', user_id: 8, action: 'UPSCALE' })
    const found = async (caller: SignedIn, path: string) =>
      (await get<{ items: Drawing[] }>(caller, path)).items.map(({ mj_id }) => mj_id)
    expect(await found(admin, '/api/mj/browse?status=SUCCESS&not=status')).toEqual(['b'])
    expect(await found(admin, '/api/mj/browse?action=UPSCALE&user_id=7&not=action,user_id')).toEqual([])
    expect(await found(user, '/api/mj/self/browse?user_id=7&not=user_id')).toEqual(['b', 'a'])
    const counts = async (caller: SignedIn, path: string) => (await get<{ values: unknown[] }>(caller, path)).values
    expect(await counts(admin, '/api/mj/facets?facet=action&action=IMAGINE')).toEqual([
      { value: 'IMAGINE', count: 2 },
      { value: 'UPSCALE', count: 1 },
    ])
    expect(await counts(user, '/api/mj/self/facets?facet=action')).toEqual([{ value: 'IMAGINE', count: 2 }])
  })

  it('are found by id, channel, state and time in milliseconds', async () => {
    await write(
      { mj_id: 'a', channel_id: 5, submit_time: now - 5_000 },
      { mj_id: 'b', status: 'FAILURE', action: 'UPSCALE' },
      { mj_id: 'c', user_id: 8 },
    )
    expect(await ids(admin, '/api/mj/?mj_id=b')).toEqual(['b'])
    expect(await ids(admin, '/api/mj/?channel_id=5')).toEqual(['a'])
    expect(await ids(admin, `/api/mj/?start_timestamp=${now - 1}`)).toEqual(['c', 'b'])
    expect(await ids(admin, `/api/mj/?end_timestamp=${now - 1}`)).toEqual(['a'])
    const browse = async (query: string) =>
      (await get<{ items: Drawing[] }>(admin, `/api/mj/browse?${query}`)).items.map(({ mj_id }) => mj_id)
    expect(await browse('status=FAILURE,MODAL')).toEqual(['b'])
    expect(await browse('action=UPSCALE')).toEqual(['b'])
    expect(await browse('user_id=8')).toEqual(['c'])
  })

  it('name their channel and user to operators, whose filters count them by name', async () => {
    await write({ mj_id: 'a' }, { mj_id: 'b', channel_id: 5, user_id: 8 })
    const found = await get<{ items: object[] }>(admin, '/api/mj/browse')
    expect(found.items).toMatchObject([
      { mj_id: 'b', channel_name: '', username: '' },
      { mj_id: 'a', channel_name: 'Midjourney proxy', username: 'alice' },
    ])
    expect(await get(admin, '/api/mj/facets?facet=channel_id&channel_id=5')).toMatchObject({
      values: [
        { value: '3', count: 1, name: 'Midjourney proxy' },
        { value: '5', count: 1 },
      ],
    })
    expect(await get(admin, '/api/mj/facets?facet=user_id')).toMatchObject({
      values: [
        { value: '7', count: 1, name: 'alice' },
        { value: '8', count: 1 },
      ],
    })
    const { items } = await get<{ items: object[] }>(user, '/api/mj/self/browse')
    expect(items).toEqual([expect.not.objectContaining({ channel_name: expect.anything() })])
    expect((await user('GET', '/api/mj/self/facets?facet=channel_id')).json.success).toBe(false)
  })

  it('are shown to users only where they are their own, without the channel', async () => {
    await write({ mj_id: 'mine' }, { mj_id: 'other', user_id: 8 })
    for (const path of ['/api/mj/self/?channel_id=99', '/api/mj/self']) expect(await ids(user, path)).toEqual(['mine'])
    const [row] = await get<Drawing[]>(user, '/api/mj/self')
    expect(row?.channel_id).toBe(0)
    expect(await get(user, '/api/mj/self/browse?user_id=8')).toMatchObject({ total: 1 })
    for (const path of ['/api/mj/', '/api/mj/browse']) {
      expect((await user('GET', path)).json).toMatchObject({ code: 'permission_denied' })
    }
  })

  it('show pictures under an address of this site, unless the operator wants the upstream’s', async () => {
    await write({ mj_id: 'a b', image_url: 'https://cdn.test/x.png' }, { mj_id: 'none' })
    const urls = async () => (await get<Drawing[]>(admin, '/api/mj/')).map(({ image_url }) => image_url)
    expect(await urls()).toEqual(['', 'https://site.test/mj/image/a%20b'])
    forwarded = false
    expect(await urls()).toEqual(['', 'https://cdn.test/x.png'])
  })

  it('give their picture to their owner and to administrators, as something that cannot run', async () => {
    await write(
      { image_url: 'https://cdn.test/x.png' },
      { user_id: 8, mj_id: 'other', image_url: 'https://cdn.test/y.png' },
    )
    const rows = await get<Drawing[]>(admin, '/api/mj/')
    const [other, mine] = rows.map(({ id }) => id)
    const answer = await user('GET', `/api/mj/image/${mine}`)
    expect(answer.text).toBe('picture of https://cdn.test/x.png')
    expect(answer.headers.get('content-type')).toBe('image/png')
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
    expect(answer.headers.get('content-disposition')).toBe('inline')
    expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    expect((await user('GET', `/api/mj/image/${other}`)).json).toMatchObject({ code: 'not_found' })
    expect((await admin('GET', `/api/mj/image/${other}`)).text).toContain('y.png')
    expect((await admin('GET', '/api/mj/image/999999')).json).toMatchObject({ code: 'not_found' })
  })

  it('are cut in the list where texts of an earlier version are millions of characters long', async () => {
    const long = 'm'.repeat(2_000_000)
    const texts = { prompt: long, prompt_en: long, description: long, state: long, fail_reason: long }
    await write({ ...texts, image_url: long, buttons: long, properties: long })
    const page = await get<{ items: Drawing[] }>(admin, '/api/mj/browse')
    expect(page.items).toHaveLength(1)
    expect(JSON.stringify(page).length).toBeLessThan(60_000)
  })
})
