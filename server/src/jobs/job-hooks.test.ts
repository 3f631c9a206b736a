import { describe, expect, it } from 'vitest'
import { openSecrets } from '../lib/security/secrets.ts'
import { isPublicSite, openJobHooks } from './job-hooks.ts'

const hooksOf = (cryptoSecret: string, serverAddress = 'https://gate.example.com/below/') =>
  openJobHooks({ secrets: openSecrets({ cryptoSecret, keyFile: '' }), serverAddress: () => serverAddress })
const tokenIn = (address: string | undefined): string => address?.split('/').at(-1) ?? ''

describe('addresses at which providers call about jobs', () => {
  it('name one job, on every node of the site and no other site', async () => {
    const [node, other, foreign] = [hooksOf('one'), hooksOf('one'), hooksOf('two')]
    const nudged: string[] = []
    for (const hooks of [other, foreign])
      hooks.listen('song', async (id) => {
        nudged.push(id)
        return true
      })
    const address = node.addressOf('song', 'song_1')
    expect(address).toMatch(/^https:\/\/gate\.example\.com\/below\/hooks\/jobs\/song\/song_1\.[0-9a-f]{64}$/)
    expect(await other.nudgeFor('song', tokenIn(address))?.()).toBe(true)
    expect(nudged).toEqual(['song_1'])
    expect(foreign.nudgeFor('song', tokenIn(address))).toBeUndefined()
  })

  it('are of one kind and one id, as they were made', () => {
    const hooks = hooksOf('one')
    for (const kind of ['song', 'tune']) hooks.listen(kind, async () => true)
    const token = tokenIn(hooks.addressOf('song', 'song_1'))
    expect(hooks.nudgeFor('song', token)).toBeDefined()
    const wrong = [token.replace('song_1', 'song_2'), token.slice(0, -1), token.toUpperCase(), `${token}0`, '', '.']
    for (const one of wrong) expect(hooks.nudgeFor('song', one), one).toBeUndefined()
    expect(hooks.nudgeFor('tune', token)).toBeUndefined()
    expect(hooks.nudgeFor('none', token)).toBeUndefined()
  })

  it.each([
    ['https://gate.example.com', true],
    ['https://gate.example.com:8443/below', true],
    ['http://gate.example.com', false],
    ['https://localhost:3000', false],
    ['https://gate.internal', false],
    ['https://nas.home.arpa', false],
    ['https://10.0.0.1', false],
    ['https://[2001:db8::1]', false],
    ['https://gate', false],
    ['', false],
  ])('are given out of %j: %j', (address, isGiven) => {
    expect(isPublicSite(address)).toBe(isGiven)
    expect(hooksOf('one', address).addressOf('song', 'song_1') !== undefined).toBe(isGiven)
  })
})
