import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { openBooks } from './support/books.ts'
import { openForBusiness, signIn } from './support/operator.ts'
import {
  chunk,
  type ScriptedUpstream,
  startScriptedUpstream,
  streamThen,
  usageChunk,
} from './support/scripted-upstream.ts'
import { rootPassword, type Site, startSite } from './support/site.ts'

/** How the product starts and stops. */

const ends: (() => Promise<void> | void)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

const openSite = async (environment: Record<string, string> = {}): Promise<Site> => {
  const site = await startSite(environment)
  ends.push(site.remove)
  return site
}

const openUpstream = async (): Promise<ScriptedUpstream> => {
  const upstream = await startScriptedUpstream()
  ends.push(upstream.close)
  return upstream
}

/** A directory for data that nothing runs on. */
const freshDirectory = (): string => {
  const directory = mkdtempSync(join(tmpdir(), 'tollgate-e2e-'))
  ends.push(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** Output of a start that must fail, once it has given up. */
const failingStart = async (environment: Record<string, string>): Promise<{ code: unknown; stderr: string }> => {
  const child: ChildProcess = spawn(process.execPath, [join(import.meta.dirname, '../scripts/start.ts')], {
    env: { ...process.env, NODE_ENV: 'production', HOST: '127.0.0.1', PORT: '0', ...environment },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  ends.push(() => void child.kill('SIGKILL'))
  let stderr = ''
  child.stderr?.on('data', (part: Buffer) => {
    stderr += part.toString()
  })
  const [code] = await once(child, 'close')
  return { code, stderr }
}

const takenPort = async (): Promise<string> => {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => void server.close())
  const address = server.address()
  return String(typeof address === 'object' && address !== null ? address.port : 0)
}

const hello = { model: 'gpt-4o', stream: true, messages: [{ role: 'user', content: 'Say hello.' }] }

const askStream = (url: string, key: string): Promise<Response> =>
  fetch(`${url}/v1/chat/completions`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(hello),
  })

it('answers soon after its start', async () => {
  const site = await openSite()
  await site.stop()
  const began = performance.now()
  await site.restart()
  const took = performance.now() - began
  console.log(`From start to first answer: ${Math.round(took)} ms`)
  expect(took).toBeLessThan(60_000)
})

it('keeps users, channels, keys, options, balances and sessions over a restart', async () => {
  const site = await openSite()
  const upstream = await openUpstream()
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'SystemName', value: 'Kept' })
  const key = await openForBusiness(operator, upstream.url)
  upstream.answer = streamThen([chunk({ content: 'Hello!' }), usageChunk(20, 50)], ({ response }) => response.end())
  await (await askStream(site.url, key)).text()

  await site.stop()
  await site.restart()

  const books = openBooks(operator)
  expect(await books.balance(operator.id)).toBe(1_000_000 - 275)
  const status = (await (await fetch(`${site.url}/api/status`)).json()) as { data: { system_name: string } }
  expect(status.data.system_name).toBe('Kept')
  const answer = await askStream(site.url, key)
  expect(await answer.text()).toContain('Hello!')
  await books.entry(answer.headers.get('x-oneapi-request-id') ?? '')
  expect(await books.balance(operator.id)).toBe(1_000_000 - 550)
})

it('lets a running stream end when the server is asked to stop, and bills it', async () => {
  const site = await openSite()
  const upstream = await openUpstream()
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000 })
  const key = await openForBusiness(operator, upstream.url)
  const finished = Promise.withResolvers<void>()
  upstream.answer = streamThen([chunk({ content: 'before' })], ({ response }) => {
    void finished.promise.then(() => {
      response.write(`data: ${JSON.stringify(chunk({ content: 'after' }))}\n\n`)
      response.end(`data: ${JSON.stringify(usageChunk(20, 50))}\n\ndata: [DONE]\n\n`)
    })
  })

  const answer = await askStream(site.url, key)
  const stopped = site.stop()
  await expect.poll(() => site.output()).toContain('stopping')
  await expect(fetch(`${site.url}/api/status`)).rejects.toThrow()
  finished.resolve()
  const text = await answer.text()
  const ended = performance.now()
  await stopped
  // The client keeps its connection for another call; the server does not wait for it.
  expect(performance.now() - ended).toBeLessThan(30_000)

  expect(text).toContain('after')
  expect(text.endsWith('data: [DONE]\n\n')).toBe(true)
  expect(site.process.exitCode).toBe(0)
  await site.restart()
  const books = openBooks(operator)
  expect(await books.entry(answer.headers.get('x-oneapi-request-id') ?? '')).toMatchObject({
    quota: 275,
    other: { end: 'done' },
  })
  expect(await books.balance(operator.id)).toBe(1_000_000 - 275)
})

it('bills a call whose client has left, too, before it stops', async () => {
  const site = await openSite()
  const upstream = await openUpstream()
  const operator = await signIn(site.url)
  await operator.must('PUT', '/api/user/', { id: operator.id, quota: 1_000_000 })
  await operator.must('PUT', '/api/option/', { key: 'StreamOnClientGone', value: 'finish' })
  const key = await openForBusiness(operator, upstream.url)
  const finished = Promise.withResolvers<void>()
  upstream.answer = streamThen([chunk({ content: 'before' })], ({ response }) => {
    void finished.promise.then(() => response.end(`data: ${JSON.stringify(usageChunk(20, 50))}\n\ndata: [DONE]\n\n`))
  })

  const answer = await askStream(site.url, key)
  await answer.body?.cancel()
  const stopped = site.stop()
  await expect.poll(() => site.output()).toContain('stopping')
  // Long enough for a server that does not wait to be gone.
  await new Promise((resolve) => setTimeout(resolve, 500))
  expect(site.process.exitCode).toBe(null)
  finished.resolve()
  await stopped

  await site.restart()
  const books = openBooks(operator)
  expect(await books.entry(answer.headers.get('x-oneapi-request-id') ?? '')).toMatchObject({
    quota: 275,
    other: { end: 'done' },
  })
})

