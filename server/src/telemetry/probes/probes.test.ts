import { once } from 'node:events'
import { createServer } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { createMonitorListener } from '../monitor-listener.ts'
import { type Check, createChecks } from './checks.ts'

const ends: (() => void)[] = []
afterEach(() => {
  for (const end of ends.splice(0)) end()
})

/** A server that answers probes and nothing else. */
const openProbes = async () => {
  const checks = createChecks()
  const listener = createMonitorListener({ checks, metrics: () => undefined, mayRead: () => true })
  const server = createServer((request, response) => {
    if (!listener(request, response)) response.writeHead(418).end('the console')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  ends.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const bound = server.address()
  const port = typeof bound === 'object' && bound !== null ? bound.port : 0
  const ask = async (path: string, method = 'GET'): Promise<{ status: number; text: string }> => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`, { method })
    return { status: response.status, text: (await response.text()).trim() }
  }
  return { checks, ask }
}

const fine: Check = { name: 'journal', needed: true, fault: () => undefined }

describe('probes', () => {
  it('say while a process starts that it lives and is not ready', async () => {
    const { ask } = await openProbes()
    expect(await ask('/livez')).toEqual({ status: 200, text: 'ok' })
    expect(await ask('/readyz')).toEqual({ status: 503, text: 'process failed' })
    expect((await ask('/readyz?verbose')).text).toBe('[-]process failed: starting\nreadyz check failed')
  })

  it('say which part is out of order', async () => {
    const { checks, ask } = await openProbes()
    checks.started([fine, { name: 'ledger', needed: true, fault: async () => 'too many records wait' }])
    expect(await ask('/readyz')).toEqual({ status: 503, text: 'ledger failed' })
    expect(await ask('/readyz?verbose')).toEqual({
      status: 503,
      text: '[+]process ok\n[+]journal ok\n[-]ledger failed: too many records wait\nreadyz check failed',
    })
    expect(await ask('/livez')).toEqual({ status: 200, text: 'ok' })
  })

  it('keep a node in service that a part is missing from which calls can do without', async () => {
    const { checks, ask } = await openProbes()
    checks.started([fine, { name: 'database', needed: false, fault: () => 'no answer' }])
    expect(await ask('/readyz')).toEqual({ status: 200, text: 'ok' })
    expect((await ask('/readyz?verbose')).text).toContain('[!]database failed, calls go on: no answer')
    expect(await ask('/healthz')).toEqual({ status: 503, text: 'database failed' })
  })

  it('wait for no part that hangs', async () => {
    const { checks, ask } = await openProbes()
    checks.started([{ name: 'redis', needed: true, fault: () => new Promise(() => {}) }])
    expect((await ask('/readyz?verbose')).text).toContain('[-]redis failed: redis does not answer')
  })

  it('fail from the signal to stop on', async () => {
    const { checks, ask } = await openProbes()
    checks.started([fine])
    expect((await ask('/readyz')).status).toBe(200)
    checks.stopping()
    expect(await ask('/readyz?verbose')).toEqual({
      status: 503,
      text: '[-]process failed: stopping\n[+]journal ok\nreadyz check failed',
    })
    expect((await ask('/livez')).status).toBe(200)
  })

  it('are read only, and nothing stands below them', async () => {
    const { ask } = await openProbes()
    expect((await ask('/livez', 'HEAD')).status).toBe(200)
    expect((await ask('/livez', 'POST')).status).toBe(405)
    for (const path of ['/livez/', '/readyz/database', '/healthz/x', '/metrics', '/metrics/x']) {
      expect(await ask(path)).toEqual({ status: 404, text: 'not found' })
    }
    expect(await ask('/livezz')).toEqual({ status: 418, text: 'the console' })
  })
})
