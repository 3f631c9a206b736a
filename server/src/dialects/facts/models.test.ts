import { describe, expect, it } from 'vitest'
import { providers } from '../../providers/index.ts'
import { claudeHosts } from './claude-hosts.ts'
import { hostFacts } from './hosts.ts'
import { isThinking, nearestEffort, takesChatTools, takesSampling } from './model-facts.ts'
import { familyOf, modelFacts, rulesOf } from './models.ts'

describe('the table of what models take', () => {
  it.each(modelFacts.map((row) => [String(row.models), row] as const))('says of %s where it is from', (_, row) => {
    expect(row.source).toMatch(/^https:\/\/[a-z.-]+\//)
    expect(row.read).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    if (row.usualEffort !== undefined) expect(row.efforts).toContain(row.usualEffort)
  })

  it.each([
    ['gpt-3.5-turbo', undefined, 'object'],
    ['gpt-35-turbo', undefined, 'object'],
    ['gpt-4', undefined, 'object'],
    ['gpt-4o', undefined, undefined],
    ['gpt-4o-2024-05-13', undefined, 'object'],
    ['gpt-4.1-mini', undefined, undefined],
    ['ft:gpt-4o-2024-08-06:acme::x', undefined, undefined],
    ['chatgpt-4o-latest', undefined, undefined],
    ['gpt-5-chat-latest', 'max_completion_tokens', undefined],
    ['gpt-5', 'max_completion_tokens', undefined],
    ['gpt-5.2-2025-12-11', 'max_completion_tokens', undefined],
    ['gpt-5.10', 'max_completion_tokens', undefined],
    ['gpt-6.1-terra', 'max_completion_tokens', undefined],
    ['gpt-7', 'max_completion_tokens', undefined],
    ['o4-mini', 'max_completion_tokens', undefined],
    ['deepseek-v4-pro', 'max_tokens', 'object'],
    ['mistral-large-latest', 'max_tokens', undefined],
    ['glm-4.6', 'max_tokens', 'object'],
  ])('knows %s', (model, limit, formats) => {
    const rules = rulesOf(model)
    expect([rules?.limit, rules?.formats]).toEqual([limit, formats])
  })

  it.each(['my-own-model', 'openai/gpt-5', 'o', 'deepseek-ai/DeepSeek-V3', 'constructor', '__proto__'])(
    'says nothing about %s',
    (model) => expect(rulesOf(model)).toBeUndefined(),
  )

  it.each([
    ['gpt-5-codex', 'responses'],
    ['gpt-5.1-codex-max', 'responses'],
    ['gpt-5.2-pro', 'responses'],
    ['codex-mini-latest', 'responses'],
    ['o3-pro', 'responses'],
    ['o4-mini-deep-research', 'responses'],
    ['gpt-5.2', undefined],
    ['o3', undefined],
  ])('knows where %s answers', (model, language) => expect(rulesOf(model)?.language).toBe(language))

  it.each([
    ['gpt-4o', undefined, true],
    ['gpt-5', undefined, false],
    ['gpt-5.2', undefined, true],
    ['gpt-5.2', 'low', false],
    ['gpt-5.5', undefined, false],
    ['gpt-5.6-luna', undefined, false],
    ['gpt-5.6', 'none', true],
    ['gpt-6-astra', 'none', false],
    ['kimi-k2.6', undefined, false],
  ])('knows whether %s with effort %s takes a temperature: %s', (model, effort, takes) => {
    const rules = rulesOf(model)
    expect(rules && takesSampling(rules, effort)).toBe(takes)
  })

  it.each([
    ['gpt-5.2', 'high', true],
    ['gpt-5.4', undefined, true],
    ['gpt-5.4', 'low', false],
    ['gpt-5.6', undefined, false],
    ['gpt-6-luna', 'none', true],
    ['gpt-6.1-sol', 'none', false],
  ])('knows whether %s with effort %s takes functions in chat completions: %s', (model, effort, takes) => {
    const rules = rulesOf(model)
    expect(rules && takesChatTools(rules, effort)).toBe(takes)
  })

  it('states which models reason by default', () => {
    const of = (model: string): boolean | undefined => {
      const rules = rulesOf(model)
      return rules && isThinking(rules, undefined)
    }
    expect(['gpt-5', 'gpt-5.1', 'gpt-5.5', 'o3'].map(of)).toEqual([true, false, true, true])
  })

  it('rather asks for more than for less', () => {
    expect(nearestEffort(['low', 'high'], 'medium')).toBe('high')
    expect(nearestEffort([], 'medium')).toBeUndefined()
    expect(nearestEffort(undefined, 'xhigh')).toBe('xhigh')
  })
})

describe('the tables of hosts', () => {
  it.each([...hostFacts, ...claudeHosts].map((row) => ['host' in row ? row.host : row.provider, row] as const))(
    'say of %s where it is from',
    (_, row) => {
      expect(row.source).toMatch(/^https:\/\/[a-zA-Z.-]+\//)
      expect(row.read).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    },
  )

  it('name providers that exist', () => {
    const names = new Set(providers.map(({ name }) => name))
    for (const { provider } of hostFacts) expect(names).toContain(provider)
  })
})

describe('the family of a model', () => {
  it.each([
    ['zai-org/GLM-4.6', 'glm-4.6'],
    ['Pro/deepseek-ai/DeepSeek-V4-Pro', 'deepseek-v4-pro'],
    ['moonshotai.kimi-k2.5', 'kimi-k2.5'],
    ['us.anthropic.claude-opus-4-7', 'claude-opus-4-7'],
    ['anthropic/claude-opus-4.7', 'claude-opus-4-7'],
    ['openai/gpt-5.2', 'gpt-5.2'],
    ['glm-4-7-251222', 'glm-4.7'],
    ['Qwen/Qwen3.6-27B', 'qwen3.6-plus'],
  ])('of %s is that of %s', (hosted, own) => {
    expect(familyOf(hosted)).toBeDefined()
    expect(familyOf(hosted)).toBe(familyOf(own))
  })

  it.each([
    ['deepseek-v9-ultra', 'default'],
    ['kimi-k9', 'always'],
    ['glm-9', 'always'],
    ['qwen9-max', 'default'],
    ['MiniMax-M9', 'always'],
    ['gemini-9-pro', 'always'],
  ])('of %s, which no row names, is that of its maker’s newest: it thinks %s', (model, when) =>
    expect(familyOf(model)?.thinking?.when).toBe(when),
  )

  it.each(['claude-next-9', 'claude-opus-9-1', 'claude-sonnet-7'])('of %s is that of the newest Claude', (model) =>
    expect(familyOf(model)?.claude).toMatchObject({ adaptive: true, sampling: false, hidesThoughts: true }),
  )

  it.each(['llama-4', 'my-own-model', 'constructor', '__proto__', 'o'])('of %s is unknown', (model) =>
    expect(familyOf(model)).toBeUndefined(),
  )
})
