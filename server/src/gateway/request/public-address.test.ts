import type { IncomingMessage } from 'node:http'
import { expect, it } from 'vitest'
import { createPublicAddress } from './public-address.ts'

const addressOf = (
  headers: Readonly<Record<string, string>>,
  { serverAddress = '', peer = '10.0.0.9', encrypted = false } = {},
): string =>
  createPublicAddress({ trustedProxies: ['10.0.0.0/8'], serverAddress: () => serverAddress })({
    headers,
    socket: { remoteAddress: peer, encrypted },
  } as unknown as IncomingMessage)

const stranger = { peer: '203.0.113.5' }
const gate = { serverAddress: 'https://gate.example/' }

it.each([
  ['the host that the caller named', { host: 'gate.test:3000' }, {}, 'http://gate.test:3000'],
  ['with TLS', { host: 'gate.test' }, { encrypted: true }, 'https://gate.test'],
  ['of IPv6', { host: '[::1]:3000' }, {}, 'http://[::1]:3000'],
  [
    'what a trusted proxy says',
    { host: '127.0.0.1:3000', 'x-forwarded-host': 'api.test, inner', 'x-forwarded-proto': 'https,http' },
    gate,
    'https://api.test',
  ],
  [
    'not what a stranger says',
    { host: 'gate.test', 'x-forwarded-host': 'evil.test', 'x-forwarded-proto': 'https' },
    stranger,
    'http://gate.test',
  ],
  ['the setting, where the caller came to its host', { host: 'Gate.example' }, gate, 'https://gate.example'],
  ['the host, where that is another one', { host: 'inner:3000' }, gate, 'http://inner:3000'],
  [
    'the setting, behind a proxy that names no host',
    { host: '127.0.0.1:3000', 'x-forwarded-for': '1.2.3.4' },
    gate,
    'https://gate.example',
  ],
  [
    'the setting, behind a proxy that is not trusted',
    { host: '127.0.0.1:3000', 'x-forwarded-host': 'evil.test' },
    { ...gate, ...stranger },
    'https://gate.example',
  ],
  ['nothing of a host that is none', { host: 'evil.test/x?' }, {}, ''],
  [
    'the setting, with what stands before its paths',
    {},
    { serverAddress: 'https://a.test/gate' },
    'https://a.test/gate',
  ],
])('is %s', (_, headers, more, address) => expect(addressOf(headers, more)).toBe(address))
