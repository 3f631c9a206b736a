import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { openPrometheus } from '../server/src/telemetry/prometheus/prometheus.ts'

/** Files of `ops/` fit the server's metrics and variables. */

const ops = join(import.meta.dirname, '../ops')
const read = (path: string): string => readFileSync(join(ops, path), 'utf8')

const prometheus = openPrometheus({
  state: () => ({
    running: 0,
    holds: { count: 0, quota: 0 },
    leases: { count: 0, quota: 0 },
    waiting: { count: 0, oldestMs: 0 },
    journal: { segments: 0, bytes: 0 },
    accepting: true,
  }),
  dependencies: { database: async () => 1, redis: async () => 1 },
  channels: () => [],
  jobs: { read: async () => new Map(), ends: () => [], deliveries: () => [] },
  clock: Date.now,
  knows: () => true,
  mostNames: 5,
  version: '1',
  node: 'a',
})
afterAll(() => prometheus.close())

/** Every name that is exported; those of a histogram with their three endings. */
const exportedNames = async (): Promise<ReadonlySet<string>> => {
  const kinds = [...(await prometheus.text()).matchAll(/^# TYPE (\S+) (\S+)$/gm)]
  return new Set(
    kinds.flatMap(([, name = '', kind]) =>
      kind === 'histogram' ? ['bucket', 'sum', 'count'].map((end) => `${name}_${end}`) : [name],
    ),
  )
}

const namesIn = (text: string): readonly string[] => [
  ...new Set(text.match(/\b(?:tollgate|nodejs|process)_[a-z0-9_]+/g) ?? []),
]

const target = z.object({ expr: z.string() })
const dashboard = z.object({
  uid: z.string(),
  panels: z.array(z.object({ id: z.int(), title: z.string(), targets: z.array(target).optional() })),
})

const hasPromtool = (): boolean => {
  try {
    execFileSync('promtool', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

describe('ops', () => {
  it('names only metrics that are exported', async () => {
    const exported = await exportedNames()
    for (const path of ['prometheus/alerts.yaml', 'prometheus/alerts.test.yaml', 'grafana/tollgate.json']) {
      // Comments and descriptions may name a histogram as a whole.
      const names = namesIn(read(path).replaceAll(/^\s*(#|description:).*$/gm, ''))
      expect(names.length).toBeGreaterThan(3)
      expect(names.filter((name) => !exported.has(name))).toEqual([])
    }
  })

  it('shows every metric of ours on the dashboard, except what only other systems ask for', async () => {
    const shown = new Set(
      namesIn(read('grafana/tollgate.json')).map((name) => name.replace(/_(bucket|sum|count)$/, '')),
    )
    const elsewhere = ['tollgate_accepting', 'tollgate_database_up', 'tollgate_redis_up', 'tollgate_journal_segments']
    const all = [...(await exportedNames())].filter((name) => name.startsWith('tollgate_'))
    const missing = new Set(
      all.map((name) => name.replace(/_(bucket|sum|count)$/, '')).filter((name) => !shown.has(name)),
    )
    expect([...missing].filter((name) => !elsewhere.includes(name))).toEqual([])
  })

  it('has a dashboard whose panels all ask for something', () => {
    const { panels } = dashboard.parse(JSON.parse(read('grafana/tollgate.json')))
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
    for (const { targets } of panels) for (const { expr } of targets ?? []) expect(expr).not.toBe('')
  })

  it.runIf(hasPromtool())('has alert rules and queries that promtool accepts, and that fire when they should', () => {
    const run = (...args: string[]): string =>
      execFileSync('promtool', args, { cwd: join(ops, 'prometheus') }).toString()
    expect(run('check', 'rules', 'alerts.yaml')).toContain('SUCCESS')
    expect(run('test', 'rules', 'alerts.test.yaml')).toContain('SUCCESS')
    const { panels } = dashboard.parse(JSON.parse(read('grafana/tollgate.json')))
    const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr))
    const rules = queries.map(
      (expr, index) =>
        `{record: "panel:n${index}", expr: ${JSON.stringify(expr.replaceAll('$__rate_interval', '5m'))}}`,
    )
    const file = `groups: [{name: dashboard, rules: [${rules.join(', ')}]}]`
    const directory = mkdtempSync(join(tmpdir(), 'tollgate-ops-'))
    try {
      writeFileSync(join(directory, 'panels.yaml'), file)
      expect(run('check', 'rules', join(directory, 'panels.yaml'))).toContain(`${queries.length} rules found`)
    } finally {
      rmSync(directory, { recursive: true })
    }
  })
})