describe('does not start, and says in one sentence why,', () => {
  const expectSentence = async (environment: Record<string, string>, names: RegExp): Promise<void> => {
    const { code, stderr } = await failingStart({ DATA_DIR: freshDirectory(), ...environment })
    expect(stderr).toMatch(names)
    expect(stderr.trim()).toMatch(/^[^\n]+\.$/)
    expect(code).toBe(1)
  }

  it('with a port that is none', () =>
    expectSentence({ PORT: 'http' }, /^PORT cannot be used: "http" is not a whole number\.$/m))
  it('with a port that is out of range', () => expectSentence({ PORT: '70000' }, /^PORT cannot be used: /))
  it('with a port that is taken', async () => expectSentence({ PORT: await takenPort() }, /PORT/))
  it('with a database address that is none', () => expectSentence({ SQL_DSN: 'nonsense' }, /^SQL_DSN cannot be used: /))
  it('with a database that does not answer', () =>
    expectSentence({ SQL_DSN: 'postgres://user:pass-word@127.0.0.1:9/x' }, /SQL_DSN(?!.*pass-word)/))
  it('with a data directory that cannot be made', () => expectSentence({ DATA_DIR: '/dev/null/data' }, /DATA_DIR/))
  it('with the secret of the example', () =>
    expectSentence({ CRYPTO_SECRET: 'random_string' }, /^CRYPTO_SECRET cannot be used: /))
  it('with an address of Redis that is none', () =>
    expectSentence({ REDIS_CONN_STRING: 'localhost' }, /^REDIS_CONN_STRING cannot be used: /))
  it('with a Redis that does not answer', () =>
    expectSentence({ REDIS_CONN_STRING: 'redis://:pass-word@127.0.0.1:9' }, /REDIS_CONN_STRING(?!.*pass-word)/))
  it('with an address to listen on that is not its own', () =>
    expectSentence({ HOST: '192.0.2.1', INITIAL_ROOT_PASSWORD: rootPassword }, /^HOST cannot be used: /))
  it('with a first password that is too short', () =>
    expectSentence({ INITIAL_ROOT_PASSWORD: 'short' }, /^INITIAL_ROOT_PASSWORD cannot be used: /))
  it('with a directory for logs that cannot be made', () =>
    expectSentence({ LOG_DIR: '/dev/null/logs' }, /^LOG_DIR cannot be used: /))

  it('with another secret than its data', async () => {
    const site = await openSite({ CRYPTO_SECRET: 'the first secret' })
    await site.stop()
    await expectSentence({ DATA_DIR: site.directory, CRYPTO_SECRET: 'another secret' }, /CRYPTO_SECRET/)
    await expectSentence({ DATA_DIR: site.directory }, /CRYPTO_SECRET/)
    await site.restart()
    expect((await signIn(site.url)).id).toBe(1)
  })
})

describe('the password of the first operator', () => {
  const login = async (site: Site, password: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${site.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify({ username: 'root', password }),
    })
    return (await response.json()) as { success: boolean; message: string; data?: { default_password: boolean } }
  }

  it('is 123456 on this machine, with a warning, and nothing through a proxy', async () => {
    const site = await openSite({ INITIAL_ROOT_PASSWORD: '' })
    expect(await login(site, '123456')).toMatchObject({ success: true, data: { default_password: true } })
    for (const header of ['x-forwarded-for', 'forwarded', 'x-real-ip']) {
      const refused = await login(site, '123456', { [header]: header === 'forwarded' ? 'for=8.8.8.8' : '8.8.8.8' })
      expect(refused).toMatchObject({ success: false, message: expect.stringContaining('INITIAL_ROOT_PASSWORD') })
      expect(refused.data).toBeUndefined()
    }
    // The answer to a wrong password does not mention the default one.
    expect((await login(site, '654321', { 'x-forwarded-for': '8.8.8.8' })).message).not.toContain('INITIAL')
  })

  it('is no longer the default once it was changed', async () => {
    const site = await openSite({ INITIAL_ROOT_PASSWORD: '' })
    const operator = await signIn(site.url, 'root', '123456')
    await operator.must('PUT', '/api/user/self', { original_password: '123456', password: 'correct-horse' })
    expect((await login(site, '123456')).success).toBe(false)
    expect(await login(site, 'correct-horse', { 'x-forwarded-for': '8.8.8.8' })).toMatchObject({
      success: true,
      data: { default_password: false },
    })
  })

  it('is what INITIAL_ROOT_PASSWORD says, from everywhere', async () => {
    const site = await openSite()
    expect((await login(site, '123456')).success).toBe(false)
    expect(await login(site, rootPassword, { 'x-forwarded-for': '8.8.8.8' })).toMatchObject({
      success: true,
      data: { default_password: false },
    })
  })
})
