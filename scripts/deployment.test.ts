import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'
import { secretVariables } from '../server/src/lib/security/secret-files.ts'
import { variablesRead } from './docs-variables.ts'

/** The files that run Tollgate elsewhere fit the server. */

const root = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(root, path), 'utf8')
const folder = mkdtempSync(join(tmpdir(), 'tollgate-deployment-'))
afterAll(() => rmSync(folder, { recursive: true }))

const has = (command: string, ...args: readonly string[]): boolean => spawnSync(command, args).status === 0

/** Variables that no table of the configuration names, but that something reads. */
const others = ['NODE_ENV', 'NODE_COMPILE_CACHE', 'SECRETS_DIR', ...secretVariables.map((name) => `${name}_FILE`)]
const isKnown = (name: string): boolean => variablesRead().has(name) || others.includes(name)

describe('the Dockerfile', () => {
  const text = read('Dockerfile')

  it('copies what exists', () => {
    const copied = [...text.matchAll(/^COPY (?!--from)(.+) \S+$/gm)].flatMap(([, paths = '']) => paths.split(' '))
    expect(copied.length).toBeGreaterThan(10)
    expect(copied.filter((path) => path !== '.' && !existsSync(join(root, path)))).toEqual([])
  })

  it('has a command that serves from the bundle, as the image has neither the console’s sources nor what builds it', () => {
    const [, made = ''] = /&& (printf [\s\S]*?) > \/tollgate/.exec(text) ?? []
    const command = join(folder, 'tollgate')
    writeFileSync(command, execFileSync('sh', ['-c', made]), { mode: 0o755 })
    writeFileSync(join(folder, 'node'), '#!/bin/sh\necho "$@"\n', { mode: 0o755 })
    const runs = (...args: readonly string[]): string =>
      execFileSync(command, args, { env: { PATH: `${folder}:${process.env.PATH}` }, encoding: 'utf8' }).trim()
    expect(runs()).toBe('/app/server/dist/start.js')
    expect(runs('serve')).toBe('/app/server/dist/start.js')
    expect(runs('backup', '--to', 'a b')).toBe('/app/scripts/tollgate/tollgate.ts backup --to a b')
  })

  it('runs without privileges and looks at /livez', () => {
    expect(text.indexOf('USER node')).toBeLessThan(text.indexOf('HEALTHCHECK'))
    expect(text).toContain('/livez')
    expect(text).toMatch(/^CMD \["node", "server\/dist\/start.js"\]$/m)
  })
})

const service = z.object({
  image: z.string().optional(),
  build: z.string().optional(),
  environment: z.record(z.string(), z.string()).default({}),
  read_only: z.boolean().default(false),
  stop_grace_period: z.string().default('10s'),
  volumes: z.array(z.string()).default([]),
  secrets: z.array(z.string()).default([]),
})
const compose = z.object({
  services: z.record(z.string(), service),
  volumes: z.record(z.string(), z.unknown()),
  secrets: z.record(z.string(), z.object({ file: z.string() })).default({}),
})

describe.each(['compose.yaml', 'ops/compose/sqlite.yaml', 'ops/compose/two-nodes.yaml'])('%s', (path) => {
  const { services, volumes, secrets } = compose.parse(parse(read(path), { merge: true }))
  const nodes = Object.values(services).filter(({ build }) => build !== undefined)

  it('sets variables that the server reads', () => {
    expect(nodes.length).toBeGreaterThan(0)
    const names = nodes.flatMap(({ environment }) => Object.keys(environment))
    expect(names.filter((name) => !isKnown(name))).toEqual([])
    const mounted = nodes.flatMap((node) => node.secrets)
    expect(mounted.filter((name) => !secretVariables.includes(name) || !Object.hasOwn(secrets, name))).toEqual([])
  })

  it('gives each node a name, a volume of its own, time to stop and a root that it cannot write', () => {
    const own = nodes.map(({ environment, volumes: mounts }) => `${environment.NODE_NAME} ${mounts[0]}`)
    expect(new Set(own).size).toBe(nodes.length)
    for (const node of nodes) {
      expect(Object.keys(volumes)).toContain(node.volumes[0]?.split(':')[0])
      expect(node.volumes[0]).toMatch(/:\/data$/)
      expect(Number.parseInt(node.stop_grace_period, 10)).toBeGreaterThanOrEqual(70)
      expect(node.read_only).toBe(true)
    }
  })
})

