import { describe, expect, it } from 'vitest'
import {
  createClientAddressReader,
  createClientIpReader,
  isPrivateOrLoopback,
  limitKey,
  plainAddress,
} from './client-address.ts'

const headers = (entries: Record<string, string>) => (name: string) => entries[name]

describe('the client address', () => {
  it.each([
    ['no proxy is trusted', [], '203.0.113.9', { 'x-forwarded-for': '1.2.3.4' }, '203.0.113.9', true],
    ['no header', ['10.0.0.0/8'], '10.0.0.1', {}, '10.0.0.1', false],
    ['a trusted proxy speaks', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }, '1.2.3.4', true],
    ['the client lies', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '8.8.8.8, 1.2.3.4' }, '1.2.3.4', true],
    ['two proxies of ours', ['10.0.0.0/8'], '10.0.0.1', { 'x-forwarded-for': '1.2.3.4, 10.0.0.2' }, '1.2.3.4', true],
    ['only X-Real-IP', ['127.0.0.1'], '::ffff:127.0.0.1', { 'x-real-ip': '2001:db8::7' }, '2001:db8::7', true],
    ['nonsense in the header', ['127.0.0.1'], '127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1', true],
    ['an IPv4 address in IPv6 clothes', [], '::ffff:198.51.100.7', {}, '198.51.100.7', false],
    ['Forwarded alone counts as a header', [], '127.0.0.1', { forwarded: 'for=1.2.3.4' }, '127.0.0.1', true],
  ])('is right when %s', (_, proxies, socket, sent, ip, forwarded) => {
    const header = headers(sent as Record<string, string>)
    expect(createClientAddressReader(proxies)(socket, header)).toEqual({ ip, forwarded })
    expect(createClientIpReader(proxies)(socket, header)).toBe(ip)
  })

  it('throws for an invalid list of proxies', () => {
    expect(() => createClientAddressReader(['10.0.0.0/64'])).toThrow(
      '"10.0.0.0/64" is neither an address nor a network',
    )
  })
})

it.each([
  ['127.0.0.1', true],
  ['192.168.4.4', true],
  ['172.31.0.1', true],
  ['172.32.0.1', false],
  ['::1', true],
  ['::ffff:10.1.1.1', true],
  ['fd12::1', true],
  ['8.8.8.8', false],
  ['2606:4700::1', false],
  ['', false],
])('isPrivateOrLoopback(%s) is %s', (ip, expected) => {
  expect(isPrivateOrLoopback(ip)).toBe(expected)
})

it('removes ports, brackets and zones', () => {
  expect(['1.2.3.4:80', '[2001:db8::1]:443', 'fe80::1%eth0', ' ::ffff:1.2.3.4 '].map(plainAddress)).toEqual([
    '1.2.3.4',
    '2001:db8::1',
    'fe80::1',
    '1.2.3.4',
  ])
})

it('has one limit key for all addresses of an IPv6 subscriber', () => {
  expect(limitKey('2001:db8:1:2:aaaa::1')).toBe(limitKey('2001:db8:1:2::ffff'))
  expect(limitKey('2001:db8:1:2::1')).not.toBe(limitKey('2001:db8:1:3::1'))
  expect(limitKey('::1')).toBe('0:0:0:0')
  expect(limitKey('1.2.3.4')).toBe('1.2.3.4')
})
