import type { LookupAddress } from 'node:dns'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Agent, request } from 'undici'
import { describe, expect, it } from 'vitest'
import { AppError } from '../app-error.ts'
import { createEgressGuard } from './egress.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'api.example.com': ['93.184.216.34', '2606:2800:220:1::1'],
  'inside.example.com': ['10.1.2.3'],
  'mixed.example.com': ['93.184.216.34', '127.0.0.1'],
  'metadata.google.internal': ['169.254.169.254'],
  'ollama.lan': ['192.168.1.20'],
  'nowhere.example.com': [],
}
const resolve = async (host: string) => {
  const addresses = names[host]
  if (!addresses) throw new Error('ENOTFOUND')
  return addresses.map((address) => ({ address }))
}
const guard = (allow: string[] = [], operator = false) => createEgressGuard({ allow, operator, resolve })

describe('the egress guard', () => {
  it.each(['https://api.example.com/hook', 'http://93.184.216.34:8080/', 'https://[2606:2800:220:1::1]/'])(
    'lets %s through',
    async (url) => expect((await guard().check(url)).length).toBeGreaterThan(0),
  )

  it.each([
    'http://127.0.0.1/',
    'http://127.1/',
    'http://2130706433/',
    'http://0x7f000001/',
    'http://0/',
    'http://localhost./',
    'http://10.0.0.1/',
    'http://172.16.5.5/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://169.254.169.254/latest/meta-data',
    'http://224.0.0.1/',
    'http://255.255.255.255/',
    'http://[::1]/',
    'http://[::]/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::ffff:a00:1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[2002:7f00:1::]/',
    'http://[::ffff:0:127.0.0.1]/',
    'http://[::ffff:0:a00:1]/',
    'http://[::127.0.0.1]/',
    'http://[::7f00:1]/',
    'http://[0:0:0:0:0:ffff:7f00:0001]/',
    'http://[64:ff9b:1::7f00:1]/',
    'http://[64:ff9b:1:7f00:0:100::]/',
    'http://[2001:0:5db8:d822::80ff:fffe]/',
    'http://[2001:0:7f00:1::1]/',
    'http://[2606:2800:220:1:0:5efe:7f00:1]/',
    'http://[2606:2800:220:1:200:5efe:a00:1]/',
    'http://[3fff::1]/',
    'http://[5f00::1]/',
    'http://[4000::1]/',
    'http://[fec0::1]/',
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://017700000001/',
    'http://127.0.0.1%2f@example/',
    'http://①②⑦.0.0.1/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[ff02::1]/',
    'http://inside.example.com/',
    'http://mixed.example.com/',
    'http://metadata.google.internal/',
    'http://nowhere.example.com/',
    'http://unknown.example.com/',
    'ftp://api.example.com/',
    'file:///etc/passwd',
    'gopher://api.example.com/',
    'not a url',
  ])('blocks %s', async (url) => {
    await expect(guard().check(url)).rejects.toMatchObject({ code: 'address_blocked' })
  })

  it('allows private networks for operators, but never metadata services', async () => {
    const operator = guard([], true)
    await operator.check('http://127.0.0.1:11434/')
    await operator.check('http://ollama.lan/')
    await operator.check('http://[::1]:11434/')
    await expect(operator.check('http://unknown.example.com/')).rejects.toMatchObject({ code: 'address_unknown' })
    for (const url of [
      'http://169.254.169.254/',
      'http://metadata.google.internal/',
      'http://[fd00:ec2::254]/',
      'http://[::ffff:a9fe:a9fe]/',
      'http://[::ffff:0:169.254.169.254]/',
      'http://[::169.254.169.254]/',
      'http://[64:ff9b::a9fe:a9fe]/',
      'http://[64:ff9b:1:a9fe:a9:fe00::]/',
      'http://[2002:a9fe:a9fe::1]/',
      'http://[2001:0:a9fe:a9fe::1]/',
      'http://[2001::5601:5601]/',
      'http://[fe80::5efe:169.254.169.254]/',
    ]) {
      await expect(operator.check(url)).rejects.toMatchObject({ code: 'address_blocked' })
    }
  })

  it('allows the hosts, addresses and networks of the allow list', async () => {
    const allowing = guard(['Ollama.lan', '10.1.0.0/16', '127.0.0.1'])
    await allowing.check('http://ollama.lan/')
    await allowing.check('http://inside.example.com/')
    await allowing.check('http://127.0.0.1/')
    await expect(allowing.check('http://10.2.0.1/')).rejects.toMatchObject({ code: 'address_blocked' })
  })
})

