import { execFileSync } from 'node:child_process'
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

/** Output of a text in a POSIX shell. */
const inShell = (text: string): string => execFileSync('sh', ['-c', text], { encoding: 'utf8' })

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
        'GitHub Copilot CLI',
        'Qwen Code',
        'pi',
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
    for (const { language, text } of setups.flatMap(({ texts }) => texts))
      if (language === 'json') expect(() => JSON.parse(text) as unknown).not.toThrow()
    const copilot = textsOf({ ...(await ask()), setups }, 'copilot-cli')
    expect(inShell(`${copilot.replace(/^copilot$/m, '')}printf '%s\\n' "$COPILOT_MODEL"`)).toBe(`${name}\n`)
    const cline = setups.find(({ id }) => id === 'cline')?.texts.find(({ language }) => language === 'bash')?.text ?? ''
    expect(inShell(`cline() { printf '%s\\n' "$@"; }\n${cline}`)).toContain(`--modelid\n${name}\n--apikey\n`)
  })

  it('tell limits where the form of an agent takes them', async () => {
    const limits = async (models: string) => {
      const answer = await ask(`?models=${models}`)
      return (client: string): string => textsOf(answer, client)
    }
    const claude = await limits('claude-sonnet-4-5')
    expect(claude('copilot-cli')).toContain('COPILOT_PROVIDER_MAX_PROMPT_TOKENS=136000')
    expect(claude('copilot-cli')).toContain('COPILOT_PROVIDER_MAX_OUTPUT_TOKENS=64000')
    expect(claude('qwen-code')).toContain('"contextWindowSize": 200000')
    expect(claude('qwen-code')).toContain('QWEN_CODE_MAX_OUTPUT_TOKENS="64000"')
    expect(claude('pi')).toContain('"contextWindow": 200000')
    expect(claude('pi')).toContain('"maxTokens": 64000')
    expect(claude('cline')).toContain('Context Window Size: 200000')
    // It knows Claude itself, and is told of others only what is known.
    expect(claude('claude-code')).not.toContain('CLAUDE_CODE_MAX_CONTEXT_TOKENS')
    expect((await limits('kimi-k3'))('claude-code')).toContain('"CLAUDE_CODE_MAX_CONTEXT_TOKENS": "200000"')
    expect((await limits('gpt-5.2'))('claude-code')).not.toContain('CLAUDE_CODE_MAX')
  })

  it('name the session where an agent does so on request', async () => {
    expect(textsOf(await ask(), 'pi')).toContain('"sendSessionAffinityHeaders": true')
  })

  it.each(['?token=6', '?address=javascript:alert(1)', '?address=not%20one'])('are refused for %s', async (query) => {
    expect((await call('GET', `/api/agents/setups${query}`)).json.success).toBe(false)
  })
})
