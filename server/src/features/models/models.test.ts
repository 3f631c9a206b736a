import { describe, expect, it } from 'vitest'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { modelEntries, modelRoutes } from './routes.ts'

const offered: Readonly<Record<string, readonly string[]>> = { default: ['gpt-4o', 'o3'], vip: ['claude', 'gpt-4o'] }

const call = signedIn(
  (on) =>
    modelRoutes(on, {
      snapshot: () => ({ modelsOf: (group) => offered[group] ?? [], models: ['claude', 'gpt-4o', 'o3'] }),
      usableGroups: (group) => (group === 'vip' ? ['default', 'vip'] : [group]),
    }),
  { group: 'vip', role: 10 },
)

describe('models', () => {
  it('are those of all groups the caller may use, each once', async () => {
    expect((await call('GET', '/api/user/models')).json.data).toEqual(['claude', 'gpt-4o', 'o3'])
  })

  it('are listed by channel type, built or not', async () => {
    const { data } = (await call('GET', '/api/models')).json
    expect(data).toMatchObject({
      1: expect.arrayContaining(['gpt-4o']),
      14: expect.arrayContaining(['claude-3-haiku-20240307']),
    })
  })

  it('are listed whole, each once, for the price editor and the channel form', async () => {
    expect((await call('GET', '/api/channel/models_enabled')).json.data).toEqual(['claude', 'gpt-4o', 'o3'])
    const models = (await call('GET', '/api/channel/models')).json.data as { id: string }[]
    expect(new Set(models.map(({ id }) => id)).size).toBe(models.length)
    expect(models.map(({ id }) => id)).toContain('gpt-4o')
  })

  it('have entries as OpenAI lists them', () => {
    const [entry, own] = modelEntries(['gpt-4o', 'my-model'])
    expect(entry).toMatchObject({
      id: 'gpt-4o',
      object: 'model',
      created: 1_626_777_600,
      owned_by: 'openai',
      parent: null,
    })
    expect(entry?.permission).toMatchObject([
      { id: 'modelperm-LwHkVFn8AcMItP432fKKDIKJ', organization: '*', group: null },
    ])
    expect(own).toMatchObject({ owned_by: 'custom', root: 'my-model' })
  })
})
