import { virtualModelChange } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { relayRow } from '../../../test/support/features/channels.ts'
import { openai } from '../../providers/openai/provider.ts'
import { relayVirtualModel } from '../../relay/routing/virtual/virtual-model.ts'
import { type RelayColumns, toRelayChannel } from './relay-channel.ts'
import { channelSnapshot } from './snapshot.ts'

const channel = (change: Partial<RelayColumns>) => {
  const row = relayRow(change)
  return toRelayChannel(row, openai, row.key_cipher, (key) => key)
}

const ids = (channels: readonly { id: number }[]): number[] => channels.map(({ id }) => id)

describe('the snapshot', () => {
  const snapshot = channelSnapshot([
    channel({ id: 1, models: 'gpt-4o,gpt-4-gizmo-*', group: 'default,vip' }),
    channel({ id: 2, models: 'gpt-4o', group: 'vip' }),
    channel({ id: 3, models: 'gpt-4o', status: 2 }),
    channel({ id: 4, models: 'gpt-4-gizmo-g-1' }),
  ])

  it('finds enabled channels by group and model', () => {
    expect(ids(snapshot.serving('vip', 'gpt-4o'))).toEqual([1, 2])
    expect(ids(snapshot.serving('default', 'gpt-4o'))).toEqual([1])
    expect(snapshot.serving('default', 'o3')).toEqual([])
    expect(snapshot.serving('nobody', 'gpt-4o')).toEqual([])
  })

  it('routes a gizmo to the channels of its family, but prefers its own name', () => {
    expect(ids(snapshot.serving('default', 'gpt-4-gizmo-g-2'))).toEqual([1])
    expect(ids(snapshot.serving('default', 'gpt-4-gizmo-g-1'))).toEqual([4])
    expect(snapshot.serving('default', 'gpt-4o-gizmo-g-2')).toEqual([])
  })

  it('finds disabled channels by id only', () => {
    expect(snapshot.byId(3)?.enabled).toBe(false)
    expect(snapshot.byId(9)).toBeUndefined()
  })

  it('lists the models of a group and of all', () => {
    expect(snapshot.modelsOf('vip')).toEqual(['gpt-4-gizmo-*', 'gpt-4o'])
    expect(snapshot.models).toEqual(['gpt-4-gizmo-*', 'gpt-4-gizmo-g-1', 'gpt-4o'])
  })
})

describe('a stored channel', () => {
  it('is parsed tolerantly', () => {
    const parsed = channel({
      key_cipher: ' sk-a \n\nsk-b\r\n',
      base_url: 'https://api.example.com/',
      models: ' a , b,a,',
      model_mapping: '{"a":"b","c":"","d":5}',
      status_code_mapping: '{"400":"500","429":503,"401":"none","7":"500"}',
      setting: '{"force_format":true,"proxy":" socks5://127.0.0.1:9 ","other":1}',
      param_override: '[1]',
    })
    expect(parsed).toMatchObject({
      keys: ['sk-a', 'sk-b'],
      baseUrl: 'https://api.example.com',
      models: new Set(['a', 'b']),
      modelMapping: new Map([['a', 'b']]),
      statusCodeMapping: new Map([
        [400, 500],
        [429, 503],
      ]),
      forceFormat: true,
      thinkingToContent: false,
      proxy: 'socks5://127.0.0.1:9',
      paramOverride: undefined,
    })
  })

  it('uses its type’s address when it has none, and survives broken JSON', () => {
    expect(channel({ setting: '{', model_mapping: 'x' })).toMatchObject({ baseUrl: openai.baseUrl, proxy: '' })
  })
})

describe('virtual models', () => {
  const virtual = (change: object) => relayVirtualModel({ ...virtualModelChange.parse(change), id: 1, changed_time: 0 })
  const smart = virtual({ name: 'smart', steps: [{ targets: [{ model: 'gpt-4o', channels: [2] }] }] })
  const channels = [channel({ id: 1, models: 'gpt-4o' }), channel({ id: 2, models: 'gpt-4o' })]

  it('are offered and known where a channel can answer for them', () => {
    const picture = channelSnapshot(channels, [
      smart,
      virtual({ name: 'empty', steps: [{ targets: [{ model: 'none' }] }] }),
    ])
    expect(picture.modelsOf('default')).toEqual(['gpt-4o', 'smart'])
    expect([picture.canAnswer('default', 'smart'), picture.canAnswer('nobody', 'smart')]).toEqual([true, false])
    expect(picture.serving('default', 'smart')).toEqual([])
    expect([picture.knows('smart'), picture.knows('other')]).toEqual([true, false])
  })

  it('are there only for their groups', () => {
    const picture = channelSnapshot(channels, [{ ...smart, groups: new Set(['vip']) }])
    expect([picture.modelsOf('default'), picture.virtual('default', 'smart')]).toEqual([['gpt-4o'], undefined])
  })

  it('have the price of their first target, unless they have one of their own', () => {
    const own = { ...smart, name: 'own', ownPrice: true }
    const picture = channelSnapshot(channels, [smart, own])
    expect([picture.pricedAs('smart'), picture.pricedAs('own'), picture.pricedAs('gpt-4o')]).toEqual([
      'gpt-4o',
      'own',
      'gpt-4o',
    ])
  })
})