it('allows only the configured ports, and the default port of a scheme counts', async () => {
  const web = createEgressGuard({ allow: [], ports: [80, 443], resolve })
  for (const url of [
    'https://api.example.com/',
    'http://api.example.com/',
    'https://api.example.com:80/',
    'https://api.example.com:443/',
  ]) {
    await web.check(url)
  }
  for (const url of ['https://api.example.com:22/', 'https://api.example.com:6379/', 'http://api.example.com:8080/']) {
    await expect(web.check(url)).rejects.toMatchObject({ code: 'port_blocked' })
  }
  await createEgressGuard({ allow: [], ports: [80, 443, 8443], resolve }).check('https://api.example.com:8443/')
})

it('checks addresses with a zone and the addresses of a name', async () => {
  const answers = ['fe80::1%eth0', '::ffff:0:127.0.0.1', '64:ff9b::7f00:1', '::ffff:7f00:1', 'garbage']
  for (const address of answers) {
    const zoned = createEgressGuard({ allow: [], resolve: async () => [{ address }] })
    await expect(zoned.check('https://name.example/')).rejects.toMatchObject({ code: 'address_blocked' })
  }
})

describe('the lookup of the guard', () => {
  const looked = (host: string, options: { family?: number; all?: boolean }) =>
    new Promise<string | LookupAddress[]>((done, fail) =>
      guard().lookup(host, options, (error, address) => (error ? fail(error) : done(address))),
    )

  it('supports both callback forms of net.connect', async () => {
    expect(await looked('api.example.com', {})).toBe('93.184.216.34')
    expect(await looked('api.example.com', { family: 6 })).toBe('2606:2800:220:1::1')
    expect(await looked('api.example.com', { all: true })).toHaveLength(2)
    await expect(looked('inside.example.com', {})).rejects.toMatchObject({ code: 'address_blocked' })
  })

  it('blocks a connection when the name resolves to a private address at connect time', async () => {
    let reached = 0
    const server = createServer((_, answer) => {
      reached += 1
      answer.end('secret')
    })
    await new Promise<void>((ready) => server.listen(0, '127.0.0.1', ready))
    const { port } = server.address() as AddressInfo
    let lookups = 0
    const rebinding = createEgressGuard({
      allow: [],
      resolve: async () => [{ address: lookups++ === 0 ? '93.184.216.34' : '127.0.0.1' }],
    })
    const dispatcher = new Agent({ connect: { lookup: rebinding.lookup } })
    const url = `http://rebind.example.com:${port}/`
    await rebinding.check(url)
    await expect(request(url, { dispatcher })).rejects.toMatchObject({ code: 'address_blocked' })
    expect(reached).toBe(0)
    await dispatcher.destroy()
    server.close()
  })
})

it('assertLiteral blocks addresses, and passes names, which the lookup checks', () => {
  const guard = createEgressGuard({ allow: [], operator: true })
  expect(() => guard.assertLiteral('169.254.169.254')).toThrow(AppError)
  expect(() => guard.assertLiteral('[fd00:ec2::254]')).toThrow(AppError)
  expect(() => guard.assertLiteral('127.0.0.1')).not.toThrow()
  expect(() => guard.assertLiteral('metadata.example')).not.toThrow()
})
