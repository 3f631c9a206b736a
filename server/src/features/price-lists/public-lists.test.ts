import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { describeEachEngine } from '../../../test/support/db/databases.ts'
import { listsWith, openTestPriceLists } from '../../../test/support/features/price-lists.ts'
import type { Database } from '../../db/database.ts'
import { openNamedJobs } from '../../jobs/named-jobs.ts'
import { createEgressGuard } from '../../lib/security/egress.ts'
import { openComparison } from './comparison.ts'
import type { PriceLists } from './price-lists.ts'
import { openPriceSchedule } from './schedule.ts'

const shipped = listsWith('0.1.8', {
  'gpt-x': { input_mtok: 2, output_mtok: 8 },
  'gpt-idle': { input_mtok: 1, output_mtok: 2 },
})
const dayMs = 86_400_000

interface Figures {
  readonly input: number
  readonly output: number
}

/** In the words of LiteLLM, and of models.dev. */
const litellm = (models: Readonly<Record<string, Figures>>): unknown =>
  Object.fromEntries(
    Object.entries(models).map(([name, { input, output }]) => [
      name,
      { litellm_provider: 'openai', input_cost_per_token: input / 1e6, output_cost_per_token: output / 1e6 },
    ]),
  )
const modelsDev = (models: Readonly<Record<string, Figures>>): unknown => ({
  openai: { models: Object.fromEntries(Object.entries(models).map(([name, cost]) => [name, { cost }])) },
})
const openrouter = (models: Readonly<Record<string, Figures>>): unknown => ({
  data: Object.entries(models).map(([id, { input, output }]) => ({
    id,
    pricing: { prompt: String(input / 1e6), completion: String(output / 1e6) },
  })),
})

