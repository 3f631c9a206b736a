import { describe, expect, it } from 'vitest'
import { modelOwners } from './index.ts'
import { makerByName, makerOf } from './makers.ts'

describe('the maker of a model', () => {
  it('is the one that its family belongs to, however new the model is', () => {
    expect(makerByName('gpt-5.5')).toBe('OpenAI')
    expect(makerByName('o3-pro')).toBe('OpenAI')
    expect(makerByName('claude-opus-5-5')).toBe('Anthropic')
    expect(makerByName('gemini-3.8-flash')).toBe('Google')
    expect(makerByName('grok-4.20-beta')).toBe('xAI')
    expect(makerByName('glm-5.3-flash')).toBe('Zhipu AI')
    expect(makerByName('kimi-k3.1-pro')).toBe('Moonshot AI')
    expect(makerByName('qwen3.8-max')).toBe('Alibaba')
  })

  it('is not the host that sells it', () => {
    expect(makerByName('azure/gpt-5.5')).toBe('OpenAI')
    expect(makerByName('vertex_ai/claude-sonnet-5')).toBe('Anthropic')
    expect(makerByName('@cf/openai/gpt-oss-20b')).toBe('OpenAI')
    expect(makerByName('Pro/THUDM/glm-4-9b-chat')).toBe('Zhipu AI')
    expect(makerByName('accounts/fireworks/models/deepseek-v4-pro')).toBe('DeepSeek')
    expect(makerByName('us.anthropic.claude-sonnet-4-5-20250929-v1:0')).toBe('Anthropic')
    expect(makerByName('amazon.nova-pro-v1:0')).toBe('Amazon')
    expect(makerByName('ft:gpt-4o-mini:acme::1')).toBe('OpenAI')
  })

  it('is the organisation that a name states rather than the family that it builds on', () => {
    expect(makerByName('nvidia/llama-3.1-nemotron-70b-instruct')).toBe('NVIDIA')
    expect(makerByName('@hf/thebloke/deepseek-coder-6.7b-base-awq')).toBe('DeepSeek')
  })

  it('is unknown for names of the operator’s own', () => {
    expect(makerByName('my-model')).toBeUndefined()
    expect(makerByName('support-bot.v2')).toBeUndefined()
    expect(makerByName('optimus')).toBeUndefined()
    expect(makerByName(`gpt-${'x'.repeat(300)}`)).toBeUndefined()
  })

  it('is known for every model in the default lists of providers', () => {
    expect([...modelOwners.keys()].filter((model) => makerByName(model) === undefined)).toEqual([])
  })

  it('is the provider of a price list where the name says nothing, unless it is a host', () => {
    const listed = new Map([
      ['deep-research-preview', 'google'],
      ['inkling', 'fireworks'],
    ])
    const makers = ['deep-research-preview', 'inkling', 'my-model', 'gpt-5.5'].map((model) =>
      makerOf(model, (name) => listed.get(name)),
    )
    expect(makers).toEqual(['Google', 'custom', 'custom', 'OpenAI'])
  })
})
