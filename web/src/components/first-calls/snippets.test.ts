import { expect, it } from 'vitest'
import { siteAddress } from '../../lib/api/base-url.ts'
import { snippets } from './snippets.ts'

it('writes a first call for the site as clients reach it', () => {
  const address = siteAddress('https://api.example.com/', 'http://localhost')
  const input = { address, key: 'sk-1', model: 'gpt-4o', ask: "it's" }
  const written = (group: keyof typeof snippets, id: string): string =>
    snippets[group].find((entry) => entry.id === id)?.write(input) ?? ''
  expect(written('openai', 'curl')).toContain('https://api.example.com/v1/chat/completions')
  expect(written('openai', 'curl')).toContain(`it'\\''s`)
  expect(written('anthropic', 'curl')).toContain("curl 'https://api.example.com/v1/messages'")
  expect(written('gemini', 'curl')).toContain('https://api.example.com/v1beta/models/gpt-4o:generateContent')
  expect(written('clients', 'claude-code')).toContain("ANTHROPIC_BASE_URL='https://api.example.com'")
  for (const entry of Object.values(snippets).flat()) {
    expect(entry.write(input), entry.id).toContain('sk-1')
    expect(entry.write(input), entry.id).toContain('https://api.example.com')
  }
  expect(siteAddress('', 'http://localhost:3000')).toBe('http://localhost:3000')
})
