import { describe, expect, it } from 'vitest'
import { failureLanguage } from './language.ts'

describe('the language of errors', () => {
  it.each([
    ['zh-CN,zh;q=0.9,en;q=0.8', 'zh'],
    ['en-US,en;q=0.9,zh-CN;q=0.5', 'en'],
    ['en;q=0.4, zh-TW;q=0.7', 'zh'],
    ['fr-CH, de;q=0.7, zh;q=0.2', 'zh'],
    ['fr-CH', 'en'],
    ['zh;q=0, en', 'en'],
  ])('is what %s asks for', (header, language) => {
    expect(failureLanguage({ 'accept-language': header, 'user-agent': 'OpenAI/JS 7.57.0' })).toBe(language)
  })

  it.each([
    { 'user-agent': 'OpenAI/JS 7.57.0' },
    { 'user-agent': 'AsyncOpenAI/Python 2.9.0', 'accept-language': '*' },
    { 'user-agent': 'AzureOpenAI/Python 2.9.0' },
    { 'user-agent': 'Anthropic/Python 0.75.0' },
    { 'user-agent': 'claude-cli/2.1.4 (external, cli)' },
    { 'user-agent': 'codex_cli_rs/0.169.0 (Debian 13; x86_64)' },
    { 'user-agent': 'google-genai-sdk/3.1.0 gl-node/v24.21.0' },
    { 'user-agent': 'x', 'x-goog-api-client': 'google-genai-sdk/1.0' },
    { 'user-agent': 'Mozilla/5.0', 'x-stainless-lang': 'js' },
  ])('is English for official clients that name none: $user-agent', (headers) => {
    expect(failureLanguage(headers)).toBe('en')
  })

  it.each([{}, { 'accept-language': '*' }, { 'user-agent': 'python-requests/2.32' }, { 'user-agent': 'myopenai/1' }])(
    'is both where nothing says which',
    (headers) => {
      expect(failureLanguage(headers)).toBe('both')
    },
  )

  it('does not read headers of any length', () => {
    expect(failureLanguage({ 'accept-language': `${'x,'.repeat(300)}zh` })).toBe('en')
  })
})
