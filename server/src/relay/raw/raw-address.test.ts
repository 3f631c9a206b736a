import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rawAddress } from './raw-address.ts'

const base = 'https://api.example.com/root'
const addressed = (path: string, query = '', fenced = false): string | undefined => {
  try {
    return rawAddress(base, path, query, { fenced })
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
    '/v1/files/file-own/..;/file-other',
    '/v1/files/file-own;id=file-other',
    '/v1/files/file-own%3Bid=file-other',
    '/v1/files/file-own/%252e%252e/file-other',
    '/v1/files/file-own%252ffile-other',
    '/v1/files%3f$httpMethod=GET',
    '/v1/files%23x',
    '/v1/files/%',
    '/v1/files/%zz',
    '',
  ])('refuses %s', (path) => expect(addressed(path)).toBeUndefined())

  it.each([
    '?$httpMethod=GET',
    '?a=b&%24httpHeaders=X',
    '?%24HTTPMETHOD=DELETE',
    '?%24%68ttpMethod=GET',
    '?$htt%70Method=GET',
    '?limit=1;$httpMethod=GET',
    '?%2524httpMethod=GET',
    '?_method=DELETE',
    '?X-HTTP-Method-Override=GET',
    '?%=1',
  ])('refuses the query %s, also where all is shared', (query) => {
    for (const fenced of [true, false]) expect(addressed('/v1beta/files', query, fenced)).toBeUndefined()
  })

  it('passes only names that providers are known to read where makers are kept apart', () => {
    const known = '?limit=20&after=file-1&include[]=usage&metadata%5Bcustomer%5D=7&api-version=v1&pageSize=5&alt=media'
    expect(addressed('/v1/files', known, true)).toBe(`${base}/v1/files${known}`)
    for (const query of ['?callback=x', '?$callback=x', '?unheard_of=1', '?Limit=1', '?fields=x'])
      expect([query, addressed('/v1/files', query, true)]).toEqual([query, undefined])
    expect(addressed('/v1/files', '?unheard_of=1')).toBe(`${base}/v1/files?unheard_of=1`)
  })

  it('refuses every spelling of a name that overrides the method or the headers', () => {
    const spelled = (letter: string, how: number): string => {
      const code = letter.charCodeAt(0).toString(16)
      if (how === 0) return letter
      if (how === 1) return `%${code}`
      if (how === 2) return `%${code.toUpperCase()}`
      return /[a-z]/i.test(letter) ? letter.toUpperCase() : letter
    }
    const name = fc.constantFrom('$httpMethod', '$httpHeaders', '$method', 'x-http-method-override', '_method')
    const query = name.chain((text) =>
      fc
        .array(fc.nat(3), { minLength: text.length, maxLength: text.length })
        .map((hows) => [...text].map((letter, at) => spelled(letter, hows[at] ?? 0)).join('')),
    )
    fc.assert(
      fc.property(query, fc.boolean(), fc.constantFrom('?', '?alt=json&', '?limit=1;'), (text, fenced, before) => {
        expect(addressed('/v1beta/files', `${before}${text}=GET`, fenced)).toBeUndefined()
      }),
      { numRuns: 500 },
    )
  })

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
