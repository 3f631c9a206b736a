import type { AgentSetup, ModelCard } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { signedIn } from '../../../test/support/features/signed-in.ts'
import { AppError } from '../../lib/app-error.ts'
import { agentRoutes } from './routes.ts'

const card = (model: string, more: Partial<ModelCard> = {}): ModelCard =>
  ({
    model,
    kind: 'chat',
    context: 200_000,
    max_output: 64_000,
    can: [],
    takes: ['text'],
    hidden: false,
    ...more,
  }) as ModelCard

const cards = [
  card('claude-sonnet-4-5', { can: ['thinking'], takes: ['text', 'image'] }),
  card('dall-e-3', { kind: 'image' }),
  card('gpt-5.2', { context: 0, max_output: 0, kind: '' }),
]

const call = signedIn((on) =>
  agentRoutes(on, {
    async token(_, __, id) {
      if (id !== 5) throw new AppError('not_found')
      return { key: 'abc***xyz', group: 'vip', model_limits_enabled: true, model_limits: 'gpt-5.2,dall-e-3' }
    },
    modelsOf: (_, group) => (group === 'vip' ? ['dall-e-3', 'gpt-5.2'] : cards.map(({ model }) => model)),
    cards: async (names) => names.map((name) => cards.find(({ model }) => model === name) ?? card(name)),
    address: () => 'https://gate.example/v1/',
  }),
)

interface Setups {
  readonly address: string
  readonly key: string
  readonly models: readonly string[]
  readonly setups: readonly AgentSetup[]
}

const ask = async (query = ''): Promise<Setups> => (await call('GET', `/api/agents/setups${query}`)).json.data as Setups

const textsOf = ({ setups }: Setups, client: string): string =>
  setups
    .find(({ id }) => id === client)
    ?.texts.map(({ text }) => text)
    .join('\n') ?? ''

describe('settings of coding agents', () => {
  it('have the site’s address, the masked key and the models for chats that the key may call', async () => {
    const answer = await ask('?token=5')
    expect(answer).toMatchObject({ address: 'https://gate.example', key: 'sk-abc***xyz', models: ['gpt-5.2'] })
    for (const { name, texts } of answer.setups) {
      const all = texts.map(({ text }) => text).join('\n')
      expect(all, name).toContain('https://gate.example')
      expect(all, name).toContain('sk-abc***xyz')
      expect(all, name).toContain('gpt-5.2')
    }
    expect(answer.setups.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'Claude Code',
        'Codex',
        'Gemini CLI',
        'OpenCode',
        'Cline',
        'aider',
        'Cursor',
        'Zed',
        'Goose',
      ]),
    )
  })

  it('have a placeholder where no key is chosen, and all models of the user', async () => {
    const answer = await ask()
    expect(answer).toMatchObject({ key: 'sk-your-api-key', models: ['claude-sonnet-4-5', 'gpt-5.2'] })
  })

  it('have the models that were chosen, in that order, and the address that the console knows', async () => {
    const answer = await ask('?models=gpt-5.2,claude-sonnet-4-5,gpt-5.2&address=http://10.0.0.2:3000/gate/')
    expect(answer).toMatchObject({ address: 'http://10.0.0.2:3000/gate', models: ['gpt-5.2', 'claude-sonnet-4-5'] })
    expect(textsOf(answer, 'codex')).toContain('model = "gpt-5.2"')
  })

  it('say of models what is known, in the form that each client wants', async () => {
    const answer = await ask('?models=claude-sonnet-4-5,gpt-5.2')
    const opencode = JSON.parse(answer.setups.find(({ id }) => id === 'opencode')?.texts[0]?.text ?? '') as object
    expect(opencode).toMatchObject({
      provider: {
        tollgate: {
          models: {
            'claude-sonnet-4-5': { limit: { context: 200_000, output: 64_000 }, reasoning: true, attachment: true },
            'gpt-5.2': { limit: { context: 128_000, output: 8192 } },
          },
        },
      },
    })
    const zed = JSON.parse(answer.setups.find(({ id }) => id === 'zed')?.texts[0]?.text ?? '') as object
    expect(zed).toMatchObject({
      language_models: { openai_compatible: { Tollgate: { available_models: [{ max_tokens: 200_000 }, {}] } } },
    })
  })

  it('hold names of any letters without breaking a file or a shell', async () => {
    const name = `it's "$(rm -rf x)" \\ ✓`
    const { setups } = await ask(`?models=${encodeURIComponent(name)}`)
    for (const { language, text } of setups.flatMap(({ texts }) => texts)) {
      if (language === 'json') expect(() => JSON.parse(text) as unknown).not.toThrow()
      if (language === 'bash') expect(text).not.toMatch(/^export .*"\$\(/m)
    }
  })

  it.each(['?token=6', '?address=javascript:alert(1)', '?address=not%20one'])('are refused for %s', async (query) => {
    expect((await call('GET', `/api/agents/setups${query}`)).json.success).toBe(false)
  })
})
