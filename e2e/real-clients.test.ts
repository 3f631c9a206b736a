import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { AgentSetup } from '@tollgate/contract'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { realClients } from './real-clients/clients.ts'
import { type Ended, type Place, programOf, type RealClient, runClient } from './real-clients/real-client.ts'
import type { Step } from './strict/model.ts'
import { type StrictUpstream, startStrictUpstream } from './strict/upstream.ts'
import { addChannel, addKey, type Person, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/**
 * Coding agents as they are installed from their registries, with the settings that the console gives for them, at providers
 * of four languages that refuse what the real ones refuse. Clients that are not installed are skipped (docs/agents.md).
 */

const absent = realClients.filter((client) => programOf(client) === undefined)
if (absent.length > 0) console.warn(`not installed, so not tried: ${absent.map((client) => client.package).join(', ')}`)

const targets = [
  { name: 'chat completions', model: 'gpt-5.2', type: 8 },
  { name: 'Responses', model: 'gpt-5.2-codex', type: 1 },
  { name: 'Anthropic', model: 'claude-sonnet-4-5', type: 14 },
  // Gemini CLI asks for this one where its settings say gemini-3-pro-preview.
  { name: 'Gemini', model: 'gemini-3.1-pro-preview', type: 24 },
] as const

let site: Site
let upstream: StrictUpstream
let operator: Person
let key: string
let tokenId: number
let place: Place

beforeAll(async () => {
  if (absent.length === realClients.length) return
  upstream = await startStrictUpstream()
  site = await startSite()
  operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'SelfUseModeEnabled', value: true })
  for (const { name, model, type } of targets) {
    const url = type === 8 ? `${upstream.url}/v1/chat/completions` : upstream.url
    await addChannel(operator, url, { name, models: model, type })
  }
  key = await addKey(operator)
  const [token] = await operator.must<{ id: number }[]>('GET', '/api/token/?p=0&size=1')
  tokenId = token?.id ?? 0
})
afterAll(async () => {
  await site?.remove()
  await upstream?.close()
})

/** A folder with notes, and a home without anything. */
const openPlace = (notes: string): Place => {
  const base = mkdtempSync(join(tmpdir(), 'tollgate-client-'))
  place = { home: join(base, 'home'), work: join(base, 'work') }
  mkdirSync(place.home)
  mkdirSync(place.work)
  writeFileSync(join(place.work, 'notes.txt'), notes)
  return place
}
const closePlace = (): void => rmSync(join(place.home, '..'), { recursive: true, force: true })

interface Setups {
  readonly key: string
  readonly setups: readonly AgentSetup[]
}

const run = async (client: RealClient, model: string, prompt: string): Promise<Ended> => {
  const query = new URLSearchParams({ token: String(tokenId), models: model, address: site.url })
  const { key: masked, setups } = await operator.must<Setups>('GET', `/api/agents/setups?${query}`)
  const setup = setups.find(({ id }) => id === client.setup)
  if (setup === undefined) throw new Error(`the site has no settings for ${client.name}`)
  return runClient(client, setup, { masked, key }, place, prompt)
}

/** Titles, summaries and the like, which clients ask for in between. */
const aside: Step = { text: '{"title":"Notes"}', calls: [] }

describe.each(realClients)('$name', (client) => {
  const { runs } = client
  const isHere = programOf(client) !== undefined

  it.runIf(isHere && runs !== undefined).each(targets)('works with its tools at $name', async ({ model }) => {
    const { work } = openPlace('the answer is 42\n')
    // What the provider stores need not come back, and does not: such a client is tried without.
    const thinks = (thought: string) => (client.stores ? {} : { thought })
    const command = runs ?? (() => ({ name: '', input: '' }))
    upstream.play(
      [
        { ...thinks('I read first.'), text: 'Let me look.', calls: [command('cat notes.txt')] },
        { ...thinks('Now I write.'), calls: [command('printf done > done.txt'), command('echo héllo “夏”')] },
        { text: 'Finished: 42 it is.', calls: [] },
      ],
      ({ tools }) => (tools.length === 0 ? aside : undefined),
      { mayStore: client.stores === true },
    )
    const { code, output } = await run(client, model, 'Do what notes.txt says.')
    expect(upstream.complaints, output).toEqual([])
    expect(output).toContain('Finished: 42 it is.')
    expect(code).toBe(0)
    expect(existsSync(join(work, 'done.txt'))).toBe(true)
    const last = upstream.received.at(-1)
    expect(last?.calls).toHaveLength(3)
    expect(last?.results.map(({ text }) => text).join('\n')).toMatch(/the answer is 42[\s\S]*héllo “夏”/)
    closePlace()
  })

  it.runIf(isHere && runs === undefined).each(targets)('edits until its test passes at $name', async ({ model }) => {
    const { work } = openPlace('nothing\n')
    const edit = (answer: number): Step => ({ text: `notes.txt\n\`\`\`\nthe answer is ${answer}\n\`\`\`\n`, calls: [] })
    upstream.play([edit(41), edit(42)], undefined, { mayStore: true })
    const { code, output } = await run(client, model, 'Write the answer.')
    expect(upstream.complaints, output).toEqual([])
    expect(code).toBe(0)
    expect(readFileSync(join(work, 'notes.txt'), 'utf8')).toBe('the answer is 42\n')
    expect(upstream.received).toHaveLength(2)
    closePlace()
  })
})
