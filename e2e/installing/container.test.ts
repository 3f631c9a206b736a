import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'

const read = (name: string): string => readFileSync(join(import.meta.dirname, '../..', name), 'utf8')

describe('compose.yaml', () => {
  const compose = read('compose.yaml')

  it('names the services under their key', () => {
    expect(compose.match(/^[a-z]+(?=:)/gm)).toEqual(['services', 'volumes'])
    const services = compose.slice(compose.indexOf('services:'), compose.indexOf('\nvolumes:'))
    expect(services.match(/^ {2}[a-z]+(?=:$)/gm)).toEqual(['  tollgate', '  postgres', '  redis'])
  })

  it('gives running calls and the journal the time that SIGTERM promises, and the node a name that stays', () => {
    expect(Number(/stop_grace_period: (\d+)s/.exec(compose)?.[1])).toBeGreaterThan(60)
    expect(compose).toMatch(/NODE_NAME: \w+/)
  })
})

describe('the container image', () => {
  it('is built with all packages, which hold the compilers of the console, and ships those of the server alone', () => {
    const installs = read('Dockerfile').match(/^RUN npm .*$/gm)
    expect(installs).toEqual([
      'RUN npm ci --no-audit --no-fund',
      'RUN npm run build',
      'RUN npm ci -w server -w contract --omit=dev --no-audit --no-fund',
    ])
  })

  it('excludes installed packages, data and secrets of the build machine', () => {
    const ignored = read('.dockerignore').trim().split('\n')
    expect(ignored).toEqual(expect.arrayContaining(['**/node_modules', '**/dist', 'data', 'logs', '.env', '.git']))
  })
})
