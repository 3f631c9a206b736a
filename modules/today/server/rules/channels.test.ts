import type { ChannelHealth } from '@tollgate/contract'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import type { Database } from '#server/db/database.ts'
import type { RelayChannel } from '#server/relay/ports.ts'
import { describeEachEngine } from '#server-test/support/db/databases.ts'
import { now, openTodaySite, type TodaySite } from '../../tests/today-site.ts'
import type { TodayParts } from '../today.ts'

const channel = (id: number, name: string, models: readonly string[], more: Partial<RelayChannel> = {}) =>
  ({
    id,
    name,
    models: new Set(models),
    groups: new Set(['default']),
    keys: ['k'],
    enabled: true,
    ...more,
  }) as RelayChannel

const health = (id: number, points: readonly (readonly [answered: number, failed: number])[]): ChannelHealth =>
  ({
    channel_id: id,
    quota: 700,
    last_error: 'The model is overloaded',
    points: points.map(([answered, failed], index) => ({ time: now - 3600 + index * 900, answered, failed })),
  }) as unknown as ChannelHealth

const otherChannel = {
  id: 9,
  type: 1,
  key_cipher: '',
  key_hint: '',
  key_hash: '',
  openai_organization: null,
  max_input_tokens: 0,
  test_model: null,
  status: 3,
  name: 'Other',
  weight: 0,
  created_time: 0,
  test_time: 0,
  response_time: 0,
  base_url: '',
  other: '',
  balance: 0,
  balance_updated_time: 0,
  models: 'o3',
  group: 'default',
  used_quota: 0,
  model_mapping: null,
  status_code_mapping: null,
  priority: 0,
  auto_ban: 1,
  tag: null,
  setting: null,
  param_override: null,
}

describeEachEngine('cards about channels', (open) => {
  let database: Database
  let site: TodaySite

  beforeAll(async () => {
    database = await open()
  })
  beforeEach(async () => {
    site = await openTodaySite(database)
  })

  it('names channels that fail with the models that no other channel answers, in one card each', async () => {
    const all = [
      channel(7, 'Azure', ['gpt-4o', 'o3']),
      channel(8, 'Main', ['gpt-4o']),
      channel(9, 'Other', ['o3'], { enabled: false }),
    ]
    site.state.parts = {
      channels: { snapshot: () => ({ all: () => all, byId: () => all[0] }) } as unknown as TodayParts['channels'],
      attention: async () =>
        new Map([
          [7, ['failing', 'balance_low']],
          [9, ['disabled']],
        ]),
      channelHealth: async () => [
        health(7, [
          [5, 0],
          [0, 2],
          [0, 1],
          [0, 0],
        ]),
      ],
      isPriced: (model) => model !== 'o3',
    }
    const disabled = {
      ...otherChannel,
      other_info: JSON.stringify({ status_reason: 'key gone', status_time: now - 99 }),
    }
    await site.database.query.insertInto('channels').values(disabled).execute()
    expect(
      (await site.cardsOf(site.root)).map((card) => [
        card.id,
        card.severity,
        card.at,
        card.count,
        card.names,
        card.reason,
      ]),
    ).toEqual([
      ['channel_disabled:9', 'bad', now - 99, 0, ['o3'], 'key gone'],
      ['channel_failing:7', 'bad', now - 2700, 3, ['o3'], 'The model is overloaded'],
    ])
  })

  it('read the health of channels once for all rules', async () => {
    let reads = 0
    site.state.parts = {
      channelHealth: async () => {
        reads += 1
        return [health(7, [[0, 3]])]
      },
      attention: async (days) => new Map(((await days) ?? []).map(({ channel_id: id }) => [id, ['failing']])),
      channels: {
        snapshot: () => ({ all: () => [channel(7, 'Azure', ['gpt-5'])], byId: () => undefined }),
      } as unknown as TodayParts['channels'],
    }
    expect(await site.rulesOf(site.root)).toEqual(['channel_failing'])
    expect(reads).toBe(1)
  })
})
