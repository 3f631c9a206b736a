import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawAddress } from './raw-address.ts'

const base = 'https://api.example.com/root'
const addressed = (path: string, query = ''): string | undefined => {
  try {
    return rawAddress(base, path, query)
  } catch {
    return undefined
  }
}

describe('the address of a raw call', () => {
  it('is the path below that of the channel', () => {
    expect(addressed('/v1/files/file-1/content', '?a=b')).toBe(`${base}/v1/files/file-1/content?a=b`)
    expect(addressed('/v1beta/models/gemini:countTokens')).toBe(`${base}/v1beta/models/gemini:countTokens`)
  })

  it.each([
    '/../admin',
    '/v1/../../admin',
    '/v1/%2e%2e/admin',
    '/v1/.%2E/admin',
    '/v1/./x',
    '//evil.example',
    '/v1//x',
    '/v1/%2f%2fevil',
    '/v1/%5c..%5cx',
    '/\\evil.example',
    '/@evil.example/x y',
    '/v1/x#y',
    '/v1/%0d%0aHost:x',
    '',
  ])('refuses %s', (path) => expect(addressed(path)).toBeUndefined())

  it.each(['?$httpMethod=GET', '?a=b&%24httpHeaders=X', '?%24HTTPMETHOD=DELETE'])('refuses the query %s', (query) =>
    expect(addressed('/v1beta/files', query)).toBeUndefined(),
  )

  it('never leaves the host and the path of the channel', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('/', '.', '..', '%2e', '%2F', '\\', '@', ':', 'a', '?', '#', '%', '%25', ';'), {
          maxLength: 12,
        }),
        (pieces) => {
          const address = addressed(`/${pieces.join('')}`)
          if (address === undefined) return
          const { origin, pathname } = new URL(address)
          expect([origin, pathname.startsWith('/root/')]).toEqual(['https://api.example.com', true])
        },
      ),
      { numRuns: 2000 },
    )
  })
})
