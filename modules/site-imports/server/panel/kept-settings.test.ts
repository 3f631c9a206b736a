import { describe, expect, it } from 'vitest'
import { createNoteBook, type NoteBook } from '../notes.ts'
import type { MovedChannel, MovedLimit, OpenSiteParts } from '../site.ts'
import type { SourceRow } from '../source/source.ts'
import { newApiTypes } from './channel-types.ts'
import { panelChannels } from './channels.ts'
import { panelGroupLimits } from './group-limits.ts'

/** Settings of channels and groups of other programs, and those that have an equivalent here. */

const partsWith = (rows: readonly SourceRow[], notes: NoteBook): OpenSiteParts => ({
  source: {
    columns: async () => new Set(Object.keys(rows[0] ?? {})),
    count: async () => rows.length,
    page: async (_, __, after) => (after === undefined ? rows : []),
    close: async () => {},
  },
  notes,
  quotaPerUnit: 500_000,
  listed: () => undefined,
  now: 0,
  saltKey: '',
})

const moved = async (changes: SourceRow): Promise<{ channel: MovedChannel; notes: ReturnType<NoteBook['read']> }> => {
  const notes = createNoteBook()
  const row: SourceRow = { id: 1, type: 1, name: 'c', key: 'k', models: 'm', ...changes }
  const pages: MovedChannel[] = []
  for await (const page of panelChannels(partsWith([row], notes), newApiTypes)) pages.push(...page)
  const [channel] = pages
  if (channel === undefined) throw new Error('no channel')
  return { channel, notes: notes.read() }
}

describe('a channel that moves in keeps', () => {
  it('its headers', async () => {
    const headers = { 'X-Team': 'a', Authorization: 'Bearer {api_key}' }
    const { channel, notes } = await moved({ header_override: JSON.stringify(headers) })
    expect(channel.setting).toEqual({ header_override: headers })
    expect(notes).toEqual([])
  })

  it('no headers that mean nothing here, which is told', async () => {
    const headers = { 'X-Team': 'a', 'X-Ip': '{client_header:x-ip}', Host: 'other', '*': '' }
    const { channel, notes } = await moved({ header_override: JSON.stringify(headers) })
    expect(channel.setting).toEqual({ header_override: { 'X-Team': 'a' } })
    expect(notes).toMatchObject([
      { code: 'channel_fields', examples: ['c: header_override.X-Ip, header_override.Host, header_override.*'] },
    ])
  })

  it.each([
    ['of new-api', { setting: '{"system_prompt":"be kind"}' }, { system_prompt: 'be kind' }],
    [
      'of new-api before the client’s',
      { setting: '{"system_prompt":"be kind","system_prompt_override":true}' },
      { system_prompt: 'be kind', system_prompt_override: true },
    ],
    ['of one-api', { system_prompt: 'be kind' }, { system_prompt: 'be kind', system_prompt_override: true }],
  ])('its system prompt %s', async (_, row, setting) => {
    const { channel, notes } = await moved(row)
    expect(channel.setting).toEqual(setting)
    expect(notes).toEqual([])
  })
})

describe('a group that moves in keeps its limits', () => {
  const limitsOf = async (options: Record<string, string>) => {
    const notes = createNoteBook()
    const limits: MovedLimit[] = []
    for await (const page of panelGroupLimits({ notes }, new Map(Object.entries(options)))) limits.push(...page)
    return { limits, notes: notes.read() }
  }
  const groups = JSON.stringify({ default: [200, 100], vip: [0, 1000], free: [0, 0] })

  it.each([
    ['1', 'minute'],
    ['60', 'hour'],
    ['1440', 'day'],
  ])('of %s minutes', async (minutes, window) => {
    const { limits } = await limitsOf({
      ModelRequestRateLimitGroup: groups,
      ModelRequestRateLimitDurationMinutes: minutes,
    })
    const common = { measure: 'requests', window, memberId: '', model: '' }
    expect(limits).toMatchObject([
      { ...common, amount: 200, subject: { kind: 'group', sourceId: 'default' } },
      { ...common, amount: 1000, subject: { kind: 'group', sourceId: 'vip' } },
    ])
  })

  it('where a window has an equivalent, and it is told where it has none', async () => {
    const { limits, notes } = await limitsOf({
      ModelRequestRateLimitGroup: groups,
      ModelRequestRateLimitDurationMinutes: '7',
    })
    expect(limits).toEqual([])
    expect(notes).toMatchObject([{ code: 'option_unknown', count: 3 }])
  })

  it('and none where they were off', async () => {
    expect(
      (await limitsOf({ ModelRequestRateLimitGroup: groups, ModelRequestRateLimitEnabled: 'false' })).limits,
    ).toEqual([])
  })
})
