import { expect, it } from 'vitest'
import type { ChannelType } from '../../lib/api/contract.ts'
import { findProviders, isKey, typeOfKey } from './match-provider.ts'

const type = (number: number, name: string, models: string[]): ChannelType => ({
  type: number,
  name,
  label: { zh: name, en: name },
  color: 'green',
  base_url: `https://api.${name.toLowerCase()}.com`,
  key_hint: { zh: '', en: '' },
  fields: [],
  models,
  lists_models: true,
  bills_aborted: false,
  has_balance: false,
  relays: true,
})
const types = [type(1, 'OpenAI', ['gpt-4o']), type(14, 'Anthropic', ['claude-sonnet-5']), type(43, 'DeepSeek', [])]

it('finds providers by name, by address and by one of their models', () => {
  const found = (search: string) => findProviders(types, search).map(({ type }) => type.name)
  expect(found('')).toEqual(['OpenAI', 'Anthropic', 'DeepSeek'])
  expect(found('deeps')).toEqual(['DeepSeek'])
  expect(found('api.openai')).toEqual(['OpenAI'])
  expect(findProviders(types, 'SONNET')).toEqual([{ type: types[1], model: 'claude-sonnet-5' }])
  expect(found('nothing')).toEqual([])
})

it.each([
  ['sk-ant-api03-abcdefgh', 14],
  ['sk-or-v1-0123456789', 20],
  ['sk-proj-0123456789ab', 1],
  ['AIzaSyA0123456789abc', 24],
  ['xai-0123456789abcdef', 48],
  ['sk-0123456789abcdef', 1],
])('knows whose key %s is', (key, number) => {
  expect(isKey(key)).toBe(true)
  expect(typeOfKey(key)).toBe(number)
})

it('takes names of models for no keys', () => {
  for (const text of ['claude-sonnet-5', 'gpt-4o-mini-2026-01-01', 'open ai', 'sk-', 'deepseek-reasoner'])
    expect([text, isKey(text)]).toEqual([text, false])
})
