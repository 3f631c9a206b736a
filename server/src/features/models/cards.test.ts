import type { ModelCard, ModelMeasures, ModelUse } from '@tollgate/contract'
import { beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { aJournalRecord } from '../../../test/support/journal/records.ts'
import type { Database } from '../../db/database.ts'
import { applyCharges } from '../../ledger/apply/batch.ts'
import { writeLogs } from '../../ledger/apply/log-rows.ts'
import { openAudit } from '../audit/audit.ts'
import { cardRoutes } from './card-routes.ts'
import { openModelCards } from './cards.ts'
import { modelFacts } from './facts/model-facts.ts'
import { openModelFigures } from './measures.ts'

const now = Date.parse('2026-11-20T12:30:00Z')
const day = 86_400_000
const sources = { priceOf: () => undefined, makerOf: () => 'OpenAI', catalogue: () => new Map() }

describeEachEngine('cards of models', (open) => {
  let database: Database
  let isPublic = false
  beforeEach(async () => {
    database = await open()
    isPublic = false
  })

  const as = (role: number) => {
    const clock = () => now
    return signedIn(
      (on) =>
        cardRoutes(on, {
          cards: openModelCards({
            database,
            audit: openAudit(database, clock),
            clock,
            factsOf: (model) => modelFacts(model, sources),
          }),
          figures: openModelFigures({
            database,
            clock,
            channelNames: async (ids) => new Map(ids.map((id) => [id, { name: `channel ${id}`, type: 14 }])),
            userNames: async (ids) => new Map(ids.map((id) => [id, `user ${id}`])),
          }),
          served: () => ['gpt-4o', 'own/bot'],
          visitorsSeeMeasures: () => isPublic,
        }),
      { id: 7, role, username: 'op' },
    )
  }
  const cards = async (role: number) => (await as(role)('GET', '/api/models/cards')).json.data as ModelCard[]

  it('say what is known, and nothing about names of the operator’s own', async () => {
    const [known, own] = await cards(1)
    expect(known).toMatchObject({
      model: 'gpt-4o',
      maker: 'OpenAI',
      kind: 'chat',
      context: 128_000,
      max_output: 16_384,
    })
    expect(known).toMatchObject({ takes: ['text', 'image'], can: ['tools', 'structured'], edited: false })
    expect(own).toMatchObject({ model: 'own/bot', kind: '', context: 0, takes: [], can: [], endpoints: [] })
  })

  it('take what an operator says, field by field, until it is reset', async () => {
    const operator = as(10)
    const change = { model: 'own/bot', description: 'Answers staff', kind: 'embedding', tags: ['internal'] }
    expect((await operator('PUT', '/api/models/card', change)).json.data).toMatchObject({
      ...change,
      endpoints: ['/v1/embeddings'],
      maker: 'OpenAI',
      edited: true,
    })
    await operator('PUT', '/api/models/card', { model: 'own/bot', context: 8000 })
    expect((await cards(1))[1]).toMatchObject({ ...change, context: 8000 })
    await operator('DELETE', `/api/models/card?${new URLSearchParams({ model: 'own/bot' })}`)
    expect((await cards(1))[1]).toMatchObject({ description: '', tags: [], edited: false })
    const trail = await database.query.selectFrom('audit').select(['action', 'object_id']).orderBy('id').execute()
    expect(trail.map(({ action, object_id }) => `${action} ${object_id}`)).toEqual([
      'model_card.update own/bot',
      'model_card.update own/bot',
      'model_card.delete own/bot',
    ])
  })

  it('follow the facts again where an operator says the same', async () => {
    const operator = as(10)
    await operator('PUT', '/api/models/card', { model: 'gpt-4o', context: 1 })
    const { json } = await operator('PUT', '/api/models/card', { model: 'gpt-4o', context: 128_000 })
    expect(json.data).toMatchObject({ edited: false })
  })

  it('are left out for users where they are hidden', async () => {
    await as(10)('PUT', '/api/models/card', { model: 'own/bot', hidden: true })
    expect((await cards(1)).map(({ model }) => model)).toEqual(['gpt-4o'])
    expect((await cards(10)).map(({ model }) => model)).toEqual(['gpt-4o', 'own/bot'])
  })

  it('are changed by operators alone, within limits', async () => {
    expect((await as(1)('PUT', '/api/models/card', { model: 'gpt-4o', hidden: true })).json.success).toBe(false)
    const refused = await as(10)('PUT', '/api/models/card', { model: 'gpt-4o', description: 'x'.repeat(1001) })
    expect(refused.json.success).toBe(false)
  })

  const call = (id: string, at: number, more: Parameters<typeof aJournalRecord>[1] = {}) =>
    aJournalRecord(id, { at, model: 'gpt-4o', ...more })

  it('come with measures of 30 days; a day without calls has none', async () => {
    await applyCharges({ database, hourly: false, versions: false }, [
      call('a', now - 2 * day, { channelId: 3, quota: 5 }),
      call('b', now, { channelId: 4, quota: 9 }),
      call('c', now - 40 * day),
      call('d', now, { model: 'not-served' }),
    ])
    const measures = (await as(1)('GET', '/api/models/measures')).json.data as ModelMeasures[]
    expect(measures.map(({ model }) => model)).toEqual(['gpt-4o'])
    expect(measures[0]).toMatchObject({ uptime: 1 })
    expect(measures[0]?.days).toHaveLength(30)
    expect(measures[0]?.days.flatMap((share, index) => (share === null ? [] : [index]))).toEqual([27, 29])
    const use = (await as(10)('GET', '/api/models/use?model=gpt-4o')).json.data as ModelUse
    expect(use).toMatchObject({ calls: 2, quota: 14, users: [{ calls: 2, quota: 14 }] })
    expect(use.channels.map(({ channel_id, name, type, calls }) => [channel_id, name, type, calls])).toEqual([
      [3, 'channel 3', 14, 1],
      [4, 'channel 4', 14, 1],
    ])
  })
  it('leave refusals before routing out of the uptime, and name their cause', async () => {
    const failed = (id: string, status: number, more: Parameters<typeof call>[2] = {}) =>
      call(id, now, { kind: 'error', quota: 0, channelId: 0, other: { status }, ...more })
    await applyCharges({ database, hourly: false, versions: false }, [call('a', now, { channelId: 3 })])
    await writeLogs({ database, logDatabase: database }, [
      failed('b', 403, { other: { status: 403, error_code: 'insufficient_user_quota' } }),
      failed('c', 403),
      failed('d', 429),
    ])
    const uptime = async () => ((await as(1)('GET', '/api/models/measures')).json.data as ModelMeasures[])[0]?.uptime
    const use = async () => (await as(10)('GET', '/api/models/use?model=gpt-4o')).json.data as ModelUse
    expect(await uptime()).toBe(1)
    const refused = [
      { cause: 'auth', calls: 1 },
      { cause: 'quota', calls: 1 },
      { cause: 'rate_limited', calls: 1 },
    ]
    const only = await use()
    expect(only.refused).toEqual(refused)
    expect(only.channels.map(({ channel_id }) => channel_id)).toEqual([3])
    // A channel that refuses its key, and a call for which there was none, are failures of the model.
    await writeLogs({ database, logDatabase: database }, [
      failed('e', 401, { channelId: 3 }),
      failed('f', 503),
      failed('g', 503),
    ])
    expect(await uptime()).toBe(0.25)
    const both = await use()
    expect(both.refused).toEqual(refused)
    expect(both.channels.map(({ channel_id, calls, uptime: share }) => [channel_id, calls, share])).toEqual([
      [0, 2, 0],
      [3, 2, 0.5],
    ])
  })
})
