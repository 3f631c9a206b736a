import { expect, it } from 'vitest'
import { channelAddress, isChannelProxy } from './channel-rules.ts'

it.each([
  [' https://api.example.com/v1// ', 'https://api.example.com/v1'],
  ['https://{model}.example.com', 'https://{model}.example.com'],
  ['', ''],
  ['/', ''],
])('stores the address %j as %j', (text, stored) => expect(channelAddress(text)).toBe(stored))

it.each(['api.example.com', 'ftp://api.example.com', 'https://', 'https://a b', 'socks5://127.0.0.1:1080'])(
  'refuses the address %j',
  (text) => expect(channelAddress(text)).toBeUndefined(),
)

it.each([undefined, null, '', 'http://127.0.0.1:8080', 'socks5://user:secret@proxy:1080'])(
  'takes the proxy %j',
  (value) => expect(isChannelProxy(value)).toBe(true),
)

it.each(['proxy:1080', 'ftp://proxy', 'http://a b', 1, {}])('refuses the proxy %j', (value) =>
  expect(isChannelProxy(value)).toBe(false),
)
