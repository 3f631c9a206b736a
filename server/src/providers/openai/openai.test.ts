import { expect, it } from 'vitest'
import { openai } from './provider.ts'

const languagesOf = (model: string): string[] => {
  const channel = { baseUrl: '', organization: '', other: '' }
  return (openai.languagesOf?.(model, { channel, key: '' }) ?? []).map(({ name }) => name)
}

it.each([
  'gpt-5-codex',
  'gpt-5.1-codex-max',
  'gpt-5-pro',
  'gpt-5.2-pro',
  'codex-mini-latest',
  'o3-pro',
  'o4-mini-deep-research',
])('calls %s through Responses only', (model) => expect(languagesOf(model)).toEqual(['openai-responses']))

it.each(['gpt-5', 'gpt-5.2', 'gpt-4o', 'o3', 'chatgpt-4o-latest'])('calls %s through chat completions first', (model) =>
  expect(languagesOf(model)).toEqual(['openai-chat', 'openai-responses']),
)

it.each([
  ['https://api.openai.com', true],
  ['https://eu.api.openai.com', true],
  ['https://api.openai.com.example.org', false],
  ['https://openai.example.org', false],
  ['no address', false],
])('takes a name for its cache at %s: %s', (baseUrl, takes) =>
  expect(openai.takesCacheKey?.({ baseUrl, organization: '', other: '' })).toBe(takes),
)
