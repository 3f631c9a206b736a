import { expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { networkAdvice, statusAdvice, unreadableAdvice } from './address-failure.ts'

const place = { url: 'http://127.0.0.1:1/v1/models?key=secret', key: 'secret', proxy: '', timeoutMs: 30_000 }
const failure = (code: string): Error => Object.assign(new Error(`${code} 127.0.0.1:1`), { code })

it.each([
  [
    'ECONNREFUSED',
    'Nothing answers at http://127.0.0.1:1 (connection refused). Check host and port; inside Docker, localhost is the container: use host.docker.internal.',
  ],
  ['EHOSTUNREACH', 'http://127.0.0.1:1 cannot be reached. Check the host, the network and firewalls.'],
  [
    'UND_ERR_CONNECT_TIMEOUT',
    'http://127.0.0.1:1 did not answer within 30 s. Check host, port and firewalls, or set a proxy.',
  ],
  [
    'CERT_HAS_EXPIRED',
    'TLS with http://127.0.0.1:1 failed (CERT_HAS_EXPIRED). Check that the port speaks https and that its certificate is valid.',
  ],
  ['ECONNRESET', 'http://127.0.0.1:1 closed the connection. Check host and port, and whether it speaks http or https.'],
  ['ENOTFOUND', 'No host named 127.0.0.1 is found'],
  ['EWHATEVER', undefined],
])('says what to do about %s', (code, text) => {
  expect(networkAdvice(place, failure(code))?.textIn('en')).toBe(text)
  expect(networkAdvice(place, new Error('failed', { cause: failure(code) }))?.textIn('en')).toBe(text)
})

it('knows its own timeout, and does not name the upstream for what a proxy may have refused', () => {
  expect(networkAdvice(place, new Error('timeout'))?.textIn('en')).toContain('within 30 s')
  expect(networkAdvice({ ...place, proxy: 'http://proxy:3128' }, failure('ECONNREFUSED'))).toBeUndefined()
})

it.each([
  [401, 'http://127.0.0.1:1 refused the key (401). Check the key and its permissions.'],
  [
    404,
    'There is no model list at http://127.0.0.1:1/v1/models (404). Check the base URL, which usually ends before /v1, or enter the models by hand.',
  ],
  [429, 'http://127.0.0.1:1 refuses requests for now (429). Check the limits of the account, or try again later.'],
  [
    500,
    'http://127.0.0.1:1/v1/models answered with status 500. Check the base URL and the status page of the provider.',
  ],
])('says what to do about an answer with status %i, without the key', (status, text) => {
  expect(statusAdvice(place, status, 'models_not_there').textIn('en')).toBe(text)
})

it('names the address whose answer is no list, and cuts a key out of its path', () => {
  const keyed = { ...place, url: 'https://up.example/secret/models' }
  expect(unreadableAdvice(keyed, '{}', 'models_unreadable').textIn('en')).toMatch(
    /^The answer of https:\/\/up\.example\/\*\*\*\/models is not/,
  )
})

it.each([' <!DOCTYPE html>\n<html>', '<html lang="en">'])('says that %j is a web page', (text) => {
  expect(unreadableAdvice(place, text, 'balance_unreadable').textIn('en')).toBe(
    'http://127.0.0.1:1/v1/models answered with a web page instead of JSON. Check the address: it must be the API’s, not the website’s.',
  )
})

it('leaves an error of ours as it is, and names mail servers', () => {
  const blocked = new AppError('address_blocked', { params: { host: 'x' } })
  expect(networkAdvice(place, blocked)).toBe(blocked)
  const mail = { ...place, url: 'smtp://mail.example:25' }
  expect(networkAdvice(mail, failure('ECONNREFUSED'))?.textIn('en')).toMatch(
    /^Nothing answers at smtp:\/\/mail\.example:25 /,
  )
})