const chart = join(root, 'ops/helm')
const helm = (...args: readonly string[]): string => execFileSync('helm', args, { encoding: 'utf8' })

describe('the Helm chart', () => {
  const templates = ['statefulset', 'service', 'secret', 'pdb', 'ingress'].map((name) =>
    read(`ops/helm/templates/${name}.yaml`),
  )

  it('names only values that exist, and variables that the server reads', () => {
    const values: unknown = parse(read('ops/helm/values.yaml'))
    const valueAt = (path: string): unknown =>
      path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], values)
    const named = templates.flatMap((text) => [...text.matchAll(/\.Values\.([\w.]+)/g)].map(([, name = '']) => name))
    // The contents of a secret are the operator's choice.
    const missing = named.filter((name) => !name.startsWith('secret.values') && valueAt(name) === undefined)
    expect(missing).toEqual([])
    const variables = [...(templates[0] ?? '').matchAll(/- (?:\{ )?name: ([A-Z_]+)/g)].map(([, name = '']) => name)
    expect(variables).toContain('NODE_NAME')
    expect(variables.filter((name) => !isKnown(name))).toEqual([])
  })

  it('has the version of the server', () => {
    const { appVersion } = z.object({ appVersion: z.string() }).parse(parse(read('ops/helm/Chart.yaml')))
    const { version } = z.object({ version: z.string() }).parse(JSON.parse(read('package.json')))
    expect(appVersion).toBe(version)
  })

  it.runIf(has('helm', 'version'))(
    'passes the linter, and renders three nodes that keep their names and journals',
    () => {
      expect(helm('lint', chart, '--set', 'secret.existingSecret=x')).toContain('0 chart(s) failed')
      const rendered = helm(
        'template',
        'site',
        chart,
        '-f',
        join(chart, 'values-ha.yaml'),
        '--set',
        'ingress.enabled=true',
      )
      const kinds = parseAllDocuments(rendered).map((document) => document.toJS() as { kind: string; spec: unknown })
      const kindNames = kinds.map(({ kind }) => kind).sort()
      expect(kindNames).toEqual(['Ingress', 'PodDisruptionBudget', 'Service', 'Service', 'StatefulSet'])
      expect(kinds.find(({ kind }) => kind === 'StatefulSet')?.spec).toMatchObject({
        replicas: 3,
        template: {
          spec: {
            securityContext: { runAsNonRoot: true },
            containers: [
              {
                securityContext: { readOnlyRootFilesystem: true, allowPrivilegeEscalation: false },
                livenessProbe: { httpGet: { path: '/livez' } },
                readinessProbe: { httpGet: { path: '/readyz' } },
              },
            ],
          },
        },
      })
      const refused = spawnSync('helm', ['template', 'site', chart], { encoding: 'utf8' })
      expect(refused.stderr).toContain('set secret.existingSecret')
    },
  )
})

describe('the systemd unit', () => {
  const unit = read('ops/systemd/tollgate.service')

  it('sets variables that the server reads', () => {
    const names = [...unit.matchAll(/^Environment=(.*)$/gm)].flatMap(([, pairs = '']) =>
      pairs.split(' ').map((pair) => pair.split('=')[0] ?? ''),
    )
    expect(names).toContain('SECRETS_DIR')
    expect(names.filter((name) => !isKnown(name))).toEqual([])
    const credentials = [...unit.matchAll(/^LoadCredential=(\w+):/gm)].map(([, name = '']) => name)
    expect(credentials.filter((name) => !secretVariables.includes(name))).toEqual([])
  })

  it.runIf(has('systemd-analyze', '--version'))('is one that systemd accepts', () => {
    const path = join(folder, 'tollgate.service')
    writeFileSync(path, unit.replace('/opt/tollgate/node_modules/.bin/node', process.execPath))
    const { stderr } = spawnSync('systemd-analyze', ['verify', '--man=no', path], { encoding: 'utf8' })
    expect(stderr.split('\n').filter((line) => line.includes('tollgate.service:'))).toEqual([])
  })
})
