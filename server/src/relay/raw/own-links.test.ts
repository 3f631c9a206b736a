import { describe, expect, it } from 'vitest'
import { withOwnLinkHeaders, withOwnLinks } from './own-links.ts'

const links = { from: ['https://api.test', 'https://api.provider.test/root'], to: 'https://gate.test/p/7' }
const rewritten = (text: string): string => withOwnLinks(Buffer.from(text), links).toString()

describe('links in an answer', () => {
  it.each([
    [
      '{"results_url": "https://api.test/v1/a/results?b=c", "x" : 1e2}',
      '{"results_url": "https://gate.test/p/7/v1/a/results?b=c", "x" : 1e2}',
    ],
    [
      '{"downloadUri":"https:\\/\\/api.provider.test\\/root\\/f:download"}',
      '{"downloadUri":"https://gate.test/p/7/f:download"}',
    ],
    [
      '{"urls":{"get":"https://api.test/v1/p/1","web":"https://api.test/p"}}',
      '{"urls":{"get":"https://gate.test/p/7/v1/p/1","web":"https://api.test/p"}}',
    ],
    ['{"a":[{"next":"https://api.test/x"},{"next":null}]}', '{"a":[{"next":"https://gate.test/p/7/x"},{"next":null}]}'],
  ])('of the provider’s API lead to the gateway: %s', (text, own) => expect(rewritten(text)).toBe(own))

  it.each([
    '{"results_url":"https://api.test.evil.test/v1"}',
    '{"results_url":"https://api.test:8443/v1"}',
    '{"results_url":"https://api.test"}',
    '{"results_url":"https://api.provider.test/other"}',
    '{"results_url":"http://api.test/v1"}',
    '{"file":{"uri":"https://api.test/v1beta/files/abc"}}',
    '{"text":"see \\"results_url\\": \\"https://api.test/v1\\""}',
    '{"text":"https://api.test/v1"}',
    '{"results_url":null,"a":"\\u00e4"}',
    'no JSON "results_url"',
  ])('stay as they came elsewhere: %s', (text) => {
    const bytes = Buffer.from(text)
    expect(withOwnLinks(bytes, links)).toBe(bytes)
  })

  it('in headers lead to the gateway, too', () => {
    const headers = {
      'x-goog-upload-url': 'https://api.test/upload/v1beta/files?upload_id=a',
      location: 'https://elsewhere.test/v1',
      link: '<https://api.test/v1?page=2>; rel="next", <https://docs.test/>; rel="help"',
      'x-other': 'https://api.test/v1',
    }
    expect(withOwnLinkHeaders(headers, links)).toEqual({
      'x-goog-upload-url': 'https://gate.test/p/7/upload/v1beta/files?upload_id=a',
      location: 'https://elsewhere.test/v1',
      link: '<https://gate.test/p/7/v1?page=2>; rel="next", <https://docs.test/>; rel="help"',
      'x-other': 'https://api.test/v1',
    })
  })
})
