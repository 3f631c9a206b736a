import { describe, expect, it } from 'vitest'
import { openTestGateway } from '../../../test/support/gateway/listener.ts'
import { openTestChannels, testChannel, testOptions } from '../../../test/support/relay/ports.ts'

const ends = new Map([
  ['gpt-4o', { day: '2026-12-31', replacedBy: 'gpt-5' }],
  ['gpt-5', { day: '2027-12-31', replacedBy: '' }],
])

describe('the list of models', () => {
  const open = () =>
    openTestGateway({
      relay: {
        channels: openTestChannels(testChannel({ models: new Set(['gpt-4o', 'gpt-5', 'o3']) })),
        settings: { ...testOptions, modelAliases: new Map([['default', new Map([['fast', 'gpt-4o']])]]) },
        clock: () => Date.UTC(2026, 10, 24),
      },
      gateway: { modelEnd: (model) => ends.get(model) },
    })

  it('says which models end within 90 days, and what follows them, also for an alias', async () => {
    const gateway = await open()
    const ask = async (path: string, headers: Record<string, string> = {}) =>
      (await (
        await fetch(gateway.url + path, { headers: { authorization: 'Bearer sk-good', ...headers } })
      ).json()) as {
        data: Record<string, unknown>[]
      }
    const ending = { deprecated: true, deprecation: '2026-12-31', deprecation_replacement_model: 'gpt-5' }
    const { data } = await ask('/v1/models')
    expect(data.map(({ id, deprecated }) => [id, deprecated])).toEqual([
      ['fast', true],
      ['gpt-4o', true],
      ['gpt-5', undefined],
      ['o3', undefined],
    ])
    expect(data[0]).toMatchObject(ending)
    expect(await ask('/v1/models/gpt-4o')).toMatchObject(ending)
    // Anthropic's list has no place for it.
    const { data: claude } = await ask('/v1/models', { 'anthropic-version': '2023-06-01', 'x-api-key': 'sk-good' })
    expect(claude[0]).not.toHaveProperty('deprecated')
    await gateway.close()
  })
})
