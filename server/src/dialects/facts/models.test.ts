import { describe, expect, it } from 'vitest'
import { isThinking, nearestEffort, takesChatTools, takesSampling } from './model-facts.ts'
import { modelFacts, rulesOf } from './models.ts'

describe('the table of what models take', () => {
  it.each(modelFacts.map((row) => [String(row.models), row] as const))('says of %s where it is from', (_, row) => {
    expect(row.source).toMatch(/^https:\/\/[a-z.-]+\//)
    expect(row.read).toMatch(/^20\d\d-[01]\d-[0-3]\d$/)
    if (row.usualEffort !== undefined) expect(row.efforts).toContain(row.usualEffort)
  })

  it.each([
    ['gpt-3.5-turbo', undefined, 'object'],
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
