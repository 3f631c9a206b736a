import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { workersWithLeftovers } from '../server/src/workers/workers-with-leftovers.ts'
import { countQuestions } from './support/counted-questions.ts'
import { type FakeUpstream, startFakeUpstream } from './support/fake-upstream.ts'
import { addChannel, addCustomer, addKey, type Person, signIn } from './support/operator.ts'
import { type Site, startSite } from './support/site.ts'

/** One node with two workers on SQLite, without Redis. */
describe('two workers', () => {
  let site: Site
  let upstream: FakeUpstream
  let operator: Person
  const questions = countQuestions()

  beforeAll(async () => {
    upstream = await startFakeUpstream()
    site = await startSite({ WORKERS: '2', METRICS_TOKEN: 'scraper', ...questions.environment })
    while (site.output().split('Tollgate listens').length < 3) await new Promise((resolve) => setTimeout(resolve, 50))
    operator = await signIn(site.url)
    await addChannel(operator, upstream.url)
  })
  afterAll(async () => {
    await site?.remove()
    await upstream?.close()
    questions.remove()
  })

  const call = (key: string, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(`${site.url}/v1/chat/completions`, {
      method: 'POST',
      // A connection of its own: either worker may take it.
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', connection: 'close', ...headers },
      body: JSON.stringify({ model: 'gpt-4o', messages: [{ role: 'user', content: 'hi' }], max_tokens: 50 }),
    })
  const statusOf = async (key: string): Promise<number> => {
    const answer = await call(key)
    await answer.text()
    return answer.status
  }
  const balanceOf = async ({ id }: Person): Promise<number> =>
    (await operator.must<{ quota: number }>('GET', `/api/user/${id}`)).quota

  it('spend one balance together, down to less than a call holds, and never beyond it', async () => {
    const cost = 275
    // The least that is held: 500 tokens at 1.25.
    const leastHold = 625
    const balance = 40 * cost
    const customer = await addCustomer(site.url, operator, 'shared', balance)
    const key = await addKey(customer)
    let answered = 0
    const caller = async (): Promise<void> => {
      for (let round = 0; round < 10; round += 1) if ((await statusOf(key)) === 200) answered += 1
    }
    await Promise.all(Array.from({ length: 12 }, caller))
    while (balance - answered * cost >= leastHold && (await statusOf(key)) === 200) answered += 1
    expect(balance - answered * cost).toBeLessThan(leastHold)
    expect(balance - answered * cost).toBeGreaterThanOrEqual(0)
    await expect.poll(() => balanceOf(customer)).toBe(balance - answered * cost)
  })

  // Processes are found in Linux's /proc.
  it.skipIf(process.platform !== 'linux')(
    'ask their primary nothing for a call of a key whose balance is leased',
    async () => {
      const key = await addKey(await addCustomer(site.url, operator, 'leased', 1_000_000_000))
      const send = async (calls: number): Promise<void> => {
        const caller = async (): Promise<void> => {
          for (let left = calls / 10; left > 0; left -= 1) expect(await statusOf(key)).toBe(200)
        }
        await Promise.all(Array.from({ length: 10 }, caller))
      }
      const primary = site.process.pid ?? 0
      // Both workers have a lease then.
      await send(100)
      await questions.take(primary)
      const began = performance.now()
      await send(400)
      const asked = await questions.take(primary)
      const batches = 2 * (1 + (performance.now() - began) / 500)
      const { reserve = 0, lease = 0, change = 0, raiseTip = 0, ...others } = asked
      expect(reserve + lease).toBeLessThan(40)
      // Charges travel with the batches that go to the database, two a second from each worker at most; besides, leases come back.
      expect(change + raiseTip).toBeLessThan(2 * batches + 20)
      // These go by the clock alone.
      const byClock = ['beat', 'tip', 'connections', 'throttle.takeChanges', 'forgetSilent']
      expect(Object.keys(others).filter((name) => !byClock.includes(name))).toEqual([])
    },
    60_000,
  )

  it('count the requests of a user together', async () => {
    const limits = { ModelRequestRateLimitEnabled: 'true', ModelRequestRateLimitCount: '9' }
    for (const [key, value] of Object.entries({ ...limits, ModelRequestRateLimitDurationMinutes: '10' }))
      await operator.must('PUT', '/api/option/', { key, value })
    let customers = 0
    /** Of 40 requests at once; the other worker may need a moment to know the option. */
    const answered = async (): Promise<number> => {
      customers += 1
      const key = await addKey(await addCustomer(site.url, operator, `limited${customers}`, 1_000_000))
      const statuses = await Promise.all(Array.from({ length: 40 }, () => statusOf(key)))
      return statuses.filter((status) => status === 200).length
    }
    await expect.poll(answered, { timeout: 30_000 }).toBe(9)
    await operator.must('PUT', '/api/option/', { key: 'ModelRequestRateLimitEnabled', value: 'false' })
  })

  it('stop a session together at its limit', async () => {
    await operator.must('PUT', '/api/option/', { key: 'SessionLimits', value: JSON.stringify({ '*': { calls: 12 } }) })
    const key = await addKey(await addCustomer(site.url, operator, 'agent', 1_000_000))
    let sessions = 0
    /** Calls of a new session that are answered, one after the other, as an agent makes them. */
    const answered = async (): Promise<number> => {
      sessions += 1
      let count = 0
      for (; count < 60; count += 1)
        if ((await call(key, { 'session-id': `s${sessions}` })).status !== 200) return count
      return count
    }
    // Calls that the other worker began within the last 50 ms may come on top.
    await expect.poll(answered).toBeLessThan(24)
    expect(await answered()).toBeGreaterThanOrEqual(12)
    await operator.must('PUT', '/api/option/', { key: 'SessionLimits', value: '{}' })
  })

  it('are in the metrics of whichever is scraped, and on the screen Live', async () => {
    const scrape = await fetch(`${site.url}/metrics`, { headers: { authorization: 'Bearer scraper' } })
    const text = await scrape.text()
    for (const worker of [1, 2]) expect(text).toContain(`tollgate_accepting{worker="${worker}"} 1`)
    expect(text.match(/^# TYPE tollgate_accepting /gm)).toHaveLength(1)
    const nodes = async () => (await operator.must<{ nodes: { name: string }[] }>('GET', '/api/live')).nodes.length
    await expect.poll(nodes).toBe(2)
  })

  it('give no part of a balance out twice when all of the node is killed and one worker is there before the other', async () => {
    const cost = 275
    const balance = 40 * cost
    const customer = await addCustomer(site.url, operator, 'killed', balance)
    const key = await addKey(customer)
    let answered = 0
    const spend = async (callers: number): Promise<void> => {
      const caller = async (): Promise<void> => {
        while ((await statusOf(key)) === 200) answered += 1
      }
      await Promise.all(Array.from({ length: callers }, caller))
    }
    await spend(12)
    // The last charges are in the journals of both workers only.
    await site.kill()
    await site.restart()
    await spend(12)
    expect(answered).toBeGreaterThan(30)
    expect(balance - answered * cost).toBeGreaterThanOrEqual(0)
    await expect.poll(() => balanceOf(customer), { timeout: 30_000 }).toBe(balance - answered * cost)
  })

  it('end what is under way when the node is asked to stop', async () => {
    const key = await addKey(await addCustomer(site.url, operator, 'last', 1_000_000))
    const running = Array.from({ length: 8 }, () => statusOf(key))
    await new Promise((resolve) => setTimeout(resolve, 20))
    const stopped = site.stop()
    const answers = await Promise.allSettled(running)
    await stopped
    expect(site.process.exitCode).toBe(0)
    // So the next start waits for no other worker.
    expect(await workersWithLeftovers({ dataDir: site.directory, workers: 2, nodeName: 'node' })).toEqual([])
    // A connection that no worker had accepted is refused; what was accepted is answered.
    expect(answers.filter(({ status }) => status === 'fulfilled').length).toBeGreaterThan(0)
    expect(answers.flatMap((one) => (one.status === 'fulfilled' && one.value !== 200 ? [one.value] : []))).toEqual([])
  })
})