describeEachEngine('public price lists', (open) => {
  let database: Database
  let server: Server
  let origin: string
  let now: number
  /** Answer of each list; an absent list answers 503. */
  let answers: Record<string, unknown>
  let warned: string[]

  beforeEach(async () => {
    database = await open()
    now = Date.UTC(2026, 10, 23, 12)
    answers = { catalogue: [], litellm: litellm({}), models_dev: modelsDev({}), openrouter: openrouter({}) }
    warned = []
    server = createServer(({ url = '' }, response) => {
      const answer = answers[url.slice(1)]
      response.statusCode = answer === undefined ? 503 : 200
      response.end(JSON.stringify(answer ?? {}))
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(async () => {
    server.closeAllConnections()
    await new Promise((resolve) => server.close(resolve))
  })

  type Apply = 'nothing' | 'agreed' | 'plausible'
  const openNode = async (
    apply: Apply = 'agreed',
    more: { enabled?: boolean; allow?: readonly string[]; names?: readonly string[] } = {},
  ): Promise<{ lists: PriceLists; look: () => Promise<void> }> => {
    const clock = (): number => now
    const lists = await openTestPriceLists(database, shipped, { clock })
    const names = (): readonly string[] => more.names ?? ['gpt-x']
    const comparison = openComparison({
      lists,
      names,
      egress: createEgressGuard({ allow: more.allow ?? ['127.0.0.1'] }),
      addresses: Object.fromEntries(Object.keys({ ...answers }).map((name) => [name, `${origin}/${name}`])),
      read: async (address) => {
        const response = await fetch(address)
        return { status: response.status, text: await response.text() }
      },
    })
    const { look } = openPriceSchedule({
      lists,
      comparison,
      jobs: openNamedJobs(database, clock),
      clock,
      settings: () => ({
        PriceSyncSource: 'public',
        PriceSyncAddress: '',
        PriceSyncHours: 24,
        PriceSyncApply: apply,
        PriceListsEnabled: more.enabled ?? true,
      }),
      names,
      warn: (_message, fields) => warned.push(String(fields?.source)),
    })
    await look()
    return {
      lists,
      look: async () => {
        now += dayMs
        await look()
      },
    }
  }
  const rate = (lists: PriceLists, model: string): string | undefined => {
    const price = lists.book().find(model, now)
    return price && `${price.version} ${price.rates.output?.digits}`
  }
  const open_ = async (lists: PriceLists): Promise<string[]> =>
    (await lists.store.newestVersions()).map(({ source, status }) => `${source}: ${status}`)

  it('give a new model on which two agree at once, with the lists and the day as its source', async () => {
    answers.litellm = litellm({ 'gpt-new': { input: 3, output: 12 }, 'gpt-alone': { input: 3, output: 12 } })
    answers.models_dev = modelsDev({ 'gpt-new': { input: 3, output: 12 }, 'gpt-other': { input: 1, output: 4 } })
    const { lists, look } = await openNode()
    expect(rate(lists, 'gpt-new')).toBeUndefined()
    await look()
    expect(rate(lists, 'gpt-new')).toBe('sync 2 12')
    expect(lists.book().find('gpt-new', now)?.source).toMatch(/\(litellm \+ models_dev, 2026-11-24\)$/)
    expect([rate(lists, 'gpt-alone'), rate(lists, 'gpt-other')]).toEqual([undefined, undefined])
    expect(warned).toEqual([])
    await look()
    expect((await open_(lists)).filter((line) => line.startsWith('public lists'))).toEqual(['public lists: applied'])
  })

  it('take nothing on which they disagree, or that is doubtful', async () => {
    answers.litellm = litellm({ 'gpt-new': { input: 3, output: 12 }, 'gpt-free': { input: 5000, output: 9000 } })
    answers.models_dev = modelsDev({ 'gpt-new': { input: 3, output: 15 }, 'gpt-free': { input: 5000, output: 9000 } })
    const { lists, look } = await openNode()
    await look()
    expect([rate(lists, 'gpt-new'), rate(lists, 'gpt-free')]).toEqual([undefined, undefined])
  })

  it('need one list alone where it is the maker’s own', async () => {
    answers.openrouter = openrouter({ 'acme/one': { input: 1, output: 2 }, 'acme/two': { input: 1, output: 2 } })
    const { lists, look } = await openNode('agreed', { names: ['acme/one'] })
    await look()
    expect(rate(lists, 'acme/one')).toBe('sync 2 2')
    expect(rate(lists, 'acme/two')).toBeUndefined()
  })

  it('leave a changed price of a model in use to the operator, once, and do not ask about others', async () => {
    answers.litellm = litellm({ 'gpt-x': { input: 1.5, output: 8 }, 'gpt-idle': { input: 2, output: 2 } })
    answers.models_dev = modelsDev({ 'gpt-x': { input: 1.5, output: 8 } })
    const { lists, look } = await openNode()
    await look()
    expect(rate(lists, 'gpt-x')).toBe('genai-prices 0.1.8 8')
    const waiting = [
      'models_dev public lists: proposed',
      'litellm public lists: proposed',
      'genai-prices 0.1.8, tables 1: applied',
    ]
    expect(await open_(lists)).toEqual(waiting)
    const [, proposal] = await lists.store.newestVersions()
    expect((await lists.store.changes(proposal?.id ?? 0)).map(({ model }) => model)).toEqual(['gpt-x'])
    await look()
    expect(await open_(lists)).toEqual(waiting)
    await lists.discard(proposal?.id ?? 0, { id: 1, username: 'root', ip: '' })
    await look()
    expect((await open_(lists))[1]).toBe('litellm public lists: discarded')
    answers.litellm = litellm({ 'gpt-x': { input: 1.6, output: 8 } })
    await look()
    expect((await open_(lists))[0]).toBe('litellm public lists: proposed')
  })

  it('change a price by themselves where the operator said so and nothing is doubtful', async () => {
    answers.litellm = litellm({ 'gpt-x': { input: 1.5, output: 9 } })
    const { lists, look } = await openNode('plausible')
    await look()
    expect(rate(lists, 'gpt-x')).toBe('sync 2 9')
    answers.litellm = litellm({ 'gpt-x': { input: 1.5, output: 90 } })
    await look()
    expect(rate(lists, 'gpt-x')).toBe('sync 2 9')
  })

  it('take nothing where the operator decides on everything', async () => {
    answers.litellm = litellm({ 'gpt-new': { input: 3, output: 12 } })
    answers.models_dev = modelsDev({ 'gpt-new': { input: 3, output: 12 } })
    const { lists, look } = await openNode('nothing')
    await look()
    expect(rate(lists, 'gpt-new')).toBeUndefined()
    expect((await open_(lists))[0]).toBe('public lists: proposed')
  })

  it('that cannot be reached are told once, and hinder no other', async () => {
    answers.litellm = litellm({ 'gpt-x': { input: 1.5, output: 8 } })
    answers.models_dev = undefined
    answers.openrouter = 'nothing of the kind'
    const { lists, look } = await openNode()
    await look()
    await look()
    expect(warned.sort()).toEqual(['models_dev', 'openrouter'])
    expect((await open_(lists))[0]).toBe('litellm public lists: proposed')
    answers.models_dev = modelsDev({})
    await look()
    answers.models_dev = undefined
    await look()
    expect(warned.sort()).toEqual(['models_dev', 'models_dev', 'openrouter'])
  })

  it('are asked only where addresses may be reached, and not at all where price lists are off', async () => {
    answers.litellm = litellm({ 'gpt-x': { input: 1.5, output: 8 } })
    const blocked = await openNode('agreed', { allow: [] })
    await blocked.look()
    expect(warned).toHaveLength(4)
    warned = []
    const off = await openNode('agreed', { enabled: false })
    await off.look()
    expect(warned).toEqual([])
    expect(await open_(off.lists)).toEqual(['genai-prices 0.1.8, tables 1: applied'])
  })
})
