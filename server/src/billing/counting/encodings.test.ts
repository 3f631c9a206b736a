import { expect, it } from 'vitest'
import { encodingOf } from './encodings.ts'

it.each([
  'gpt-4o-mini',
  'chatgpt-4o-latest',
  'o1',
  'o3-mini',
  'o4-mini',
  'gpt-4.1-nano',
  'gpt-4.5-preview',
  'gpt-5.1',
  'openai/gpt-4o',
  'ft:gpt-4o:me::1',
])('counts %s with o200k', (model) => expect(encodingOf(model)).toBe('o200k_base'))

it.each(['gpt-4', 'gpt-4-turbo', 'gpt-3.5-turbo', 'text-embedding-3-small', 'claude-3-opus', 'my-gpt-4o', 'proto1'])(
  'counts %s with cl100k',
  (model) => expect(encodingOf(model)).toBe('cl100k_base'),
)
